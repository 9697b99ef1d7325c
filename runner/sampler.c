/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

/* A counter is a cache line that its task keeps taking back: what reading one may take. */
#define READ_NS_PER_TASK 400
#define READ_NS_BASE 50000
#define TRIES 3

int sampler_alloc(struct sampler_reading *r, unsigned long nr)
{
	r->time_ns = 0;
	r->counts = calloc(nr, sizeof(*r->counts));
	return r->counts ? 0 : -ENOMEM;
}

void sampler_free(struct sampler_reading *r)
{
	free(r->counts);
	r->counts = NULL;
}

/* A reading that was interrupted is from two moments: read again. */
void sampler_read(struct sampler_reading *r, const struct tasks *t)
{
	unsigned long nr = t->config->nr;

	for (int try = 0; try < TRIES; try++) {
		uint64_t begin = clock_ns(), took;

		for (unsigned long i = 0; i < nr; i++)
			r->counts[i] = tasks_count(t, i);
		took = clock_ns() - begin;
		r->time_ns = begin + took / 2;
		if (took <= READ_NS_BASE + READ_NS_PER_TASK * nr)
			break;
	}
}

void sampler_copy(struct sampler_reading *to, const struct sampler_reading *from, unsigned long nr)
{
	to->time_ns = from->time_ns;
	memcpy(to->counts, from->counts, nr * sizeof(*to->counts));
}

struct sampler_span sampler_since(const struct sampler_reading *from,
				  const struct sampler_reading *to, unsigned long nr)
{
	struct sampler_span span = {
		.elapsed_ns = to->time_ns - from->time_ns,
		.min_ops = UINT64_MAX,
	};

	for (unsigned long i = 0; i < nr; i++) {
		uint64_t ops = to->counts[i] - from->counts[i];

		span.ops += ops;
		span.min_ops = ops < span.min_ops ? ops : span.min_ops;
		span.max_ops = ops > span.max_ops ? ops : span.max_ops;
		span.starved += ops == 0;
	}
	return span;
}

double sampler_rate(uint64_t ops, uint64_t elapsed_ns)
{
	return elapsed_ns ? (double)ops * 1e9 / (double)elapsed_ns : 0;
}
