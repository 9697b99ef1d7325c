/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "msg.h"

#define PROCESSES "_processes"

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), tail = strlen(suffix);

	return len > tail && strcmp(name + len - tail, suffix) == 0;
}

/* Whether @dir holds the executable that the first @len characters of @name name. */
static bool has_program(const char *dir, const char *name, size_t len)
{
	char *path;
	bool has;

	if (asprintf(&path, "%s/%.*s", dir, (int)len, name) < 0)
		return false;
	has = access(path, X_OK) == 0;
	free(path);
	return has;
}

/* will-it-scale's layout: NAME_processes, without a NAME beside it. */
static bool is_flat(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	bool flat = false;

	while (d && !flat && (e = readdir(d)))
		flat = has_suffix(e->d_name, PROCESSES) &&
		       has_program(dir, e->d_name, strlen(e->d_name)) &&
		       !has_program(dir, e->d_name, strlen(e->d_name) - strlen(PROCESSES));
	if (d)
		closedir(d);
	return flat;
}

char *catalogue_default_dir(void)
{
	char self[PATH_MAX], *dir;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0)
		return strdup("tests");
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	if (is_flat(self))
		return strdup(self);
	return asprintf(&dir, "%s/tests", self) < 0 ? NULL : dir;
}

/*
 * The testcase's name if @file is one; NULL if not. NAME_processes and NAME_threads are the same
 * program as NAME. In a flat directory NAME is not there, and programs that are no testcases are.
 */
static char *testcase_name(const char *dir, const char *file, bool flat)
{
	size_t len = strlen(file);

	if (file[0] == '.' || has_suffix(file, PROCESSES) != flat || has_suffix(file, "_threads"))
		return NULL;
	if (!has_program(dir, file, len))
		return NULL;
	return strndup(file, flat ? len - strlen(PROCESSES) : len);
}

/* Takes @name; @file lies in the catalogue's directory. */
static int append(struct catalogue *c, char *name, const char *file)
{
	struct catalogue_entry *entries = reallocarray(c->entries, c->nr + 1, sizeof(*entries));
	char *path;

	if (!entries || asprintf(&path, "%s/%s", c->dir, file) < 0) {
		free(name);
		return -ENOMEM;
	}
	c->entries = entries;
	entries[c->nr++] = (struct catalogue_entry){ .name = name, .path = path };
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct catalogue_entry *)a)->name,
		      ((const struct catalogue_entry *)b)->name);
}

int catalogue_open(struct catalogue *c, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char *name;
	bool flat = is_flat(dir);
	int err = 0;

	*c = (struct catalogue){ .dir = strdup(dir) };
	if (!d) {
		err = -errno;
		msg_error("no testcases in %s: %s (has make been run?)", dir, strerror(errno));
		return err;
	}
	if (!c->dir)
		err = -ENOMEM;
	while (!err && (e = readdir(d)))
		if ((name = testcase_name(dir, e->d_name, flat)))
			err = append(c, name, e->d_name);
	closedir(d);
	if (err)
		msg_error("%s: %s", dir, strerror(-err));
	else
		qsort(c->entries, c->nr, sizeof(*c->entries), compare);
	return err;
}

static void free_entry(struct catalogue_entry *e)
{
	free(e->name);
	free(e->path);
	json_decref(e->facts);
}

void catalogue_free(struct catalogue *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free_entry(&c->entries[i]);
	free(c->entries);
	free(c->dir);
	*c = (struct catalogue){ 0 };
}

size_t catalogue_keep(struct catalogue *c, const bool *keep)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->nr; i++) {
		if (keep[i])
			c->entries[kept++] = c->entries[i];
		else
			free_entry(&c->entries[i]);
	}
	c->nr = kept;
	return kept;
}

/* The testcase itself says what is wrong with a parameter. */
static int describe(struct catalogue_entry *e, const struct opt_texts *params)
{
	char **argv = calloc(3 + 2 * params->nr, sizeof(*argv)), *out = NULL;
	json_error_t error;
	int status;

	if (!argv)
		return -ENOMEM;
	argv[0] = e->path;
	argv[1] = (char *)"--describe";
	for (size_t i = 0; i < params->nr; i++) {
		argv[2 + 2 * i] = (char *)"--param";
		argv[3 + 2 * i] = (char *)params->texts[i];
	}
	status = child_output(argv, &out);
	free(argv);
	json_decref(e->facts);
	e->facts = status == 0 ? json_loads(out, 0, &error) : NULL;
	free(out);
	if (e->facts)
		return 0;
	if (status < 0)
		msg_error("%s: %s", e->path, strerror(-status));
	else if (status == 0)
		msg_error("%s --describe: %s", e->path, error.text);
	return -EINVAL;
}

int catalogue_describe(struct catalogue *c, const struct opt_texts *params)
{
	int err = 0;

	for (size_t i = 0; !err && i < c->nr; i++)
		err = describe(&c->entries[i], params);
	return err;
}
