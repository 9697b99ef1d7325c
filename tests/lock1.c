/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One fcntl F_SETLKW on a file of the task's own: the first byte locked for writing and unlocked,
 * two operations a loop. A file_lock is allocated, put into the inode's list and removed; nobody
 * else wants it. Only the read side of the semaphore over all lists is common, and it is per CPU.
 */
#include <fcntl.h>

#include "testcase.h"

char *testcase_description = "POSIX lock/unlock of private files";

const struct testcase_info testcase_info = {
	.unit = "one fcntl F_SETLKW (lock or unlock)",
	.tags = "vfs lock",
	.suites = "will-it-scale",
	.exercises = "fcntl fcntl_setlk posix_lock_inode",
	.contends = "file_lock_context->flc_lock file_rwsem",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "fcntl", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "never waits; locking and unlocking count one each",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1 };
	struct flock unlock = { .l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1 };
	const int fd = temp_file(0);

	for (;;) {
		must(fcntl(fd, F_SETLKW, &lock) == 0);
		count(iterations);
		must(fcntl(fd, F_SETLKW, &unlock) == 0);
		count(iterations);
	}
}
