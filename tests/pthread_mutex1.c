/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lock and unlock of one mutex that all threads share, nothing inside: the cache line of the lock
 * word travels, and a loser sleeps in futex. In processes each task has a mutex of its own, and
 * the pair never leaves user space; with pshared=1 all processes share the one mutex too.
 */
#include <pthread.h>

#include "testcase.h"

char *testcase_description = "Mutex shared by all threads, empty critical section";

const struct testcase_info testcase_info = {
	.unit = "lock + unlock",
	.tags = "lock user",
	.suites = "will-it-scale quick",
	.exercises = "futex futex_wait futex_wake",
	.contends = "mutex futex_hash_bucket->lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.params = { { "pshared", "0", "0", "1", NULL,
		      "1: the mutex is in shared memory, contended in processes too" } },
	.notes = "futex calls depend on contention: none in processes, unless pshared=1; in a "
		 "process without other threads the C library (since 2.34) takes its own lock "
		 "with plain stores, not with atomic instructions",
};

static pthread_mutex_t *mutex;

void testcase_prepare(unsigned long nr_tasks)
{
	mutex = common_mutex(param("pshared"));
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		must_zero(pthread_mutex_lock(mutex));
		must_zero(pthread_mutex_unlock(mutex));
		count(iterations);
	}
}
