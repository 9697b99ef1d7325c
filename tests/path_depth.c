/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat of one hot file below `depth` directories: the walk of one path component costs the slope
 * of the rate's inverse over the depth. Every task has a path of its own, or all walk one
 * (path=shared) and meet in the reference count of its last dentry.
 */
#include <string.h>
#include <sys/stat.h>

#include "testcase.h"

#define DEPTH_LIMIT 1024

char *testcase_description = "stat of one file below many directories";

const struct testcase_info testcase_info = {
	.unit = "stat",
	.tags = "vfs",
	.exercises = "newfstatat filename_lookup link_path_walk walk_component lookup_fast "
		     "__d_lookup_rcu inode_permission vfs_getattr",
	.contends = "d_lockref",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "newfstatat", 1 } },
	.needs = { .files = "depth" },
	.params = {
		{ "depth", "16", "1", "1024", NULL, "directories above the file, one letter each" },
		{ "path", "private", NULL, NULL, "private shared", "a path for each task, or one" },
	},
	.notes = "a path of more than 4095 bytes does not exist, nor therefore a depth "
		 "beyond 1024",
};

static char path[TASK_PATH_MAX + 2 * DEPTH_LIMIT + 2];

/* The first directory has the task's name. */
static void make_path(char *at, unsigned long nr)
{
	unsigned int depth = param("depth");

	task_path(at, "dir", nr);
	must(mkdir(at, 0700) == 0);
	while (--depth) {
		strcat(at, "/d");
		must(mkdir(at, 0700) == 0);
	}
	strcat(at, "/f");
	must(mknod(at, S_IFREG | 0600, 0) == 0);
}

void testcase_prepare(unsigned long nr_tasks)
{
	if (*param_text("path") == 's')
		make_path(path, 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char own[sizeof(path)];
	struct stat st;

	strcpy(own, path);
	if (!own[0])
		make_path(own, nr);
	for (;;) {
		must(stat(own, &st) == 0);
		count(iterations);
	}
}
