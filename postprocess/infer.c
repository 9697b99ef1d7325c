/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "infer.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* ---- means ---------------------------------------------------------------------------------- */

/* Degrees of freedom of v + w, variances of means: Satterthwaite, Biometrics 2, 1946. */
static double freedom(double v, double nr_v, double w, double nr_w)
{
	return (v + w) * (v + w) / (v * v / (nr_v - 1) + w * w / (nr_w - 1));
}

static double mean_variance(const struct stats *s)
{
	return s->sd * s->sd / (double)s->nr;
}

/* Welch, "The generalization of Student's problem", Biometrika 34, 1947. */
double infer_welch(const struct stats *a, const struct stats *b)
{
	double v, w, difference = a->mean - b->mean;

	if (a->nr < 2 || b->nr < 2)
		return NAN;
	v = mean_variance(a);
	w = mean_variance(b);
	if (!(v + w > 0))
		return difference == 0 ? 1 : 0;
	return 2 * gsl_cdf_tdist_Q(fabs(difference) / sqrt(v + w),
				   freedom(v, (double)a->nr, w, (double)b->nr));
}

/*
 * The interval of head / base: all ratios r at which Welch's test of head against r base does not
 * reject, after Fieller, "Some problems in interval estimation", JRSS B 16, 1954; so it leaves out
 * 1 exactly where that test calls the means different. With v, w the variances of the means, they
 * solve (head - r base)^2 <= t^2 (w + r^2 v). None where base itself may be 0.
 */
static void set_interval(struct infer_ratio *r, double base, double v, double head, double w,
			 double t)
{
	double a = base * base - t * t * v, b = base * head, c = head * head - t * t * w;
	double root = sqrt(fmax(0, b * b - a * c));

	if (!(a > 0))
		return;
	r->low = fmax(0, (b - root) / a);
	r->high = (b + root) / a;
}

/*
 * What can be seen: the fall at which the test at 5 % has a power of 80 %, (t(0.975) + t(0.8))
 * standard errors of the logarithm of the ratio (Cohen, "Statistical power analysis", 1988; the
 * delta method).
 */
