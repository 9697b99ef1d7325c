/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start and write of 4 KiB, in a file of the task's own: inode locked, filesystem
 * asked, 4 KiB copied into the page cache, folio marked dirty. Only the filesystem's journal and
 * the accounting of dirty pages are common.
 */
#include <unistd.h>

#include "testcase.h"

#define BUFLEN 4096

char *testcase_description = "lseek and write of 4KB in private files";

const struct testcase_info testcase_info = {
	.unit = "lseek + write of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek write fdget_pos vfs_write file_write_iter generic_perform_write "
		     "balance_dirty_pages_ratelimited",
	.contends = "journal sb_writers",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "lseek", 1 }, { "write", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "two syscalls an operation; writeback disturbs on a disk",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(BUFLEN);
	char buf[BUFLEN] IO_BUFFER = { 0 };

	for (;;) {
		must(lseek(fd, 0, SEEK_SET) == 0);
		must(write(fd, buf, BUFLEN) == BUFLEN);
		count(iterations);
	}
}
