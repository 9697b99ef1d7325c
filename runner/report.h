/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a testcase executable prints: will-it-scale's lines on stdout, which clients read byte for
 * byte, or JSON lines on a descriptor of the runner's (doc/formats.md).
 */
#ifndef KNEE_REPORT_H
#define KNEE_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "cell.h"
#include "measure.h"

struct report {
	const struct cell_options *options;
	FILE *json;		/* NULL: will-it-scale's lines */
	uint64_t lines, sum;	/* of the measurement lines */
};

/* 0 or -errno, said once. */
int report_open(struct report *r, const struct cell_options *o);

/*
 * With options->attend_fd, whoever watches is told, with the IDs of REPORT_ATTENDED_MAX tasks at most,
 * and waited for: when all tasks wait at the gate (here), before the window begins, and after it. A
 * byte on that descriptor, or its end, is the answer.
 */
#define REPORT_ATTENDED_MAX 32UL
void report_ready(struct report *r, const struct tasks *t);

/* All tasks wait at the gate. @begin_ns: when the program began. */
void report_started(struct report *r, uint64_t begin_ns);

/* The listener for measure_run(). */
struct measure_listener report_listener(struct report *r);

/* The end: a result, or what failed, with the exit status that it means. 0 or -errno, said once. */
int report_result(struct report *r, const struct tasks *t, const struct measure_result *result);
int report_failure(struct report *r, int status, const char *reason);

#endif
