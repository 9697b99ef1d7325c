/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which task goes to which PU: pure functions of a topology. */
#ifndef KNEE_PLACEMENT_H
#define KNEE_PLACEMENT_H

#include "topology.h"

enum placement {
	PLACEMENT_CORE,		/* a task on each core of the machine in order, then the siblings */
	PLACEMENT_SMT,		/* every PU in order */
	PLACEMENT_NONE,		/* not bound */
};

/* For options: the names, blank-separated, in the order of the enum. */
#define PLACEMENT_NAMES "core smt none"
const char *placement_name(enum placement policy);

/* -EINVAL if @name is none of them. */
int placement_parse(const char *name, enum placement *policy);

/*
 * The CPU of each of @nr tasks, -1 for none. More tasks than PUs wrap round. @cpus has room for
 * @nr. 0 or -ENOMEM.
 */
int placement_place(const struct topo *t, enum placement policy, int *cpus, size_t nr);

#endif
