/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of a testcase's own: which values count, quantiles, what was not kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "clock.h"
#include "figures.h"
#include "testcase.h"

char *testcase_description = (char *)"Two figures";

const struct testcase_info testcase_info = {
	.figures = { { "first_ns", "" }, { "second_bytes", "" } },
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	(void)iterations;
	(void)nr;
}

static struct figures_summary of_all(unsigned int index)
{
	struct figures_summary s;

	assert_int_equal(figures_summarise(index, 0, UINT64_MAX, &s), 0);
	return s;
}

/* 1 to 200 by two tasks, in no order. */
static void quantiles(void **state)
{
	struct figures_summary s;

	(void)state;
	assert_int_equal(figures_nr(), 2);
	assert_int_equal(figures_prepare(2), 0);
	for (int i = 0; i < 200; i++)
		figure_add(i % 2, "second_bytes", (i * 77) % 200 + 1);
	s = of_all(1);
	assert_int_equal(s.nr, 200);
	assert_int_equal(s.lost, 0);
	assert_true(s.sum == 20100 && s.min == 1 && s.max == 200);
	assert_true(s.median == 100 && s.p99 == 198);
	assert_int_equal(of_all(0).nr, 0);
}

static void one_value_is_every_quantile(void **state)
{
	struct figures_summary s;

	(void)state;
	assert_int_equal(figures_prepare(1), 0);
	figure_add(0, "first_ns", 7);
	s = of_all(0);
	assert_true(s.nr == 1 && s.min == 7 && s.median == 7 && s.p99 == 7 && s.max == 7);
}

static void only_the_window_counts(void **state)
{
	struct figures_summary s;
	uint64_t from, to;

	(void)state;
	assert_int_equal(figures_prepare(1), 0);
	figure_add(0, "first_ns", 1);
	from = clock_ns();
	figure_add(0, "first_ns", 2);
	to = clock_ns();
	while (clock_ns() == to)
		;
	figure_add(0, "first_ns", 4);
	assert_int_equal(figures_summarise(0, from, to, &s), 0);
	assert_true(s.nr == 1 && s.sum == 2);
}

static void the_newest_are_kept(void **state)
{
	struct figures_summary s;

	(void)state;
	assert_int_equal(figures_prepare(1), 0);
	for (unsigned long i = 0; i < FIGURES_KEPT + 10; i++)
		figure_add(0, "first_ns", i);
	s = of_all(0);
	assert_int_equal(s.nr, FIGURES_KEPT);
	assert_int_equal(s.lost, 10);
	assert_true(s.min == 10 && s.max == FIGURES_KEPT + 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles),
		cmocka_unit_test(one_value_is_every_quantile),
		cmocka_unit_test(only_the_window_counts),
		cmocka_unit_test(the_newest_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
