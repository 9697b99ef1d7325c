/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cgroup.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "words.h"

/* v1 writes "no limit" as a page-aligned LONG_MAX. */
#define V1_NO_LIMIT (UINT64_MAX >> 2)

/* Whether the comma-separated @list holds @word. */
static bool list_has(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',')) {
		if (*at == ',')
			at++;
		if (strncmp(at, word, len) == 0 && (at[len] == ',' || at[len] == '\0'))
			return true;
	}
	return false;
}

/*
 * A line of /proc/self/cgroup is ID:CONTROLLERS:PATH; v2's has no controllers. Returns the path
 * for @controller, or v2's if no v1 hierarchy has it, and the version.
 */
static char *own_path(char *text, const char *controller, int *version)
{
	char *line, *v2 = NULL;

	while ((line = strsep(&text, "\n"))) {
		char *controllers, *path;

		strsep(&line, ":");
		controllers = strsep(&line, ":");
		path = line;
		if (!controllers || !path)
			continue;
		*version = 1;
		if (list_has(controllers, controller))
			return path;
		if (!controllers[0])
			v2 = path;
	}
	*version = 2;
	return v2;
}

/* mountinfo writes blanks and backslashes of paths as \040 and the like. In place. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *at = text; *at; to++) {
		bool octal = at[0] == '\\' && strspn(at + 1, "01234567") >= 3;

		*to = octal ? (char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0')) : *at;
		at += octal ? 4 : 1;
	}
	*to = '\0';
}

/*
 * Group @path of a hierarchy as seen through a mount that shows the hierarchy from @shown on: a
 * container may see the part that starts at its own group. NULL: not to be seen there. Paths
 * that begin with "/.." are above the root of this process's cgroup namespace: where is not told.
 */
static const char *path_below(const char *path, const char *shown)
{
	size_t len = strcmp(shown, "/") == 0 ? 0 : strlen(shown);

	if (strncmp(path, "/..", 3) == 0 || strncmp(shown, "/..", 3) == 0 ||
	    strncmp(path, shown, len) != 0 || (path[len] != '/' && path[len] != '\0'))
		return NULL;
	return strcmp(path + len, "/") == 0 ? "" : path + len;
}

/* v2 is mounted with whatever controllers it has; v1 by its options. */
static bool has_controller(const char *root, const char *mount, const char *controller)
{
	char *text;
	bool has;

	if (file_read(&text, root, "%s/cgroup.controllers", mount) != 0)
		return false;
	has = words_have(text, controller);
	free(text);
	return has;
}

/*
 * mountinfo: ID PARENT DEV ROOT MOUNTPOINT OPTIONS [FIELDS] - TYPE SOURCE SUPEROPTIONS. Finds a
 * mount that shows group @path of the hierarchy; *below is the group's path there.
 */
static char *find_mount(char *text, const char *root, int version, const char *controller,
			const char *path, const char **below)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		char *tail = strstr(line, " - "), *fields[5], *type, *options;

		if (!tail)
			continue;
		*tail = '\0';
		tail += 3;
		for (int i = 0; i < 5; i++)
			fields[i] = strsep(&line, " ");
		type = strsep(&tail, " ");
		strsep(&tail, " ");
		options = tail;
		if (!fields[4] || !type || !options)
			continue;
		unescape(fields[3]);
		unescape(fields[4]);
		*below = path_below(path, fields[3]);
		if (*below && (version == 2 ? strcmp(type, "cgroup2") == 0 &&
					      has_controller(root, fields[4], controller)
					    : strcmp(type, "cgroup") == 0 &&
					      list_has(options, controller)))
			return fields[4];
	}
	return NULL;
}

int cgroup_find(struct cgroup *cg, const char *root, const char *controller)
{
	char *cgroups = NULL, *mounts = NULL, *mount;
	const char *path, *below;
	int err;

	*cg = (struct cgroup){ 0 };
	err = file_read(&cgroups, root, "/proc/self/cgroup");
	if (!err)
		err = file_read(&mounts, root, "/proc/self/mountinfo");
	if (err)
		goto out;
	path = own_path(cgroups, controller, &cg->version);
	mount = path ? find_mount(mounts, root, cg->version, controller, path, &below) : NULL;
	err = -ENOENT;
	if (!mount)
		goto out;
	err = -ENOMEM;
	if (asprintf(&cg->mount, "%s%s", root, mount) < 0)
		cg->mount = NULL;
	cg->path = strdup(below);
	if (cg->mount && cg->path)
		err = 0;
	else
		cgroup_free(cg);
out:
	free(cgroups);
	free(mounts);
	return err;
}

void cgroup_free(struct cgroup *cg)
{
	free(cg->mount);
	free(cg->path);
	*cg = (struct cgroup){ 0 };
}

void cgroup_tightest(const struct cgroup *cg, const char *limit, const char *usage,
		     uint64_t *left, char **where)
{
	char *path = strdup(cg->path), *slash;

	*left = UINT64_MAX;
	*where = NULL;
	while (path) {
		uint64_t max, used = 0;

		if (file_read_u64(&max, cg->mount, "%s/%s", path, limit) == 0 &&
		    max < V1_NO_LIMIT &&
		    (!usage[0] || file_read_u64(&used, cg->mount, "%s/%s", path, usage) == 0)) {
			uint64_t rest = max > used ? max - used : 0;

			if (rest < *left) {
				*left = rest;
				free(*where);
				if (asprintf(where, "%s%s", cg->mount, path) < 0)
					*where = NULL;
			}
		}
		slash = strrchr(path, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	free(path);
}
