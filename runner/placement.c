/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "placement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
	[PLACEMENT_CORE] = "core",
	[PLACEMENT_SMT] = "smt",
	[PLACEMENT_NONE] = "none",
};

#define NR_POLICIES (sizeof(names) / sizeof(names[0]))

const char *placement_name(enum placement policy)
{
	return names[policy];
}

int placement_parse(const char *name, enum placement *policy)
{
	for (size_t i = 0; i < NR_POLICIES; i++) {
		if (strcmp(names[i], name) == 0) {
			*policy = (enum placement)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* The first PU of every core, then the second of those that have one, and so on. */
static void order_by_core(const struct topo *t, int *order)
{
	size_t next = 0;

	for (int rank = 0; next < t->nr_pus; rank++)
		for (size_t i = 0; i < t->nr_pus; i++)
			if (t->pus[i].rank == rank)
				order[next++] = t->pus[i].cpu;
}

static void order_all(const struct topo *t, int *order)
{
	for (size_t i = 0; i < t->nr_pus; i++)
		order[i] = t->pus[i].cpu;
}

int placement_place(const struct topo *t, enum placement policy, int *cpus, size_t nr)
{
	int *order = calloc(t->nr_pus, sizeof(*order));

	if (!order)
		return -ENOMEM;
	if (policy == PLACEMENT_CORE)
		order_by_core(t, order);
	else
		order_all(t, order);
	for (size_t i = 0; i < nr; i++)
		cpus[i] = policy == PLACEMENT_NONE ? -1 : order[i % t->nr_pus];
	free(order);
	return 0;
}
