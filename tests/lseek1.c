/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lseek to the start of a file of the task's own, 4 KiB long: a descriptor looked up, a position
 * set that is there already. Threads also take a reference on the open file and
 * the lock of its position, which nobody else wants. Nothing common limits it.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "lseek in private files";

const struct testcase_info testcase_info = {
	.unit = "lseek to 0",
	.tags = "vfs",
	.suites = "will-it-scale",
	.exercises = "lseek ksys_lseek fdget_pos vfs_llseek generic_file_llseek_size",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "lseek", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "the position is already 0",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(4096);

	for (;;) {
		must(lseek(fd, 0, SEEK_SET) == 0);
		count(iterations);
	}
}
