/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison: the derived table of `knee compare`. Cells are matched by testcase, placement,
 * parameters, factors, mode and tasks (LKP's: by key); doc/formats.md says what each figure means.
 */
#ifndef KNEE_COMPARE_H
#define KNEE_COMPARE_H

#include <stdio.h>

#include "infer.h"
#include "machines.h"
#include "side.h"
#include "stats.h"

enum compare_verdict {
	VERDICT_SAME,		/* no change was seen */
	VERDICT_REGRESSION,	/* less of what more is better */
	VERDICT_IMPROVEMENT,
	VERDICT_CHANGED,	/* it changed, and neither way is better */
	VERDICT_UNKNOWN,	/* too few rounds */
	VERDICT_NR,
};

/* As they are spelled in the forms. */
const char *compare_verdict_name(enum compare_verdict v);

struct compare_cell {
	const struct side_sample *base, *head;
	struct stats base_stats, head_stats;
	struct infer_ratio ratio;	/* head / base */
	struct infer_tests tests;	/* the verdict rests on their common p */
	double q;			/* the false discovery rate at which it is called */
	int direction;			/* 1: more is better; 0: neither */
	enum compare_verdict verdict;
};

/* One HEAD against BASE. */
struct compare_pair {
	const struct side *base, *head;
	struct differences differences;
	struct compare_cell *cells;	/* in both; by testcase, placement, settings, mode, tasks */
	size_t nr;
	const struct side_sample **only_base, **only_head;
	size_t nr_only_base, nr_only_head;
};

enum compare_rule {
	RULE_KNEE,	/* q of both tests over all cells */
	RULE_LKP,	/* LKP's: ranges and medians, lkp.h */
};

#define COMPARE_RULES "knee lkp"

struct comparison {
	enum compare_rule rule;
	double fdr;			/* q that is called a change */
	struct compare_pair *pairs;
	size_t nr;
};

/* Fills and judges. @sides[0] is BASE; sides must outlive @c. 0 or -ENOMEM. */
int compare_make(struct comparison *c, const struct side *sides, size_t nr,
		 enum compare_rule rule, double fdr);
void compare_free(struct comparison *c);

/* Cells with a verdict; of those that are regressions: by @pct per cent or more. */
size_t compare_count(const struct compare_pair *p, enum compare_verdict v);
size_t compare_regressions(const struct comparison *c, double pct);

/* The change of the mean in per cent, NAN if there is no base. */
double compare_change_pct(const struct compare_cell *cell);

#endif
