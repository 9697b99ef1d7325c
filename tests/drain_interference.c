/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Anonymous pages charged and uncharged in a memory cgroup of each task's own, while one more
 * process, started by task 0, makes all CPUs give back what they hold charged in advance, `rate`
 * times a second: what happens when a common parent meets its limit or is emptied. Against rate=0,
 * without drains, the loss, and in the record's task_ops its spread over CPUs. A group's threads
 * are charged together, so there are only processes.
 */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "testcase.h"

#define PAGES 16	/* fewer than a stock holds */

char *testcase_description = "Pages charged while another process drains the stocks";

const struct testcase_info testcase_info = {
	.unit = "one page touched and given back",
	.tags = "memcg mm",
	.exercises = "madvise try_charge_memcg consume_stock refill_stock drain_all_stock "
		     "drain_local_memcg_stock schedule_work_on uncharge_batch",
	.contends = "memcg_stock percpu_charge_mutex page_counter",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.syscalls = { { "madvise", 1. / PAGES } },
	.needs = { .memory = "1M", .partners = "1", .descriptors = "2",
		   .controller = "memory", .groups = "1", .control = "drain" },
	.params = { { "rate", "100", "0", "100000", NULL, "drains a second; 0: none" } },
	.figures = { { "drain_ns", "of one drain of all CPUs" } },
	.notes = "the drainer is on the CPU of task 0, which loses its time, too; a drain is a "
		 "limit below the usage, which v1 refuses after it, while v2 would kill or "
		 "throttle; figures of different rate are different measures",
};

/* As often as asked for; where a drain takes too long for that, one after another. */
static void *drain(void *arg)
{
	const long period_ns = 1000000000 / param("rate");
	unsigned long long next = time_ns();

	for (;;) {
		unsigned long long begin = time_ns();
		struct timespec until;

		must(group_drain(GROUP_TOP) == 0);
		figure_add(0, "drain_ns", time_ns() - begin);
		next += period_ns;
		until = (struct timespec){ next / 1000000000, next % 1000000000 };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	}
	return arg;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = PAGES * page;
	volatile char *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

	must(c != MAP_FAILED);
	if (nr == 0 && param("rate"))
		new_task(drain, NULL);
	group_enter(task_group(GROUP_TOP, nr));
	for (;;) {
		for (size_t i = 0; i < size; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(madvise((char *)c, size, MADV_DONTNEED) == 0);
	}
}
