/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory cgroups, v1 and v2 alike: that of this process, and groups that are made, entered,
 * limited, emptied and removed.
 */
#ifndef KNEE_MEMCG_H
#define KNEE_MEMCG_H

#include <stdint.h>

/* OOM kills in this process's memory cgroup so far; 0 if there is none. */
uint64_t memcg_oom_kills(void);

/* From here on memcg_oom_text() counts. */
void memcg_oom_mark(void);

/* It also counts in the groups below @path, which must stay valid, and outlives the tasks. */
void memcg_oom_watch(const char *path);

/*
 * For a task killed by SIGKILL: ": memory cgroup DIR: 1 OOM kill, limit 64 MiB", or "" if no OOM
 * kill came since memcg_oom_mark().
 */
#define MEMCG_TEXT_MAX 400
char *memcg_oom_text(char buf[MEMCG_TEXT_MAX]);

/*
 * Where this process may make groups: *dir is a group's directory, freed by the caller, *version 1
 * or 2. v1: its own group. v2: the nearest group on the way to the root that holds no process and
 * passes the memory controller on; groups whose limits would be left that way are not passed.
 * 0 or -errno; then @why is a line.
 */
int memcg_parent(char **dir, int *version, char why[MEMCG_TEXT_MAX]);

/* A group: its directory, held open. */
struct memcg {
	int fd;
	int version;
};

/* The group @path. 0 or -errno. */
int memcg_open_path(struct memcg *group, const char *path, int version);

/* Makes the group @name below @parent. On v2 no process may be in @parent. 0 or -errno. */
int memcg_make(struct memcg *group, const struct memcg *parent, const char *name);

/*
 * The name of a control file under one word for both versions, or NULL if the version has none:
 *	procs	cgroup.procs
 *	usage	memory.usage_in_bytes, memory.current
 *	limit	memory.limit_in_bytes, memory.max
 *	high	-, memory.high
 *	stat	memory.stat
 *	empty	memory.force_empty, memory.reclaim
 *	drain	memory.limit_in_bytes, -
 */
const char *memcg_file_name(int version, const char *word);

/* Opens that file with @flags. A descriptor or -errno. */
int memcg_open(const struct memcg *group, const char *word, int flags);

/* 0 or -errno. Usage is in bytes. UINT64_MAX is no limit, for "limit" and "high". */
int memcg_usage(const struct memcg *group, uint64_t *bytes);
int memcg_set(const struct memcg *group, const char *word, uint64_t bytes);

/*
 * Moves this process, with all its threads, into the group; this thread stays bound to its CPUs. 0
 * or -errno.
 */
int memcg_enter(const struct memcg *group);

/*
 * Reclaims all that can be: v1 memory.force_empty, v2 memory.reclaim of the whole usage. What is
 * left shows in the usage; that something is left is no error. 0 or -errno.
 */
int memcg_empty(const struct memcg *group);

/*
 * Removes the group @path with all groups below it, which must hold no process: for ten seconds it is
 * tried again as long as they are busy with processes that are dying. 0 or -errno.
 */
int memcg_remove_tree(const char *path);

#endif
