/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start and write of 4 KiB, in one file, each task with a descriptor and position of
 * its own: the inode's lock is held over the copy, so that the tasks queue up.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "lseek and write of 4KB in the same file, same place";

const struct testcase_info testcase_info = {
	.unit = "lseek + write of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek write fdget_pos vfs_write file_write_iter generic_perform_write "
		     "balance_dirty_pages_ratelimited",
	.contends = "inode->i_rwsem folio->_refcount",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "lseek", 1 }, { "write", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "all tasks write the same 4 KiB",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(BUFLEN);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = open_shared_file(O_RDWR);
	char buf[BUFLEN] IO_BUFFER = { 0 };

	for (;;) {
		must(lseek(fd, 0, SEEK_SET) == 0);
		must(write(fd, buf, BUFLEN) == BUFLEN);
		count(iterations);
	}
}
