/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of runtest: its own table, and so its own file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define main program_main
int program_main(int argc, char **argv);
#include "../../runtest.c"
#undef main

#include "grammar.h"

static void every_option(void **state)
{
	(void)state;
	assert_true(sizeof(struct options) <= GRAMMAR_VALUES_MAX);
	grammar_every_option(&program);
}

static void what_is_no_option(void **state)
{
	(void)state;
	grammar_what_is_no_option(&program);
}

static void as_json(void **state)
{
	(void)state;
	grammar_as_json(&program);
}

/* The rounds that are planned, and those that --precision may add. */
static void rounds(void **state)
{
	const struct catalogue none = { 0 };
	struct options o = { .rounds = 5, .max_rounds = 30, .warmup = 0.25, .dir = "/tmp" };
	struct plan p;

	(void)state;
	p = empty_plan(&o, &none);
	assert_int_equal(p.rounds, 5);
	assert_int_equal(p.max_rounds, 5);
	assert_true(p.warmup_max_follows);
	assert_string_equal(p.dir, "/tmp");
	plan_free(&p);
	o.precision = 1;
	o.seed = 7;
	p = empty_plan(&o, &none);
	assert_int_equal(p.max_rounds, 30);
	assert_int_equal(p.seed, 7);
	plan_free(&p);
	o.rounds = 50;
	p = empty_plan(&o, &none);
	assert_int_equal(p.max_rounds, 50);
	plan_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option),
		cmocka_unit_test(what_is_no_option),
		cmocka_unit_test(as_json),
		cmocka_unit_test(rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
