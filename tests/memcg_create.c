/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A memory cgroup made and removed, below a group of the task's own or below one that all share
 * (parent=shared): its structures, per-CPU statistics, kernfs directory and control files. One
 * mutex serialises all making and removing; in a shared parent also the directory. What remains of
 * a group after its removal goes away asynchronously.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Memory cgroup made and removed";

const struct testcase_info testcase_info = {
	.unit = "mkdir + rmdir of a memory cgroup",
	.tags = "memcg vfs",
	.exercises = "mkdirat rmdir cgroup_mkdir mem_cgroup_css_alloc kernfs_create_dir "
		     "cgroup_destroy_locked mem_cgroup_css_offline drain_all_stock "
		     "css_free_rwork_fn",
	.contends = "cgroup_mutex pcpu_alloc_mutex kernfs_rwsem",
	.sharing_processes = SHARING_DISJOINT,
	.sharing_threads = SHARING_DISJOINT,
	.syscalls = { { "mkdirat", 1 }, { "unlinkat", 1 } },
	.needs = { .controller = "memory", .groups = "3", .descriptors = "2" },
	.params = { { "parent", "private", NULL, NULL, "private shared", "the group above" } },
	.notes = "the kernel frees removed groups later, in workqueues, which take CPU time of "
		 "their own; it numbers groups with 16 bits, those not yet freed too",
};

static int shared_parent = -1;

/* With a first group below it, v2 passes the memory controller on to the others. */
static int make_parent(unsigned long nr)
{
	int parent = task_group(GROUP_TOP, nr);

	must(close(group_make(parent, "first")) == 0);
	return parent;
}

void testcase_prepare(unsigned long nr_tasks)
{
	if (*param_text("parent") == 's')
		shared_parent = make_parent(0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int parent = shared_parent >= 0 ? shared_parent : make_parent(nr);
	char name[TASK_PATH_MAX];

	task_path(name, "new", nr);
	for (;;) {
		must(mkdirat(parent, name, 0755) == 0);
		must(unlinkat(parent, name, AT_REMOVEDIR) == 0);
		count(iterations);
	}
}
