/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start of one file of 4 KiB, which each task has opened for itself: the position
 * belongs to the open file, so that tasks share only the inode, of which they read the size limit.
 * Nothing common limits it, unless the filesystem locks the inode to seek.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "lseek in the same file";

const struct testcase_info testcase_info = {
	.unit = "lseek to 0",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek ksys_lseek fdget_pos vfs_llseek generic_file_llseek_size",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "lseek", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "each task has its own descriptor and so its own position; the position is "
		 "already 0",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(4096);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = open_shared_file(O_RDWR);

	for (;;) {
		must(lseek(fd, 0, SEEK_SET) == 0);
		count(iterations);
	}
}
