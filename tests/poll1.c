/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * poll of one descriptor of a regular file of the task's own, which is always ready for writing: a
 * descriptor looked up, no wait queue, no sleep. Nothing common is written.
 */
#include <poll.h>

#include "testcase.h"

char *testcase_description = "poll of one descriptor";

const struct testcase_info testcase_info = {
	.unit = "poll of 1 descriptor",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "poll do_sys_poll fdget",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "poll", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "a regular file has no wait queue: poll finds it ready at once",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct pollfd pollfd = { .fd = temp_file(0), .events = POLLOUT };

	for (;;) {
		must(poll(&pollfd, 1, 0) == 1);
		must(pollfd.revents == POLLOUT);
		count(iterations);
	}
}
