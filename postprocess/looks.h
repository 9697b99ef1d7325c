/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The extra rounds of a run (extra.jsonl): what --profile and --trace saw. */
#ifndef KNEE_LOOKS_H
#define KNEE_LOOKS_H

#include <jansson.h>
#include <stdbool.h>

#include "run.h"
#include "stacks.h"

struct look {
	const struct run_cell *cell;
	const char *kind;	/* "profile", "trace" */
	const char *reason;	/* why there is nothing; NULL: there is */
	json_t *seen;		/* what was seen; NULL: nothing */
	double ops, ops_per_s;	/* of the extra round itself; 0: not known */
};

struct looks {
	const char *path;	/* of the run */
	struct look *list;	/* the last one of each kind and cell, in the order of the plan */
	size_t nr;
	json_t *lines;		/* holds the texts */
};

/* @run and @path must outlive it. 0 or -errno, said; a run without extra rounds has none. */
int looks_load(struct looks *l, const struct run *run, const char *path);
void looks_free(struct looks *l);

/* NULL: none. */
const struct look *looks_find(const struct looks *l, const struct run_cell *cell, const char *kind);

/* The stacks of a profile: @what is "cpu" or "sleeps". 0; -ENODATA: none; -errno, said. */
int looks_stacks(const struct looks *l, const struct look *look, const char *what,
		 struct stacks *s);

/* What a stack comes to: the lock that is waited for, or the function. */
enum cause_kind { CAUSE_LOCK, CAUSE_RECLAIM, CAUSE_KERNEL, CAUSE_USER };

struct cause {
	enum cause_kind kind;
	char *name; /* "mmap_lock", "_raw_spin_lock_irqsave <- percpu_counter_add_batch", "testcase"
		     */
	char *path;		/* its heaviest stack, innermost first: "a <- b <- c" */
	double path_weight;
	double a, b; /* per operation at few and at many tasks: ns of CPU time, or sleeps */
	double samples_a, samples_b;
};

struct growth {
	double a, b;		/* of all causes */
	double samples_a, samples_b;
	struct cause *causes;	/* what grew most first */
	size_t nr;
};

/* From @few to @many tasks, both profiles. As looks_stacks(). */
int growth_make(struct growth *g, const struct looks *l, const struct look *few,
		const struct look *many, const char *what);
void growth_free(struct growth *g);

/*
 * Main programs of knee profile and knee trace: the looks of @kind of a run, as text by @print,
 * or as the JSON that is kept.
 */
int looks_command(int argc, char **argv, const char *kind, const char *doc,
		  int (*print)(const struct looks *l, const struct look *look, FILE *out));

#endif
