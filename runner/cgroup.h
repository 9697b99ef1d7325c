/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where this process stands in the cgroup hierarchies: v1, v2 and hybrid, found per controller. */
#ifndef KNEE_CGROUP_H
#define KNEE_CGROUP_H

#include <stdint.h>

struct cgroup {
	int version;	/* 1 or 2 */
	char *mount;	/* where the hierarchy is mounted */
	char *path;	/* this process's group below it: "" or "/a/b" */
};

/*
 * The group of this process in the hierarchy of @controller ("memory", "pids", "cpuset"), as
 * @root/proc/self/{mountinfo,cgroup} say. 0; -ENOENT if no such hierarchy is mounted, or no mount
 * shows the group; -errno.
 */
int cgroup_find(struct cgroup *cg, const char *root, const char *controller);
void cgroup_free(struct cgroup *cg);

/*
 * The tightest limit on the way from this group to the root: min over ancestors of what is left,
 * the number in file @limit less the number in file @usage ("" : the limit itself). Text "max" and
 * v1's huge numbers are no limit. *left is UINT64_MAX, and *where is NULL, if nothing limits;
 * else *where names the group's directory (freed by the caller).
 */
void cgroup_tightest(const struct cgroup *cg, const char *limit, const char *usage,
		     uint64_t *left, char **where);

#endif
