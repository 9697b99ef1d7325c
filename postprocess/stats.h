/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics over the rounds of a cell: each in one place, with its source. */
#ifndef KNEE_STATS_H
#define KNEE_STATS_H

#include <stddef.h>

/* What is not defined (a spread of one value, a ratio to a mean of 0) is NAN. */
struct stats {
	size_t nr;
	double mean, median, min, max;
	double trimmed_mean;		/* without the lowest and the highest fifth */
	double harmonic_mean;
	double sd;			/* standard deviation of the sample (n - 1) */
	double mad;			/* median absolute deviation, scaled to an sd */
	double rse_pct;			/* relative standard error of the mean */
	double ci95_low, ci95_high;	/* 95 % interval of the mean */
	double ci95_pct;		/* half its width, in per cent of the mean */
};

/* @values may be in any order. 0 or -ENOMEM. */
int stats_of(struct stats *s, const double *values, size_t nr);

/*
 * Half the width of the 95 % interval of the mean of @nr values with standard deviation @sd: NAN
 * for fewer than two values.
 */
double stats_ci95_half(double sd, size_t nr);

/*
 * The 95 % interval of the mean by the bootstrap: bias-corrected and accelerated, of
 * STATS_RESAMPLES resamples, which @seed decides. NAN for fewer than three values. 0 or -ENOMEM.
 */
#define STATS_RESAMPLES 4000
int stats_bca95(const double *values, size_t nr, unsigned long seed, double *low, double *high);

/*
 * How far @value lies from the median, in scaled median absolute deviations; NAN where fewer than
 * STATS_OUTLIER_VALUES say what is usual. Beyond STATS_OUTLIER it is an outlier.
 */
#define STATS_OUTLIER 3.5
#define STATS_OUTLIER_VALUES 5
double stats_deviation(const struct stats *s, double value);

/* Jain's index of fairness over @nr shares: 1 if all are equal, 1 / nr if one has all. */
double stats_fairness(const double *shares, size_t nr);

#endif
