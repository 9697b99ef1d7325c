/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statx of one file after another, all fields asked for, in a tree of so many files that their
 * dentries and inodes fit into no near cache. Unlike stat it copies a structure of 256 bytes and
 * asks the filesystem for times of birth and attributes; sync=dont spares it to ask for anew what a
 * network filesystem knows already.
 */
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

#include "testcase.h"

char *testcase_description = "statx over a tree of many files";

const struct testcase_info testcase_info = {
	.unit = "statx",
	.tags = "vfs memcg",
	.exercises = "statx do_statx filename_lookup link_path_walk lookup_fast vfs_getattr "
		     "cp_statx",
	.contends = "d_lockref",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.prepares = 1,
	.syscalls = { { "statx", 1 } },
	.needs = { .memory = "2M", .files = "files", .kernel = "4.11" },
	.params = {
		{ "tree", "private", NULL, NULL, "private shared", "a tree for each task, or one" },
		{ "files", "1024", "1", "16M", NULL, "files of a tree" },
		{ "depth", "2", "0", "8", NULL, "directories above each file" },
		{ "sync", "as-stat", NULL, NULL, "as-stat dont force", "how fresh it must be" },
	},
	.notes = "private trees are made by the tasks themselves, before the warm-up",
};

static struct file_tree shared_tree;

void testcase_prepare(unsigned long nr_tasks)
{
	if (*param_text("tree") == 's')
		shared_tree = file_tree_make(0, param("files"), param("depth"));
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const struct file_tree tree = shared_tree.paths ? shared_tree :
				      file_tree_make(nr, param("files"), param("depth"));
	const char *sync = param_text("sync");
	const int flags = *sync == 'd' ? AT_STATX_DONT_SYNC :
			  *sync == 'f' ? AT_STATX_FORCE_SYNC : AT_STATX_SYNC_AS_STAT;
	struct statx st;

	for (size_t file = nr * TREE_FANOUT % tree.files;; file++) {
		if (file == tree.files)
			file = 0;
		must(statx(AT_FDCWD, tree.paths[file], flags, STATX_ALL, &st) == 0);
		count(iterations);
	}
}
