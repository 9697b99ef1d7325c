/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lock on a file that all tasks share. The facts expect something else. */
#include <fcntl.h>
#include <sys/file.h>

#include "hold.h"
#include "testcase.h"

char *testcase_description = "A file lock that is held for long";

const struct testcase_info testcase_info = {
	.contends = "zone->lock",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(4096);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	int file = open_shared_file(O_RDWR);

	for (;;) {
		must(flock(file, LOCK_EX) == 0);
		hold();
		must(flock(file, LOCK_UN) == 0);
		count(iterations);
	}
}
