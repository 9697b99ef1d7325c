/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a curve bends: what grew most from the fewest to the most tasks, with the evidence. */
#ifndef KNEE_WHY_H
#define KNEE_WHY_H

#include <jansson.h>
#include <stdio.h>

#include "looks.h"
#include "run.h"

/* It scales where the rate of the most tasks is at least so much of what the fewest promise. */
#define WHY_EFFICIENCY 0.9

enum why_verdict {
	WHY_SCALES,
	WHY_KNOWN,
	WHY_UNKNOWN,	/* the evidence is weak: the sentence says of what there is too little */
};

/* What became of a task's time, per operation, in ns: means over the rounds; NAN: not known. */
struct why_side {
	const struct run_cell *cell;
	double ops_per_s, ci95_pct;	/* NAN for one round */
	double cpus;			/* that the tasks can use at once */
	double cpu_ns, delay_ns, sleep_ns;
	double faults, voluntary, involuntary;
	double fairness, steal_pct, other_pct;
	double cycles, instructions, misses;	/* of --counters: misses of the last-level cache */
	size_t rounds;
};

struct why {
	struct why_side few, many;
	double efficiency, low, high; /* the latter two by the rounds' intervals; NAN: not known */
	enum why_verdict verdict;
	char *sentence;
	char *cause; /* in a word or a name: "mmap_lock", "sleep", "delay"; NULL unless known */
	json_t *evidence;	/* texts */
	const char *expects;	/* the facts' contends, or NULL */
	int as_expected;	/* 1, 0; -1: nothing to compare */
};

/* 0 or -errno, said; @few and @many are cells of one curve. */
int why_make(struct why *w, const struct run *run, const struct looks *l,
	     const struct why_side *few, const struct why_side *many);
void why_free(struct why *w);

#define WHY_FORMATS "text json"

/* 0; -ENOMEM; -ENODATA: no curve of testcase @test (NULL: any) has two points. Said. */
int why_print(const struct run *run, const char *path, const char *test, const char *format,
	      FILE *out);

/*
 * Whether one of the words of @contends names what function names in @path, or @name, are known
 * for.
 */
bool why_expected(const char *contends, const char *name, const char *path);

#endif
