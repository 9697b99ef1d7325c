/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts from data are texts in a script, whatever they hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gnuplot.h"
#include "style.h"

static void quoted(const char *text, size_t width, const char *expected)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_non_null(out);
	if (width)
		gnuplot_put_wrapped(out, text, width);
	else
		gnuplot_put_text(out, text);
	fclose(out);
	assert_string_equal(got, expected);
	free(got);
}

static void texts(void **state)
{
	(void)state;
	quoted("", 0, "''");
	quoted("plain", 0, "'plain'");
	quoted("it's", 0, "'it''s'");
	quoted("'; system('x') #", 0, "'''; system(''x'') #'");
	quoted("\"`date`\" \\n @macro $x", 0, "'\"`date`\" \\n @macro $x'");
	quoted("two\nlines", 0, "'two?lines'");
}

static void wrapped_texts(void **state)
{
	(void)state;
	quoted("", 10, "''");
	quoted("one two three", 8, "'one two'.\"\\n\".'three'");
	/* No line may end within a doubled quote. */
	quoted("''''''", 2, "''''''.\"\\n\".''''''.\"\\n\".''''''");
}

static void showable(const char *format, const char *text, const char *expected)
{
	char *got = style_showable(format, text);

	assert_non_null(got);
	assert_string_equal(got, expected);
	free(got);
}

/* cairo draws a character that no font has as a box that covers the picture. */
static void what_a_format_can_show(void **state)
{
	(void)state;
	showable("svg", "中文 é µ →", "中文 é µ →");
	showable("png", "中文 é µ →", "?? é µ →");
	assert_null(style_terminal("gif"));
	assert_null(style_terminal(""));
	assert_non_null(style_terminal("svg"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(wrapped_texts),
		cmocka_unit_test(what_a_format_can_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
