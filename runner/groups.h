/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory cgroups that a testcase makes (testcase.h, GROUP_TOP): one group holds them all,
 * made where memcg_parent() says, named and locked as a scratch directory is.
 */
#ifndef KNEE_GROUPS_H
#define KNEE_GROUPS_H

/*
 * Removes what killed runs left, and makes the group that will hold those of the cell. @control
 * is a word for a control file (memcg_file_name()) that groups must have, or NULL. 0 or -errno,
 * said once.
 */
int groups_prepare(const char *control);

/* Removes all of them; no process is in one any more. 0 or -errno, said once. */
int groups_remove(void);

#endif
