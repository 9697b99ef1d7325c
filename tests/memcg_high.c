/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Anonymous pages charged above memory.high: the charge that goes over it schedules reclaim, which
 * finds nothing (the pages are in use), and puts the task to sleep on its way back to user space,
 * the longer, the larger the excess is beside the limit. The limit is what the task uses with
 * `base` bytes touched; after `over` pages all above it are given back. v2 only. A group's threads
 * are charged together, so there are only processes.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Anonymous pages charged above memory.high";

const struct testcase_info testcase_info = {
	.unit = "one page touched above memory.high",
	.tags = "memcg mm",
	.exercises = "madvise do_anonymous_page try_charge_memcg mem_cgroup_handle_over_high "
		     "reclaim_high calculate_high_delay schedule_timeout_killable",
	.contends = "memory.high lruvec->lru_lock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.syscalls = { { "madvise", 1 / 64. } },
	.needs = { .memory = "base", .controller = "memory", .groups = "1", .control = "high" },
	.params = {
		{ "base", "16M", "1M", "1024G", NULL, "bytes in use below memory.high" },
		{ "over", "64", "1", "256K", NULL, "pages above memory.high at most" },
	},
	.figures = { { "throttled_ns", "from the first page above memory.high to the last" } },
	.notes = "low CPU time is the point: the tasks sleep; with swap, reclaim finds something",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = param("over") * page;
	const size_t base = param("base");
	const int group = task_group(GROUP_TOP, nr);
	char *c = mmap(NULL, base + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	volatile char *above = c + base;

	must(c != MAP_FAILED);
	group_enter(group);
	memset(c, 1, base);
	must(group_set(group, "high", group_usage(group)) == 0);
	for (;;) {
		const unsigned long long begin = time_ns();

		for (size_t i = 0; i < size; i += page) {
			above[i] = 1;
			count(iterations);
		}
		figure_add(nr, "throttled_ns", time_ns() - begin);
		must(madvise(c + base, size, MADV_DONTNEED) == 0);
	}
}
