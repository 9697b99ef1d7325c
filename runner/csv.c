/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct mode_figures {
	double ops_hz, idle_pct;	/* 0 for a mode that was not run, and for what is not known:
					   clients read digits, dots and commas only */
	bool asked, measured;
};

static bool is_cell(const struct plan_cell *cell, const char *testcase, uint64_t tasks,
		    enum testcase_mode mode)
{
	return cell->tasks == tasks && cell->mode == mode && strcmp(cell->testcase, testcase) == 0;
}

static struct mode_figures figures(const struct tally *t, const char *testcase, size_t variant,
				   uint64_t tasks, enum testcase_mode mode)
{
	struct mode_figures f = { 0 };

	for (size_t i = variant; i < t->plan->nr_cells; i += t->plan->block) {
		const struct tally_cell *c = &t->cells[i];

		if (!is_cell(&t->plan->cells[i], testcase, tasks, mode))
			continue;
		f.asked = true;
		if (!c->nr)
			continue;
		f.measured = true;
		f.ops_hz = tally_mean_hz(c);
		f.idle_pct = c->nr_idle ? tally_idle_pct(c) : 0;
	}
	return f;
}

/* The next larger task count of the testcase, 0 if there is none. */
static uint64_t next_tasks(const struct plan *p, const char *testcase, uint64_t tasks)
{
	uint64_t next = 0;

	for (size_t i = 0; i < p->nr_cells; i++) {
		const struct plan_cell *cell = &p->cells[i];

		if (strcmp(cell->testcase, testcase) == 0 && cell->tasks > tasks &&
		    (!next || cell->tasks < next))
			next = cell->tasks;
	}
	return next;
}

char *csv_name(const struct plan *p, const char *testcase, size_t variant)
{
	const char *factor;
	json_t *level;
	char *name = NULL;
	size_t size;
	FILE *out = open_memstream(&name, &size);

	if (!out)
		return NULL;
	fputs(testcase, out);
	if (p->nr_cells)
		json_object_foreach(p->cells[variant].factors, factor, level)
			fprintf(out, " %s=%s", factor, json_string_value(level));
	if (fclose(out) == 0)
		return name;
	free(name);
	return NULL;
}

void csv_print(const struct tally *t, const char *testcase, size_t variant, FILE *out)
{
	double one = 0;

	fputs("tasks,processes,processes_idle,threads,threads_idle,linear\n0,0,100,0,100,0\n", out);
	for (uint64_t n = 0; (n = next_tasks(t->plan, testcase, n));) {
		struct mode_figures p = figures(t, testcase, variant, n, MODE_PROCESSES);
		struct mode_figures th = figures(t, testcase, variant, n, MODE_THREADS);

		if (p.asked != p.measured || th.asked != th.measured)
			continue;
		if (n == 1)
			one = p.ops_hz > th.ops_hz ? p.ops_hz : th.ops_hz;
		fprintf(out, "%" PRIu64 ",%.0f,%.2f,%.0f,%.2f,%.0f\n", n, p.ops_hz, p.idle_pct,
			th.ops_hz, th.idle_pct, one * (double)n);
	}
}
