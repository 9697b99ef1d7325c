/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * poll of 128 descriptors of regular files of the task's own, which are always ready for writing;
 * the array is filled anew for each poll. The descriptors are copied in, looked up one by one, and
 * the results copied out: no wait queue, no sleep, nothing common written.
 */
#include <poll.h>

#include "testcase.h"

#define NR_FILES 128

char *testcase_description = "poll of 128 descriptors";

const struct testcase_info testcase_info = {
	.unit = "poll of 128 descriptors",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "poll do_sys_poll fdget",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.prepares = 1,
	.syscalls = { { "poll", 1 } },
	.needs = { .descriptors = "128" },
	.notes = "a regular file has no wait queue: poll finds each ready at once; filling "
		 "the array is part of the operation; in a process with threads the kernel "
		 "takes and drops a reference on each file, which makes them up to three "
		 "times slower",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct pollfd pollfds[NR_FILES];
	int fds[NR_FILES];

	for (int i = 0; i < NR_FILES; i++)
		fds[i] = temp_file(0);
	for (;;) {
		for (int i = 0; i < NR_FILES; i++)
			pollfds[i] = (struct pollfd){ .fd = fds[i], .events = POLLOUT };
		must(poll(pollfds, NR_FILES, 0) == NR_FILES);
		count(iterations);
	}
}
