/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat of one file after another, in a tree of so many files that their dentries and inodes fit
 * into no near cache: the path walk misses where a walk to one hot file hits. Every task has a
 * tree of its own, or all walk one (tree=shared) and meet in the reference counts of its dentries.
 * hit=cold: the tasks run in a memory cgroup that is emptied after each walk, so that the
 * filesystem makes every dentry and inode anew. By default no more files (1.3 MiB of ext4), as
 * ext4 without a journal is slow to make them where many were removed a moment ago. More than 90
 * lines, as it makes three states of the cache.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/magic.h>

#include "testcase.h"

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
	.needs = { .memory = "2M", .files = "files", .groups = "hit=cold" },
	.params = {
		{ "tree", "private", NULL, NULL, "private shared", "a tree for each task, or one" },
		{ "files", "1024", "1", "16M", NULL, "files of a tree" },
		{ "depth", "2", "0", "8", NULL, "directories above each file" },
		{ "hit", "hot", NULL, NULL, "hot cold negative",
		  "names in the cache, names not in it, names that do not exist" },
	},
	.notes = "private trees are made by the tasks themselves, before the warm-up; disk "
		 "filesystems keep negative dentries, on tmpfs each negative lookup makes and "
		 "frees one; hit=cold: the rate holds the emptying, walk_stat_ns does not",
	.figures = { { "walk_stat_ns", "hit=cold: time of a walk over its number of files" } },
};

static struct file_tree shared_tree;
static int cold_group = GROUP_TOP;

static struct file_tree tree_of(unsigned long nr)
{
	return shared_tree.paths ? shared_tree :
				   file_tree_paths(nr, param("files"), param("depth"));
}

static void make(const struct file_tree *tree)
{
	file_tree_make_directories(tree);
	if (*param_text("hit") != 'n')
		file_tree_make_files(tree);
}

/* By a process in the group: what it makes is charged there, and goes when that is emptied. */
static void make_cold(unsigned long nr_trees)
{
	int dir = open(".", O_RDONLY), status;
	struct statfs fs;
	pid_t pid;

	if (statfs(".", &fs) == 0 && fs.f_type == TMPFS_MAGIC)
		testcase_lacks("needs a filesystem that can drop dentries, not a tmpfs (--dir)");
	cold_group = group_make(GROUP_TOP, "cold");
	pid = fork();
	if (pid == 0) {
		group_enter(cold_group);
		for (unsigned long nr = 0; nr < nr_trees; nr++) {
			const struct file_tree tree = tree_of(nr);

			make(&tree);
		}
		_exit(syncfs(dir));
	}
	must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
	must(group_empty(cold_group) == 0);
}

void testcase_prepare(unsigned long nr_tasks)
{
	const int shared = *param_text("tree") == 's';

	if (shared)
		shared_tree = tree_of(0);
	if (*param_text("hit") == 'c')
		make_cold(shared ? 1 : nr_tasks);
	else if (shared)
		make(&shared_tree);
}

/* One walk through the tree. */
static void walk(unsigned long long *iterations, const struct file_tree *tree, size_t first)
{
	const int negative = *param_text("hit") == 'n';
	struct stat st;

	for (size_t i = 0, file = first; i < tree->files; i++, file++) {
		int ret = stat(tree->paths[file < tree->files ? file : file - tree->files], &st);

		must(negative ? ret < 0 && errno == ENOENT : ret == 0);
		count(iterations);
	}
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const struct file_tree tree = tree_of(nr);
	const size_t first = nr * TREE_FANOUT % tree.files;
	const int cold = cold_group != GROUP_TOP;

	if (cold)
		group_enter(cold_group);
	else if (!shared_tree.paths)
		make(&tree);
	while (!cold)
		walk(iterations, &tree, first);
	for (;;) {
		unsigned long long begin = time_ns();

		walk(iterations, &tree, first);
		figure_add(nr, "walk_stat_ns", (double)(time_ns() - begin) / tree.files);
		must(group_empty(cold_group) == 0);
	}
}
