/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests of two samples, against scipy: check/fixtures/reference.json (reference.py). */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>

#include "infer.h"

static void near(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-9 + 1e-6 * fabs(expected)))
		fail_msg("%.12g, expected %.12g", got, expected);
}

struct sample {
	double values[64];
	size_t nr;
	struct stats s;
};

/* Sorted. */
static void sample_of(struct sample *x, const json_t *all, const char *name)
{
	const json_t *array =
		json_object_get(json_object_get(json_object_get(all, "samples"), name), "values");

	x->nr = json_array_size(array);
	assert_in_range(x->nr, 1, 64);
	for (size_t i = 0; i < x->nr; i++)
		x->values[i] = json_number_value(json_array_get(array, i));
	gsl_sort(x->values, 1, x->nr);
	assert_int_equal(stats_of(&x->s, x->values, x->nr), 0);
}

/* null: not defined. */
static void same(double got, const json_t *expected)
{
	if (json_is_null(expected))
		assert_true(isnan(got));
	else
		near(got, json_number_value(expected));
}

static void scipy_agrees(void **state)
{
	json_t *all = json_load_file("check/fixtures/reference.json", 0, NULL), *pair;
	size_t i;

	(void)state;
	assert_true(json_array_size(json_object_get(all, "pairs")) > 5);
	json_array_foreach(json_object_get(all, "pairs"), i, pair) {
		struct infer_ratio r;
		struct sample a, b;

		sample_of(&a, all, json_string_value(json_object_get(pair, "a")));
		sample_of(&b, all, json_string_value(json_object_get(pair, "b")));
		infer_ratio(&r, &a.s, &b.s);
		same(r.ratio, json_object_get(pair, "ratio"));
		same(r.low, json_object_get(pair, "ratio_low"));
		same(r.high, json_object_get(pair, "ratio_high"));
		assert_true(isnan(r.low) ||
			    (r.low > 1 || r.high < 1) == (infer_welch(&a.s, &b.s) < 0.05));
		near(infer_welch(&a.s, &b.s), json_number_value(json_object_get(pair, "welch_p")));
		near(infer_mann_whitney(a.values, a.nr, b.values, b.nr),
		     json_number_value(json_object_get(pair, "mann_whitney_p")));
		near(infer_mann_whitney(b.values, b.nr, a.values, a.nr),
		     json_number_value(json_object_get(pair, "mann_whitney_p")));
	}
	json_decref(all);
}

static void false_discovery(void **state)
{
	json_t *all = json_load_file("check/fixtures/reference.json", 0, NULL);
	json_t *bh = json_object_get(all, "benjamini_hochberg");
	const json_t *ps = json_object_get(bh, "p"), *qs = json_object_get(bh, "q");
	double p[32], q[32];
	size_t nr = json_array_size(ps);

	(void)state;
	assert_in_range(nr, 10, 30);
	for (size_t i = 0; i < nr; i++)
		p[i] = json_number_value(json_array_get(ps, nr - 1 - i));
	p[nr] = NAN;	/* was not compared: it counts for nothing */
	assert_int_equal(infer_adjust(q, p, nr + 1), 0);
	for (size_t i = 0; i < nr; i++)
		near(q[i], json_number_value(json_array_get(qs, nr - 1 - i)));
	assert_true(isnan(q[nr]));
	json_decref(all);
}

/*
 * By hand: base 100 with sd 2 of 4, head 90 with sd 1.8 of 4: relative errors 1 % each, so the
 * logarithm of the ratio has sqrt(2) %; 1.81^2 / (1 / 3 + 0.81^2 / 3) = 5.934 degrees of freedom,
 * t(0.975) = 2.4535, t(0.8) = 0.9065.
 */
static void ratio(void **state)
{
	struct stats base = { .nr = 4, .mean = 100, .sd = 2 },
		     head = { .nr = 4, .mean = 90, .sd = 1.8 };
	struct infer_ratio r;

	(void)state;
	infer_ratio(&r, &base, &head);
	near(r.ratio, 0.9);
	assert_true(fabs(r.detectable_pct - 100 * (1 - exp(-3.3600 * sqrt(2) / 100))) < 0.01);
	head.nr = 1;
	infer_ratio(&r, &base, &head);
	near(r.ratio, 0.9);
	assert_true(isnan(r.low) && isnan(r.detectable_pct) && isnan(infer_welch(&base, &head)));
	base.mean = 0;
	infer_ratio(&r, &base, &head);
	assert_true(isnan(r.ratio));
}

/*
 * Tukey's critical values: 7, 10 and 13 for 5, 1 and 0.1 %. Exact for ten and ten values (counted
 * by a Python script over all ends): 0.0426, 0.00554, 0.000693, complete separation 2 / 184756.
 */
