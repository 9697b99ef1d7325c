/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What testcases share: files and names in the scratch directory, common objects. Everything
 * here runs before the hot loop and ends the task when it fails.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"
#include "testcase.h"

#define FANOUT_BITS 6	/* of TREE_FANOUT */
#define CHUNK (1L << 20)	/* one write; large, so that the page cache may use large folios */

/* Not zeroes: no filesystem may take the blocks for holes. The offset stays at 0. */
static void fill(int fd, off_t size)
{
	size_t chunk = size < CHUNK ? size : CHUNK;
	char *data = malloc(chunk + 1);

	must(data);
	memset(data, 'k', chunk);
	for (off_t done = 0; done < size;) {
		size_t left = size - done;
		ssize_t n = pwrite(fd, data, left < chunk ? left : chunk, done);

		must(n > 0);
		done += n;
	}
	free(data);
}

static int nameless_file(void)
{
	char name[] = "temp.XXXXXX";
	int fd = mkostemp(name, O_CLOEXEC);

	must(fd >= 0);
	must(unlink(name) == 0);
	return fd;
}

int temp_file(off_t size)
{
	int fd = nameless_file();

	fill(fd, size);
	return fd;
}

int temp_file_sparse(off_t size)
{
	int fd = nameless_file();

	must(ftruncate(fd, size) == 0);
	return fd;
}

char *task_path(char *buf, const char *stem, unsigned long nr)
{
	must(snprintf(buf, TASK_PATH_MAX, "%s.%lu", stem, nr) < TASK_PATH_MAX);
	return buf;
}

struct file_tree file_tree_paths(unsigned long nr, size_t files, unsigned int depth)
{
	struct file_tree tree = { .files = files, .depth = depth };
	char top[TASK_PATH_MAX];

	tree.paths = calloc(files, sizeof(*tree.paths));
	must(tree.paths);
	task_path(top, "tree", nr);
	for (size_t file = 0; file < files; file++) {
		char *path = tree.paths[file];
		int end = snprintf(path, TASK_PATH_MAX, "%s/%zx", top, file >> FANOUT_BITS * depth);

		for (unsigned int level = depth; level; level--) {
			size_t entry = file >> FANOUT_BITS * (level - 1) & (TREE_FANOUT - 1);

			end += snprintf(path + end, TASK_PATH_MAX - end, "/%zx", entry);
			must(end < TASK_PATH_MAX);
		}
	}
	return tree;
}

/* Every directory on the way to @path; those that an earlier path had exist. */
static void make_parents(char *path)
{
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		must(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
}

void file_tree_make_directories(const struct file_tree *tree)
{
	for (size_t file = 0; file < tree->files; file += tree->depth ? TREE_FANOUT : tree->files)
		make_parents(tree->paths[file]);
}

void file_tree_make_files(const struct file_tree *tree)
{
	for (size_t file = 0; file < tree->files; file++)
		must(mknod(tree->paths[file], S_IFREG | 0600, 0) == 0);
}

struct file_tree file_tree_make(unsigned long nr, size_t files, unsigned int depth)
{
	const struct file_tree tree = file_tree_paths(nr, files, depth);

	file_tree_make_directories(&tree);
	file_tree_make_files(&tree);
	return tree;
}

void shared_file(off_t size)
{
	int fd = open(SHARED_FILE, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	must(fd >= 0);
	fill(fd, size);
	must(close(fd) == 0);
}

int open_shared_file(int flags)
{
	int fd = open(SHARED_FILE, flags | O_CLOEXEC);

	must(fd >= 0);
	return fd;
}

pthread_mutex_t *common_mutex(int pshared)
{
	int sharing = pshared ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
	int flags = MAP_ANONYMOUS | (pshared ? MAP_SHARED : MAP_PRIVATE);
	pthread_mutex_t *mutex = mmap(NULL, sizeof(*mutex), PROT_READ | PROT_WRITE, flags, -1, 0);
	pthread_mutexattr_t attr;

	must(mutex != MAP_FAILED);
	must_zero(pthread_mutexattr_init(&attr));
	must_zero(pthread_mutexattr_setpshared(&attr, sharing));
	must_zero(pthread_mutex_init(mutex, &attr));
	must_zero(pthread_mutexattr_destroy(&attr));
	return mutex;
}
