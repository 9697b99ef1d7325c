/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pwrite of 4 KiB at the start of one file, through a descriptor of the task's own: the inode's
 * lock is held over the copy, so that the tasks queue up.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "pwrite of 4KB in the same file, same place";

const struct testcase_info testcase_info = {
	.unit = "pwrite of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale quick",
	.exercises = "pwrite64 vfs_write file_write_iter generic_perform_write "
		     "balance_dirty_pages_ratelimited",
	.contends = "inode->i_rwsem folio->_refcount",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "pwrite64", 1 } },
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
		must(pwrite(fd, buf, BUFLEN, 0) == BUFLEN);
		count(iterations);
	}
}
