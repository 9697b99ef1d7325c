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

/* Two-sided p by Welch's t test; NAN for fewer than two values on a side. */
double infer_welch(const struct stats *a, const struct stats *b);

/*
 * Two-sided p of Mann's and Whitney's U: exact without ties up to INFER_EXACT values a side, else
 * the normal approximation, corrected for ties and continuity. Values must be sorted. NAN for an
 * empty side.
 */
#define INFER_EXACT 60
double infer_mann_whitney(const double *a, size_t nr_a, const double *b, size_t nr_b);

/* One p of both: Cauchy's combination. NAN if either is. */
double infer_combined(double p, double q);

/*
 * The adjusted p of each of @nr: the false discovery rate at which it is called. NANs are left
 * out. 0 or -ENOMEM.
 */
int infer_adjust(double *adjusted, const double *p, size_t nr);

#endif
