/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine's PUs, and placements on it: of a run directory (machine.json, plan.json), or of what
 * `runtest --topology --json` printed.
 */
#ifndef KNEE_PUMAP_H
#define KNEE_PUMAP_H

#include <stddef.h>

#include "cpulist.h"

/* Indices from 0, -1: none above; node is the kernel's number. In hwloc's order. */
struct pumap_pu {
	int cpu, core, l3, node, package;
};

struct pumap_placement {
	char *name;
	struct cpulist cpus;	/* the CPU of each task, as many as there are at most */
};

struct pumap {
	struct pumap_pu *pus;
	size_t nr;
	struct pumap_placement *placements;	/* each once, in the order of the file */
	size_t nr_placements;
	char *source;		/* for people: the run's name, or "" */
};

/*
 * 0; -errno, said in one line. Freed by pumap_free() if 0. Placements that bind nothing are left
 * out.
 */
int pumap_load(struct pumap *m, const char *path);
void pumap_free(struct pumap *m);

#endif
