/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flock taken and released on a file of the task's own: a struct file_lock allocated, charged to
 * the memory cgroup, put into the inode's list and into the list of the CPU, and freed.
 */
#include <sys/file.h>

#include "testcase.h"

char *testcase_description = "flock taken and released on a file of each task's own";

const struct testcase_info testcase_info = {
	.unit = "flock LOCK_EX + LOCK_UN",
	.tags = "vfs lock memcg",
	.exercises = "flock flock_lock_inode locks_alloc_lock locks_insert_lock_ctx "
		     "locks_delete_lock_ctx locks_free_lock __memcg_slab_post_alloc_hook",
	.contends = "file_rwsem memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "flock", 2 } },
	.needs = { .descriptors = "1", .files = "1" },
	.notes = "a lock of the whole file by its open file; lock1 and lock2 take locks "
		 "of records",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file_sparse(0);

	for (;;) {
		must(flock(fd, LOCK_EX) == 0);
		must(flock(fd, LOCK_UN) == 0);
		count(iterations);
	}
}
