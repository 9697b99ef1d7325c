/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A placement as users and plans write it, applied to a machine:
 *
 *	POLICY[+kind=K][+avoid=LIST][+skip-isolated][+bind=core][+partner=P]
 *	cpus=LIST[+bind=core][+partner=P]
 *
 * POLICY is one of PLACEMENT_NAMES; `cpus` puts task i on the i-th CPU of the list. K is
 * `performance`, `efficiency` or the number of a kind of CPU, from 0, the most efficient one (hwloc's
 * CPU kinds). `bind=core` lets a task run on all usable PUs of its core. P is one of
 * PARTNER_NAMES. One text says it all, so that it can be part of a cell's id and a factor's level.
 */
#ifndef KNEE_ARRANGE_H
#define KNEE_ARRANGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "placement.h"
#include "topology.h"

/* Where the partners that a testcase makes by new_task() run. */
enum partner {
	PARTNER_SAME,		/* on the task's own CPU */
	PARTNER_SIBLING,	/* on another PU of its core */
	PARTNER_L3,		/* on another core that shares its L3 */
	PARTNER_NODE,		/* on its node, behind another L3 (where there are L3s) */
	PARTNER_FAR,		/* on the most distant node that has PUs, by the SLIT */
};

#define PARTNER_NAMES "same sibling l3 node far"

/* Where the tasks of one cell go. Lists wrap round: task i has entry i modulo their length. */
struct arranged {
	uint64_t tasks;
	char *cpus;		/* the CPU of each task; NULL: not bound */
	char *bind_cpus;	/* bind=core: for each of them, all CPUs it may use, separated by '/' */
	char *partner_cpus;	/* the CPU of each task's partners; NULL: the task's own */
	json_t *span;		/* span_json() */
	char *lacking;		/* why this cannot be had on this machine, or NULL */
};

struct arrangement {
	char *text;
	enum placement policy;
	bool listed, bind_core;
	enum partner partner;
	struct topo topology;			/* the PUs that it may use; for cpus=LIST, all */
	const struct topo_pu **order;		/* of @topology, as tasks come to them */
	size_t nr;				/* entries of order: PUs, or CPUs of the list */
	struct arranged *known;			/* what arrange_tasks() has answered */
	size_t nr_known;
};

/*
 * Applies @text to the machine @t, which is copied. 0; -EINVAL: the text is wrong; -ENODEV: this
 * machine does not have what it asks for; -ENOMEM. Said once. Freed by arrange_free() if 0.
 */
int arrange_make(struct arrangement *a, const struct topo *t, const char *text);
void arrange_free(struct arrangement *a);

/* Whether a text begins as one of these does; nothing is said. */
bool arrange_begins_well(const char *text);

/*
 * Where @tasks tasks go; belongs to @a, valid until its next use. NULL: no memory.
 */
const struct arranged *arrange_tasks(struct arrangement *a, uint64_t tasks);

#endif
