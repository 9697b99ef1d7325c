/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of anonymous memory charged to the task's memory cgroup and uncharged: `pages` pages are
 * touched (written) one by one, then given back by one MADV_DONTNEED, which uncharges them in
 * batches. Up to 64 pages the CPU's stock of charges takes it all, beyond that the page counters
 * of the group and of all groups above it.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Anonymous pages charged and uncharged";

const struct testcase_info testcase_info = {
	.unit = "one page touched and given back",
	.tags = "memcg mm",
	.exercises = "madvise do_anonymous_page charge_memcg try_charge_memcg consume_stock "
		     "refill_stock uncharge_batch page_counter_try_charge page_counter_uncharge",
	.contends = "page_counter memcg_stock zone->lock lruvec->lru_lock mmap_lock vma_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "madvise", 1 / 32. } },
	.needs = { .memory = "2M" },
	.params = { { "pages", "32", "1", "256K", NULL, "charged before all are uncharged" } },
	.notes = "where huge pages are always on, one charge is for up to 512 pages",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = param("pages") * page;
	volatile char *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

	must(c != MAP_FAILED);
	for (;;) {
		for (size_t i = 0; i < size; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(madvise((char *)c, size, MADV_DONTNEED) == 0);
	}
}
