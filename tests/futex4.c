/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FUTEX_WAIT on a word on the task's stack that does not hold the expected value, declared private
 * to the process: the key is mm and address; the bucket is locked, the word read, EAGAIN returned.
 * Tasks meet only if their words hash to one bucket.
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Futex wait that does not sleep, process-private";

const struct testcase_info testcase_info = {
	.unit = "FUTEX_WAIT_PRIVATE",
	.tags = "lock",
	.suites = "will-it-scale",
	.exercises = "futex do_futex futex_wait futex_wait_setup get_futex_key futex_hash "
		     "futex_q_lock",
	.contends = "futex_hash_bucket->lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "futex", 1 } },
	.notes = "returns EAGAIN at once and never sleeps",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	unsigned int word __attribute__((aligned(256))) = 0;

	for (;;) {
		long ret = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);

		must(ret < 0 && errno == EAGAIN);
		count(iterations);
	}
}
