/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open and close of one file by all tasks: each takes and drops a reference on the same dentry and
 * counts itself as a writer of the same inode, and these two cache lines limit it. Threads also
 * share the descriptor table and its lock.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "open/close of the same file";

const struct testcase_info testcase_info = {
	.unit = "open + close",
	.tags = "vfs memcg",
	.suites = "will-it-scale quick",
	.exercises = "openat close path_openat link_path_walk alloc_empty_file alloc_fd "
		     "get_write_access lockref_get_not_dead lockref_put_return __fput",
	.contends = "d_lockref inode->i_writecount files_struct->file_lock",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "openat", 1 }, { "close", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "O_RDWR",
};

void testcase_prepare(unsigned long nr_tasks)
{
	shared_file(0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		int fd = open(SHARED_FILE, O_RDWR);

		must(fd >= 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
