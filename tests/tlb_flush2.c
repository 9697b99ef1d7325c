/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of anonymous memory written, given back with MADV_DONTNEED and read again: madvise frees
 * the page and flushes it from the TLB of every CPU that runs the mm, the read maps the zero page.
 * Page after page through 1 MiB, then unmapped and mapped again. Processes flush locally; threads
 * interrupt each other's CPUs.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

#define MEMSIZE (1UL * 1024 * 1024)

char *testcase_description = "TLB flush of pages of anonymous memory";

const struct testcase_info testcase_info = {
	.unit = "page written, dropped, read",
	.tags = "mm",
	.suites = "will-it-scale quick",
	.exercises = "madvise madvise_vma_behavior zap_page_range_single flush_tlb_mm_range "
		     "smp_call_function_many_cond do_anonymous_page charge_memcg",
	.contends = "mmap_lock vma_lock page_table_lock smp_call_function",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "madvise", 1 }, { "mmap", 1 / 256. }, { "munmap", 1 / 256. } },
	.needs = { .memory = "1M" },
	.notes = "two page faults an operation dominate it",
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
			must(madvise((char *)c + i, page, MADV_DONTNEED) == 0);
			must(c[i] == 0);
			count(iterations);
		}
		must(munmap((char *)c, MEMSIZE) == 0);
	}
}
