/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

void progress_init(struct progress *p, bool quiet, size_t nr, double expected_s)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool plain = !term || strcmp(term, "dumb") == 0 || (no_color && no_color[0]);

	*p = (struct progress){
		.on = !quiet && isatty(STDERR_FILENO),
		.bold = plain ? "" : "\033[1m",
		.plain = plain ? "" : "\033[0m",
		.begin_ns = clock_ns(),
		.expected_s = expected_s,
		.nr = nr,
	};
}

void progress_done(struct progress *p, double expected_s)
{
	p->done++;
	p->done_s += expected_s;
}

void progress_more(struct progress *p, size_t nr, double expected_s)
{
	p->nr += nr;
	p->expected_s += expected_s;
}

/* What is left by the plan, stretched as the past was. */
static double left_s(const struct progress *p)
{
	double past_s = (double)(clock_ns() - p->begin_ns) / 1e9;
	double stretch = p->done_s > 0 ? past_s / p->done_s : 1;

	return (p->expected_s - p->done_s) * stretch;
}

void progress_show(const struct progress *p, const char *what, double ops_hz, double pct)
{
	double left = left_s(p);
	char spread[32] = "";

	if (!p->on)
		return;
	if (pct >= 0)
		snprintf(spread, sizeof(spread), " +-%.1f%%", pct);
	fprintf(stderr, "\r\033[K%zu/%zu %s%s%s  %.4g ops/s%s  %d:%02d left", p->done + 1, p->nr,
		p->bold, what, p->plain, ops_hz, spread, (int)left / 60, (int)left % 60);
	fflush(stderr);
}

void progress_clear(const struct progress *p)
{
	if (p->on)
		fputs("\r\033[K", stderr);
}
