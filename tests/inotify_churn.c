/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A watch on a file of the task's own added to an inotify instance and removed: a mark, its
 * connector to the inode, and the event that says that it is gone, which is read. The marks are
 * freed after a grace period of SRCU, by a worker, in batches.
 */
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "inotify watch added and removed";

const struct testcase_info testcase_info = {
	.unit = "inotify_add_watch + inotify_rm_watch + read of the event",
	.tags = "vfs memcg",
	.exercises = "inotify_add_watch inotify_rm_watch read inotify_new_watch "
		     "fsnotify_add_mark_locked fsnotify_destroy_mark inotify_handle_inode_event "
		     "fsnotify_mark_destroy_workfn __memcg_slab_post_alloc_hook",
	.contends = "destroy_lock memcg_stock page_counter group->mark_mutex",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "inotify_add_watch", 1 }, { "inotify_rm_watch", 1 }, { "read", 1 } },
	.needs = { .descriptors = "1", .files = "1" },
	.notes = "an ordinary user has fs.inotify.max_user_instances of the instances, one a task; "
		 "a kernel worker frees the marks, in CPU time of its own",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct inotify_event event;
	char path[TASK_PATH_MAX];
	int file = open(task_path(path, "file", nr), O_RDWR | O_CREAT | O_EXCL, 0600);
	int fd = inotify_init1(IN_NONBLOCK);

	must(file >= 0 && close(file) == 0);
	must(fd >= 0);
	for (;;) {
		int watch = inotify_add_watch(fd, path, IN_MODIFY);

		must(watch >= 0);
		must(inotify_rm_watch(fd, watch) == 0);
		must(read(fd, &event, sizeof(event)) == sizeof(event));
		count(iterations);
	}
}
