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
 * Parses -t: counts, ranges A-B and A-B:STEP, N% of the PUs that may be used, "all", separated by
 * commas. 0; -EINVAL; -ERANGE: more than a hundred thousand; -ENOMEM. Said.
 */
int points_parse(const char *text, const struct topo *t, struct points *p);

/*
 * The default: 1, 2, the powers of two, and the counts that fill a core, an L3, a node, a package,
 * all cores, all PUs.
 */
int points_default(const struct topo *t, struct points *p);

void points_free(struct points *p);

#endif
