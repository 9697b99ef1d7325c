/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the tasks' memory lies where the policy wants it: asked of the kernel, page by page. */
#ifndef KNEE_MEMBIND_VERIFY_H
#define KNEE_MEMBIND_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "membind.h"
#include "tasks.h"

/* What the tasks inherit, of which nothing is sampled. */
struct membind_verifier {
	bool wanted;
	struct membind_ranges {
		struct membind_range {
			uintptr_t begin, end;
		} *list;
		size_t nr;
	} inherited;
};

/* To be called just before the tasks are made. */
void membind_verify_prepare(struct membind_verifier *v, const struct membind *m);

/*
 * Samples pages of the living tasks (at most 16 processes, 256 pages each): private anonymous ones in
 * mappings that the process made itself. Returns per cent of them that lie where task and policy
 * want them; with interleave, that lie on a node which holds no more than its even share.
 * Threads share their pages: there each may lie where any of them wants it. Negative: it could not
 * be found out (no or, with interleave, few such pages, tasks that are not bound, a kernel that does not tell; or one node,
 * and no policy was asked for).
 */
double membind_verify(const struct membind_verifier *v, const struct membind *m,
		      const struct tasks *t);

void membind_verify_free(struct membind_verifier *v);

#endif
