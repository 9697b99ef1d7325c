/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "groups.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memcg.h"
#include "msg.h"
#include "scratch.h"
#include "testcase.h"

/* A process runs one cell. */
static struct scratch directory = { .lock_fd = -1 };
static struct memcg top = { .fd = -1 };

static int check_control(const char *control)
{
	static const char *const both[] = { "cgroup v1", "cgroup v2" };
	const char *name = control ? memcg_file_name(top.version, control) : NULL;

	if (!control || (name && faccessat(top.fd, name, F_OK, 0) == 0))
		return 0;
	if (name)
		msg_error("needs %s in memory cgroups, which this kernel does not have", name);
	else
		msg_error("needs %s in memory cgroups, which %s does not have",
			  memcg_file_name(3 - top.version, control), both[top.version - 1]);
	return -ENOTSUP;
}

int groups_prepare(const char *control)
{
	char why[MEMCG_TEXT_MAX], *parent;
	int version, err = memcg_parent(&parent, &version, why);

	if (err) {
		msg_error("%s", why);
	} else {
		scratch_sweep_as(parent, memcg_remove_tree);
		err = scratch_create_as(&directory, parent, memcg_remove_tree);
		if (!err)
			err = memcg_open_path(&top, directory.path, version);
		memcg_oom_watch(directory.path);
		if (err)
			msg_error("cannot make a memory cgroup in %s: %s", parent, strerror(-err));
	}
	free(parent);
	return err ? err : check_control(control);
}

int groups_remove(void)
{
	return scratch_remove(&directory);
}

/* ---- for testcases -------------------------------------------------------------------------- */

static struct memcg group_of(int group)
{
	return (struct memcg){ .fd = group == GROUP_TOP ? top.fd : group, .version = top.version };
}

/* The result of a call, which must not be an error. */
static int no_error(int result)
{
	errno = result < 0 ? -result : 0;
	must(result >= 0);
	return result;
}

int group_make(int parent, const char *name)
{
	const struct memcg above = group_of(parent);
	struct memcg group;

	no_error(memcg_make(&group, &above, name));
	return group.fd;
}

int task_group(int parent, unsigned long nr)
{
	char name[TASK_PATH_MAX];

	return group_make(parent, task_path(name, "task", nr));
}

int group_open(int group, const char *word, int flags)
{
	const struct memcg g = group_of(group);

	return no_error(memcg_open(&g, word, flags));
}

void group_enter(int group)
{
	const struct memcg g = group_of(group);

	no_error(memcg_enter(&g));
}

unsigned long long group_usage(int group)
{
	const struct memcg g = group_of(group);
	uint64_t bytes;

	no_error(memcg_usage(&g, &bytes));
	return bytes;
}

int group_set(int group, const char *word, unsigned long long bytes)
{
	const struct memcg g = group_of(group);
	int err = memcg_set(&g, word, bytes);

	errno = -err;
	return err ? -1 : 0;
}

int group_empty(int group)
{
	const struct memcg g = group_of(group);
	int err = memcg_empty(&g);

	errno = -err;
	return err ? -1 : 0;
}

/*
 * A limit below the usage drains before it reclaims; v1 refuses it when that was not enough, and
 * nothing else happens. v2 has no such refusal: memory.max would kill, memory.high puts tasks to
 * sleep that charge meanwhile.
 */
int group_drain(int group)
{
	if (group_set(group, "drain", 4096) != 0)
		return errno == EBUSY ? 0 : -1;
	return group_set(group, "drain", GROUP_UNLIMITED);
}
