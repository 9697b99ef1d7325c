/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat of one file after another, in a tree of so many files that their dentries and inodes
 * (1.3 MiB of ext4) fit into no near cache: the path walk misses where a walk to one hot file
 * hits. In a memory cgroup too small for the tree it also makes them again and again. Every task
 * has a tree of its own, or all walk one (tree=shared) and meet in the reference counts of its
 * dentries. By default no more files, as ext4 without a journal is slow to make them where many
 * were removed a moment ago. More than 90 lines, as it makes a tree of any depth in which each
 * directory exists before its files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "testcase.h"

#define FANOUT_BITS 6	/* 64 entries in a directory; as many as it takes in the top one */

char *testcase_description = "stat over a tree of many files";

const struct testcase_info testcase_info = {
	.unit = "stat",
	.tags = "vfs memcg",
	.exercises = "newfstatat filename_lookup link_path_walk lookup_fast __d_lookup_rcu "
		     "vfs_getattr cp_new_stat",
	.contends = "d_lockref",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.prepares = 1,
	.syscalls = { { "newfstatat", 1 } },
	.needs = { .memory = "2M", .files = "files" },
	.params = {
		{ "tree", "private", NULL, NULL, "private shared", "a tree for each task, or one" },
		{ "files", "1024", "1", "16M", NULL, "files of a tree" },
		{ "depth", "2", "0", "8", NULL, "directories above each file" },
		{ "hit", "hot", NULL, NULL, "hot negative", "the names exist, or they do not" },
	},
	.notes = "private trees are made by the tasks themselves, before the warm-up; disk "
		 "filesystems keep negative dentries, on tmpfs each negative lookup makes and "
		 "frees one",
};

struct tree {
	size_t files;
	int negative;
	char (*paths)[TASK_PATH_MAX];	/* of each file, in the order of a walk */
};

static struct tree shared_tree;

/* Directories are made on the way to their first file. */
static void make_file(const struct tree *tree, size_t file, const char *top, unsigned int level)
{
	char *path = tree->paths[file];
	int end = snprintf(path, TASK_PATH_MAX, "%s/%zx", top, file >> FANOUT_BITS * level);

	for (; level; level--) {
		size_t first = file >> FANOUT_BITS * level << FANOUT_BITS * level;
		size_t entry = (file - first) >> FANOUT_BITS * (level - 1);

		if (file == first)
			must(mkdir(path, 0700) == 0);
		end += snprintf(path + end, TASK_PATH_MAX - end, "/%zx", entry);
		must(end < TASK_PATH_MAX);
	}
	if (!tree->negative)
		must(mknod(path, S_IFREG | 0600, 0) == 0);
}

static struct tree make_tree(unsigned long nr)
{
	const unsigned int depth = param("depth");
	char top[TASK_PATH_MAX];
	struct tree tree = {
		.files = param("files"),
		.negative = *param_text("hit") == 'n',
	};

	tree.paths = calloc(tree.files, sizeof(*tree.paths));
	must(tree.paths);
	must(mkdir(task_path(top, "tree", nr), 0700) == 0);
	for (size_t file = 0; file < tree.files; file++)
		make_file(&tree, file, top, depth);
	return tree;
}

void testcase_prepare(unsigned long nr_tasks)
{
	if (*param_text("tree") == 's')
		shared_tree = make_tree(0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const struct tree tree = shared_tree.paths ? shared_tree : make_tree(nr);
	struct stat st;

	for (size_t file = (nr << FANOUT_BITS) % tree.files;; file++) {
		int ret;

		if (file == tree.files)
			file = 0;
		ret = stat(tree.paths[file], &st);
		must(tree.negative ? ret < 0 && errno == ENOENT : ret == 0);
		count(iterations);
	}
}
