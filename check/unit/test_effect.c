/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects of factors: against check/fixtures/effects.json, which Python computed (make.py), and of
 * simulated rounds, whose truth is known.
 */
#include <errno.h>
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
#include <gsl/gsl_rng.h>

#include "effect.h"
#include "infer.h"

#define LEVELS "check/fixtures/runs/levels"

static void same(double got, const json_t *expected)
{
	double value = json_number_value(expected);

	if (json_is_null(expected) ? isnan(got) : fabs(got - value) <= 1e-7 * fabs(value))
		return;
	fail_msg("%.15g, expected %.15g", got, json_is_null(expected) ? NAN : value);
}

static void load(struct run *run, struct effect *e, const char *factor, const char *base)
{
	assert_int_equal(run_load(run, LEVELS), 0);
	assert_int_equal(effect_make(e, run, factor, base), 0);
}

static void drop(struct run *run, struct effect *e)
{
	effect_free(e);
	run_free(run);
}

static void python_agrees(void **state)
{
	json_t *all = json_load_file("check/fixtures/effects.json", 0, NULL);
	struct effect e;
	struct run run;

	(void)state;
	load(&run, &e, "memcg", "root");
	assert_int_equal(e.nr, json_object_size(all) + 1);	/* one was skipped */
	for (size_t i = 0; i < e.nr; i++) {
		const struct effect_row *row = &e.rows[i];
		const json_t *expected = json_object_get(all, row->cell->id);

		if (row->cell->skip) {
			assert_int_equal(row->nr, 0);
			assert_int_equal(row->verdict, EFFECT_UNKNOWN);
			continue;
		}
		assert_int_equal(row->nr, json_integer_value(json_object_get(expected, "rounds")));
		same(row->ratio.ratio, json_object_get(expected, "ratio"));
		same(row->ratio.low, json_object_get(expected, "ratio_ci95_low"));
		same(row->ratio.high, json_object_get(expected, "ratio_ci95_high"));
		same(row->ratio.detectable_pct, json_object_get(expected, "detectable_pct"));
		same(row->p, json_object_get(expected, "p"));
	}
	json_decref(all);
	drop(&run, &e);
}

/* All else is equal in a pair: also the other factor. */
static void pairs_are_alike(void **state)
{
	struct effect e;
	struct run run;

	(void)state;
	load(&run, &e, "thp", "always");
	assert_int_equal(e.nr, 6);	/* page_fault1 has no level always */
	for (size_t i = 0; i < e.nr; i++) {
		const struct effect_row *row = &e.rows[i];

		assert_string_equal(row->level, "never");
		assert_string_equal(row->cell->factors.list[0].value, row->base_cell->factors.list[0].value);
		assert_int_equal(row->cell->tasks, row->base_cell->tasks);
		assert_non_null(strstr(row->title, "memcg="));
		assert_null(strstr(row->title, "thp="));
	}
	drop(&run, &e);
}

/* The other way round it is the inverse. */
static void base_is_a_choice(void **state)
{
	struct effect there, back;
	struct run run;

	(void)state;
	load(&run, &there, "memcg", NULL);
	assert_string_equal(there.base, "root");
	assert_int_equal(effect_make(&back, &run, "memcg", "child"), 0);
	assert_string_equal(back.rows[0].level, "root");
	assert_string_equal(there.rows[0].level, "child");
	assert_true(fabs(there.rows[0].ratio.ratio * back.rows[0].ratio.ratio - 1) < 1e-12);
	assert_true(fabs(there.rows[0].ratio.low * back.rows[0].ratio.high - 1) < 1e-12);
	assert_int_equal(there.rows[0].verdict, EFFECT_SLOWER);
	assert_int_equal(back.rows[0].verdict, EFFECT_FASTER);
	effect_free(&back);
	drop(&run, &there);
}

static void wrong(void **state)
{
	struct effect e;
	struct run run;

	(void)state;
	assert_int_equal(run_load(&run, LEVELS), 0);
	assert_int_equal(effect_make(&e, &run, NULL, NULL), -EINVAL);	/* two: which one? */
	assert_int_equal(effect_make(&e, &run, "aslr", NULL), -EINVAL);
	assert_int_equal(effect_make(&e, &run, "memcg", "depth9"), -EINVAL);
	run_free(&run);
	assert_int_equal(run_load(&run, "check/fixtures/runs/plain"), 0);
	assert_int_equal(effect_make(&e, &run, "memcg", NULL), -EINVAL);
	run_free(&run);
}

/* ---- statistics ----------------------------------------------------------------------------- */

static void few(void **state)
{
	const double base[] = { 100, 200, 0 }, head[] = { 110, 220, 5 };
	struct infer_ratio r;
	double p;

	(void)state;
	assert_int_equal(infer_paired(&r, &p, base, head, 0), 0);
	assert_true(isnan(r.ratio) && isnan(r.low) && isnan(p));
	infer_paired(&r, &p, base, head, 1);
	assert_true(fabs(r.ratio - 1.1) < 1e-12 && isnan(r.low) && isnan(p));
	infer_paired(&r, &p, base, base, 2);
	assert_true(r.ratio == 1 && r.low == 1 && r.high == 1 && p == 1 && r.detectable_pct == 0);
	infer_paired(&r, &p, base, head, 3);
	assert_true(isnan(r.ratio) && isnan(p));
	infer_paired(&r, &p, head, base, 3);
	assert_true(isnan(r.ratio) && isnan(p));
}

/*
 * Twelve pairs that say 20 % less, but one that was disturbed says eight times as much: Student's
 * interval would hold 1.
 */
