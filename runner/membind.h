/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory policy: on which node the kernel allocates what a task touches first. The interface is
 * libnuma's numaif.h; its numa.h reads half of /sys at the start of every program that uses it.
 */
#ifndef KNEE_MEMBIND_H
#define KNEE_MEMBIND_H

#include <stdbool.h>

#include "cpulist.h"

enum membind_policy {
	MEMBIND_UNASKED,	/* local, as the kernel has it by default; not refused if it cannot be set */
	MEMBIND_LOCAL,		/* the node of the CPU that touches first */
	MEMBIND_INTERLEAVE,	/* page by page over all nodes that the cpuset cgroup allows */
	MEMBIND_NODES,		/* that of task i: the i-th of a list, wrapping round */
};

struct membind {
	enum membind_policy policy;
	struct cpulist nodes;	/* the kernel's node numbers */
};

/* Node numbers are below this (the kernel's MAX_NUMNODES at its largest, x86-64). */
#define MEMBIND_NODES_MAX 1024
#define MEMBIND_MASK_WORDS (MEMBIND_NODES_MAX / 64)

/*
 * Parses what a testcase executable is told: local, interleave, nodes=LIST. 0; -EINVAL, -ENOMEM,
 * said. Freed by membind_free().
 */
int membind_parse(const char *text, struct membind *m);
void membind_free(struct membind *m);

/* For the calling thread, and what it forks and creates, as task @task has it. 0 or -errno. */
int membind_apply(const struct membind *m, unsigned long task);

/* The same, for the process itself before any task exists; what cannot be had is said once. */
int membind_apply_first(const struct membind *m);

/* The kernel's own policy again, for the calling thread. 0 or -errno. */
int membind_reset(void);

/*
 * For a sweep whose user asked for no policy: says, once, if a policy that it inherited is given up,
 * or if none can be set here.
 */
void membind_note_default(void);

/* Nodes with memory that the cpuset cgroup allows, as a bitmap. 0 or -errno. */
int membind_allowed(unsigned long mask[MEMBIND_MASK_WORDS]);

static inline bool membind_has(const unsigned long mask[MEMBIND_MASK_WORDS], int node)
{
	return node >= 0 && node < MEMBIND_NODES_MAX && (mask[node / 64] >> (node % 64) & 1);
}

#endif
