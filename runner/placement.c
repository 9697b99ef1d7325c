/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "placement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[PLACEMENT_NR] = {
	[PLACEMENT_CORE] = "core",
	[PLACEMENT_SMT] = "smt",
	[PLACEMENT_COMPACT] = "compact",
	[PLACEMENT_SCATTER] = "scatter",
	[PLACEMENT_NONE] = "none",
};

const char *placement_name(enum placement policy)
{
	return names[policy];
}

int placement_parse(const char *name, enum placement *policy)
{
	for (size_t i = 0; i < PLACEMENT_NR; i++) {
		if (strcmp(names[i], name) == 0) {
			*policy = (enum placement)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* ---- by nested objects ---------------------------------------------------------------------- */

/* Three levels of objects above the core, the outermost first, then the core. */
#define NR_LEVELS 4

/* Where a PU is: the index of its object on each level, and its turn there. */
struct place {
	const struct topo_pu *pu;
	int object[NR_LEVELS];
	int turn;
};

/* The fields of struct topo_pu for the levels above the core, by the number of objects. */
static void sort_levels(const struct topo *t, size_t offsets[NR_LEVELS - 1])
{
	struct { size_t offset, nr; } levels[NR_LEVELS - 1] = {
		{ offsetof(struct topo_pu, package), t->nr_packages },
		{ offsetof(struct topo_pu, node), t->nr_nodes },
		{ offsetof(struct topo_pu, l3), t->nr_l3s },
	};

	for (size_t i = 0; i < NR_LEVELS - 1; i++) {
		size_t fewest = 0;

		for (size_t k = 1; k < NR_LEVELS - 1; k++)
			if (levels[k].nr < levels[fewest].nr)
				fewest = k;
		offsets[i] = levels[fewest].offset;
		levels[fewest].nr = SIZE_MAX;
	}
}

static struct place *make_places(const struct topo *t)
{
	struct place *places = calloc(t->nr_pus + 1, sizeof(*places));
	size_t offsets[NR_LEVELS - 1];

	sort_levels(t, offsets);
	for (size_t i = 0; places && i < t->nr_pus; i++) {
		const char *pu = (const char *)&t->pus[i];

		places[i].pu = &t->pus[i];
		places[i].turn = t->pus[i].rank;
		for (size_t level = 0; level < NR_LEVELS - 1; level++)
			places[i].object[level] = *(const int *)(pu + offsets[level]);
		places[i].object[NR_LEVELS - 1] = t->pus[i].core;
	}
	return places;
}

/* Whether two places are in the same object of each level above @level; else which comes first. */
static int compare_above(const struct place *a, const struct place *b, int level)
{
	for (int i = 0; i < level; i++)
		if (a->object[i] != b->object[i])
			return a->object[i] < b->object[i] ? -1 : 1;
	return 0;
}

static int compare_compact(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int above = compare_above(x, y, NR_LEVELS);

	return above ? above : x->turn - y->turn;
}

/* Inside each object above @level: by turn, then by the object on @level. */
static int compare_scatter(const void *a, const void *b, void *arg)
{
	const struct place *x = a, *y = b;
	int level = *(const int *)arg, above = compare_above(x, y, level);

	if (above)
		return above;
	if (x->turn != y->turn)
		return x->turn - y->turn;
	return x->object[level] < y->object[level] ? -1 : x->object[level] > y->object[level];
}

/*
 * From the cores outwards: the objects on a level take turns, each with its PUs in the order found
 * so far. So at any number of tasks no object has two more than another inside the same one above,
 * unless the other is full.
 */
static void scatter(struct place *places, size_t nr)
{
	for (int level = NR_LEVELS - 1; level >= 0; level--) {
		int turn = 0;

		qsort_r(places, nr, sizeof(*places), compare_scatter, &level);
		for (size_t i = 0; i < nr; i++) {
			if (i && compare_above(&places[i - 1], &places[i], level) != 0)
				turn = 0;
			places[i].turn = turn++;
		}
	}
}

static int order_nested(const struct topo *t, enum placement policy, const struct topo_pu **order)
{
	struct place *places = make_places(t);

	if (!places)
		return -ENOMEM;
	if (policy == PLACEMENT_COMPACT)
		qsort(places, t->nr_pus, sizeof(*places), compare_compact);
	else
		scatter(places, t->nr_pus);
	for (size_t i = 0; i < t->nr_pus; i++)
		order[i] = places[i].pu;
	free(places);
	return 0;
}

/* ---- in hwloc's order ----------------------------------------------------------------------- */

/* The first PU of every core, then the second of those that have one, and so on. */
static void order_by_core(const struct topo *t, const struct topo_pu **order)
{
	size_t next = 0;

	for (int rank = 0; next < t->nr_pus; rank++)
		for (size_t i = 0; i < t->nr_pus; i++)
			if (t->pus[i].rank == rank)
				order[next++] = &t->pus[i];
}

static void order_all(const struct topo *t, const struct topo_pu **order)
{
	for (size_t i = 0; i < t->nr_pus; i++)
		order[i] = &t->pus[i];
}

int placement_order(const struct topo *t, enum placement policy, const struct topo_pu **order)
{
	if (policy == PLACEMENT_COMPACT || policy == PLACEMENT_SCATTER)
		return order_nested(t, policy, order);
	if (policy == PLACEMENT_CORE)
		order_by_core(t, order);
	else
		order_all(t, order);
	return 0;
}

int placement_place(const struct topo *t, enum placement policy, int *cpus, size_t nr)
{
	const struct topo_pu **order = calloc(t->nr_pus + 1, sizeof(*order));
	int err = order ? placement_order(t, policy, order) : -ENOMEM;

	for (size_t i = 0; !err && i < nr; i++)
		cpus[i] = policy == PLACEMENT_NONE ? -1 : order[i % t->nr_pus]->cpu;
	free(order);
	return err;
}
