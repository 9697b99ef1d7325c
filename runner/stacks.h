/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call stacks with weights, folded: "outermost;...;innermost", frames of the kernel with "_[k]"
 * behind them, as flame graphs have them.
 */
#ifndef KNEE_STACKS_H
#define KNEE_STACKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct stacks {
	json_t *weights;	/* folded text to weight */
	double total, kernel;	/* weights; of the stacks whose innermost frame is the kernel's */
	uint64_t samples;
	uint64_t nameless;	/* kernel's innermost frames without a name */
};

/* 0 or -ENOMEM. */
int stacks_init(struct stacks *s);
void stacks_free(struct stacks *s);
int stacks_add(struct stacks *s, const char *folded, double weight);

/*
 * Reads what `perf script -F event,period,ip,sym,dso` prints: events cpu-clock to @cpu,
 * sched_switch to @sleeps. 0 or -ENOMEM.
 */
int stacks_read_script(FILE *script, struct stacks *cpu, struct stacks *sleeps);

/* Lines "FOLDED WEIGHT", heaviest first; reads them back. 0 or -errno. */
int stacks_write(const struct stacks *s, FILE *out);
int stacks_read(struct stacks *s, FILE *in);

/*
 * The @max innermost functions with the greatest weight, each with the paths by which most of it is
 * called: [ { "symbol", "kernel", "pct", "callers": [ { "path": "a <- b", "pct" } ] } ], pct of
 * the total. Of sleeps, the scheduler's own frames are no function that one sleeps in.
 */
json_t *stacks_hottest(const struct stacks *s, size_t max);

/*
 * The frame @at points to, from the innermost outwards: its name without "_[k]" in @name. @at
 * begins as the end of the folded text, and is moved. False: there is none left.
 */
#define STACKS_NAME_MAX 256
bool stacks_outwards(const char *folded, const char **at, char name[STACKS_NAME_MAX], bool *kernel);

/*
 * Whether the function is the way into the kernel, or the scheduler's: it says nothing of a
 * stack.
 */
bool stacks_is_entry(const char *name);
bool stacks_is_scheduler(const char *name);

#endif
