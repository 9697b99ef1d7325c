/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open and close of a file of the task's own in a directory of the task's own: a path walk of two
 * components, the allocation of a struct file and of a descriptor. Processes share nothing that the
 * walk writes to; threads share the descriptor table and its lock.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "open/close of private files in private directories";

const struct testcase_info testcase_info = {
	.unit = "open + close",
	.tags = "vfs memcg",
	.suites = "will-it-scale",
	.exercises = "openat close path_openat link_path_walk alloc_empty_file alloc_fd "
		     "__fput",
	.contends = "files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "openat", 1 }, { "close", 1 } },
	.needs = { .descriptors = "1", .files = "2" },
	.notes = "O_RDWR; threads share the descriptor table, not the files",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char dir[TASK_PATH_MAX];
	char path[TASK_PATH_MAX + sizeof("/file")];
	int fd;

	must(mkdir(task_path(dir, "open2", nr), 0700) == 0);
	snprintf(path, sizeof(path), "%s/file", dir);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	must(fd >= 0);
	must(close(fd) == 0);
	for (;;) {
		fd = open(path, O_RDWR);
		must(fd >= 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
