/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tasks of a cell share, and over how much of the machine they are spread. */
#ifndef KNEE_SPAN_H
#define KNEE_SPAN_H

#include <jansson.h>
#include <stdint.h>

#include "topology.h"

/*
 * Of @tasks tasks on the @nr PUs of @order, wrapping round: { "pus", "cores", "l3s", "nodes",
 * "packages": how many of each hold a task, 0 where the machine does not tell; "text": for people,
 * "tasks 0-15 of 32 share one L3; 32 cores, 2 L3s, 1 node, 1 package" }. NULL: no memory.
 */
json_t *span_json(const struct topo_pu *const *order, size_t nr, uint64_t tasks);

#endif
