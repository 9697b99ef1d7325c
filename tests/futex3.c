/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FUTEX_WAKE on a word on the task's stack for which nobody waits, declared private to the process:
 * the key is mm and address, without a look at the page. The bucket is empty and is not locked.
 * Nothing common is written.
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Futex wake without a waiter, process-private";

const struct testcase_info testcase_info = {
	.unit = "FUTEX_WAKE_PRIVATE",
	.tags = "lock",
	.suites = "will-it-scale",
	.exercises = "futex do_futex futex_wake get_futex_key futex_hash",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "futex", 1 } },
	.notes = "nobody waits and nobody is woken",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	unsigned int word __attribute__((aligned(256))) = 0;

	for (;;) {
		must(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0);
		count(iterations);
	}
}
