/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pread of 4 KiB at a page of the task's own of one file, hot in the page cache, through a
 * descriptor of the task's own: the tasks share the mapping's tree, which they only read. Each
 * has written its page itself, so that the page is local and a folio of its own.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "pread of 4KB in the same file, a place for each task";

const struct testcase_info testcase_info = {
	.unit = "pread of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "pread64 vfs_read filemap_read filemap_get_pages copy_page_to_iter "
		     "touch_atime",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_DISJOINT,
	.syscalls = { { "pread64", 1 } },
	.needs = { .memory = "64K", .descriptors = "1", .disk = "64K" },
	.notes = "disjoint only where the filesystem gives pages written one by one a folio "
		 "each",
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

	must(pwrite(fd, buf, BUFLEN, offset) == BUFLEN);
	for (;;) {
		must(pread(fd, buf, BUFLEN, offset) == BUFLEN);
		count(iterations);
	}
}
