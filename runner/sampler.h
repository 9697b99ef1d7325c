/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads all counters together with the clock. A rate is the difference of two readings: counted
 * operations over elapsed time, never over an assumed second.
 */
#ifndef KNEE_SAMPLER_H
#define KNEE_SAMPLER_H

#include <stdint.h>

#include "tasks.h"

struct sampler_reading {
	uint64_t time_ns;	/* CLOCK_MONOTONIC, the middle of the reading */
	uint64_t *counts;	/* one a task */
};

/* From one reading to a later one. */
struct sampler_span {
	uint64_t elapsed_ns;
	uint64_t ops;			/* sum over tasks */
	uint64_t min_ops, max_ops;	/* the slowest task's and the fastest task's */
	unsigned long starved;		/* tasks that completed nothing */
};

/* @nr counts. 0 or -ENOMEM. */
int sampler_alloc(struct sampler_reading *r, unsigned long nr);
void sampler_free(struct sampler_reading *r);

void sampler_read(struct sampler_reading *r, const struct tasks *t);
void sampler_copy(struct sampler_reading *to, const struct sampler_reading *from, unsigned long nr);

struct sampler_span sampler_since(const struct sampler_reading *from,
				  const struct sampler_reading *to, unsigned long nr);

/* Operations per second, 0 for no time. */
double sampler_rate(uint64_t ops, uint64_t elapsed_ns);

#endif
