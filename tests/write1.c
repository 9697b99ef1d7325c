/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write of 4 KiB, one after another through 1 MiB of a file of the task's own, then the position
 * goes back (not counted): inode locked, filesystem asked, 4 KiB copied into the page cache, folio
 * marked dirty. Only the filesystem's journal and the accounting of dirty pages are common. The
 * file grows by these writes: in one that was written at once each write would walk the buffers of
 * a large folio, and take two to four times as long.
 */
#include <unistd.h>

#include "testcase.h"

#define FILESIZE (1024 * 1024)
#define BUFLEN 4096

char *testcase_description = "write of 4KB, sequential, private files";

const struct testcase_info testcase_info = {
	.unit = "write of 4 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "write ksys_write fdget_pos vfs_write file_write_iter "
		     "generic_perform_write balance_dirty_pages_ratelimited",
	.contends = "journal sb_writers",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "write", 1 }, { "lseek", 1 / 256. } },
	.needs = { .memory = "1M", .descriptors = "1", .disk = "1M" },
	.notes = "overwrites the same 1 MiB, blocks and pages are there already; writeback "
		 "disturbs on a disk",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(0);
	char buf[BUFLEN] IO_BUFFER = { 0 };

	for (;;) {
		for (int i = 0; i < FILESIZE / BUFLEN; i++) {
			must(write(fd, buf, BUFLEN) == BUFLEN);
			count(iterations);
		}
		must(lseek(fd, 0, SEEK_SET) == 0);
	}
}
