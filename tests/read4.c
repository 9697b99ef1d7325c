/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read of a page with O_DIRECT, one after another through one file of 1 MiB, each task with a
 * descriptor and position of its own: no page cache; a bio goes to the device and the task sleeps
 * until it is back. The device and its queue limit it, and the counts of I/O in flight that the
 * inode holds.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "testcase.h"

#define FILESIZE (1024 * 1024)

char *testcase_description = "Direct read of a page, sequential, the same file";

const struct testcase_info testcase_info = {
	.unit = "read of a page, O_DIRECT",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "read vfs_read iomap_dio_rw bio_iov_iter_get_pages submit_bio "
		     "io_schedule",
	.contends = "request_queue inode->i_dio_count inode->i_rwsem",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "read", 1 }, { "lseek", 1 / 256. } },
	.needs = { .descriptors = "1", .fs = "direct" },
	.notes = "bound by the device: tasks may differ by a factor, look at the spread over "
		 "them; the lseek back to the start is not counted",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(FILESIZE);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = open_shared_file(O_RDONLY | O_DIRECT);
	const long page = sysconf(_SC_PAGESIZE);
	char *buf = aligned_alloc(page, page);

	must(buf);
	for (;;) {
		for (off_t at = 0; at < FILESIZE; at += page) {
			must(read(fd, buf, page) == page);
			count(iterations);
		}
		must(lseek(fd, 0, SEEK_SET) == 0);
	}
}
