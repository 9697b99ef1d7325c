/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The oldest of many small mappings unmapped and a new one made: so many VMAs are in the mm all the
 * time. Neighbours differ in protection, so that they stay VMAs of their own. Nothing is touched:
 * VMA slab, maple tree, overcommit accounting of the writable half, and the mmap_lock, which
 * threads share.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Small mappings unmapped and made, among many";

const struct testcase_info testcase_info = {
	.unit = "munmap + mmap of one page",
	.tags = "mm memcg",
	.exercises = "mmap munmap mmap_region vm_area_alloc vma_iter_store mas_store_prealloc "
		     "unmap_region vm_area_free __memcg_slab_post_alloc_hook",
	.contends = "mmap_lock vm_committed_as memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 }, { "munmap", 1 } },
	.params = { { "count", "64", "1", "32K", NULL, "mappings that a task has" } },
	.notes = "vm.max_map_count, by default 65530, limits those of all threads together",
};

static void *map(size_t size, size_t i)
{
	int protection = i & 1 ? PROT_READ | PROT_WRITE : PROT_READ;
	void *at = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(at != MAP_FAILED);
	return at;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), mappings = param("count");
	void **at = calloc(mappings, sizeof(*at));

	must(at);
	for (size_t i = 0; i < mappings; i++)
		at[i] = map(page, i);
	for (size_t i = 0;; i = i + 1 < mappings ? i + 1 : 0) {
		must(munmap(at[i], page) == 0);
		at[i] = map(page, i);
		count(iterations);
	}
}
