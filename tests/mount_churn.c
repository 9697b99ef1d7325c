/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tmpfs mounted on a directory of the task's own and unmounted, in a mount namespace of the
 * task's own: a superblock, its root inode and dentry, a struct mount, its per-CPU counters. With
 * what=bind a directory is bound there instead, without a superblock. One semaphore serialises all
 * changes to mounts, in all namespaces, and an unmount waits for a grace period of RCU.
 */
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "testcase.h"

char *testcase_description = "Filesystem mounted and unmounted";

const struct testcase_info testcase_info = {
	.unit = "mount + umount",
	.tags = "vfs memcg",
	.exercises = "mount umount2 path_mount vfs_get_tree alloc_super attach_recursive_mnt "
		     "do_umount namespace_unlock synchronize_rcu_expedited cleanup_mnt",
	.contends = "namespace_sem mount_lock sb_lock rcu_state.exp_mutex pcpu_alloc_mutex",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "mount", 1 }, { "umount2", 1 } },
	.needs = { .capability = "CAP_SYS_ADMIN", .files = "2" },
	.params = { { "what", "tmpfs", NULL, NULL, "tmpfs bind", "what is mounted" } },
	.notes = "a kernel worker frees mounts and superblocks, in CPU time of its own",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int bind = *param_text("what") == 'b';
	char from[TASK_PATH_MAX], dir[TASK_PATH_MAX];

	must(mkdir(task_path(from, "from", nr), 0700) == 0);
	must(mkdir(task_path(dir, "dir", nr), 0700) == 0);
	must(unshare(CLONE_NEWNS) == 0);
	must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
	for (;;) {
		must(mount(bind ? from : "none", dir, "tmpfs", bind ? MS_BIND : 0, NULL) == 0);
		must(umount2(dir, 0) == 0);
		count(iterations);
	}
}
