/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advisory locks on CPUs, so that two runs at once do not share CPUs unnoticed. In the runtime
 * directory (runtime_dir.h) each CPU has two files:
 *
 *	cpuN		locked (flock, exclusive) by the run that was first to use it, whose process ID
 *			it holds
 *	cpuN.shared	locked (flock, shared) by every run that came later, and touched by it: from
 *			this the first one knows that it is no longer alone
 *
 * The files stay; the locks go with their processes, however these end. Where there is no runtime
 * directory, that is said once, and all of this does nothing.
 */
#ifndef KNEE_CPULOCK_H
#define KNEE_CPULOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "cpulist.h"
#include "topology.h"

struct cpulock_entry {
	int cpu;
	int fd;			/* of cpuN if owner, else of cpuN.shared; -1: could not be had */
	bool owner;
	struct timespec touched;	/* cpuN.shared, when the cell began */
};

struct cpulock {
	int dir_fd;		/* -1: none */
	int claim_fd;		/* locked from a claim to cpulock_take(); -1: none */
	struct cpulock_entry *entries;
	size_t nr;
};

/* Locks nothing. */
#define CPULOCK_NONE ((struct cpulock){ .dir_fd = -1, .claim_fd = -1 })

/* Finds or makes the directory. Without one, says so. */
void cpulock_open(struct cpulock *l);
void cpulock_close(struct cpulock *l);

/*
 * Locks these CPUs for the run; says which of them another run uses. Those that are locked already
 * are kept, all others that are locked are given back.
 */
void cpulock_take(struct cpulock *l, const struct cpulist *cpus);

/*
 * Locks the CPUs of @from that no other run uses and of which no other run uses a PU of the same
 * core; @to is @from with only these. cpulock_take() gives back what the plan does not need. Other
 * runs that claim wait meanwhile. 0; -EBUSY: there is none; -ENOTSUP: no directory; -ENOMEM. Said.
 */
int cpulock_claim(struct cpulock *l, const struct topo *from, struct topo *to);

/* Around each cell: whether another run used one of its CPUs between the two. */
void cpulock_begin(struct cpulock *l, const struct cpulist *cpus);
bool cpulock_end(struct cpulock *l, const struct cpulist *cpus);

#endif
