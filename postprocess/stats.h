/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics over the rounds of a cell: each in one place, with its source. */
#ifndef KNEE_STATS_H
#define KNEE_STATS_H

#include <stddef.h>

/* What is not defined (a spread of one value, a ratio to a mean of 0) is NAN. */
struct stats {
	size_t nr;
	double mean, median, min, max;
	double sd;			/* standard deviation of the sample (n - 1) */
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

#endif
