/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Touched anonymous memory moved to another place and back: page-table entries are taken out and
 * put in again, page by page or a whole table at once, and the TLB is flushed, in threads on all
 * their CPUs. The place it leaves stays mapped (MREMAP_DONTUNMAP), so that nothing else comes
 * there.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "mremap of touched memory to another place";

const struct testcase_info testcase_info = {
	.unit = "one mremap (there or back)",
	.tags = "mm",
	.exercises = "mremap move_vma copy_vma move_page_tables move_ptes flush_tlb_range "
		     "do_munmap",
	.contends = "mmap_lock page_table_lock smp_call_function",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mremap", 1 } },
	.needs = { .memory = "size", .kernel = "5.7" },
	.params = { { "size", "128K", "4K", "1G", NULL, "bytes moved" } },
	.notes = "the kernel moves a whole page table of 2 MiB at once where both places "
		 "are aligned",
};

static void *map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(at != MAP_FAILED);
	return at;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
	const size_t size = param("size");
	char *a = map(size), *b = map(size);

	memset(a, 1, size);
	for (;;) {
		must(mremap(a, size, size, flags, b) == b);
		count(iterations);
		must(mremap(b, size, size, flags, a) == a);
		count(iterations);
	}
}
