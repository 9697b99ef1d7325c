/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read of 4 KiB, one after another through a file of 1 MiB of the task's own, hot in the page
 * cache: the folio is found, a reference taken, 4 KiB copied out. At the end one read finds nothing
 * (counted) and the position goes back. Nothing common is written.
 */
#include <unistd.h>

#include "testcase.h"

#define FILESIZE (1024 * 1024)
#define BUFLEN 4096

char *testcase_description = "read of 4KB, sequential, private files";

const struct testcase_info testcase_info = {
	.unit = "read of 4 KiB (in 257, one of nothing at the end)",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "read ksys_read fdget_pos vfs_read filemap_read filemap_get_pages "
		     "copy_page_to_iter touch_atime",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "read", 1 }, { "lseek", 1 / 257. } },
	.needs = { .memory = "1M", .descriptors = "1", .disk = "1M" },
	.notes = "the empty read at the end of the file counts, the lseek does not",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(FILESIZE);
	char buf[BUFLEN] IO_BUFFER;

	for (;;) {
		for (int i = 0; i < FILESIZE / BUFLEN; i++) {
			must(read(fd, buf, BUFLEN) == BUFLEN);
			count(iterations);
		}
		must(read(fd, buf, BUFLEN) == 0);
		count(iterations);
		must(lseek(fd, 0, SEEK_SET) == 0);
	}
}
