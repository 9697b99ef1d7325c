/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to a page of the task's own and read of 4 KiB there, in one file, hot in the page cache,
 * each task with a descriptor and position of its own: the tasks share the mapping's tree, which
 * they only read. Each has written its page itself, so that the page is local and a folio of its
 * own.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "lseek and read of 4KB in the same file, a place for each task";

const struct testcase_info testcase_info = {
	.unit = "lseek + read of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek read fdget_pos vfs_read filemap_read filemap_get_pages "
		     "copy_page_to_iter touch_atime",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_DISJOINT,
	.syscalls = { { "lseek", 1 }, { "read", 1 } },
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
		must(lseek(fd, offset, SEEK_SET) == offset);
		must(read(fd, buf, BUFLEN) == BUFLEN);
		count(iterations);
	}
}
