/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One fcntl F_SETLKW on one file: its first byte locked for writing and unlocked, two operations a
 * loop. Processes conflict, queue up in the inode's list and wake each other; threads of one
 * process are one owner, never conflict and only meet in the spinlock of that list.
 */
#include <fcntl.h>

#include "testcase.h"

char *testcase_description = "POSIX lock/unlock of the same file";

const struct testcase_info testcase_info = {
	.unit = "one fcntl F_SETLKW (lock or unlock)",
	.tags = "vfs lock",
	.suites = "will-it-scale quick",
	.exercises = "fcntl fcntl_setlk posix_lock_inode locks_wake_up_blocks",
	.contends = "file_lock_context->flc_lock blocked_lock_lock file_rwsem",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "fcntl", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "threads are one owner and never wait; a lock that another thread took or "
		 "dropped is taken or dropped again, and counts",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1 };
	struct flock unlock = { .l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1 };
	const int fd = open_shared_file(O_RDWR);

	for (;;) {
		must(fcntl(fd, F_SETLKW, &lock) == 0);
		count(iterations);
		must(fcntl(fd, F_SETLKW, &unlock) == 0);
		count(iterations);
	}
}
