/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of shared anonymous memory charged to the task's memory cgroup and uncharged: `pages`
 * pages are touched (written) one by one, then freed by one MADV_REMOVE, which punches a hole into
 * the hidden tmpfs file behind the mapping. Each page enters that file's tree of pages.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Pages of shared memory charged and uncharged";

const struct testcase_info testcase_info = {
	.unit = "one page touched and removed",
	.tags = "memcg mm",
	.exercises = "madvise shmem_fault shmem_get_folio_gfp shmem_add_to_page_cache "
		     "__mem_cgroup_charge shmem_fallocate shmem_undo_range uncharge_batch",
	.contends = "page_counter memcg_stock lruvec->lru_lock xa_lock vm_committed_as mmap_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "madvise", 1 / 32. } },
	.needs = { .memory = "2M" },
	.params = { { "pages", "32", "1", "256K", NULL, "charged before all are uncharged" } },
	.notes = "where shmem_enabled allows huge pages, one charge is for up to 512 pages",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = param("pages") * page;
	volatile char *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				-1, 0);

	must(c != MAP_FAILED);
	for (;;) {
		for (size_t i = 0; i < size; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(madvise((char *)c, size, MADV_REMOVE) == 0);
	}
}
