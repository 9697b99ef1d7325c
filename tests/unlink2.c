/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file made (open with O_CREAT), closed and unlinked in a directory of the task's own: an inode
 * allocated and freed, an entry added to the directory and removed. The filesystem's journal, its
 * inode allocator and the superblock's lists are common and limit it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Files created and unlinked in private directories";

const struct testcase_info testcase_info = {
	.unit = "open(O_CREAT) + close + unlink",
	.tags = "vfs memcg",
	.suites = "will-it-scale",
	.exercises = "openat close unlink path_openat vfs_create vfs_unlink evict alloc_inode "
		     "__d_alloc __fput",
	.contends = "journal inode_allocator s_inode_list_lock files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "openat", 1 }, { "close", 1 }, { "unlink", 1 } },
	.needs = { .descriptors = "1", .files = "2" },
	.notes = "a private directory is only as private as the filesystem makes it: journal "
		 "and allocator are common; ext4 without a journal does not reuse inodes for "
		 "minutes and slows down as they pile up",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char dir[TASK_PATH_MAX];
	char path[TASK_PATH_MAX + sizeof("/file")];

	must(mkdir(task_path(dir, "unlink2", nr), 0700) == 0);
	snprintf(path, sizeof(path), "%s/file", dir);
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT, 0600);

		must(fd >= 0);
		must(close(fd) == 0);
		must(unlink(path) == 0);
		count(iterations);
	}
}