void infer_ratio(struct infer_ratio *r, const struct stats *base, const struct stats *head)
{
	double v, w, df, t, se;

	*r = (struct infer_ratio){ NAN, NAN, NAN, NAN };
	if (!(base->mean > 0) || !(head->mean >= 0))
		return;
	r->ratio = head->mean / base->mean;
	if (base->nr < 2 || head->nr < 2)
		return;
	v = mean_variance(base);
	w = mean_variance(head);
	if (!(v + w > 0)) {
		r->low = r->high = r->ratio;
		r->detectable_pct = 0;
		return;
	}
	df = freedom(v, (double)base->nr, w, (double)head->nr);
	t = gsl_cdf_tdist_Pinv(0.975, df);
	set_interval(r, base->mean, v, head->mean, w, t);
	if (!(head->mean > 0))
		return;
	se = sqrt(v / pow(base->mean, 2) + w / pow(head->mean, 2));
	r->detectable_pct = 100 * -expm1(-(t + gsl_cdf_tdist_Pinv(0.8, df)) * se);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* From the half of the 95 % interval of the logarithm: as of infer_ratio(). */
static double detectable_pct(double half, double df)
{
	return 100 * -expm1(-half * (1 + gsl_cdf_tdist_Pinv(0.8, df) / gsl_cdf_tdist_Pinv(0.975, df)));
}

/* Student, "The probable error of a mean", Biometrika 6, 1908. */
static void student(struct infer_ratio *r, double *p, const double *logs, size_t nr)
{
	double mean = gsl_stats_mean(logs, 1, nr), df = (double)nr - 1;
	double se = gsl_stats_sd_m(logs, 1, nr, mean) / sqrt((double)nr);
	double half = gsl_cdf_tdist_Pinv(0.975, df) * se;

	r->ratio = exp(mean);
	r->low = exp(mean - half);
	r->high = exp(mean + half);
	r->detectable_pct = detectable_pct(half, df);
	*p = se > 0 ? 2 * gsl_cdf_tdist_Q(fabs(mean) / se, df) : mean == 0;
}

/*
 * How often the sum of signed ranks takes each value, 0 to n (n + 1) / 2, among all signs: in @f, as a
 * share of them. Each sign is a toss, as it is a toss which of a pair comes first.
 */
static void count_signs(double *f, size_t n)
{
	size_t max = n * (n + 1) / 2;

	f[0] = 1;
	for (size_t t = 1; t <= max; t++)
		f[t] = 0;
	for (size_t rank = 1; rank <= n; rank++)
		for (size_t t = max + 1; t-- > 0;)
			f[t] = (f[t] + (t >= rank ? f[t - rank] : 0)) / 2;
}

/* @means: the sorted means of all pairs of logarithms, each with itself, too; @f of count_signs(). */
static void signed_ranks(struct infer_ratio *r, double *p, const double *means, size_t nr,
			 const double *f, double df)
{
	double tail = 0, sum = 0, below = 0;
	size_t cut = 0;

	/* So many at each end are left out: the most that chance does not exceed. */
	while (2 * (tail + f[cut]) <= 0.05)
		tail += f[cut++];
	cut--;
	r->ratio = exp(gsl_stats_median_from_sorted_data(means, 1, nr));
	r->low = exp(means[cut]);
	r->high = exp(means[nr - 1 - cut]);
	r->detectable_pct = detectable_pct((means[nr - 1 - cut] - means[cut]) / 2, df);
	for (size_t i = 0; i < nr; i++)
		below += means[i] < 0 ? 1 : means[i] == 0 ? 0.5 : 0;
	below = fmin(below, (double)nr - below);
	for (size_t t = 0; t <= nr && (double)t <= below; t++)
		sum += f[t];
	*p = fmin(1, 2 * sum);
}

/*
 * Wilcoxon, "Individual comparisons by ranking methods", Biometrics 1, 1945; the estimate is that of
 * Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963, the interval Tukey's: the
 * logarithms of the ratios at which the test does not reject.
 */
static int wilcoxon(struct infer_ratio *r, double *p, const double *logs, size_t nr)
{
	size_t nr_means = nr * (nr + 1) / 2, k = 0;
	double *means = calloc(nr_means, sizeof(*means)), *f = calloc(nr_means + 1, sizeof(*f));

	if (means && f) {
		for (size_t i = 0; i < nr; i++)
			for (size_t j = i; j < nr; j++)
				means[k++] = (logs[i] + logs[j]) / 2;
		gsl_sort(means, 1, nr_means);
		count_signs(f, nr);
		signed_ranks(r, p, means, nr_means, f, (double)nr - 1);
	}
	k = means && f;
	free(means);
	free(f);
	return k ? 0 : -ENOMEM;
}

/* Beyond all others: a rate of 0 on one side. Its exponential is 0 or infinite. */
#define LOG_OF_ZERO 1e6

/* False: a pair says nothing, as both its rates are 0, or by Student's t, as one is. */
static bool take_logs(double *logs, const double *base, const double *head, size_t nr, bool ranked)
{
	for (size_t i = 0; i < nr; i++) {
		if (base[i] > 0 && head[i] > 0)
			logs[i] = log(head[i]) - log(base[i]);
		else if (ranked && (base[i] > 0 || head[i] > 0))
			logs[i] = base[i] > 0 ? -LOG_OF_ZERO : LOG_OF_ZERO;
		else
			return false;
	}
	return true;
}

int infer_paired(struct infer_ratio *r, double *p, const double *base, const double *head, size_t nr)
{
	bool ranked = nr >= INFER_SIGNED && nr <= INFER_SIGNED_MAX;
	double *logs = calloc(nr + 1, sizeof(*logs));
	int err = 0;

	*r = (struct infer_ratio){ NAN, NAN, NAN, NAN };
	*p = NAN;
	if (!logs)
		return -ENOMEM;
	if (!take_logs(logs, base, head, nr, ranked))
		;
	else if (ranked)
		err = wilcoxon(r, p, logs, nr);
	else if (nr >= INFER_ROUNDS_MIN)
		student(r, p, logs, nr);
	else if (nr)
		r->ratio = exp(logs[0]);
	free(logs);
	return err;
}

/* ---- ranks ---------------------------------------------------------------------------------- */

/*
 * How often U takes each value, 0 to m n, among all arrangements: the Gaussian binomial
 * coefficient, product over i of (1 - x^(n + i)) / (1 - x^i), i from 1 to m (Mann and Whitney,
 * "On a test of whether one of two random variables is larger", 1947). @f has room for m n + 1.
 */
static void count_arrangements(double *f, size_t m, size_t n)
{
	size_t max = m * n;

	f[0] = 1;
	for (size_t u = 1; u <= max; u++)
		f[u] = 0;
	for (size_t i = 1; i <= m; i++) {
		for (size_t u = max; u >= n + i; u--)
			f[u] -= f[u - n - i];
		for (size_t u = i; u <= max; u++)
			f[u] += f[u - i];
	}
}

static double exact(double u, size_t m, size_t n)
{
	size_t max = m * n, lower = (size_t)fmin(u, (double)max - u);
	double *f = calloc(max + 1, sizeof(*f)), tail = 0, all = 0;

	if (!f)
		return NAN;
	count_arrangements(f, m, n);
	for (size_t i = 0; i <= max; i++) {
		all += f[i];
		tail += i <= lower ? f[i] : 0;
	}
	free(f);
	return fmin(1, 2 * tail / all);
}

/* @ties: the sum of t^3 - t over groups of t equal values. */
static double approximate(double u, double m, double n, double ties)
{
	double all = m + n, variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
	double distance = fabs(u - m * n / 2) - 0.5;

	if (!(variance > 0))
		return 1;
	return fmin(1, 2 * gsl_cdf_ugaussian_Q(fmax(0, distance) / sqrt(variance)));
}

double infer_mann_whitney(const double *a, size_t nr_a, const double *b, size_t nr_b)
{
	double u = 0, ties = 0;
	size_t i = 0, j = 0;

	if (!nr_a || !nr_b)
		return NAN;
	/* Both are walked through in one order; equal values count a half. */
	while (i < nr_a || j < nr_b) {
		double value = j == nr_b || (i < nr_a && a[i] < b[j]) ? a[i] : b[j];
		size_t from_i = i, from_j = j;
		double t;

		while (i < nr_a && a[i] == value)
			i++;
		while (j < nr_b && b[j] == value)
			j++;
		t = (double)(i - from_i + j - from_j);
		ties += t * t * t - t;
		u += (double)(i - from_i) * ((double)from_j + 0.5 * (double)(j - from_j));
	}
	if (ties == 0 && nr_a <= INFER_EXACT && nr_b <= INFER_EXACT)
		return exact(u, nr_a, nr_b);
	return approximate(u, (double)nr_a, (double)nr_b, ties);
}

/* ---- ends ----------------------------------------------------------------------------------- */

/*
 * Arrangements of m and n values in which the i highest at least are of the first kind and the j
 * lowest at least of the second: the others may stand in any order.
 */
static double arrangements(size_t m, size_t n, size_t i, size_t j)
{
	return i <= m && j <= n
		       ? gsl_sf_choose((unsigned int)(m + n - i - j), (unsigned int)(m - i))
		       : 0;
}

/* Of all arrangements: those with ends of exactly i and j values, i + j = @count or more. */
static double ends_tail(size_t m, size_t n, size_t count)
{
	double sum = 0;

	for (size_t i = 1; i <= m; i++)
		for (size_t j = 1; j <= n; j++)
			if (i + j >= count)
				sum += arrangements(m, n, i, j) - arrangements(m, n, i + 1, j) -
				       arrangements(m, n, i, j + 1) +
				       arrangements(m, n, i + 1, j + 1);
	return sum / gsl_sf_choose((unsigned int)(m + n), (unsigned int)m);
}

/*
 * Values of @a above all of @b, if there are values of @b below all of @a: both together; else 0.
 */
static size_t ends_count(const double *a, size_t nr_a, const double *b, size_t nr_b)
{
	size_t above = 0, below = 0;

	while (above < nr_a && a[nr_a - 1 - above] > b[nr_b - 1])
		above++;
	while (below < nr_b && b[below] < a[0])
		below++;
	return above && below ? above + below : 0;
}

/*
 * Tukey, "A quick, compact, two-sample test to Duckworth's specifications", Technometrics 1, 1959.
 * LKP's rule asks for the same ends. Rounds have clean ends where nothing but the kernel's work
 * decides the fastest ones: there this test sees more than means and ranks do.
 */
double infer_tukey(const double *a, size_t nr_a, const double *b, size_t nr_b)
{
	size_t up, down, count;

	if (!nr_a || !nr_b)
		return NAN;
	up = ends_count(b, nr_b, a, nr_a);
	down = ends_count(a, nr_a, b, nr_b);
	count = up > down ? up : down;
	if (!count)
		return 1;
	return fmin(1, ends_tail(nr_a, nr_b, count) + ends_tail(nr_b, nr_a, count));
}

/* ---- several -------------------------------------------------------------------------------- */

/*
 * Liu and Xie, "Cauchy combination test", JASA 115, 2020: the weighted mean of tan((0.5 - p) pi) is
 * nearly Cauchy's, however the tests depend on each other. If they agree, it is what they agree on;
 * if only one sees something, it is that one's p over its weight. A p above 0.5 counts as 0.5: that
 * one test saw nothing at all is nothing against what others saw. The weights are what lost least
 * on recorded noise, on normal noise and on noise with outliers (make bench).
 */
static double combined(const struct infer_tests *t)
{
	const struct {
		double p, weight;
	} tests[] = {
		{ t->welch_p, 0.25 }, { t->mann_whitney_p, 0.35 }, { t->tukey_p, 0.4 },
	};
	double mean = 0;

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (isnan(tests[i].p))
			return NAN;
		if (!(tests[i].p > 0))
			return 0;
		/* 1 / tan(p pi): tan((0.5 - p) pi) without its rounding at small p. */
		if (tests[i].p < 0.5)
			mean += tests[i].weight / tan(tests[i].p * M_PI);
	}
	return mean > 0 ? atan(1 / mean) / M_PI : 0.5;
}

