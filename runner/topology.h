/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine as flat tables of processing units and of memory nodes, found by hwloc: this machine,
 * or another one by a file, HWLOC_XMLFILE or HWLOC_SYNTHETIC.
 */
#ifndef KNEE_TOPOLOGY_H
#define KNEE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A PU that may be used. Except cpu, all are indices from 0, in hwloc's order; -1: none above, which
 * is never so for core: a PU whose core is not known is a core of its own.
 */
struct topo_pu {
	int cpu;		/* the kernel's CPU number */
	int core, l3, node, package;
	int rank;		/* among the PUs of its core that may be used */
	int memory;		/* index into topo.memory: its node's; -1 as node */
	int kind;		/* of hwloc's CPU kinds, the most efficient one first; -1: not known */
	bool isolated;		/* by isolcpus= */
};

/* A node with memory, with PUs that may be used or without. */
struct topo_memory {
	int node;		/* the kernel's node number */
	uint64_t bytes;
};

struct topo {
	struct topo_pu *pus;	/* in hwloc's order */
	size_t nr_pus, nr_cores, nr_l3s, nr_nodes, nr_packages;	/* that hold such PUs */
	struct topo_memory *memory;
	size_t nr_memory;
	uint64_t *distances;	/* from memory[i] to memory[k] by the SLIT, at [i * nr_memory + k] */
	size_t nr_kinds;	/* 0: not known */
	bool kinds_ranked;	/* whether it is known which kind is the more efficient one */
	bool this_system;	/* else: nothing can be bound to it */
};

/*
 * The PUs that this process may use: online, allowed by the cpuset cgroup and by the affinity
 * mask. @file: an XML file of hwloc's instead, all of whose allowed PUs are taken; or NULL.
 * 0 or -errno, said once. Freed by topo_free().
 */
int topo_load(struct topo *t, const char *file);
void topo_free(struct topo *t);

/*
 * The part of @from whose PUs @keep says, each object numbered anew. 0; -ENODEV: nothing is left;
 * -ENOMEM. @to is freed by topo_free() if 0.
 */
int topo_select(const struct topo *from, bool (*keep)(const struct topo_pu *pu, const void *arg),
		const void *arg, struct topo *to);

/* The PU of that CPU number; NULL: it may not be used, or there is none. */
const struct topo_pu *topo_find(const struct topo *t, int cpu);

/*
 * The index in @t->memory of the node with memory that is farthest from @pu; of several, the next
 * one after its own. -1: there is no other.
 */
int topo_farthest(const struct topo *t, const struct topo_pu *pu);

#endif
