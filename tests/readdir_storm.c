/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One directory of 64 files after another opened, read to its end by bare getdents64, closed: the
 * filesystem walks its blocks or, on tmpfs, the list of dentries, under the directory's lock.
 * Every task has a tree of its own, or all read one (tree=shared), with a position each.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Directories of 64 files read";

const struct testcase_info testcase_info = {
	.unit = "open + getdents64 to the end + close of a directory",
	.tags = "vfs memcg",
	.exercises = "openat getdents64 close iterate_dir filldir64 ext4_readdir dcache_readdir "
		     "touch_atime __memcg_slab_post_alloc_hook",
	.contends = "inode->i_rwsem d_lockref memcg_stock page_counter files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.prepares = 1,
	.syscalls = { { "openat", 1 }, { "getdents64", 2 }, { "close", 1 } },
	.needs = { .memory = "2M", .files = "files", .descriptors = "1" },
	.params = {
		{ "tree", "private", NULL, NULL, "private shared", "a tree for each task, or one" },
		{ "files", "1024", "64", "16M", NULL, "files of a tree" },
		{ "depth", "2", "1", "8", NULL, "directories above each file" },
	},
	.notes = "private trees are made by the tasks themselves, before the warm-up",
};

static struct file_tree shared_tree;

/* Of its paths only the first of each directory are used from here on, cut to the directory. */
static struct file_tree make_tree(unsigned long nr)
{
	const struct file_tree tree = file_tree_make(nr, param("files") & -TREE_FANOUT,
						     param("depth"));

	for (size_t file = 0; file < tree.files; file += TREE_FANOUT)
		*strrchr(tree.paths[file], '/') = '\0';
	return tree;
}

void testcase_prepare(unsigned long nr_tasks)
{
	if (*param_text("tree") == 's')
		shared_tree = make_tree(0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const struct file_tree tree = shared_tree.paths ? shared_tree : make_tree(nr);
	char entries[8192] IO_BUFFER;

	for (size_t file = nr * TREE_FANOUT % tree.files;; file += TREE_FANOUT) {
		int fd;

		if (file == tree.files)
			file = 0;
		fd = open(tree.paths[file], O_RDONLY | O_DIRECTORY);
		must(fd >= 0);
		must(syscall(SYS_getdents64, fd, entries, sizeof(entries)) > 0);
		must(syscall(SYS_getdents64, fd, entries, sizeof(entries)) == 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
