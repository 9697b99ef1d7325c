/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to a page of the task's own and write of 4 KiB there, in one file, each task with a
 * descriptor and position of its own: the parts are disjoint, but the inode's lock is held over
 * each copy, so that the tasks queue up all the same.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "lseek and write of 4KB in the same file, a place for each task";

const struct testcase_info testcase_info = {
	.unit = "lseek + write of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek write fdget_pos vfs_write file_write_iter generic_perform_write "
		     "balance_dirty_pages_ratelimited",
	.contends = "inode->i_rwsem folio->_refcount",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_DISJOINT,
	.syscalls = { { "lseek", 1 }, { "write", 1 } },
	.needs = { .memory = "64K", .descriptors = "1", .disk = "64K" },
	.notes = "disjoint data under one lock",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = open_shared_file(O_RDWR);
	const off_t offset = nr * sysconf(_SC_PAGESIZE);
	char buf[BUFLEN] IO_BUFFER = { 0 };

	for (;;) {
		must(lseek(fd, offset, SEEK_SET) == offset);
		must(write(fd, buf, BUFLEN) == BUFLEN);
		count(iterations);
	}
}
