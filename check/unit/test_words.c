/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "words.h"

static void whole_words_alone(void **state)
{
	(void)state;
	assert_true(words_have("core smt none", "core"));
	assert_true(words_have("core smt none", "smt"));
	assert_true(words_have("core smt none", "none"));
	assert_true(words_have("core", "core"));
	assert_false(words_have("core smt none", "cor"));
	assert_false(words_have("core smt none", "ore"));
	assert_false(words_have("core smt none", "smt2"));
	assert_false(words_have("core smt none", "CORE"));
	assert_false(words_have("", "core"));
	assert_false(words_have("core smt none", ""));
}

/* A part that fails first does not hide the word behind it. */
static void after_a_part(void **state)
{
	(void)state;
	assert_true(words_have("aaa aa", "aa"));
	assert_true(words_have("xaa aax aa", "aa"));
	assert_true(words_have("two  blanks", "blanks"));
	assert_false(words_have("xaa aax", "aa"));
}

/* Else `--placement "core smt"` would be one of the placements. */
static void two_words_are_not_one(void **state)
{
	(void)state;
	assert_false(words_have("core smt none", "core smt"));
	assert_false(words_have("core smt none", "core smt none"));
	assert_false(words_have("core smt none", "core "));
	assert_false(words_have("core smt none", " smt"));
	assert_false(words_have("core smt none", " "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_words_alone),
		cmocka_unit_test(after_a_part),
		cmocka_unit_test(two_words_are_not_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
