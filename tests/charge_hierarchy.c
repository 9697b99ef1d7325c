/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Anonymous pages charged and uncharged in a memory cgroup `depth` levels below the cell's: each
 * time the CPU's stock is empty or full, the page counters of all levels are changed. The tasks'
 * groups are siblings, so that they meet in the counters of all levels but the last. The groups of
 * threads would be their process's, so there are only processes.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Anonymous pages charged in a hierarchy of memory cgroups";

const struct testcase_info testcase_info = {
	.unit = "one page touched and given back",
	.tags = "memcg mm",
	.exercises = "madvise do_anonymous_page charge_memcg try_charge_memcg refill_stock "
		     "page_counter_try_charge page_counter_uncharge uncharge_batch",
	.contends = "page_counter memcg_stock zone->lock lruvec->lru_lock",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.syscalls = { { "madvise", 1 / 512. } },
	.needs = { .memory = "2M", .controller = "memory", .groups = "depth",
		   .descriptors = "depth" },
	.params = {
		{ "depth", "4", "1", "64", NULL, "levels below the group of the cell's groups" },
		{ "pages", "512", "1", "256K", NULL, "pages charged before all are uncharged" },
	},
	.notes = "where huge pages are always on, one charge is for up to 512 pages",
};

static int parent = GROUP_TOP;

void testcase_prepare(unsigned long nr_tasks)
{
	for (unsigned int level = 1; level < param("depth"); level++)
		parent = group_make(parent, "level");
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = param("pages") * page;
	volatile char *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

	must(c != MAP_FAILED);
	group_enter(task_group(parent, nr));
	for (;;) {
		for (size_t i = 0; i < size; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(madvise((char *)c, size, MADV_DONTNEED) == 0);
	}
}
