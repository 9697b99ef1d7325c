/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory tree that a test makes up, such as /proc and /sys of another machine: tree_root is
 * its path between tree_make() and tree_remove(), which are a test's setup and teardown.
 */
#ifndef KNEE_CHECK_TREE_H
#define KNEE_CHECK_TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

static char tree_root[64];

static inline int tree_make(void **state)
{
	(void)state;
	strcpy(tree_root, "/tmp/knee-unit-XXXXXX");
	return mkdtemp(tree_root) ? 0 : -1;
}

static inline int tree_remove(void **state)
{
	(void)state;
	return file_remove_tree(tree_root);
}

/* The file @path ("/proc/stat") below the root, with the directories above it. */
static inline void tree_put(const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", tree_root, path);
	for (char *slash = full; (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) != EOF);
	assert_int_equal(fclose(file), 0);
}

static inline void tree_drop(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", tree_root, path);
	assert_int_equal(unlink(full), 0);
}

#endif
