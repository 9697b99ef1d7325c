/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lock and unlock of a mutex that no other task knows: the lock word, on a cache line of the task's
 * own, set and cleared, never a syscall. Nothing limits it but the core.
 */
#include <pthread.h>

#include "testcase.h"

char *testcase_description = "Uncontended mutex of each task's own";

const struct testcase_info testcase_info = {
	.unit = "lock + unlock",
	.tags = "lock user",
	.suites = "will-it-scale",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.notes = "stays in user space; in a process without other threads the C library "
		 "(since 2.34) takes the lock with plain stores, not with atomic instructions",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	pthread_mutex_t mutex __attribute__((aligned(256))) = PTHREAD_MUTEX_INITIALIZER;

	for (;;) {
		must_zero(pthread_mutex_lock(&mutex));
		must_zero(pthread_mutex_unlock(&mutex));
		count(iterations);
	}
}
