/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of a private file mapping written, given back with MADV_DONTNEED and read again: the
 * write copies the page, madvise frees the copy and flushes it from the TLB of every CPU that
 * runs the mm, the read maps the file's page. Page after page through 128 MiB of a sparse file of
 * the task's own. Processes flush locally; threads interrupt each other's CPUs.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

#define MEMSIZE (128UL * 1024 * 1024)

char *testcase_description = "TLB flush of pages of private files, mapped private";

const struct testcase_info testcase_info = {
	.unit = "page written, dropped, read",
	.tags = "mm",
	.suites = "will-it-scale",
	.exercises = "madvise madvise_vma_behavior zap_page_range_single flush_tlb_mm_range "
		     "smp_call_function_many_cond do_fault filemap_map_pages",
	.contends = "mmap_lock vma_lock page_table_lock smp_call_function",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "madvise", 1 }, { "mmap", 1 / 32768. }, { "munmap", 1 / 32768. } },
	.needs = { .memory = "128M", .descriptors = "1" },
	.notes = "two page faults an operation dominate it; the first pass fills the page "
		 "cache, which on a tmpfs is the file itself",
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
			must(madvise((char *)c + i, page, MADV_DONTNEED) == 0);
			must(c[i] == 0);
			count(iterations);
		}
		must(munmap((char *)c, MEMSIZE) == 0);
	}
}
