/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value 1 written to an eventfd and read back by the same task: the lock of the eventfd's
 * wait queue taken twice, nobody woken. Every task has its own; nothing common limits it.
 */
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "eventfd, one event written and read";

const struct testcase_info testcase_info = {
	.unit = "write of 8 bytes + read of 8 bytes",
	.tags = "ipc vfs",
	.suites = "will-it-scale",
	.exercises = "write read vfs_write eventfd_write vfs_read eventfd_read",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "write", 1 }, { "read", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "writer and reader are the same task: nobody sleeps and nobody is woken",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = eventfd(0, 0);
	uint64_t value = 1;

	must(fd >= 0);
	for (;;) {
		must(write(fd, &value, 8) == 8);
		must(read(fd, &value, 8) == 8 && value == 1);
		count(iterations);
	}
}
