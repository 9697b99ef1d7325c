/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open and close of a file that belongs to the task, all files in one directory: a path walk of
 * one component, the allocation of a struct file and of a descriptor. Processes share nothing
 * that the walk writes to; threads share the descriptor table and its lock.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "open/close of private files in one directory";

const struct testcase_info testcase_info = {
	.unit = "open + close",
	.tags = "vfs memcg",
	.suites = "will-it-scale",
	.exercises = "openat close path_openat link_path_walk alloc_empty_file alloc_fd "
		     "__fput",
	.contends = "files_struct->file_lock d_lockref",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "openat", 1 }, { "close", 1 } },
	.needs = { .descriptors = "1", .files = "1" },
	.notes = "O_RDWR; threads share the descriptor table, not the files",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char path[TASK_PATH_MAX];
	int fd = open(task_path(path, "open1", nr), O_RDWR | O_CREAT | O_EXCL, 0600);

	must(fd >= 0);
	must(close(fd) == 0);
	for (;;) {
		fd = open(path, O_RDWR);
		must(fd >= 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
