/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pwrite of 4 KiB at a page of the task's own of one file, through a descriptor of the task's own:
 * the parts are disjoint, but the inode's lock is held over each copy, so that the tasks queue up
 * all the same.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "pwrite of 4KB in the same file, a place for each task";

const struct testcase_info testcase_info = {
	.unit = "pwrite of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "pwrite64 vfs_write file_write_iter generic_perform_write "
		     "balance_dirty_pages_ratelimited",
	.contends = "inode->i_rwsem folio->_refcount",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_DISJOINT,
	.syscalls = { { "pwrite64", 1 } },
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
		must(pwrite(fd, buf, BUFLEN, offset) == BUFLEN);
		count(iterations);
	}
}
