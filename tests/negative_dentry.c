/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A name looked up that does not exist and never was looked up before: a negative dentry is made,
 * hashed, and stays. When `names` of them are there, their directory is removed and made anew,
 * which frees them all. Where the filesystem keeps none (tmpfs), each is made and freed at once.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "stat of a name that does not exist, each once";

const struct testcase_info testcase_info = {
	.unit = "stat of a new name, negative",
	.tags = "vfs memcg",
	.exercises = "newfstatat filename_lookup __lookup_slow d_alloc_parallel __d_alloc "
		     "d_splice_alias __d_rehash shrink_dcache_parent "
		     "__memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter in_lookup_hash inode->i_rwsem",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "newfstatat", 1 }, { "mkdir", 1 / 16384. }, { "rmdir", 1 / 16384. } },
	.needs = { .memory = "8M", .files = "1" },
	.params = { { "names", "16K", "1", "16M", NULL, "negative dentries kept at most" } },
	.notes = "about a quarter of an operation is the text of its name",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const unsigned long long names = param("names");
	char dir[TASK_PATH_MAX], path[TASK_PATH_MAX + 24];
	struct stat st;

	task_path(dir, "dir", nr);
	for (;;) {
		must(mkdir(dir, 0700) == 0);
		for (unsigned long long i = 0; i < names; i++) {
			snprintf(path, sizeof(path), "%s/%llx", dir, i);
			must(stat(path, &st) < 0 && errno == ENOENT);
			count(iterations);
		}
		must(rmdir(dir) == 0);
	}
}
