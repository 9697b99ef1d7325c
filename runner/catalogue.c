/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "msg.h"
#include "near.h"

char *catalogue_default_dir(void)
{
	char self[PATH_MAX], *dir;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0)
		return strdup("tests");
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	return asprintf(&dir, "%s/tests", self) < 0 ? NULL : dir;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), tail = strlen(suffix);

	return len > tail && strcmp(name + len - tail, suffix) == 0;
}

/* NAME_processes and NAME_threads are the same program. */
static bool is_testcase(const char *dir, const char *name, char **path)
{
	if (name[0] == '.' || has_suffix(name, "_processes") || has_suffix(name, "_threads"))
		return false;
	if (asprintf(path, "%s/%s", dir, name) < 0)
		return false;
	if (access(*path, X_OK) == 0)
		return true;
	free(*path);
	return false;
}

static int append(struct catalogue *c, const char *name, char *path)
{
	struct catalogue_entry *entries = reallocarray(c->entries, c->nr + 1, sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	c->entries = entries;
	entries[c->nr] = (struct catalogue_entry){ .name = strdup(name), .path = path };
	return entries[c->nr++].name ? 0 : -ENOMEM;
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
	char *path;
	int err = 0;

	*c = (struct catalogue){ .dir = strdup(dir) };
	if (!d) {
		err = -errno;
		msg_error("no testcases in %s: %s (has make been run?)", dir, strerror(errno));
		return err;
	}
	while (!err && (e = readdir(d)))
		if (is_testcase(dir, e->d_name, &path))
			err = append(c, e->d_name, path);
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

static int say_unknown(const struct catalogue *c, const char *name)
{
	const char **names = calloc(c->nr + 1, sizeof(*names));
	char near[NEAR_TEXT_MAX] = "";

	for (size_t i = 0; names && i < c->nr; i++)
		names[i] = c->entries[i].name;
	if (names)
		near_names(near, name, names, c->nr);
	msg_error("no testcase %s%s%s (runtest --list shows all)", name,
		  near[0] ? "; near: " : "", near);
	free(names);
	return -EINVAL;
}

int catalogue_select(struct catalogue *c, const struct opt_texts *names)
{
	bool *keep = calloc(c->nr + 1, sizeof(*keep));
	size_t kept = 0;
	int err = keep ? 0 : -ENOMEM;

	for (size_t n = 0; !err && n < names->nr; n++) {
		bool found = false;

		for (size_t i = 0; i < c->nr; i++) {
			if (fnmatch(names->texts[n], c->entries[i].name, 0) != 0)
				continue;
			keep[i] = found = true;
			if (strcmp(names->texts[n], c->entries[i].name) == 0)
				c->entries[i].named = true;
		}
		if (!found)
			err = say_unknown(c, names->texts[n]);
	}
	for (size_t i = 0; !err && i < c->nr; i++) {
		if (keep[i])
			c->entries[kept++] = c->entries[i];
		else
			free_entry(&c->entries[i]);
	}
	if (!err)
		c->nr = kept;
	free(keep);
	return err;
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
	if (status == 0)
		e->facts = json_loads(out, 0, &error);
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
