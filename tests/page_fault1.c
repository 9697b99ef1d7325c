/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of anonymous memory touched (written) for the first time: a fault that allocates,
 * clears, charges and maps a page. 128 MiB are mapped, touched in order and unmapped; only the
 * touches are counted. Processes share the zone locks, the LRU locks and the counters of the
 * memory cgroup; threads also share one mm: its mmap_lock or VMA locks and its page tables.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

#define MEMSIZE (128UL * 1024 * 1024)

char *testcase_description = "First touch of anonymous memory, page by page";

const struct testcase_info testcase_info = {
	.unit = "one page touched",
	.tags = "mm memcg",
	.suites = "will-it-scale quick",
	.exercises = "handle_mm_fault do_anonymous_page clear_page_erms charge_memcg "
		     "folio_add_lru munmap free_pages_and_swap_cache",
	.contends = "zone->lock lruvec->lru_lock page_counter mmap_lock vma_lock "
		    "page_table_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 / 32768. }, { "munmap", 1 / 32768. } },
	.needs = { .memory = "128M" },
	.notes = "an operation is a touch, not a fault: with transparent huge pages or mTHP "
		 "one fault maps many pages and the same name runs several times faster",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);

	for (;;) {
		volatile char *c = mmap(NULL, MEMSIZE, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		must(c != MAP_FAILED);
		for (size_t i = 0; i < MEMSIZE; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(munmap((char *)c, MEMSIZE) == 0);
	}
}
