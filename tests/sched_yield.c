/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_yield: takes the lock of the CPU's own run queue and asks the scheduler for the next
 * task. With at most one task on a CPU that is the caller again. Run queues are private to their
 * CPUs, so only global work of the scheduler (load balancing, bandwidth control) limits it.
 */
#include <sched.h>

#include "testcase.h"

char *testcase_description = "Scheduler pass without a switch (sched_yield)";

const struct testcase_info testcase_info = {
	.unit = "sched_yield",
	.tags = "sched",
	.suites = "will-it-scale",
	.exercises = "sched_yield do_sched_yield yield_task_fair __schedule",
	.contends = "rq->lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "sched_yield", 1 } },
	.notes = "nobody to yield to while tasks do not outnumber CPUs; beyond that each "
		 "operation may be a context switch",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		must(sched_yield() == 0);
		count(iterations);
	}
}
