/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory cgroup in which a cell runs, as a level of the factor "memcg":
 *
 *	root	the root group, which is not charged
 *	child	a new group where this process may make one (memcg_parent())
 *	depthN	the innermost of N new groups, one below the other; depth1 is child
 *	childN	N new groups below a new one: task i goes to group i modulo N; processes only
 *
 * The supervisor enters it before testcase_prepare(), so that what is made there is charged, too;
 * with childN it stays where it is. One level for a process.
 */
#ifndef KNEE_MEMCG_LEVEL_H
#define KNEE_MEMCG_LEVEL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memcg.h"
#include "testcase.h"

bool memcg_level_is_valid(const char *level);

/*
 * Whether this process may have the level (a valid one). 0, or -errno and a line in @why.
 */
int memcg_level_check(const char *level, enum testcase_mode mode, char why[MEMCG_TEXT_MAX]);

/* Makes the groups. 0 or -errno, said once. */
int memcg_level_prepare(const char *level);

/* The supervisor enters, and leaves to where it was. 0 or -errno, said once. */
int memcg_level_enter(void);
void memcg_level_leave(void);

/* Task @nr enters its own group, if there is one for it. 0 or -errno. */
int memcg_level_enter_task(unsigned long nr);

/* Removes the groups; no process is in one any more. 0 or -errno, said once. */
int memcg_level_remove(void);

/* What happens in the group is counted from the one to the other. */
void memcg_level_begin(void);
void memcg_level_end(void);

/*
 * What has happened, as doc/formats.md says ("memcg"); json_null() without a level. The caller owns
 * it. NULL: no memory.
 */
json_t *memcg_level_json(void);

/*
 * Memory cgroups of the whole machine that were removed, and that something still holds: memory
 * charged there, mostly. v1: the groups that the kernel counts less the directories that there are. 0;
 * -ENOTSUP where only a part of the hierarchy can be seen; -errno.
 */
int memcg_level_dying(uint64_t *nr);

/* How many groups a level (a valid one) makes. */
uint64_t memcg_level_groups(const char *level);

#endif
