/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run directory (doc/formats.md) as plain structs. Members that are not known are ignored; a
 * line of the records that is incomplete, because the run was killed, is left out.
 */
#ifndef KNEE_RUN_H
#define KNEE_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "msg.h"

enum run_status {
	RUN_OK,
	RUN_FAILED,	/* a task died or returned, a call failed */
	RUN_TIMEOUT,
	RUN_LACKING,	/* the machine or the user lacks what it needs */
	RUN_SKIPPED,	/* the plan says so */
	RUN_KILLED,	/* the run was ended by a signal */
	RUN_MISSING,	/* no record: it was not run (yet) */
};

enum run_mode {
	RUN_PROCESSES,
	RUN_THREADS,
};

/* As they are spelled in the files. */
const char *run_status_name(enum run_status status);
const char *run_mode_name(enum run_mode mode);

struct run_setting {
	const char *name, *value;
};

struct run_settings {
	struct run_setting *list;
	size_t nr;
};

struct run_cell {
	const char *id;
	const char *testcase, *description, *unit;	/* the latter two may be NULL */
	enum run_mode mode;
	uint64_t tasks;
	const char *placement;
	const char *cpus;	/* NULL: not bound */
	const char *skip;	/* why the plan leaves it out, or NULL */
	struct run_settings params, factors;
	size_t first_record, nr_records;	/* in the run's records, by round */
};

struct run_record {
	size_t cell;		/* index */
	uint64_t round;
	size_t line;		/* of records.jsonl */
	enum run_status status;
	char *reason;		/* NULL if RUN_OK */
	/* If RUN_OK. A figure that could not be had is NAN. */
	double elapsed_ns, ops_per_s;
	double min_task_ops, max_task_ops;
	double fairness;	/* over its tasks: stats_fairness() */
	double idle_pct, cell_idle_pct;
	uint64_t flags;		/* bits: indices into the run's flags */
	char *figures;		/* JSON of the testcase's own figures (figures.h); NULL: none */
};

#define RUN_FLAGS_MAX 64

struct run {
	const char *name, *time;
	uint64_t rounds;	/* planned for each cell */
	double duration_s;	/* planned length of the window; NAN if not said */
	char *machine;		/* one line for people; "" if nothing is known */
	struct run_cell *cells;
	size_t nr_cells;
	struct run_record *records;	/* the last one for each cell and round, in this order */
	size_t nr_records;
	const char *flags[RUN_FLAGS_MAX];	/* those of flags.h, then any others seen */
	size_t nr_flags;
	const json_t *plan_json, *machine_json;	/* the files; the latter may be NULL */
	json_t *files;		/* holds the texts above */
};

/* 0; -errno, said in one line with file and line. Freed by run_free() if 0. */
int run_load(struct run *r, const char *path);

/* Whether two cells differ in tasks alone. */
bool run_same_curve(const struct run_cell *a, const struct run_cell *b);

/*
 * Calls @take for each measured record of @r, which was loaded from @path, in the order of the file,
 * with its JSON: for what only some commands want to know. The JSON is borrowed. 0, -errno, said, or
 * what @take returned if that is not 0.
 */
int run_details(const struct run *r, const char *path,
		int (*take)(void *arg, const struct run_record *record, json_t *json), void *arg);

/*
 * The objects of @name, a file of JSON lines in run directory @path; an incomplete last one is left
 * out. NULL: there is no such file, or it holds something else, which is said. To be released.
 */
json_t *run_lines(const char *path, const char *name);

/* What a failure of run_load() means as exit status: wrong data, or wrong usage. */
enum exit_status run_exit_status(int err);
void run_free(struct run *r);

#endif
