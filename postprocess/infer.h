/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing two samples of rounds: each statistic in one place, with its source. */
#ifndef KNEE_INFER_H
#define KNEE_INFER_H

#include <stddef.h>

#include "stats.h"

/* The least rounds on each side from which anything can be said. */
#define INFER_ROUNDS_MIN 2

/* The ratio of means, head / base, with its 95 % interval; what is not defined is NAN. */
struct infer_ratio {
	double ratio, low, high;
	double detectable_pct;	/* the smallest change that is seen, at 5 %, four times of five */
};

void infer_ratio(struct infer_ratio *r, const struct stats *base, const struct stats *head);

/*
 * The same of @nr pairs that were measured together, in an order by chance, with the two-sided p that
 * chance alone makes such a difference. From INFER_SIGNED to INFER_SIGNED_MAX pairs by Wilcoxon's
 * signed ranks: no distribution is assumed, and a few disturbed pairs do little; else by Student's t of
 * the logarithms. A rate of 0 is a rank like others; by Student's t, and in both of a pair, it leaves
 * all undefined. Fewer than two pairs leave only the ratio. 0 or -ENOMEM.
 */
#define INFER_SIGNED 6
#define INFER_SIGNED_MAX 200
int infer_paired(struct infer_ratio *r, double *p, const double *base, const double *head, size_t nr);

/* Two-sided p by Welch's t test; NAN for fewer than two values on a side. */
double infer_welch(const struct stats *a, const struct stats *b);

/*
 * Two-sided p of Mann's and Whitney's U: exact without ties up to INFER_EXACT values a side, else
 * the normal approximation, corrected for ties and continuity. Values must be sorted. NAN for an
 * empty side.
 */
#define INFER_EXACT 60
double infer_mann_whitney(const double *a, size_t nr_a, const double *b, size_t nr_b);

/*
 * Two-sided, exact p of Tukey's quick test: how many values of one side lie above all of the other,
 * and how many of the other below all of the one. Values must be sorted. NAN for an empty side.
 */
double infer_tukey(const double *a, size_t nr_a, const double *b, size_t nr_b);

/* What two samples of rounds say together. */
struct infer_tests {
	double welch_p, mann_whitney_p, tukey_p;
	double p;		/* one of all three, at most 0.5; NAN if one of them is */
};

/* @a and @b sorted, with their statistics. */
void infer_tests(struct infer_tests *t, const double *a, const struct stats *a_stats,
		 const double *b, const struct stats *b_stats);

/*
 * The adjusted p of each of @nr: the false discovery rate at which it is called. NANs are left
 * out. 0 or -ENOMEM.
 */
int infer_adjust(double *adjusted, const double *p, size_t nr);

#endif
