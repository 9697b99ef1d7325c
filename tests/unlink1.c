/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with a name of the task's own made (open with O_CREAT), closed and unlinked, all in one
 * directory: an inode allocated and freed, an entry added to the directory and removed. The
 * directory's lock is held over both, so that the tasks queue up.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Files created and unlinked in one directory";

const struct testcase_info testcase_info = {
	.unit = "open(O_CREAT) + close + unlink",
	.tags = "vfs memcg",
	.suites = "will-it-scale quick",
	.exercises = "openat close unlink path_openat vfs_create vfs_unlink evict alloc_inode "
		     "__d_alloc __fput",
	.contends = "inode->i_rwsem journal s_inode_list_lock files_struct->file_lock",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_DISJOINT,
	.syscalls = { { "openat", 1 }, { "close", 1 }, { "unlink", 1 } },
	.needs = { .descriptors = "1", .files = "1" },
	.notes = "each file is private, what the tasks share is the directory; ext4 without a "
		 "journal does not reuse inodes for minutes and slows down as they pile up",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char path[TASK_PATH_MAX];

	task_path(path, "unlink1", nr);
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT, 0600);

		must(fd >= 0);
		must(close(fd) == 0);
		must(unlink(path) == 0);
		count(iterations);
	}
}
