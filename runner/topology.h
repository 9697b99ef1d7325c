/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine as a flat table of processing units, found by hwloc: this machine, or another one
 * by HWLOC_XMLFILE or HWLOC_SYNTHETIC.
 */
#ifndef KNEE_TOPOLOGY_H
#define KNEE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

/* A PU that may be used. Except cpu, all are indices from 0, in hwloc's order; -1: none above. */
struct topo_pu {
	int cpu;		/* the kernel's CPU number */
	int core, l3, node, package;
	int rank;		/* among the PUs of its core that may be used */
};

struct topo {
	struct topo_pu *pus;	/* in hwloc's order */
	size_t nr_pus, nr_cores, nr_l3s, nr_nodes, nr_packages;
	bool this_system;	/* else: nothing can be bound to it */
};

/*
 * The PUs that this process may use: online, allowed by the cpuset cgroup and by the affinity
 * mask. 0 or -errno, said once. Freed by topo_free().
 */
int topo_load(struct topo *t);
void topo_free(struct topo *t);

#endif
