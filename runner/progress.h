/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line on a terminal that tells how far a run is. */
#ifndef KNEE_PROGRESS_H
#define KNEE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool on;
	const char *bold, *plain;	/* "" without colours (NO_COLOR, TERM=dumb) */
	uint64_t begin_ns;
	double expected_s, done_s;	/* of what is to be run, by the plan */
	size_t nr, done;		/* cells x rounds */
};

/* @quiet or stderr is no terminal: nothing is ever shown. */
void progress_init(struct progress *p, bool quiet, size_t nr, double expected_s);

/* A cell of @expected_s is done; more of them have come up. */
void progress_done(struct progress *p, double expected_s);
void progress_more(struct progress *p, size_t nr, double expected_s);

/* @what is measured now, at @ops_hz; @pct, if not negative, is the interval of earlier rounds. */
void progress_show(const struct progress *p, const char *what, double ops_hz, double pct);

/* Leaves an empty line: before a message, and at the end. */
void progress_clear(const struct progress *p);

#endif
