/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json_text.h"

static void shown(const char *text, const char *expected)
{
	json_t *string = json_text(text);

	assert_string_equal(json_string_value(string), expected);
	json_decref(string);
}

static void any_text(void **state)
{
	(void)state;
	shown("", "");
	shown("plain", "plain");
	shown("caf\xc3\xa9", "caf\xc3\xa9");
	shown("a\nb\x1b", "a\nb\x1b");	/* JSON escapes these itself */
	shown("\xff", "?");
	shown("caf\xc3", "caf?");	/* cut off in a character */
	shown("/tmp/\xe9t\xe9", "/tmp/?t?");
	shown("\xc0\xaf", "??");	/* not the shortest form */
	shown("\xed\xa0\x80", "???");	/* half a surrogate pair */
	assert_true(json_is_null(json_text(NULL)));
}

static void what_is_utf8(void **state)
{
	(void)state;
	assert_true(json_text_is_utf8(""));
	assert_true(json_text_is_utf8("caf\xc3\xa9"));
	assert_false(json_text_is_utf8("\xe9t\xe9"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_text),
		cmocka_unit_test(what_is_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
