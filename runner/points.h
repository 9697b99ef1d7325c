/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task counts at which a curve is measured. */
#ifndef KNEE_POINTS_H
#define KNEE_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "topology.h"

struct point {
	uint64_t tasks;
	const char *why;	/* "fills one L3"; static */
};

/* Ascending, each count once. */
struct points {
	struct point *points;
	size_t nr;
};

/*
 * Parses a list: counts, ranges A-B and A-B:STEP, N% of the @nr_pus PUs, "all" of them, separated by
 * commas. @option is named in errors. 0; -EINVAL; -ERANGE: more than a hundred thousand; -ENOMEM.
 * Said.
 */
int points_parse(const char *option, const char *text, size_t nr_pus, struct points *p);

/*
 * 1, 2, the powers of two, all PUs, and the counts at which tasks that go to the PUs in this @order
 * fill an object of @t, have a task on each of its cores, or have one on each such object. What
 * @order does not do at any count is no point.
 */
int points_by_topology(const struct topo *t, const struct topo_pu *const *order, size_t nr_pus,
		       struct points *p);

/* The powers of two, and all PUs; every count. */
int points_powers(size_t nr_pus, struct points *p);
int points_every(size_t nr_pus, struct points *p);

void points_free(struct points *p);

#endif
