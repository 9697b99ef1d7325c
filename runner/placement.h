/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which task goes to which PU: pure functions of a topology. */
#ifndef KNEE_PLACEMENT_H
#define KNEE_PLACEMENT_H

#include "topology.h"

enum placement {
	PLACEMENT_CORE,		/* a task on each core of the machine in order, then the siblings */
	PLACEMENT_SMT,		/* every PU in order */
	PLACEMENT_COMPACT,	/* a core is filled before the next, likewise an L3, a node, a package */
	PLACEMENT_SCATTER,	/* evenly over packages, then over the nodes, L3s, cores of each */
	PLACEMENT_NONE,		/* not bound */
};

/* For options: the names, blank-separated, in the order of the enum. */
#define PLACEMENT_NAMES "core smt compact scatter none"
#define PLACEMENT_NR 5
const char *placement_name(enum placement policy);

/* -EINVAL if @name is none of them. */
int placement_parse(const char *name, enum placement *policy);

/*
 * The PUs in the order in which tasks come to them; @order has room for @t->nr_pus, and points into
 * @t. Where objects do not nest as packages, nodes, L3s do on most machines (nodes of several
 * packages, L3s of several nodes), the kind of which there are fewer counts as the outer one.
 * 0 or -ENOMEM.
 */
int placement_order(const struct topo *t, enum placement policy, const struct topo_pu **order);

/*
 * The CPU of each of @nr tasks, -1 for none. More tasks than PUs wrap round. @cpus has room for
 * @nr. 0 or -ENOMEM.
 */
int placement_place(const struct topo *t, enum placement policy, int *cpus, size_t nr);

#endif
