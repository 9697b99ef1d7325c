/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page moved to another node and, with the next call, back: move_pages(2) isolates it from the
 * LRU, unmaps it (and flushes the TLBs that may know it), copies it and maps it again. Threads share the
 * mm, whose mmap_lock move_pages takes, and whose CPUs are all sent the flush.
 */
#include <numaif.h>
#include <stddef.h>
#include <unistd.h>

#include "testcase.h"

#define PAGES 16	/* of a call */

char *testcase_description = "Pages moved to another node and back";

const struct testcase_info testcase_info = {
	.unit = "one page moved to another node",
	.tags = "mm",
	.exercises = "move_pages migrate_pages folio_isolate_lru try_to_migrate folio_copy "
		     "remove_migration_ptes",
	.contends = "mmap_lock lruvec->lru_lock zone->lock lru_add_drain_all",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "move_pages", 1. / PAGES } },
	.needs = { .memory = "64K", .nodes = "2" },
	.params = {
		{ "node", "far", NULL, NULL, NULL, "where the pages go from the local node; " NODE_DOC },
	},
	.notes = "16 pages a call",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const int nodes[2] = { memory_node("local"), memory_node(param_text("node")) };
	char *memory = map_on_node(PAGES * page, nodes[0]);
	void *pages[PAGES];
	int to[PAGES], status[PAGES];

	if (nodes[0] == nodes[1])
		testcase_lacks("the two nodes are one and the same: nothing would be moved");
	for (int i = 0; i < PAGES; i++) {
		pages[i] = memory + i * page;
		*(volatile char *)pages[i] = 1;
	}
	for (int round = 1;; round ^= 1) {
		for (int i = 0; i < PAGES; i++)
			to[i] = nodes[round];
		must(move_pages(0, PAGES, pages, to, status, MPOL_MF_MOVE) == 0);
		for (int i = 0; i < PAGES; i++) {
			must(status[i] == nodes[round]);
			count(iterations);
		}
	}
}
