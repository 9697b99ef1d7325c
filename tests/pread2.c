/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pread of 4 KiB at the start of one file, hot in the page cache, through a descriptor of the
 * task's own: every task takes and drops a reference on the same folio, and the cache line of that
 * count limits it.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "pread of 4KB in the same file, same place";

const struct testcase_info testcase_info = {
	.unit = "pread of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale quick",
	.exercises = "pread64 vfs_read filemap_read filemap_get_pages copy_page_to_iter "
		     "touch_atime",
	.contends = "folio->_refcount",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "pread64", 1 } },
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
		must(pread(fd, buf, BUFLEN, 0) == BUFLEN);
		count(iterations);
	}
}