static void tukey(void **state)
{
	static const struct {
		size_t count;
		double p;
	} known[] = { { 7, 0.0426291974 }, { 10, 0.00554244517 }, { 13, 0.000692805646 },
		      { 20, 1.08250882e-05 } };

	(void)state;
	for (size_t k = 0; k < 4; k++) {
		double a[10], b[10];
		size_t above = known[k].count / 2, below = known[k].count - above;

		/*
		 * b is above: its highest @above, a's lowest @below, the others mixed in between.
		 */
		for (size_t i = 0; i < 10; i++) {
			a[i] = i < below ? (double)i : 100 + 2 * (double)i;
			b[i] = i >= 10 - above ? 1000 + (double)i : 101 + 2 * (double)i;
		}
		/* The lowest of those in between is b's, the highest a's. */
		if (below < 10) {
			b[0] = 99;
			a[9] = 999;
		}
		near(infer_tukey(a, 10, b, 10), known[k].p);
		near(infer_tukey(b, 10, a, 10), known[k].p);
	}
}

static void ends_of_both_kinds(void **state)
{
	static const double wide[] = { 1, 5, 9 }, narrow[] = { 4, 5, 6 }, high[] = { 7, 8, 9 };

	(void)state;
	near(infer_tukey(wide, 3, narrow, 3), 1);	/* one side has both ends */
	near(infer_tukey(narrow, 3, high, 3), 0.1);	/* 2 of 20 arrangements */
	assert_true(isnan(infer_tukey(narrow, 3, high, 0)));
}

/* Weights 0.25, 0.35, 0.4. */
static void one_p_of_three(void **state)
{
	static const double low[] = { 1.0, 1.1, 1.2 }, high[] = { 2.0, 2.1, 2.2 };
	static const double with_outlier[] = { 1.0, 1.1, 9.0 };
	struct infer_tests t;
	struct stats a, b;

	(void)state;
	stats_of(&a, low, 3);
	stats_of(&b, high, 3);
	infer_tests(&t, low, &a, high, &b);
	near(t.mann_whitney_p, 0.1);
	near(t.tukey_p, 0.1);
	near(1 / tan(t.p * M_PI), 0.25 / tan(t.welch_p * M_PI) + 0.75 / tan(0.1 * M_PI));
	infer_tests(&t, low, &a, low, &a);
	near(t.p, 0.5);
	stats_of(&a, with_outlier, 3);
	infer_tests(&t, with_outlier, &a, high, &b);
	assert_true(t.tukey_p == 1 && t.p > 0.25);
	stats_of(&b, high, 1);
	infer_tests(&t, with_outlier, &a, high, &b);
	assert_true(isnan(t.p));
}

static void nothing_moves(void **state)
{
	static const double same[] = { 5, 5, 5 }, other[] = { 6, 6, 6 };
	struct stats a, b;

	(void)state;
	stats_of(&a, same, 3);
	stats_of(&b, other, 3);
	near(infer_welch(&a, &a), 1);
	near(infer_welch(&a, &b), 0);
	near(infer_mann_whitney(same, 3, same, 3), 1);
}

/*
 * What two normal samples of five are: the interval holds the truth, p is as often small as it
 * says.
 */
static void coverage(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t covered = 0, called[3] = { 0 };

	(void)state;
	gsl_rng_set(rng, 7);
	for (size_t i = 0; i < 2000; i++) {
		struct infer_tests t;
		double a[8], b[8];
		struct infer_ratio r;
		struct stats x, y;

		for (size_t j = 0; j < 8; j++) {
			a[j] = 1000 + gsl_ran_gaussian(rng, 30);
			b[j] = 1000 + gsl_ran_gaussian(rng, 60);
		}
		gsl_sort(a, 1, 8);
		gsl_sort(b, 1, 8);
		stats_of(&x, a, 8);
		stats_of(&y, b, 8);
		infer_ratio(&r, &x, &y);
		covered += r.low <= 1 && 1 <= r.high;
		infer_tests(&t, a, &x, b, &y);
		called[0] += t.welch_p < 0.05;
		called[1] += t.mann_whitney_p < 0.05;
		called[2] += t.p < 0.05;
	}
	print_message("covered %zu, called %zu %zu %zu of 2000\n", covered, called[0], called[1],
		      called[2]);
	assert_in_range(covered, 0.935 * 2000, 0.965 * 2000);
	for (size_t k = 0; k < 3; k++)
		assert_in_range(called[k], 0.03 * 2000, 0.065 * 2000);
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scipy_agrees),
		cmocka_unit_test(false_discovery),
		cmocka_unit_test(ratio),
		cmocka_unit_test(tukey),
		cmocka_unit_test(ends_of_both_kinds),
		cmocka_unit_test(one_p_of_three),
		cmocka_unit_test(nothing_moves),
		cmocka_unit_test(coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
