/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The derived table of a run: what every summary prints and every plot draws. doc/formats.md
 * says what each figure means. What is not defined, or was not measured, is NAN.
 */
#ifndef KNEE_TABLE_H
#define KNEE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "stats.h"

/* Rounds of a row that gave no figure, for the same reason. */
struct table_failure {
	enum run_status status;
	const char *reason;
	uint64_t rounds;
};

/* A measured round far from the others: it counts like any other, and is shown. */
struct table_outlier {
	uint64_t round;
	double ops_per_s;
	double deviation;	/* stats_deviation() */
};

/* One cell of the plan, over its rounds. */
struct table_row {
	const char *id, *cpus;		/* cpus may be NULL */
	enum run_mode mode;
	uint64_t tasks;
	uint64_t rounds, rounds_ok;	/* of the plan or more; those that were measured */
	struct table_failure *failures;	/* what became of the others */
	size_t nr_failures;
	struct stats ops;		/* operations per second, over the measured rounds */
	double boot95_low, boot95_high;	/* the interval of the mean by the bootstrap */
	struct table_outlier *outliers;	/* by round */
	size_t nr_outliers;
	double per_task_ops;		/* mean / tasks: per_process_ops or per_thread_ops */
	double task_min_ops, task_max_ops;	/* the lowest and the highest rate of any task */
	double fairness;		/* Jain's, over the tasks: the mean over the rounds */
	double efficiency;		/* ops(N) / (N ops(1)), in the same mode */
	double linear;			/* N times the better mode's ops(1) */
	double idle_pct, cell_idle_pct;	/* means */
	uint64_t flag_rounds[RUN_FLAGS_MAX];	/* measured rounds that carry each flag */
};

/* The rows that make one picture: a testcase with a placement, parameters and factor levels. */
struct table_series {
	const char *testcase, *placement;
	const char *description, *unit;	/* NULL: not known */
	struct run_settings params, factors;
	char *label;		/* what tells it from the testcase's other series; "" if alone */
	struct table_row *rows;	/* processes, then threads; by tasks */
	size_t nr_rows;
	double scalability;	/* as LKP defines it: processes / linear at scalability_tasks */
	uint64_t scalability_tasks;
};

struct table {
	const char *run, *time, *machine;	/* time may be NULL */
	uint64_t rounds;
	double duration_s;
	const char *flags[RUN_FLAGS_MAX];
	size_t nr_flags;
	struct table_series *series;	/* in the order of the plan */
	size_t nr_series;
};

/*
 * The table's texts are the run's, which must outlive it. @seed is the bootstrap's. 0 or -ENOMEM,
 * said.
 */
#define TABLE_SEED 1
int table_make_seeded(struct table *t, const struct run *run, unsigned long seed);
int table_make(struct table *t, const struct run *run);	/* with TABLE_SEED */
void table_free(struct table *t);

/* The meaning of the table's n-th flag, as a text for people. */
const char *table_flag_meaning(size_t n);

/* Whether the row has a figure at all; whether there is a reason to doubt it. */
bool table_measured(const struct table_row *row);
bool table_doubtful(const struct table *t, const struct table_row *row);

/* "size=128K depth=2"; "" if there are none. Freed by the caller; NULL if there is no memory. */
char *table_settings(const struct run_settings *settings);

#endif
