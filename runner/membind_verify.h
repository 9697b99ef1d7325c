/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the tasks' memory lies where the policy wants it: asked of the kernel, page by page. */
#ifndef KNEE_MEMBIND_VERIFY_H
#define KNEE_MEMBIND_VERIFY_H

#include "membind.h"
#include "tasks.h"

/*
 * Samples pages of the living tasks (at most 16 processes, 256 pages each): anonymous ones that the
 * process alone has, in mappings that it made itself. Returns per cent of them that lie where task
 * and policy want them; with interleave, that lie on a node which holds no more than its even share.
 * Threads share their pages: there each may lie where any of them wants it. Negative: it could not
 * be found out (one node, no such pages, tasks that are not bound, a kernel that does not tell).
 */
double membind_verify(const struct membind *m, const struct tasks *t);

#endif
