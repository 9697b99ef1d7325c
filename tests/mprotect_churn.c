/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The middle page of a mapping of three made read-only, which splits the VMA in three, and
 * writable again, which merges them: VMAs allocated, charged and freed. All pages are touched
 * first, so that page tables are walked and the TLB is flushed, in threads on all their CPUs.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "mprotect that splits and merges mappings";

const struct testcase_info testcase_info = {
	.unit = "mprotect to split + mprotect to merge",
	.tags = "mm memcg",
	.exercises = "mprotect mprotect_fixup vma_modify vma_merge __split_vma change_protection "
		     "flush_tlb_mm_range vm_area_free __memcg_slab_post_alloc_hook",
	.contends = "mmap_lock page_table_lock smp_call_function memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mprotect", 2 } },
	.needs = { .memory = "16K" },
	.notes = "a VMA is split in three and merged to one in every operation",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	char *c = mmap(NULL, 5 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* A page on each side that cannot be touched keeps it apart from its neighbours. */
	must(c != MAP_FAILED);
	c += page;
	must(mprotect(c, 3 * page, PROT_READ | PROT_WRITE) == 0);
	memset(c, 1, 3 * page);
	for (;;) {
		must(mprotect(c + page, page, PROT_READ) == 0);
		must(mprotect(c + page, page, PROT_READ | PROT_WRITE) == 0);
		count(iterations);
	}
}
