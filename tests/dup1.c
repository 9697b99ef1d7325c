/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dup and close of a descriptor: a search for a free slot in the descriptor table, a reference to
 * the file taken and dropped. Processes have a file and a table each; threads have their own
 * files but one table, and are limited by its lock.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "dup/close of a private file";

const struct testcase_info testcase_info = {
	.unit = "dup + close",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "dup close alloc_fd file_close_fd filp_flush fput",
	.contends = "files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "dup", 1 }, { "close", 1 } },
	.needs = { .descriptors = "2" },
	.notes = "threads share the descriptor table, not the files",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(0);

	for (;;) {
		int copy = dup(fd);

		must(copy >= 0);
		must(close(copy) == 0);
		count(iterations);
	}
}
