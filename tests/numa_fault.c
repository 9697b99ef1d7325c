/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of anonymous memory touched for the first time, allocated on a chosen node: the fault of
 * page_fault1 with a policy on the mapping. What a far node adds is the clearing of the page over
 * the interconnect, and the far zone's lock and free lists.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "First touch of memory of a chosen node, page by page";

const struct testcase_info testcase_info = {
	.unit = "one page touched",
	.tags = "mm memcg",
	.exercises = "handle_mm_fault do_anonymous_page alloc_pages_mpol clear_page_erms mmap mbind munmap",
	.contends = "zone->lock lruvec->lru_lock page_counter mmap_lock vma_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 / 4096. }, { "mbind", 1 / 4096. }, { "madvise", 1 / 4096. },
		      { "munmap", 1 / 4096. } },
	.needs = { .memory = "size" },
	.params = {
		{ "node", "local", NULL, NULL, NULL, NODE_DOC },
		{ "size", "16M", "4K", "1G", NULL, "bytes of a mapping, which is made anew when filled" },
	},
	.notes = "huge pages are kept away: an operation is a fault",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const size_t size = param("size");
	const int node = memory_node(param_text("node"));

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
