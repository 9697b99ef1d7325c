/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit of a memory cgroup written, alternately two values that are both far above what it
 * uses: the text parsed, a counter's limit exchanged, under a lock on v1, and no reclaim (which is
 * force_empty's, by=limit). Every task has a group of its own, or all write to one (group=shared).
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Limit of a memory cgroup changed";

const struct testcase_info testcase_info = {
	.unit = "one write to memory.limit_in_bytes or memory.max",
	.tags = "memcg",
	.exercises = "pwrite64 kernfs_fop_write_iter page_counter_memparse mem_cgroup_resize_max "
		     "memory_max_write page_counter_set_max",
	.contends = "memcg_max_mutex kernfs_open_file->mutex",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "pwrite64", 1 } },
	.needs = { .controller = "memory", .groups = "1", .descriptors = "2" },
	.params = { { "group", "private", NULL, NULL, "private shared", "a group each, or one" } },
	.notes = "v1 takes one lock for the limits of all groups, v2 none",
};

static int shared_group = GROUP_TOP;

void testcase_prepare(unsigned long nr_tasks)
{
	if (*param_text("group") == 's')
		shared_group = group_make(GROUP_TOP, "shared");
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int group = shared_group != GROUP_TOP ? shared_group : task_group(GROUP_TOP, nr);
	const int fd = group_open(group, "limit", O_WRONLY);
	static const char low[] = "1073741824", high[] = "2147483648";
	const ssize_t size = strlen(low);

	for (;;) {
		must(pwrite(fd, low, size, 0) == size);
		count(iterations);
		must(pwrite(fd, high, size, 0) == size);
		count(iterations);
	}
}
