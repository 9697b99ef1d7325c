/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An empty file made and removed, in a directory of the task's own: an inode and a dentry. On a
 * tmpfs, which adds little of its own to what the VFS, slab and charging cost; ext4 would search
 * its bitmaps for an inode that was not removed just now, some thousand times as long.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Empty file made and removed (mknod, unlink)";

const struct testcase_info testcase_info = {
	.unit = "mknod + unlink of a regular file",
	.tags = "vfs memcg",
	.exercises = "mknodat unlink alloc_inode new_inode inode_sb_list_add vfs_create vfs_unlink "
		     "iput evict destroy_inode __memcg_slab_post_alloc_hook",
	.contends = "s_inode_list_lock inode_hash_lock sbinfo->stat_lock memcg_stock "
		    "page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "mknodat", 1 }, { "unlink", 1 } },
	.needs = { .fs = "tmpfs", .files = "2" },
	.notes = "where --dir is no tmpfs, /dev/shm is used",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char dir[TASK_PATH_MAX], name[TASK_PATH_MAX + 8];

	must(mkdir(task_path(dir, "dir", nr), 0700) == 0);
	must(stpcpy(stpcpy(name, dir), "/file"));
	for (;;) {
		must(mknod(name, S_IFREG | 0600, 0) == 0);
		must(unlink(name) == 0);
		count(iterations);
	}
}