void infer_tests(struct infer_tests *t, const double *a, const struct stats *a_stats,
		 const double *b, const struct stats *b_stats)
{
	t->welch_p = infer_welch(a_stats, b_stats);
	t->mann_whitney_p = infer_mann_whitney(a, a_stats->nr, b, b_stats->nr);
	t->tukey_p = infer_tukey(a, a_stats->nr, b, b_stats->nr);
	t->p = combined(t);
}

struct ranked {
	double p;
	size_t index;
};

static int falling(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->p != y->p)
		return x->p > y->p ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

/* Benjamini and Hochberg, JRSS B 57, 1995; R's p.adjust(method = "BH"). */
int infer_adjust(double *adjusted, const double *p, size_t nr)
{
	struct ranked *ranked = calloc(nr + 1, sizeof(*ranked));
	size_t known = 0;
	double least = 1;

	if (!ranked)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		adjusted[i] = NAN;
		if (!isnan(p[i]))
			ranked[known++] = (struct ranked){ p[i], i };
	}
	qsort(ranked, known, sizeof(*ranked), falling);
	for (size_t i = 0; i < known; i++) {
		least = fmin(least, ranked[i].p * (double)known / (double)(known - i));
		adjusted[ranked[i].index] = least;
	}
	free(ranked);
	return 0;
}
