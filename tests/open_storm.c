/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file after another opened and closed, in a tree of so many files that their dentries and
 * inodes fit into no near cache: a path walk that misses, and a struct file. Every task has a tree
 * of its own, or all walk one (tree=shared) and meet in the reference counts of its dentries.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "open and close over a tree of many files";

const struct testcase_info testcase_info = {
	.unit = "open + close",
	.tags = "vfs memcg",
	.exercises = "openat close path_openat link_path_walk lookup_fast complete_walk "
		     "do_dentry_open alloc_empty_file __fput __memcg_slab_post_alloc_hook",
	.contends = "d_lockref memcg_stock page_counter files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.prepares = 1,
	.syscalls = { { "openat", 1 }, { "close", 1 } },
	.needs = { .memory = "2M", .files = "files", .descriptors = "1" },
	.params = {
		{ "tree", "private", NULL, NULL, "private shared", "a tree for each task, or one" },
		{ "files", "1024", "1", "16M", NULL, "files of a tree" },
		{ "depth", "2", "0", "8", NULL, "directories above each file" },
	},
	.notes = "private trees are made by the tasks themselves, before the warm-up; threads "
		 "share their descriptor table",
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

	for (size_t file = nr * TREE_FANOUT % tree.files;; file++) {
		int fd;

		if (file == tree.files)
			file = 0;
		fd = open(tree.paths[file], O_RDONLY);
		must(fd >= 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
