/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mem_nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "membind.h"
#include "msg.h"
#include "num.h"

/* The N of node=N; false: the text is another one. */
static bool names_node(const char *text, uint64_t *node)
{
	return strncmp(text, "node=", 5) == 0 && num_parse_u64(text + 5, node) == 0 &&
	       *node < MEMBIND_NODES_MAX;
}

int mem_nodes_check(const char *text)
{
	uint64_t node;

	if (strcmp(text, "local") == 0 || strcmp(text, "interleave") == 0 ||
	    strcmp(text, "far") == 0 || names_node(text, &node))
		return 0;
	msg_error("--membind %s: must be one of: " MEM_NODES_NAMES, text);
	return -EINVAL;
}

static bool has_memory(const struct topo *t, uint64_t node)
{
	for (size_t i = 0; i < t->nr_memory; i++)
		if ((uint64_t)t->memory[i].node == node && t->memory[i].bytes)
			return true;
	return false;
}

static int find_node(const struct topo *t, uint64_t node, char **nodes, char **lacking)
{
	int done;

	if (has_memory(t, node))
		done = asprintf(nodes, "%" PRIu64, node);
	else
		done = asprintf(lacking, "there is no node %" PRIu64 " with memory", node);
	return done < 0 ? -ENOMEM : 0;
}

static int find_far(const struct arrangement *a, size_t nr, char **nodes, char **lacking)
{
	struct cpulist list = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < nr; i++) {
		int far = topo_farthest(&a->topology, a->order[i]);

		if (far < 0) {
			err = asprintf(lacking, "no other node than that of CPU %d has memory",
				       a->order[i]->cpu) < 0 ? -ENOMEM : 0;
			goto out;
		}
		err = cpulist_add(&list, a->topology.memory[far].node);
	}
	if (!err) {
		*nodes = cpulist_format(list.cpus, list.nr);
		err = *nodes ? 0 : -ENOMEM;
	}
out:
	cpulist_free(&list);
	return err;
}

int mem_nodes_find(const struct arrangement *a, const char *text, uint64_t tasks, char **nodes,
		   char **lacking)
{
	size_t nr = tasks < a->nr ? tasks : a->nr;
	uint64_t node;

	*nodes = *lacking = NULL;
	if (names_node(text, &node))
		return find_node(&a->topology, node, nodes, lacking);
	if (strcmp(text, "far") != 0)
		return 0;
	if (a->listed || a->policy != PLACEMENT_NONE)
		return find_far(a, nr, nodes, lacking);
	*lacking = strdup("tasks that are not bound have no far node");
	return *lacking ? 0 : -ENOMEM;
}
