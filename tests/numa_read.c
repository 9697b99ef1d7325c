/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A load from memory of a chosen node whose address the load before it brought: no load begins
 * before the last one is done, so nanoseconds a load are the memory's latency, 1e9 / per_process_ops. The
 * chain visits every cache line once, in random order (Sattolo's algorithm), so that no prefetcher
 * helps; huge pages, where they can be had, keep the TLB out of the figure.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "testcase.h"

#define LINE 64

char *testcase_description = "Dependent loads from memory of a chosen node";

const struct testcase_info testcase_info = {
	.unit = "one load, which depends on the one before",
	.tags = "mm user",
	.exercises = "load",
	.contends = "interconnect memory-controller",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.prepares = 1,
	.needs = { .memory = "size" },
	.params = {
		{ "node", "local", NULL, NULL, NULL, NODE_DOC },
		{ "size", "64M", "4K", "4G", NULL, "bytes that the chain runs through, for each task" },
	},
	.notes = "with a size within a cache it is the cache's latency",
};

struct line {
	struct line *next;
	char rest[LINE - sizeof(struct line *)];
};

static struct line *make_chain(size_t nr, unsigned long task)
{
	struct line *lines = map_on_node(nr * sizeof(*lines), memory_node(param_text("node")));
	unsigned short state[3] = { 1, 2, (unsigned short)task };

	/* Where there are none, small pages do. */
	madvise(lines, nr * sizeof(*lines), MADV_HUGEPAGE);
	for (size_t i = 0; i < nr; i++)
		lines[i].next = &lines[i];
	for (size_t i = nr - 1; i > 0; i--) {
		size_t k = (size_t)nrand48(state) % i;
		struct line *next = lines[i].next;

		lines[i].next = lines[k].next;
		lines[k].next = next;
	}
	return lines;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct line *volatile *at = (struct line *volatile *)make_chain(param("size") / LINE, nr);

	for (;;) {
		at = (struct line *volatile *)*at;
		count(iterations);
	}
}
