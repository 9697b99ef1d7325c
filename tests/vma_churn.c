/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small mappings made one after another, then unmapped in the same order: so many VMAs in the mm
 * before the first goes. Neighbours differ in protection, so that they stay VMAs of their own.
 * Nothing is touched: VMA slab, maple tree, overcommit accounting of the writable half, and the
 * mmap_lock, which threads share.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Many small mappings made, then unmapped";

const struct testcase_info testcase_info = {
	.unit = "mmap + munmap of one page",
	.tags = "mm memcg",
	.exercises = "mmap munmap mmap_region vm_area_alloc vma_iter_store mas_store_prealloc "
		     "unmap_region vm_area_free __memcg_slab_post_alloc_hook",
	.contends = "mmap_lock vm_committed_as memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 }, { "munmap", 1 } },
	.params = { { "count", "64", "1", "32K", NULL, "mappings that a task has at most" } },
	.notes = "vm.max_map_count, by default 65530, limits those of all threads together",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), count_max = param("count");
	void **at = calloc(count_max, sizeof(*at));

	must(at);
	for (;;) {
		for (size_t i = 0; i < count_max; i++) {
			at[i] = mmap(NULL, page, PROT_READ | (i & 1 ? PROT_WRITE : 0),
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			must(at[i] != MAP_FAILED);
		}
		for (size_t i = 0; i < count_max; i++) {
			must(munmap(at[i], page) == 0);
			count(iterations);
		}
	}
}
