/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start and read of 4 KiB, in one file, hot in the page cache, each task with a
 * descriptor and position of its own: all tasks take and drop references on the same folio, and the
 * cache line of that count limits it.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "lseek and read of 4KB in the same file, same place";

const struct testcase_info testcase_info = {
	.unit = "lseek + read of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek read fdget_pos vfs_read filemap_read filemap_get_pages "
		     "copy_page_to_iter touch_atime",
	.contends = "folio->_refcount",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "lseek", 1 }, { "read", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "all tasks read the same 4 KiB",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(BUFLEN);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = open_shared_file(O_RDONLY);
	char buf[BUFLEN] IO_BUFFER;

	for (;;) {
		must(lseek(fd, 0, SEEK_SET) == 0);
		must(read(fd, buf, BUFLEN) == BUFLEN);
		count(iterations);
	}
}
