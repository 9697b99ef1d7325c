/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory nodes for testcases: which there are, how far they are, memory on one of them. */
#include <numaif.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file.h"
#include "membind.h"
#include "num.h"
#include "testcase.h"

/* The SLIT's distance from @from to @to, as the kernel tells it; 0: not known. */
static unsigned long distance(int from, int to)
{
	unsigned long distance = 0;
	char *text, *rest, *word;

	if (file_read(&text, "", "/sys/devices/system/node/node%d/distance", from) != 0)
		return 0;
	/* A column for each online node, in ascending order. */
	rest = text;
	for (int node = 0; node < MEMBIND_NODES_MAX && (word = strsep(&rest, " ")); node++) {
		char path[64];

		for (; node < to; node++) {
			snprintf(path, sizeof(path), "/sys/devices/system/node/node%d", node);
			if (access(path, F_OK) == 0)
				break;
		}
		if (node == to)
			distance = strtoul(word, NULL, 10);
	}
	free(text);
	return distance;
}

/* Of the allowed nodes: the nearest to @from, or the farthest but itself. -1: none. */
static int extreme_node(const unsigned long *allowed, int from, int farthest)
{
	unsigned long best_distance = 0;
	int best = -1;

	for (int node = 0; node < MEMBIND_NODES_MAX; node++) {
		unsigned long d;

		if (!membind_has(allowed, node) || (farthest && node == from))
			continue;
		d = distance(from, node);
		if (best < 0 || (farthest ? d > best_distance : d < best_distance)) {
			best_distance = d;
			best = node;
		}
	}
	return best;
}

static int lowest_node(const unsigned long *allowed)
{
	for (int node = 0; node < MEMBIND_NODES_MAX; node++)
		if (membind_has(allowed, node))
			return node;
	return -1;
}

static int numbered_node(const unsigned long *allowed, const char *which)
{
	uint64_t number;

	if (num_parse_u64(which, &number) == 0 && number < MEMBIND_NODES_MAX &&
	    membind_has(allowed, (int)number))
		return (int)number;
	return -1;
}

int memory_node(const char *which)
{
	unsigned long allowed[MEMBIND_MASK_WORDS];
	unsigned int here = 0;
	char why[128];
	int node;

	must(membind_allowed(allowed) == 0);
	must(getcpu(NULL, &here) == 0);
	if (strcmp(which, "local") == 0)
		node = membind_has(allowed, (int)here) ? (int)here
						       : extreme_node(allowed, (int)here, 0);
	else if (strcmp(which, "far") == 0)
		node = extreme_node(allowed, (int)here, 1);
	else if (strcmp(which, "lowest") == 0)
		node = lowest_node(allowed);
	else
		node = numbered_node(allowed, which);
	if (node >= 0)
		return node;
	snprintf(why, sizeof(why), "node=%.40s: there is no such node with memory for node %u", which,
		 here);
	testcase_lacks(why);
}

void *map_on_node(size_t bytes, int node)
{
	unsigned long mask[MEMBIND_MASK_WORDS] = { 0 };
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED);
	mask[node / 64] = 1UL << (node % 64);
	/* The kernel reads one bit less than it is told. */
	must(mbind(memory, bytes, MPOL_BIND, mask, MEMBIND_NODES_MAX + 1, 0) == 0);
	return memory;
}
