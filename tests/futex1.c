/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FUTEX_WAKE on a word on the task's stack for which nobody waits, not declared private to the
 * process: the kernel pins the page to learn what backs it, hashes the key and finds the bucket
 * empty. Only the global table of hash buckets is common, and an empty bucket is not locked.
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Futex wake without a waiter";

const struct testcase_info testcase_info = {
	.unit = "FUTEX_WAKE",
	.tags = "lock",
	.suites = "will-it-scale",
	.exercises = "futex do_futex futex_wake get_futex_key gup_fast_fallback futex_hash",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "futex", 1 } },
	.notes = "nobody waits and nobody is woken",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	unsigned int word __attribute__((aligned(256))) = 0;

	for (;;) {
		must(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
		count(iterations);
	}
}
