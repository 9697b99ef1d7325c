/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second name made for a file and removed again, in a directory of the task's own: a dentry, but
 * no inode, which inode_churn has. On a tmpfs, which adds little of its own to what the VFS, slab
 * and charging cost: no journal, no directory blocks.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Name made and removed (link, unlink)";

const struct testcase_info testcase_info = {
	.unit = "link + unlink",
	.tags = "vfs memcg",
	.exercises = "link unlink filename_linkat filename_create d_alloc vfs_link vfs_unlink "
		     "d_delete dentry_kill __memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter sbinfo->stat_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "link", 1 }, { "unlink", 1 } },
	.needs = { .fs = "tmpfs", .files = "3" },
	.notes = "where --dir is no tmpfs, /dev/shm is used",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char dir[TASK_PATH_MAX], file[TASK_PATH_MAX + 8], name[TASK_PATH_MAX + 8];

	must(mkdir(task_path(dir, "dir", nr), 0700) == 0);
	must(stpcpy(stpcpy(file, dir), "/file") && stpcpy(stpcpy(name, dir), "/name"));
	must(mknod(file, S_IFREG | 0600, 0) == 0);
	for (;;) {
		must(link(file, name) == 0);
		must(unlink(name) == 0);
		count(iterations);
	}
}
