/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of a private file mapping touched (written): a fault that finds the page in the page
 * cache, allocates a page, copies, charges and maps it. Each task maps 128 MiB of a sparse file of
 * its own, touches it in order and unmaps it; only the touches are counted. Processes share the
 * zone and LRU locks and the counters of the memory cgroup; threads also the mm.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

#define MEMSIZE (128UL * 1024 * 1024)

char *testcase_description = "Copy-on-write faults on private files, mapped private";

const struct testcase_info testcase_info = {
	.unit = "one page touched",
	.tags = "mm vfs memcg",
	.suites = "will-it-scale",
	.exercises = "handle_mm_fault do_fault filemap_fault copy_mc_enhanced_fast_string "
		     "charge_memcg folio_add_lru munmap free_pages_and_swap_cache",
	.contends = "zone->lock lruvec->lru_lock page_counter mmap_lock vma_lock "
		    "page_table_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 / 32768. }, { "munmap", 1 / 32768. } },
	.needs = { .memory = "256M", .descriptors = "1" },
	.notes = "one fault an operation, as only single pages are copied; the first pass "
		 "fills the page cache (128 MiB a task), later ones find it hot; the file "
		 "keeps its holes, but on a tmpfs, where the page cache is the file",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const int fd = temp_file_sparse(MEMSIZE);

	for (;;) {
		volatile char *c = mmap(NULL, MEMSIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

		must(c != MAP_FAILED);
		for (size_t i = 0; i < MEMSIZE; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(munmap((char *)c, MEMSIZE) == 0);
	}
}
