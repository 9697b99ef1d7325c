/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Anonymous memory touched (written) page by page and given back with one MADV_DONTNEED, in a
 * mapping that stays: faults, pages and their charges, their release in one batch, a flush of the
 * TLB, in threads on all their CPUs. What allocators do with memory that they keep mapped.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Anonymous memory touched and given back (MADV_DONTNEED)";

const struct testcase_info testcase_info = {
	.unit = "touch of all pages + madvise",
	.tags = "mm memcg",
	.exercises = "madvise zap_page_range_single tlb_finish_mmu free_pages_and_swap_cache "
		     "do_anonymous_page charge_memcg uncharge_batch flush_tlb_mm_range",
	.contends = "zone->lock lruvec->lru_lock page_counter mmap_lock vma_lock "
		    "smp_call_function",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "madvise", 1 } },
	.needs = { .memory = "size" },
	.params = { { "size", "128K", "4K", "1G", NULL, "bytes touched and given back" } },
	.notes = "where huge pages are always on, touching clears up to 2 MiB a fault",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = param("size");
	volatile char *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

	must(c != MAP_FAILED);
	for (;;) {
		for (size_t i = 0; i < size; i += page)
			c[i] = 1;
		must(madvise((char *)c, size, MADV_DONTNEED) == 0);
		count(iterations);
	}
}
