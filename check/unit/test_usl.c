/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The law of scaling: on published data (the ray tracer of R's package usl, and what that package
 * says of it), against scipy's curve_fit (check/fixtures/reference.py), and on simulated data.
 */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>

#include "scaling.h"
#include "usl.h"

static void near(double got, double expected, double tolerance)
{
	if (!(fabs(got - expected) <= tolerance * fabs(expected)))
		fail_msg("%.12g, expected %.12g", got, expected);
}

static double law(const double c[USL_NR], double n)
{
	return c[USL_LAMBDA] * n / (1 + c[USL_SIGMA] * (n - 1) + c[USL_KAPPA] * n * (n - 1));
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- known data ----------------------------------------------------------------------------- */

/* Kappa is at its bound; the standard errors are those of three coefficients all the same. */
static void ray_tracer(void **state)
{
	static const struct usl_point points[] = {
		{ 1, 20, 1 }, { 4, 78, 1 }, { 8, 130, 1 }, { 12, 170, 1 }, { 16, 190, 1 },
		{ 20, 200, 1 }, { 24, 210, 1 }, { 28, 230, 1 }, { 32, 260, 1 }, { 48, 280, 1 },
		{ 64, 310, 1 },
	};
	struct usl m;

	(void)state;
	assert_int_equal(usl_fit(&m, points, COUNT(points)), 0);
	assert_null(m.refused);
	near(m.estimate[USL_LAMBDA], 21.848, 1e-4);
	near(m.estimate[USL_SIGMA], 0.05777, 1e-4);
	assert_true(m.estimate[USL_KAPPA] == 0);
	near(m.se[USL_LAMBDA], 2.196, 2e-4);
	near(m.se[USL_SIGMA], 0.01329, 5e-4);
	assert_true(isnan(m.peak_tasks));
	near(m.limit_ops, 21.8488 / 0.0577708, 1e-4);
}

static void scipy_agrees(void **state)
{
	json_t *all = json_load_file("check/fixtures/reference.json", 0, NULL);
	json_t *usl = json_object_get(all, "usl"), *tasks = json_object_get(usl, "tasks");
	struct usl_point points[16];
	size_t nr = json_array_size(tasks);
	struct usl m;

	(void)state;
	for (size_t i = 0; i < nr; i++)
		points[i] = (struct usl_point){
			json_number_value(json_array_get(tasks, i)),
			json_number_value(json_array_get(json_object_get(usl, "throughput"), i)), 1,
		};
	assert_true(nr > 8);
	assert_int_equal(usl_fit(&m, points, nr), 0);
	for (enum usl_coefficient i = 0; i < USL_NR; i++) {
		near(m.estimate[i], json_number_value(json_object_get(usl, usl_name(i))), 1e-6);
		near(m.se[i], json_number_value(json_array_get(json_object_get(usl, "se"), i)),
		     1e-4);
	}
	near(m.peak_tasks, sqrt((1 - m.estimate[USL_SIGMA]) / m.estimate[USL_KAPPA]), 1e-9);
	assert_true(m.peak_low < m.peak_tasks && m.peak_tasks < m.peak_high);
	json_decref(all);
}

static void fit_exact(struct usl *m, const double c[USL_NR], double unit)
{
	static const double tasks[] = { 1, 2, 4, 8, 16, 32, 64 };
	struct usl_point points[COUNT(tasks)];

	for (size_t i = 0; i < COUNT(tasks); i++)
		points[i] = (struct usl_point){ tasks[i], unit * law(c, tasks[i]), 1 };
	assert_int_equal(usl_fit(m, points, COUNT(tasks)), 0);
	assert_null(m->refused);
}

/* Without noise the coefficients come back, whatever the unit of the rates. */
static void exact_data(void **state)
{
	static const double sets[][USL_NR] = {
		{ 1, 0.02, 5e-4 }, { 1, 0.3, 0.01 }, { 1, 0.5, 1e-7 }, { 1, 0.9, 0.2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(sets); i++)
		for (double unit = 1e-3; unit < 1e10; unit *= 1e6) {
			struct usl m;

			fit_exact(&m, sets[i], unit);
			near(m.estimate[USL_LAMBDA], unit, 1e-6);
			near(m.estimate[USL_SIGMA], sets[i][USL_SIGMA], 1e-6);
			near(m.estimate[USL_KAPPA], sets[i][USL_KAPPA], 1e-4);
			near(m.r2, 1, 1e-9);
		}
}

static void linear_and_superlinear(void **state)
{
	static const double linear[] = { 1, 0, 0 }, super[] = { 1, -0.01, 0 };
	struct usl m;

	(void)state;
	fit_exact(&m, linear, 1e6);
	assert_true(fabs(m.estimate[USL_SIGMA]) < 1e-9 && fabs(m.estimate[USL_KAPPA]) < 1e-9);
	fit_exact(&m, super, 1e6);
	assert_true(m.estimate[USL_SIGMA] == 0 && m.estimate[USL_KAPPA] == 0);
	assert_true(isnan(m.peak_tasks) && isnan(m.limit_ops));
}

/* Rounds of the same number of tasks are not different points. */
static void too_few_points(void **state)
{
	static const struct usl_point points[] = {
		{ 1, 10, 1 }, { 2, 19, 1 }, { 4, 33, 1 }, { 4, 34, 1 }, { 4, 35, 1 },
	};
	static const struct usl_point zeros[] = {
		{ 1, 0, 1 }, { 2, 0, 1 }, { 4, 0, 1 }, { 8, 0, 1 },
	};
	struct usl m;

	(void)state;
	assert_int_equal(usl_fit(&m, points, COUNT(points)), 0);
	assert_non_null(strstr(m.refused, "too few points"));
	assert_true(isnan(usl_ops(&m, 4)) && isnan(m.estimate[USL_LAMBDA]));
	assert_int_equal(usl_fit(&m, zeros, COUNT(zeros)), 0);
	assert_non_null(strstr(m.refused, "nothing was done"));
	assert_int_equal(usl_fit(&m, NULL, 0), 0);
	assert_non_null(m.refused);
}

/* ---- coverage ------------------------------------------------------------------------------- */

#define SIMULATIONS 2000
#define ROUNDS 5

static const double tasks_of[] = { 1, 2, 4, 8, 12, 16, 24, 32, 48, 64 };

#define POINTS COUNT(tasks_of)

/* One value a point, all with the same error. */
static void simulate_alike(struct usl *m, const double c[USL_NR], double noise, gsl_rng *rng)
{
	struct usl_point points[POINTS];

	for (size_t i = 0; i < POINTS; i++)
		points[i] = (struct usl_point){
			tasks_of[i],
			law(c, tasks_of[i]) + gsl_ran_gaussian(rng, noise * c[USL_LAMBDA]), 1,
		};
	assert_int_equal(usl_fit(m, points, POINTS), 0);
}

/* Rounds, whose error is relative, and grows with tasks. */
static void simulate_rounds(struct usl *m, const double c[USL_NR], double noise, gsl_rng *rng)
{
	struct scaling_point measured[POINTS] = { 0 };
	struct usl_point points[POINTS];

	for (size_t i = 0; i < POINTS; i++) {
		double rounds[ROUNDS], x = law(c, tasks_of[i]);

		measured[i].tasks = tasks_of[i];
		for (size_t j = 0; j < ROUNDS; j++)
			rounds[j] = x * (1 + gsl_ran_gaussian(rng, noise * (1 + tasks_of[i] / 64)));
		assert_int_equal(stats_of(&measured[i].ops, rounds, ROUNDS), 0);
	}
	assert_true(scaling_weigh(measured, POINTS));
	for (size_t i = 0; i < POINTS; i++)
		points[i] = (struct usl_point){
			tasks_of[i], measured[i].ops.mean, measured[i].weight,
		};
	assert_int_equal(usl_fit(m, points, POINTS), 0);
}

/* Of 2000 intervals of 95 %, a binomial share: 94 to 96 % if all is well; 92 to 98 is let pass. */
static void cover(void (*simulate)(struct usl *, const double *, double, gsl_rng *),
		  const double c[USL_NR], double noise)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t covered[USL_NR] = { 0 };

	gsl_rng_set(rng, 42);
	for (size_t i = 0; i < SIMULATIONS; i++) {
		struct usl m;

		simulate(&m, c, noise, rng);
		assert_null(m.refused);
		for (size_t k = 0; k < USL_NR; k++)
			covered[k] += m.ci95_low[k] <= c[k] && c[k] <= m.ci95_high[k];
	}
	for (enum usl_coefficient k = 0; k < USL_NR; k++) {
		print_message("%s %g: %.1f %%\n", usl_name(k), c[k],
			      100.0 * covered[k] / SIMULATIONS);
		assert_in_range(covered[k], 0.92 * SIMULATIONS, 0.98 * SIMULATIONS);
	}
	gsl_rng_free(rng);
}

static void coverage(void **state)
{
	static const double peaked[] = { 1000, 0.04, 1e-3 }, flat[] = { 1000, 0.1, 1e-4 };
	static const double amdahl[] = { 1000, 0.05, 0 };

	(void)state;
	cover(simulate_alike, peaked, 0.1);
	cover(simulate_alike, flat, 0.3);
	cover(simulate_alike, amdahl, 0.2);
}

static void coverage_of_rounds(void **state)
{
	static const double peaked[] = { 5e6, 0.04, 1e-3 }, flat[] = { 5e6, 0.1, 1e-4 };
	static const double amdahl[] = { 5e6, 0.05, 0 };

	(void)state;
	cover(simulate_rounds, peaked, 0.02);
	cover(simulate_rounds, flat, 0.05);
	cover(simulate_rounds, amdahl, 0.02);
}

/* ---- weights -------------------------------------------------------------------------------- */

static void weights(void **state)
{
	static const double steady[] = { 100, 101, 99 }, restless[] = { 200, 240, 160 };
	struct scaling_point points[2] = { { .tasks = 1 }, { .tasks = 2 } };

	(void)state;
	stats_of(&points[0].ops, steady, 3);
	stats_of(&points[1].ops, restless, 3);
	assert_true(scaling_weigh(points, 2));
	/* The restless point counts less than its size alone would make it. */
	assert_true(points[1].weight < points[0].weight / 4);
	stats_of(&points[1].ops, restless, 1);
	assert_true(scaling_weigh(points, 2) && points[1].weight > 0);
	stats_of(&points[0].ops, steady, 1);
	assert_false(scaling_weigh(points, 2));
	assert_true(points[0].weight == 1 && points[1].weight == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ray_tracer),
		cmocka_unit_test(scipy_agrees),
		cmocka_unit_test(exact_data),
		cmocka_unit_test(linear_and_superlinear),
		cmocka_unit_test(too_few_points),
		cmocka_unit_test(coverage),
		cmocka_unit_test(coverage_of_rounds),
		cmocka_unit_test(weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
