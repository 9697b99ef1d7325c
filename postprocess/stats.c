/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
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

/* The mean without a fifth of the values at each end (Wilcox, "Robust estimation", 20 %). */
#define TRIM 0.2

static double trimmed_mean_of(const double *sorted, size_t nr)
{
	return nr ? gsl_stats_trmean_from_sorted_data(TRIM, sorted, 1, nr) : NAN;
}

/*
 * n / sum(1 / x): the mean of rates over equal amounts of work; mmtests' "Hmean". 0 if a rate is
 * 0, as no work is ever done at that rate.
 */
static double harmonic_mean_of(const double *sorted, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!(sorted[i] > 0))
			return 0;
		sum += 1 / sorted[i];
	}
	return nr ? (double)nr / sum : NAN;
}

/*
 * 1.4826 times the median of |x - median|: the factor makes it the standard deviation of a normal
 * distribution (Hampel, "The influence curve", JASA 69, 1974). Where more than half of the values
 * are the same it would be 0, and 1.2533 times their mean absolute deviation stands in for it
 * (Iglewicz and Hoaglin, "How to detect and handle outliers", 1993). @work has room for @nr.
 */
static double mad_of(const double *sorted, size_t nr, double *work)
{
	double mad = nr ? gsl_stats_mad(sorted, 1, nr, work) : NAN;

	if (mad > 0 || !nr)
		return mad;
	return sqrt(M_PI / 2) * gsl_stats_absdev_m(sorted, 1, nr, median_of(sorted, nr));
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
	double *sorted = calloc(2 * nr + 1, sizeof(*sorted)), half;

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
	s->trimmed_mean = trimmed_mean_of(sorted, nr);
	s->harmonic_mean = harmonic_mean_of(sorted, nr);
	s->mad = mad_of(sorted, nr, sorted + nr);
	s->sd = sd_of(sorted, nr);
	s->rse_pct = pct_of(standard_error(s->sd, nr), s->mean);
	half = stats_ci95_half(s->sd, nr);
	s->ci95_low = s->mean - half;
	s->ci95_high = s->mean + half;
	s->ci95_pct = pct_of(half, s->mean);
	free(sorted);
	return 0;
}

/* The modified z-score of Iglewicz and Hoaglin, who call an outlier what is beyond 3.5. */
double stats_deviation(const struct stats *s, double value)
{
	double distance = fabs(value - s->median);

	if (s->nr < STATS_OUTLIER_VALUES || isnan(s->mad))
		return NAN;
	return distance > 0 ? distance / s->mad : 0;
}

/* (sum x)^2 / (n sum x^2): Jain, Chiu and Hawe, DEC-TR-301, 1984. */
double stats_fairness(const double *shares, size_t nr)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < nr; i++) {
		sum += shares[i];
		squares += shares[i] * shares[i];
	}
	return squares > 0 ? sum * sum / ((double)nr * squares) : NAN;
}

/* ---- bootstrap ------------------------------------------------------------------------------ */

/* Fills @means, sorted, with those of resamples: as many values, drawn with replacement. */
static void resample(double *means, const double *values, size_t nr, gsl_rng *rng)
{
	for (size_t i = 0; i < STATS_RESAMPLES; i++) {
		double sum = 0;

		for (size_t j = 0; j < nr; j++)
			sum += values[gsl_rng_uniform_int(rng, nr)];
		means[i] = sum / (double)nr;
	}
	gsl_sort(means, 1, STATS_RESAMPLES);
}

/* The acceleration, by the jackknife: Efron, "Better bootstrap confidence intervals", eq. 6.6. */
static double acceleration(const double *values, size_t nr, double mean)
{
	double squares = 0, cubes = 0;

	for (size_t i = 0; i < nr; i++) {
		/* What leaving the value out takes from the mean, but for a factor. */
		double d = values[i] - mean;

		squares += d * d;
		cubes += d * d * d;
	}
	return cubes / (6 * pow(squares, 1.5));
}

/* The share of resamples below the mean, half of those that equal it, as a normal quantile. */
static double bias(const double *means, double mean)
{
	double below = 0;

	for (size_t i = 0; i < STATS_RESAMPLES; i++)
		below += means[i] < mean ? 1 : means[i] > mean ? 0 : 0.5;
	below = fmin(fmax(below, 0.5), STATS_RESAMPLES - 0.5);
	return gsl_cdf_ugaussian_Pinv(below / STATS_RESAMPLES);
}

static double corrected(const double *means, double z0, double a, double p)
{
	double z = z0 + gsl_cdf_ugaussian_Pinv(p);

	return gsl_stats_quantile_from_sorted_data(means, 1, STATS_RESAMPLES,
						   gsl_cdf_ugaussian_P(z0 + z / (1 - a * z)));
}

int stats_bca95(const double *values, size_t nr, unsigned long seed, double *low, double *high)
{
	double *means, mean, a, z0, min, max;
	gsl_rng *rng;

	*low = *high = NAN;
	if (nr < 3)
		return 0;
	gsl_stats_minmax(&min, &max, values, 1, nr);
	if (min >= max) {
		*low = *high = min;
		return 0;
	}
	means = calloc(STATS_RESAMPLES, sizeof(*means));
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	if (means && rng) {
		mean = gsl_stats_mean(values, 1, nr);
		gsl_rng_set(rng, seed);
		resample(means, values, nr, rng);
		z0 = bias(means, mean);
		a = acceleration(values, nr, mean);
		*low = corrected(means, z0, a, 0.025);
		*high = corrected(means, z0, a, 0.975);
	}
	gsl_rng_free(rng);
	free(means);
	return isnan(*low) ? -ENOMEM : 0;
}
