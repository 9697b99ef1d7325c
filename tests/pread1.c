/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pread of 4 KiB at the start of a file of the task's own, hot in the page cache: the folio is
 * found in the mapping, a reference taken, 4 KiB copied out. Nothing common is written.
 */
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "pread of 4KB in private files";

const struct testcase_info testcase_info = {
	.unit = "pread of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "pread64 vfs_read filemap_read filemap_get_pages copy_page_to_iter "
		     "touch_atime",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "pread64", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "reads the same 4 KiB again and again",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(BUFLEN);
	char buf[BUFLEN] IO_BUFFER;

	for (;;) {
		must(pread(fd, buf, BUFLEN, 0) == BUFLEN);
		count(iterations);
	}
}
