/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sem_wait and sem_post of a semaphore that no other task knows and whose value is 1: atomic
 * instructions on a cache line of the task's own, never a syscall. Nothing limits it but the core.
 */
#include <semaphore.h>

#include "testcase.h"

char *testcase_description = "Uncontended POSIX semaphore of each task's own";

const struct testcase_info testcase_info = {
	.unit = "sem_wait + sem_post",
	.tags = "lock user",
	.suites = "will-it-scale",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.notes = "stays in user space: nobody waits and nobody is woken",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	sem_t sem __attribute__((aligned(256)));

	must(sem_init(&sem, 0, 1) == 0);
	for (;;) {
		must(sem_wait(&sem) == 0);
		must(sem_post(&sem) == 0);
		count(iterations);
	}
}
