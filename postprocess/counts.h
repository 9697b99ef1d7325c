/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of a run (--counters) over its rounds, in all and per operation. */
#ifndef KNEE_COUNTS_H
#define KNEE_COUNTS_H

#include <stdbool.h>
#include <stdio.h>

#include "run.h"
#include "stats.h"

struct counts_event {
	char *name; /* as perf stat has it: "page-faults", "cycles:u" if of user space alone */
	char *status;		/* "counted" if a round has it, else "not supported" and the like */
	double *values, *per_op;	/* of the rounds that have it; times in ns */
	size_t nr;
	struct stats value, per_operation;
	double running_pct; /* of the time it was to be counted: less than 100, and it was scaled */
	double enabled_ns, running_ns;	/* sums */
};

struct counts_cell {
	const struct run_cell *cell;
	double *elapsed_ns, *operations;	/* of nr rounds */
	size_t nr;
	struct stats elapsed, ops;
	struct counts_event *events;
	size_t nr_events;
};

struct counts {
	struct counts_cell *cells;	/* those that have counters, in the order of the plan */
	size_t nr;
};

/* Of the cells of testcase @test; NULL: of all. @run must outlive it. 0 or -errno, said. */
int counts_make(struct counts *c, const struct run *run, const char *path, const char *test);
void counts_free(struct counts *c);

/* The event of that name, with or without ":u"; NULL: none, or never counted. */
const struct counts_event *counts_find(const struct counts_cell *cell, const char *name);

/* Blank-separated, for options. */
#define COUNTS_FORMATS "text json"

/*
 * In perf stat's layout: +- is the standard error of the mean in per cent of the mean, as perf
 * stat -r has it; what is behind '#' relates to task-clock, as there. 0 or -ENOMEM.
 */
int counts_print(const struct counts *c, const char *format, FILE *out);

#endif
