/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Factors: named variables whose levels a run compares (--vary). Every combination of levels makes
 * cells of its own.
 *
 *	memcg=root,child,depth4,child8	the memory cgroup of the cell (memcg_level.h)
 *	sysctl:NAME=VALUE,...		a sysctl, "vm.overcommit_memory"
 *	thp=always,madvise,never	transparent huge pages
 *	aslr=on,off			address-space randomisation of the tasks
 *	placement=core,scatter,...	where tasks go (arrange.h); no level may hold a comma
 *	membind=local,far,...		where memory comes from (mem_nodes.h)
 *	scratch=DIR,...			where scratch directories go
 *	env:NAME=VALUE,...		an environment variable of the testcase
 *	param:NAME=VALUE,...		a parameter of the testcase
 */
#ifndef KNEE_FACTORS_H
#define KNEE_FACTORS_H

#include <jansson.h>
#include <stddef.h>

#include "opt.h"

struct factor {
	char *name, **levels;
	size_t nr;
};

struct factors {
	struct factor *list;
	size_t nr;
	size_t combinations;	/* at least 1 */
};

/* @texts are the arguments of --vary. 0; -EINVAL or -ENOMEM, said. */
int factors_parse(struct factors *f, const struct opt_texts *texts);
void factors_free(struct factors *f);

/* The levels of a combination, name to level; the last factor varies fastest. NULL: no memory. */
json_t *factors_combination(const struct factors *f, size_t index);

/* The level of the factor @name in a combination, or NULL. */
const char *factors_level(const json_t *combination, const char *name);

#endif
