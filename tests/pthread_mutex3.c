/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lock and unlock of one mutex that all threads share, with 1 added inside to a variable that
 * they share too: the cache line of the lock word travels, then that of the variable, and a loser
 * sleeps in futex. In processes each task has a mutex of its own, and the pair never leaves user
 * space; with pshared=1 all processes share the one mutex and the variable.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "testcase.h"

char *testcase_description = "Mutex shared by all threads, shared memory incremented inside";

const struct testcase_info testcase_info = {
	.unit = "lock + increment + unlock",
	.tags = "lock user",
	.suites = "will-it-scale",
	.exercises = "futex futex_wait futex_wake",
	.contends = "mutex variable futex_hash_bucket->lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.params = { { "pshared", "0", "0", "1", NULL,
		      "1: mutex and variable are in shared memory, contended in processes too" } },
	.notes = "futex calls depend on contention: none in processes, unless pshared=1; in a "
		 "process without other threads the C library (since 2.34) takes its own lock "
		 "with plain stores, not with atomic instructions",
};

static pthread_mutex_t *mutex;
static volatile unsigned long *value;

void testcase_prepare(unsigned long nr_tasks)
{
	const int pshared = param("pshared");

	mutex = common_mutex(pshared);
	value = mmap(NULL, sizeof(*value), PROT_READ | PROT_WRITE,
		     MAP_ANONYMOUS | (pshared ? MAP_SHARED : MAP_PRIVATE), -1, 0);
	must(value != MAP_FAILED);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		must_zero(pthread_mutex_lock(mutex));
		++*value;
		must_zero(pthread_mutex_unlock(mutex));
		count(iterations);
	}
}
