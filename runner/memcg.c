/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memcg.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "affinity.h"
#include "cgroup.h"
#include "cpulist.h"
#include "file.h"
#include "num.h"
#include "words.h"

static uint64_t marked;
static const char *watched;

static uint64_t oom_kills(const struct cgroup *cg)
{
	const char *file = cg->version == 1 ? "memory.oom_control" : "memory.events";
	char *text;
	uint64_t kills = 0;

	if (file_read(&text, cg->mount, "%s/%s", cg->path, file) == 0) {
		file_key_u64(text, "oom_kill", &kills);
		free(text);
	}
	return kills;
}

uint64_t memcg_oom_kills(void)
{
	struct cgroup cg;
	uint64_t kills = 0;

	if (cgroup_find(&cg, "", "memory") == 0) {
		kills = oom_kills(&cg);
		cgroup_free(&cg);
	}
	return kills;
}

void memcg_oom_mark(void)
{
	marked = memcg_oom_kills();
}

void memcg_oom_watch(const char *path)
{
	watched = path;
}

static char *oom_text(char buf[MEMCG_TEXT_MAX], const struct cgroup *cg, uint64_t kills)
{
	uint64_t limit;
	char *where, bytes[NUM_BYTES_MAX];

	cgroup_tightest(cg, cg->version == 1 ? "memory.limit_in_bytes" : "memory.max", "",
			&limit, &where);
	snprintf(buf, MEMCG_TEXT_MAX, ": memory cgroup %s: %" PRIu64 " OOM kill%s, limit %s",
		 where ? where : cg->path, kills, kills == 1 ? "" : "s",
		 where ? num_format_bytes(bytes, limit) : "none");
	free(where);
	return buf;
}

/* Of the groups below the watched one; they are new, so that all their OOM kills are of now. */
static struct cgroup found;
static uint64_t found_kills;

static int look_for_kills(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const struct cgroup group = {
		.version = found.version,
		.mount = found.mount,
		.path = (char *)path + strlen(found.mount),
	};

	(void)st;
	(void)ftw;
	if (type != FTW_D)
		return 0;
	found_kills = oom_kills(&group);
	if (!found_kills)
		return 0;
	found.path = strdup(group.path);
	return found.path ? 1 : -1;
}

char *memcg_oom_text(char buf[MEMCG_TEXT_MAX])
{
	struct cgroup cg;
	uint64_t kills;

	buf[0] = '\0';
	if (cgroup_find(&cg, "", "memory") != 0)
		return buf;
	kills = oom_kills(&cg) - marked;
	found = (struct cgroup){ .version = cg.version, .mount = cg.mount };
	if (kills)
		oom_text(buf, &cg, kills);
	else if (watched && nftw(watched, look_for_kills, 16, FTW_PHYS) == 1)
		oom_text(buf, &found, found_kills);
	free(found.path);
	cgroup_free(&cg);
	return buf;
}

/* ---- where groups can be made --------------------------------------------------------------- */

static bool group_has_word(const struct cgroup *cg, const char *file, const char *word)
{
	char *text;
	bool has;

	if (file_read(&text, cg->mount, "%s/%s", cg->path, file) != 0)
		return false;
	has = words_have(text, word);
	free(text);
	return has;
}

/* A v2 group with processes can pass no controller on to groups below it; the root can. */
static int climb(struct cgroup *cg, char why[MEMCG_TEXT_MAX])
{
	while (!group_has_word(cg, "cgroup.subtree_control", "memory")) {
		char *slash = strrchr(cg->path, '/');

		if (!slash) {
			snprintf(why, MEMCG_TEXT_MAX, "needs memory cgroups, and no group from its own "
				 "up to %.200s has memory in cgroup.subtree_control", cg->mount);
			return -ENOTSUP;
		}
		if (!group_has_word(cg, "memory.max", "max") ||
		    !group_has_word(cg, "memory.high", "max")) {
			snprintf(why, MEMCG_TEXT_MAX, "needs memory cgroups, and those that it could "
				 "make would not be under the limit of its own, %.250s", cg->path);
			return -ENOTSUP;
		}
		*slash = '\0';
	}
	return 0;
}

int memcg_parent(char **dir, int *version, char why[MEMCG_TEXT_MAX])
{
	struct cgroup cg;
	int err = cgroup_find(&cg, "", "memory");

	*dir = NULL;
	if (err) {
		snprintf(why, MEMCG_TEXT_MAX, "needs memory cgroups, and none are mounted");
		return err;
	}
	*version = cg.version;
	if (cg.version == 2)
		err = climb(&cg, why);
	if (!err && asprintf(dir, "%s%s", cg.mount, cg.path) < 0)
		err = -ENOMEM;
	cgroup_free(&cg);
	if (!err && access(*dir, W_OK | X_OK) != 0) {
		err = -errno;
		snprintf(why, MEMCG_TEXT_MAX, "cannot make memory cgroups in %.300s: %s", *dir,
			 strerror(-err));
	}
	return err;
}