static void a_disturbed_pair(void **state)
{
	const double base[] = { 100, 101, 99, 100, 102, 98, 100, 101, 99, 97, 103, 10 };
	const double head[] = { 80, 81.2, 79, 80.5, 81.4, 78.1, 80.3, 80.6, 79.5, 77.4, 82.6, 80 };
	double f_12 = 0, p;
	struct infer_ratio r;

	(void)state;
	assert_int_equal(infer_paired(&r, &p, base, head, 12), 0);
	assert_true(r.high < 0.82 && r.low > 0.78);
	assert_true(fabs(r.ratio - 0.8) < 0.005);
	for (unsigned int signs = 0; signs < 4096; signs++) {
		unsigned int sum = 0;

		for (unsigned int rank = 1; rank <= 12; rank++)
			sum += signs >> (rank - 1) & 1 ? rank : 0;
		f_12 += sum <= 12;
	}
	assert_true(fabs(p - 2 * f_12 / 4096) < 1e-15);
	assert_int_equal(infer_paired(&r, &p, base, head, 9), 0);
	assert_true(fabs(p - 2.0 / 512) < 1e-15);
}

/* A round in which a task never ran is the worst of its ranks, and leaves the others their say. */
static void a_starved_round(void **state)
{
	double base[12], head[12], p;
	struct infer_ratio r;

	(void)state;
	for (int i = 0; i < 12; i++) {
		base[i] = 100 + i;
		head[i] = 80 + i;
	}
	head[3] = 0;
	assert_int_equal(infer_paired(&r, &p, base, head, 12), 0);
	assert_true(r.high < 0.83 && fabs(r.ratio - 0.81) < 0.02 && r.low > 0.7);
	assert_true(fabs(p - 2.0 / 4096) < 1e-15);
	base[3] = 0;
	assert_int_equal(infer_paired(&r, &p, base, head, 12), 0);
	assert_true(isnan(r.ratio) && isnan(r.low) && isnan(p));
}

/*
 * Rounds of a machine that drifts by a third, whose noise has a heavy tail (Student's, 3 degrees of
 * freedom), at two levels, the second @ratio as fast: how often the interval holds the truth, and
 * how often a difference is seen.
 */
static void simulate(double ratio, size_t rounds, double noise, double *holds, double *seen)
{
	enum { RUNS = 4000 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t held = 0, changed = 0;

	gsl_rng_set(rng, 20261130);
	for (size_t i = 0; i < RUNS; i++) {
		double base[30], head[30], p;
		struct infer_ratio r;

		for (size_t k = 0; k < rounds; k++) {
			double drift = 1e5 * (1 - (double)k / (3 * (double)rounds)) *
				       exp(gsl_ran_gaussian(rng, 0.05));

			base[k] = drift * exp(noise * gsl_ran_tdist(rng, 3));
			head[k] = drift * exp(noise * gsl_ran_tdist(rng, 3)) * ratio;
		}
		infer_paired(&r, &p, base, head, rounds);
		held += r.low <= ratio && ratio <= r.high;
		changed += r.low > 1 || r.high < 1;
		/* Not where rounding decides. */
		if (fabs(p - 0.05) > 1e-9)
			assert_int_equal(p < 0.05, r.low > 1 || r.high < 1);
	}
	gsl_rng_free(rng);
	*holds = (double)held / RUNS;
	*seen = (double)changed / RUNS;
}

/* 19 times of 20. */
static void no_effect_is_noise(void **state)
{
	double holds, seen;

	(void)state;
	simulate(1, 30, 0.005, &holds, &seen);
	assert_true(seen > 0.03 && seen < 0.06);
	assert_true(fabs(holds + seen - 1) < 1e-12);
}

static void five_per_cent_in_ten_rounds(void **state)
{
	double holds, seen;

	(void)state;
	simulate(1 / 1.05, 10, 0.005, &holds, &seen);
	assert_true(seen > 0.99);
	assert_true(holds > 0.94);
}

/* Of so many runs of rounds with 2 % noise: how often a loss is seen, and the mean of what is told. */
static void try_loss(double loss_pct, size_t rounds, double *seen, double *told_pct)
{
	enum { RUNS = 4000 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	*seen = *told_pct = 0;
	for (size_t i = 0; i < RUNS; i++) {
		double base[30], head[30], p;
		struct infer_ratio r;

		for (size_t k = 0; k < rounds; k++) {
			base[k] = exp(gsl_ran_gaussian(rng, 0.02));
			head[k] = exp(gsl_ran_gaussian(rng, 0.02)) * (1 - loss_pct / 100);
		}
		infer_paired(&r, &p, base, head, rounds);
		*seen += (r.high < 1) / (double)RUNS;
		*told_pct += r.detectable_pct / RUNS;
	}
	gsl_rng_free(rng);
}

/* What is told to be the smallest loss that is seen is seen four times of five. */
static void power_is_as_told(void **state)
{
	static const size_t rounds[] = { 5, 6, 8, 10, 30 };

	(void)state;
	for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
		double seen, told, again;

		try_loss(0, rounds[i], &seen, &told);
		assert_true(seen < 0.03);	/* one side of 5 % */
		try_loss(told, rounds[i], &seen, &again);
		if (!(fabs(seen - 0.8) < 0.08))
			fail_msg("%zu rounds: a loss of %.2f %% is seen %.3f times", rounds[i], told, seen);
		assert_true(fabs(again / told - 1) < 0.03);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(python_agrees),
		cmocka_unit_test(pairs_are_alike),
		cmocka_unit_test(base_is_a_choice),
		cmocka_unit_test(wrong),
		cmocka_unit_test(few),
		cmocka_unit_test(a_disturbed_pair),
		cmocka_unit_test(a_starved_round),
		cmocka_unit_test(no_effect_is_noise),
		cmocka_unit_test(five_per_cent_in_ten_rounds),
		cmocka_unit_test(power_is_as_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
