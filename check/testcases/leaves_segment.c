/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A System V shared memory segment that outlives everything. */
#include <sys/ipc.h>
#include <sys/shm.h>

#include "moment.h"

char *testcase_description = "A System V object left behind";

void testcase_prepare(unsigned long nr_tasks)
{
	must(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
