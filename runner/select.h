/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which testcases: by name and glob, and by what their facts say. */
#ifndef KNEE_SELECT_H
#define KNEE_SELECT_H

#include "catalogue.h"

struct selection {
	/*
	 * Any of these: a name; a glob ("mmap*"); "@WORD": those with this tag, of this suite, or
	 * "@all". None: all testcases.
	 */
	struct opt_texts names;
	/*
	 * Each of these, too: a word of the facts of that name, or a glob; what stands behind "->"
	 * may stand for the whole ("i_rwsem" for "inode->i_rwsem").
	 */
	struct opt_texts exercises, contends;
};

/* Whether there is anything to select by. */
bool selection_given(const struct selection *s);

/*
 * Keeps what @s selects, in ascending order, each once. Asks all testcases for their facts if it
 * needs them. 0, or -EINVAL: one text of @s selects nothing (said, with near words), or all
 * together do.
 */
int selection_apply(const struct selection *s, struct catalogue *c);

#endif
