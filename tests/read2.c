/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read of 4 KiB, one after another through one file of 1 MiB, hot in the page cache, each task with
 * a descriptor and position of its own. At the end one read finds nothing (counted) and the
 * position goes back. Tasks that are near each other meet in the reference count of a folio.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define FILESIZE (1024 * 1024)
#define BUFLEN 4096

char *testcase_description = "read of 4KB, sequential, the same file";

const struct testcase_info testcase_info = {
	.unit = "read of 4 KiB (in 257, one of nothing at the end)",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "read ksys_read fdget_pos vfs_read filemap_read filemap_get_pages "
		     "copy_page_to_iter touch_atime",
	.contends = "folio->_refcount",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "read", 1 }, { "lseek", 1 / 257. } },
	.needs = { .descriptors = "1" },
	.notes = "the empty read at the end of the file counts, the lseek does not",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(FILESIZE);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = open_shared_file(O_RDONLY);
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
