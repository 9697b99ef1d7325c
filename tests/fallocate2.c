/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallocate of 8 KiB in a file of the task's own in the scratch directory, place after place up to
 * 1 MiB, then truncated (not counted): blocks allocated by the filesystem, marked as unwritten.
 * The filesystem's allocator and journal are common to all tasks and limit it.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define FILESIZE (1024 * 1024)
#define STEP (8 * 1024)

char *testcase_description = "fallocate of 8KB in private files";

const struct testcase_info testcase_info = {
	.unit = "fallocate of 8 KiB",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "fallocate ftruncate vfs_fallocate",
	.contends = "journal allocation_group->lock sb_writers",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "fallocate", 1 }, { "ftruncate", 1 / 128. } },
	.needs = { .descriptors = "1", .disk = "1M" },
	.notes = "most of it is the filesystem and perhaps its disk: look at the spread over "
		 "tasks; one ftruncate in 128 operations is part of the time, not of the "
		 "count",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(0);

	for (;;) {
		for (off_t at = 0; at < FILESIZE; at += STEP) {
			must(fallocate(fd, 0, at, STEP) == 0);
			count(iterations);
		}
		must(ftruncate(fd, 0) == 0);
	}
}
