/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples and what scipy says of them are in check/fixtures/reference.json (reference.py).
 * Quantiles of Student's distribution are those of printed tables (e.g. Abramowitz and Stegun,
 * table 26.10): 12.70620 for 1 degree of freedom, 2.776445 for 4.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

#include "stats.h"

static void near(double got, double expected)
{
	assert_true(fabs(got - expected) <= 1e-6 * (1 + fabs(expected)));
}

static void five_rounds(void **state)
{
	static const double values[] = { 102, 98, 101, 99, 100 };
	struct stats s;

	(void)state;
	assert_int_equal(stats_of(&s, values, 5), 0);
	near(s.mean, 100);
	near(s.median, 100);
	near(s.min, 98);
	near(s.max, 102);
	near(s.sd, sqrt(10.0 / 4));	/* squares of the deviations: 4 + 4 + 1 + 1 */
	near(s.rse_pct, sqrt(2.5 / 5));
	near(s.ci95_pct, 2.776445 * sqrt(2.5 / 5));
	near(s.ci95_low, 100 - s.ci95_pct);
	near(s.ci95_high, 100 + s.ci95_pct);
}

static void two_rounds(void **state)
{
	static const double values[] = { 3, 1 };
	struct stats s;

	(void)state;
	assert_int_equal(stats_of(&s, values, 2), 0);
	near(s.median, 2);
	near(s.sd, sqrt(2));
	near(s.ci95_high - s.mean, 12.70620);	/* 12.706 * sqrt(2) / sqrt(2) */
}

static void one_round_has_no_spread(void **state)
{
	static const double value = 7;
	struct stats s;

	(void)state;
	assert_int_equal(stats_of(&s, &value, 1), 0);
	near(s.mean, 7);
	near(s.median, 7);
	assert_true(isnan(s.sd) && isnan(s.rse_pct) && isnan(s.ci95_pct));
	assert_true(isnan(s.ci95_low) && isnan(s.ci95_high));
}

static void no_round_has_nothing(void **state)
{
	struct stats s;

	(void)state;
	assert_int_equal(stats_of(&s, NULL, 0), 0);
	assert_int_equal(s.nr, 0);
	assert_true(isnan(s.mean) && isnan(s.median) && isnan(s.min) && isnan(s.max));
}

static void nothing_is_a_part_of_zero(void **state)
{
	static const double values[] = { 0, 0, 0 };
	struct stats s;

	(void)state;
	assert_int_equal(stats_of(&s, values, 3), 0);
	assert_true(s.mean == 0 && s.sd == 0 && s.ci95_low == 0 && s.ci95_high == 0);
	assert_true(isnan(s.rse_pct) && isnan(s.ci95_pct));
}

static void values_stay_in_their_order(void **state)
{
	double values[] = { 3, 1, 2 };
	struct stats s;

	(void)state;
	assert_int_equal(stats_of(&s, values, 3), 0);
	assert_true(values[0] == 3 && values[1] == 1 && values[2] == 2);
}

/* ---- against scipy -------------------------------------------------------------------------- */

static double member(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

static double *values_of(const json_t *sample, size_t *nr)
{
	const json_t *array = json_object_get(sample, "values");
	double *values;

	*nr = json_array_size(array);
	values = calloc(*nr + 1, sizeof(*values));
	for (size_t i = 0; i < *nr; i++)
		values[i] = json_number_value(json_array_get(array, i));
	return values;
}

/*
 * scipy's bootstrap has other random numbers, and few values have few different means: the bounds
 * differ by less than a twentieth, or a tenth, of the interval's width.
 */
static void compare_bootstrap(const json_t *sample, const double *values, size_t nr)
{
	double low, high, width = member(sample, "boot95_high") - member(sample, "boot95_low");
	double tolerance = (nr < 7 ? 0.12 : 0.05) * width;

	assert_int_equal(stats_bca95(values, nr, 1, &low, &high), 0);
	assert_true(fabs(low - member(sample, "boot95_low")) <= tolerance);
	assert_true(fabs(high - member(sample, "boot95_high")) <= tolerance);
}

static void compare_sample(const json_t *sample)
{
	struct stats s;
	size_t nr;
	double *values = values_of(sample, &nr);

	assert_int_equal(stats_of(&s, values, nr), 0);
	near(s.mean, member(sample, "mean"));
	near(s.median, member(sample, "median"));
	near(s.trimmed_mean, member(sample, "trimmed_mean"));
	near(s.harmonic_mean, member(sample, "harmonic_mean"));
	near(s.sd, member(sample, "sd"));
	near(s.mad, member(sample, "mad"));
	near(s.ci95_low, member(sample, "ci95_low"));
	near(s.ci95_high, member(sample, "ci95_high"));
	near(stats_fairness(values, nr), member(sample, "fairness"));
	if (nr > 2)
		compare_bootstrap(sample, values, nr);
	free(values);
}

static void scipy_agrees(void **state)
{
	json_t *all = json_load_file("check/fixtures/reference.json", 0, NULL), *sample;
	const char *name;

	(void)state;
	assert_true(json_object_size(json_object_get(all, "samples")) > 8);
	json_object_foreach(json_object_get(all, "samples"), name, sample)
		compare_sample(sample);
	json_decref(all);
}

static void the_bootstrap_is_seeded(void **state)
{
	static const double values[] = { 5, 9, 2, 14, 7.5, 3 };
	double low[3], high[3];

	(void)state;
	for (unsigned long i = 0; i < 3; i++)
		assert_int_equal(stats_bca95(values, 6, 1 + i / 2, &low[i], &high[i]), 0);
	assert_true(low[0] == low[1] && high[0] == high[1]);
	assert_true(low[0] != low[2] || high[0] != high[2]);
	stats_bca95(values, 2, 1, low, high);
	assert_true(isnan(low[0]) && isnan(high[0]));
}

/* One task has all, all have the same, nobody has any. */
static void fairness(void **state)
{
	static const double one[] = { 8, 0, 0, 0 }, all[] = { 3, 3, 3 }, none[] = { 0, 0 };

	(void)state;
	near(stats_fairness(one, 4), 0.25);
	near(stats_fairness(all, 3), 1);
	assert_true(isnan(stats_fairness(none, 2)) && isnan(stats_fairness(NULL, 0)));
}

/* 100, 101, 99, 102: the median is 100.5 of the first four; the fifth makes it 101. */
static void outliers_are_far(void **state)
{
	static const double values[] = { 100, 101, 99, 102, 150 };
	struct stats s;

	(void)state;
	stats_of(&s, values, 5);
	near(stats_deviation(&s, 150), 49 / 1.482602218505602);
	near(stats_deviation(&s, 101), 0);
	stats_of(&s, values, 4);
	assert_true(isnan(stats_deviation(&s, 150)));	/* too few to say what is usual */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_rounds),
		cmocka_unit_test(two_rounds),
		cmocka_unit_test(one_round_has_no_spread),
		cmocka_unit_test(no_round_has_nothing),
		cmocka_unit_test(nothing_is_a_part_of_zero),
		cmocka_unit_test(values_stay_in_their_order),
		cmocka_unit_test(scipy_agrees),
		cmocka_unit_test(the_bootstrap_is_seeded),
		cmocka_unit_test(fairness),
		cmocka_unit_test(outliers_are_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
