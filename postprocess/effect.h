/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The effect of a factor (runtest --vary): each level against a base level, in pairs of cells that
 * one round ran one after another. doc/formats.md says what each figure means.
 */
#ifndef KNEE_EFFECT_H
#define KNEE_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "infer.h"
#include "run.h"
#include "stats.h"

enum effect_verdict {
	EFFECT_NOISE,	/* the interval holds 1: no difference was seen */
	EFFECT_SLOWER,
	EFFECT_FASTER,
	EFFECT_UNKNOWN,	/* fewer than two pairs, or a rate of 0 */
	EFFECT_NR,
};

/* As they are spelled in the forms: "noise", "slower", "faster", "unknown". */
const char *effect_verdict_name(enum effect_verdict v);

/* A level of the factor in one testcase, mode and task count, all else being equal. */
struct effect_row {
	const struct run_cell *base_cell, *cell;
	const char *level;
	char *title;		/* testcase, placement, settings, without the factor */
	double *base_ops, *ops;	/* operations per second of the pairs, by round */
	size_t nr;		/* rounds that measured both */
	size_t unpaired;	/* rounds that measured one of them alone */
	struct stats base_stats, stats;
	struct infer_ratio ratio;	/* level / base */
	double p;		/* that chance alone makes such a difference */
	double q;		/* p adjusted for the number of rows */
	enum effect_verdict verdict;
	char *base_marks, *marks;	/* doubts about these rounds, as the summary has them */
};

struct effect {
	const struct run *run;
	const char *factor, *base;
	struct effect_row *rows;	/* by title in the order of the plan, level, mode, tasks */
	size_t nr;
};

/*
 * @factor may be NULL if the run varies only one; @base NULL is the first level. Texts are the run's,
 * which must outlive it. 0; -EINVAL: the run does not vary it, or has no such level, said; -ENOMEM, said.
 */
int effect_make(struct effect *e, const struct run *run, const char *factor, const char *base);
void effect_free(struct effect *e);

/* The level of @factor in @cell; NULL: it has none. */
const char *effect_level(const struct run_cell *cell, const char *factor);

/* Whether two cells, of one run or of two, differ in the level of @factor alone. */
bool effect_alike(const struct run_cell *a, const struct run_cell *b, const char *factor);

/* What tells a cell from others, without @factor: "mmap_churn [core size=128K]". NULL: no memory. */
char *effect_title(const struct run_cell *cell, const char *factor);

size_t effect_count(const struct effect *e, enum effect_verdict v);

/* The change in per cent of the base; NAN if there is none. */
double effect_change_pct(const struct effect_row *row);

/* ---- forms ---------------------------------------------------------------------------------- */

#define EFFECT_FORMATS "text markdown csv json"

/* In one of EFFECT_FORMATS. 0 or -ENOMEM. */
int effect_print(const struct effect *e, const char *format, FILE *out);

int effect_text(const struct effect *e, FILE *out);
int effect_markdown(const struct effect *e, FILE *out);
int effect_csv(const struct effect *e, FILE *out);
int effect_json(const struct effect *e, FILE *out);

#endif
