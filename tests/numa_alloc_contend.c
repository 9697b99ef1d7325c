/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page touched for the first time, all tasks' pages from one and the same node, wherever the
 * tasks are: they meet at that node's zone lock, when the per-CPU lists of free pages run out, and
 * at its memory controllers.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "All tasks touch new pages of one node";

const struct testcase_info testcase_info = {
	.unit = "one page touched",
	.tags = "mm memcg lock",
	.exercises = "handle_mm_fault do_anonymous_page alloc_pages_mpol rmqueue_bulk "
		     "free_pcppages_bulk mmap mbind munmap",
	.contends = "zone->lock lruvec->lru_lock page_counter mmap_lock vma_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 / 4096. }, { "mbind", 1 / 4096. }, { "madvise", 1 / 4096. },
		      { "munmap", 1 / 4096. } },
	.needs = { .memory = "size" },
	.params = {
		{ "node", "lowest", NULL, NULL, NULL,
		  "lowest, or the number of a node; local and far are those of the first preparation" },
		{ "size", "16M", "4K", "1G", NULL, "bytes of a mapping, which is made anew when filled" },
	},
	.notes = "huge pages are kept away: an operation is a fault",
};

static int node;

void testcase_prepare(unsigned long nr_tasks)
{
	node = memory_node(param_text("node"));
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const size_t size = param("size");

	for (;;) {
		volatile char *c = map_on_node(size, node);

		must(madvise((char *)c, size, MADV_NOHUGEPAGE) == 0 || errno == EINVAL);
		for (size_t i = 0; i < size; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(munmap((char *)c, size) == 0);
	}
}
