/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of the task's own opened and closed: one struct file allocated, charged to the memory
 * cgroup and freed, around a walk of one component to a dentry that is hot. Slab allocator and
 * charging limit it, in threads also the common descriptor table.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "File opened and closed";

const struct testcase_info testcase_info = {
	.unit = "open + close of one file",
	.tags = "vfs memcg",
	.exercises = "openat close path_openat do_dentry_open alloc_empty_file init_file __fput "
		     "__memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "openat", 1 }, { "close", 1 } },
	.needs = { .descriptors = "1", .files = "1" },
	.notes = "the fewer components a path has, the more of an operation is the struct file",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char path[TASK_PATH_MAX];
	int fd = open(task_path(path, "file", nr), O_RDWR | O_CREAT | O_EXCL, 0600);

	must(fd >= 0);
	must(close(fd) == 0);
	for (;;) {
		fd = open(path, O_RDWR);
		must(fd >= 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
