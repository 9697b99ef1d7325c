/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy of a populated range changed by mbind(2), from a node to the default and back. Without
 * MPOL_MF_MOVE its pages stay where they are: what is paid for is the policy's allocation, and its
 * replacement in the VMA, which may be merged with its neighbours or split from them. Threads take
 * one mmap_lock for writing.
 */
#include <numaif.h>
#include <stddef.h>
#include <string.h>

#include "testcase.h"

char *testcase_description = "Memory policy of a populated range changed";

const struct testcase_info testcase_info = {
	.unit = "mbind of a populated range",
	.tags = "mm",
	.exercises = "mbind mpol_new mbind_range vma_merge vma_replace_policy",
	.contends = "mmap_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mbind", 1 } },
	.needs = { .memory = "size" },
	.params = {
		{ "size", "1M", "4K", "1G", NULL, "bytes of the range, in whole pages" },
	},
	.notes = "two operations are a change and the change back, which need not cost the same; pages "
		 "stay where they are",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t size = param("size");
	const int node = memory_node("lowest");
	char *memory = map_on_node(size, node);
	unsigned long mask[16] = { 0 };

	mask[node / 64] = 1UL << (node % 64);
	memset(memory, 1, size);
	for (;;) {
		must(mbind(memory, size, MPOL_DEFAULT, NULL, 0, 0) == 0);
		count(iterations);
		must(mbind(memory, size, MPOL_BIND, mask, 8 * sizeof(mask) + 1, 0) == 0);
		count(iterations);
	}
}
