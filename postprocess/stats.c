/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* Arithmetic mean. LKP compares these; it is what an interval by Student is about. */
static double mean_of(const double *sorted, size_t nr)
{
	return nr ? gsl_stats_mean(sorted, 1, nr) : NAN;
}

/* The middle value, or the mean of the two in the middle. */
static double median_of(const double *sorted, size_t nr)
{
	return nr ? gsl_stats_median_from_sorted_data(sorted, 1, nr) : NAN;
}

/*
 * Standard deviation of a sample, with n - 1 (Bessel's correction): rounds are a sample of all
 * rounds that could be run. LKP's stddev.json holds the population's, with n.
 */
static double sd_of(const double *sorted, size_t nr)
{
	return nr > 1 ? gsl_stats_sd(sorted, 1, nr) : NAN;
}

/* Standard error of the mean: sd / sqrt(n). As perf stat's "( +- 0.66% )", in per cent of it. */
static double standard_error(double sd, size_t nr)
{
	return sd / sqrt((double)nr);
}

/*
 * Student's interval: mean +- t * sd / sqrt(n), t the 97.5 % quantile of Student's distribution
 * with n - 1 degrees of freedom (Student, "The probable error of a mean", Biometrika 6, 1908).
 */
double stats_ci95_half(double sd, size_t nr)
{
	if (nr < 2)
		return NAN;
	return gsl_cdf_tdist_Pinv(0.975, (double)nr - 1) * standard_error(sd, nr);
}

static double pct_of(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

int stats_of(struct stats *s, const double *values, size_t nr)
{
	double *sorted = calloc(nr + 1, sizeof(*sorted)), half;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		sorted[i] = values[i];
	gsl_sort(sorted, 1, nr);
	s->nr = nr;
	s->mean = mean_of(sorted, nr);
	s->median = median_of(sorted, nr);
	s->min = nr ? sorted[0] : NAN;
	s->max = nr ? sorted[nr - 1] : NAN;
	s->sd = sd_of(sorted, nr);
	s->rse_pct = pct_of(standard_error(s->sd, nr), s->mean);
	half = stats_ci95_half(s->sd, nr);
	s->ci95_low = s->mean - half;
	s->ci95_high = s->mean + half;
	s->ci95_pct = pct_of(half, s->mean);
	free(sorted);
	return 0;
}
