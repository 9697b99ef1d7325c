/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What testcases measure beside their rates (testcase.h, figure_add()): latencies, say, over the
 * rounds of each cell. doc/formats.md says what each column means.
 */
#ifndef KNEE_FIGURES_TABLE_H
#define KNEE_FIGURES_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "run.h"

/* A figure of a cell. What is not defined is NAN. */
struct figures_row {
	const struct run_cell *cell;
	char *name;		/* "latency_ns" */
	const char *doc;	/* the run's; NULL: not known */
	size_t rounds;		/* that have a value */
	uint64_t nr, lost;	/* values of all rounds; those that were not kept */
	double sum, min, max;	/* over all of them */
	double median, p99;	/* the medians over the rounds of each round's */
};

struct figures_table {
	const struct run *run;
	struct figures_row *rows;	/* cells in the order of the plan */
	size_t nr;
};

/* @run must outlive it. 0 or -ENOMEM, said. */
int figures_table_make(struct figures_table *t, const struct run *run);
void figures_table_free(struct figures_table *t);

/* ---- forms ---------------------------------------------------------------------------------- */

#define FIGURES_FORMATS "text markdown csv json"

/* In one of FIGURES_FORMATS. 0 or -ENOMEM. */
int figures_table_print(const struct figures_table *t, const char *format, FILE *out);

#endif
