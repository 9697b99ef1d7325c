/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A memory policy as users and plans write it, applied to a machine: local, interleave, node=N, or
 * far, the node with memory that is most distant from a task's own by the SLIT.
 */
#ifndef KNEE_MEM_NODES_H
#define KNEE_MEM_NODES_H

#include <stdint.h>

#include "arrange.h"

#define MEM_NODES_NAMES "local interleave node=N far"

/* 0; -EINVAL: @text is none of them, said. */
int mem_nodes_check(const char *text);

/*
 * What policy @text means for @tasks tasks: *@nodes is the node of each of them as a list that wraps
 * round as the CPUs do, or NULL if the policy names none. If the machine does not have what the
 * policy needs, *@lacking says why. Both are freed by the caller. 0 or -ENOMEM.
 */
int mem_nodes_find(const struct arrangement *a, const char *text, uint64_t tasks, char **nodes,
		   char **lacking);

#endif
