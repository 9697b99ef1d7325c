/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One mutex for all tasks, in both modes. */
#include <pthread.h>

#include "hold.h"
#include "testcase.h"

char *testcase_description = "A mutex that is held for long";

const struct testcase_info testcase_info = {
	.contends = "mutex futex_hash_bucket->lock",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
};

static pthread_mutex_t *mutex;

void testcase_prepare(unsigned long nr_tasks)
{
	mutex = common_mutex(1);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		must_zero(pthread_mutex_lock(mutex));
		hold();
		must_zero(pthread_mutex_unlock(mutex));
		count(iterations);
	}
}
