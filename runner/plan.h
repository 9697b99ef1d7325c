/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan of a run: an ordered list of cells, a pure function of options, machine and facts.
 * Running needs nothing but the plan: doc/formats.md describes it as JSON.
 */
#ifndef KNEE_PLAN_H
#define KNEE_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "arrange.h"
#include "catalogue.h"
#include "cpulist.h"
#include "points.h"
#include "testcase.h"

struct plan_cell {
	char *id;
	const char *testcase;	/* both of the catalogue */
	const char *path;
	bool named;		/* the user named the testcase: a cell that cannot be run is a failure */
	enum testcase_mode mode;
	uint64_t tasks;
	const char *why;	/* this task count; NULL in a plan that was read */
	char *placement;	/* as arrange.h has it; what it comes to is in the next four */
	char *cpus;		/* NULL: not bound */
	char *bind_cpus;	/* NULL: each task to its own CPU alone */
	char *partner_cpus;	/* NULL: as the task */
	json_t *span;		/* NULL: not bound */
	char *membind;		/* as mem_nodes.h has it; NULL: not asked for */
	char *mem_nodes;	/* what it comes to; NULL: it names no node */
	char *dir;		/* where its scratch directory goes; NULL: as the plan says */
	json_t *params;		/* name to text */
	json_t *factors;	/* name to level; empty: nothing is varied */
	char *skip;		/* why it is not run, or NULL */
	double expected_s;
};

struct plan {
	const struct catalogue *catalogue;
	char *run;		/* name of the run */
	char *time;		/* when it was planned, UTC */
	uint64_t seed;
	uint64_t rounds, max_rounds;
	double precision_pct;	/* 0: not asked for */
	double duration_s, warmup_s, warmup_max_s;
	bool warmup_follows, warmup_max_follows;	/* not given: set by plan_set_duration() */
	double timeout_s;	/* 0: by the expected time */
	char *placement;
	char *dir;		/* where scratch directories go */
	char *counters;		/* as counters.h has it; NULL: none */
	bool profile;		/* an extra round with probe_profile */
	char *trace;		/* an extra round with probe_trace: functions, or reclaim; NULL: none */
	json_t *options;
	struct plan_cell *cells;
	size_t nr_cells;
	size_t block;		/* cells i * block to (i + 1) * block - 1 differ in factors alone */
};

/* What a combination of factor levels makes of a cell. */
struct plan_variant {
	struct arrangement *arrangement;	/* it remembers what it was asked */
	const char *membind;			/* as mem_nodes.h has it; NULL: not asked for */
	const char *dir;			/* NULL: as the plan says */
	const struct catalogue *catalogue;	/* described with this variant's parameters */
	const json_t *factors;			/* name to level */
};

/* What a plan is made of; all of it outlives the plan. */
struct plan_input {
	const struct catalogue *catalogue;	/* selected and described */
	const struct points *points;
	const char *modes;			/* "processes", "threads", "both" */
	const struct plan_variant *variants;	/* the same entries in the same order in each */
	size_t nr_variants;			/* at least 1 */
};

/*
 * Makes the cells; the caller has set all else. 0 or -errno, said. Unmet needs make skipped
 * cells.
 */
int plan_make(struct plan *p, const struct plan_input *in);
void plan_free(struct plan *p);

/* Cells that will be run; expected time of one round, and of the whole plan, in seconds. */
size_t plan_runnable(const struct plan *p);
double plan_round_s(const struct plan *p);
double plan_expected_s(const struct plan *p);

/* Sets the window, and the warm-up where it follows, also of cells that there are. */
void plan_set_duration(struct plan *p, double duration_s);

/*
 * Fits the plan into @budget_s: a shorter window (0.5 s), then fewer rounds (not under 3), then a
 * yet shorter window (not under 0.2 s). Then as many of the rounds that --precision may add as fit.
 * 0; -ENOSPC if that does not do, said with what would have to be dropped.
 */
int plan_fit(struct plan *p, double budget_s);

/*
 * All CPUs on which the cell's tasks and their partners may run, ascending, each once; none if they
 * are not bound. 0 or -errno. Freed by cpulist_free() if 0.
 */
int plan_cell_cpus(const struct plan_cell *cell, struct cpulist *cpus);

/*
 * The order of round @round: a shuffled permutation of the cells' indices in @order. Cells that
 * differ in factors alone come one after another, shuffled among themselves: what drifts hits all
 * of them alike.
 */
void plan_order(const struct plan *p, uint64_t round, size_t *order);

/* The file plan.json. plan_read() also needs the catalogue, for the testcases' paths. */
json_t *plan_json(const struct plan *p);
int plan_read(struct plan *p, const char *path, const struct catalogue *catalogue);

/* A cell as it stands in the plan and in records. */
json_t *plan_cell_json(const struct plan_cell *cell);

#endif
