/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start and read of 4 KiB, in a file of the task's own, hot in the page cache: pread1
 * in two calls, with the position of the open file between them. Nothing common is written.
 */
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "lseek and read of 4KB in private files";

const struct testcase_info testcase_info = {
	.unit = "lseek + read of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek read fdget_pos vfs_read filemap_read filemap_get_pages "
		     "copy_page_to_iter touch_atime",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "lseek", 1 }, { "read", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "two syscalls an operation",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(BUFLEN);
	char buf[BUFLEN] IO_BUFFER;

	for (;;) {
		must(lseek(fd, 0, SEEK_SET) == 0);
		must(read(fd, buf, BUFLEN) == BUFLEN);
		count(iterations);
	}
}
