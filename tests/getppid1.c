/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getppid: entering the kernel, reading one word that nobody writes, leaving it. Nothing limits it
 * but the machine: where this curve bends, frequency, SMT or the hypervisor bend it.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "System call entry and exit (getppid)";

const struct testcase_info testcase_info = {
	.unit = "getppid",
	.tags = "user",
	.suites = "will-it-scale",
	.exercises = "getppid entry_SYSCALL_64 __task_pid_nr_ns",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "getppid", 1 } },
	.notes = "the ruler for the others: no lock is taken and no shared line is written",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		must(getppid() >= 0);
		count(iterations);
	}
}
