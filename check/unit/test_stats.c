/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quantiles of Student's distribution are those of printed tables (e.g. Abramowitz and Stegun,
 * table 26.10): 12.70620 for 1 degree of freedom, 2.776445 for 4.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_rounds),
		cmocka_unit_test(two_rounds),
		cmocka_unit_test(one_round_has_no_spread),
		cmocka_unit_test(no_round_has_nothing),
		cmocka_unit_test(nothing_is_a_part_of_zero),
		cmocka_unit_test(values_stay_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