/* ---- groups --------------------------------------------------------------------------------- */

const char *memcg_file_name(int version, const char *word)
{
	static const struct {
		const char *word, *names[2];
	} files[] = {
		{ "procs", { "cgroup.procs", "cgroup.procs" } },
		{ "usage", { "memory.usage_in_bytes", "memory.current" } },
		{ "limit", { "memory.limit_in_bytes", "memory.max" } },
		{ "high", { NULL, "memory.high" } },
		{ "stat", { "memory.stat", "memory.stat" } },
		{ "empty", { "memory.force_empty", "memory.reclaim" } },
		{ "drain", { "memory.limit_in_bytes", NULL } },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (strcmp(files[i].word, word) == 0)
			return files[i].names[version - 1];
	return NULL;
}

int memcg_open_path(struct memcg *group, const char *path, int version)
{
	*group = (struct memcg){
		.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.version = version,
	};
	return group->fd < 0 ? -errno : 0;
}

int memcg_open(const struct memcg *group, const char *word, int flags)
{
	const char *name = memcg_file_name(group->version, word);
	int fd = name ? openat(group->fd, name, flags | O_CLOEXEC) : -1;

	if (!name)
		return -ENOTSUP;
	return fd < 0 ? -errno : fd;
}

static int write_and_close(int fd, const char *text)
{
	int err = 0;

	if (fd < 0)
		return fd;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	return close(fd) != 0 && !err ? -errno : err;
}

/* On v2 a group has the memory controller if its parent passes it on. */
static int pass_on(const struct memcg *group)
{
	int fd;

	if (group->version == 1)
		return 0;
	fd = openat(group->fd, "cgroup.subtree_control", O_WRONLY | O_CLOEXEC);
	return write_and_close(fd < 0 ? -errno : fd, "+memory");
}

int memcg_make(struct memcg *group, const struct memcg *parent, const char *name)
{
	int err = pass_on(parent);

	if (err)
		return err;
	if (mkdirat(parent->fd, name, 0755) != 0)
		return -errno;
	*group = (struct memcg){
		.fd = openat(parent->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.version = parent->version,
	};
	return group->fd < 0 ? -errno : 0;
}

int memcg_usage(const struct memcg *group, uint64_t *bytes)
{
	int fd = memcg_open(group, "usage", O_RDONLY);
	char text[32];
	ssize_t got;

	if (fd < 0)
		return fd;
	got = read(fd, text, sizeof(text) - 1);
	if (close(fd) != 0 || got <= 0)
		return -EIO;
	text[got] = '\0';
	*bytes = strtoull(text, NULL, 10);
	return 0;
}

int memcg_set(const struct memcg *group, const char *word, uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, bytes);
	return write_and_close(memcg_open(group, word, O_WRONLY), bytes != UINT64_MAX ? text :
			       group->version == 1 ? "-1" : "max");
}

/*
 * Under v2 a group is one of cpusets, too, whose CPUs the kernel then gives the thread instead of
 * those that it was bound to. Where the group does not allow these, it stays so: who needs them
 * will see.
 */
int memcg_enter(const struct memcg *group)
{
	struct cpulist cpus;
	bool known = group->version == 2 && affinity_get(&cpus) == 0;
	int err = write_and_close(memcg_open(group, "procs", O_WRONLY), "0");

	if (known && !err)
		affinity_bind(cpus.cpus, cpus.nr);
	if (known)
		cpulist_free(&cpus);
	return err;
}

static int empty_once(const struct memcg *group)
{
	uint64_t usage;
	int err;

	if (group->version == 1)
		return memcg_set(group, "empty", 0);
	err = memcg_usage(group, &usage);
	if (!err)
		err = memcg_set(group, "empty", usage);
	return err == -EAGAIN ? 0 : err;	/* it got less than was asked for */
}

/* A debugger that attaches interrupts it, too. */
int memcg_empty(const struct memcg *group)
{
	int err;

	do
		err = empty_once(group);
	while (err == -EINTR);
	return err;
}

/* ---- removal -------------------------------------------------------------------------------- */

static int remove_group(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const struct timespec pause = { .tv_nsec = 5000000 };

	(void)st;
	(void)ftw;
	if (type != FTW_DP)
		return 0;	/* control files go with their group */
	for (int i = 0; rmdir(path) != 0; i++) {
		if (errno == ENOENT)
			return 0;
		if (errno != EBUSY || i == 2000)
			return -errno;
		nanosleep(&pause, NULL);
	}
	return 0;
}

int memcg_remove_tree(const char *path)
{
	int err = nftw(path, remove_group, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);

	return err == -1 ? errno == ENOENT ? 0 : -errno : err;
}
