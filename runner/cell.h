/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One cell, from its options to its result: what a testcase executable does.
 *
 *	scratch directory -> guardian -> testcase_prepare -> tasks -> gate -> samples -> kill
 *	-> testcase_cleanup -> scratch directory removed -> result
 */
#ifndef KNEE_CELL_H
#define KNEE_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "membind.h"
#include "placement.h"
#include "rlimits.h"
#include "testcase.h"

/* Most that tasks may take to prepare themselves; then the cell fails, and says so. */
#define CELL_PREPARE_MAX_S 60

struct cell_options {
	const char *name;		/* of the testcase */
	enum testcase_mode mode;
	uint64_t tasks;
	double duration_s;		/* 0: until killed */
	double warmup_s, warmup_max_s;
	enum placement placement;
	const char *cpus;		/* list: one CPU a task, in order, wrapping round; or NULL */
	const char *bind_cpus;		/* lists of CPUs, as cpus, separated by '/'; or NULL */
	const char *partner_cpus;	/* list, as cpus; or NULL: the task's own */
	struct membind membind;
	const char *memcg;		/* level of memcg_level.h, NULL: where it is started */
	const char *dir;		/* where the scratch directory goes */
	bool verbose;
	int report_fd;			/* JSON lines go here, and nothing to stdout; -1: stdout */
	int attend_fd;			/* report_ready() waits for answers on it; -1: for none */
	struct rlimits_need need;
};

/* Returns the exit status of the program. */
int cell_run(const struct cell_options *o);

#endif
