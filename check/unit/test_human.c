/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "human.h"

static void si(double value, const char *expected)
{
	char buf[HUMAN_MAX];

	assert_string_equal(human_si(buf, value), expected);
}

static void si_prefixes(void **state)
{
	(void)state;
	si(0, "0");
	si(1, "1.000");
	si(123.4, "123.4");
	si(1234, "1.234k");
	si(12346, "12.35k");
	si(123456789, "123.5M");
	si(9.876e12, "9.876T");
	si(0.01234, "12.34m");
	si(NAN, "-");
}

/* What rounds up to a thousand has the next prefix. */
static void si_rounds_first(void **state)
{
	(void)state;
	si(999.94, "999.9");
	si(999.96, "1.000k");
	si(9999.6, "10.00k");
	si(999960, "1.000M");
}

static void pct(double value, const char *expected)
{
	char buf[HUMAN_MAX];

	assert_string_equal(human_pct(buf, value), expected);
}

static void per_cent(void **state)
{
	(void)state;
	pct(0.664, "0.66%");
	pct(9.996, "10.0%");
	pct(12.34, "12.3%");
	pct(99.96, "100%");
	pct(999.4, "999%");
	pct(1234, ">999%");
	pct(NAN, "-");
}

static void widths(void **state)
{
	(void)state;
	assert_int_equal(human_width("±5%"), 3);
	assert_int_equal(human_width("中文"), 4);
	assert_int_equal(human_width("e\xcc\x81"), 1);	/* a combining accent */
}

static void wrapped(const char *text, size_t width, const char *expected)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_non_null(out);
	human_wrap(out, "* ", "  ", text, width);
	fclose(out);
	assert_string_equal(got, expected);
	free(got);
}

static void lines_are_wrapped_at_words(void **state)
{
	(void)state;
	wrapped("", 10, "* \n");
	wrapped("one two three", 80, "* one two three\n");
	wrapped("one two three", 9, "* one two\n  three\n");
	wrapped("one two three", 10, "* one two\n  three\n");
	wrapped("one two three", 8, "* one\n  two\n  three\n");
	wrapped("incomprehensibilities", 10, "* incompre\n  hensibil\n  ities\n");
	wrapped("中文中文", 6, "* 中文\n  中文\n");
}

static bool ascii(uint32_t c)
{
	return c < 0x80;
}

static void filtered(const char *text, bool (*allowed)(uint32_t), const char *expected)
{
	char *got = human_filter(text, allowed);

	assert_non_null(got);
	assert_string_equal(got, expected);
	free(got);
}

static void what_is_no_text_is_shown(void **state)
{
	(void)state;
	filtered("a\nb\tc\x1b[31md\x7f", NULL, "a?b?c?[31md?");
	filtered("\xc2\x9b" "31m", NULL, "?31m");	/* the C1 control that starts a sequence */
	filtered("abc\xe2\x80\xaetxt.exe", NULL, "abc?txt.exe");	/* right-to-left override */
	filtered("caf\xc3\xa9", NULL, "caf\xc3\xa9");
	filtered("caf\xc3\xa9", ascii, "caf?");
	filtered("\xc3", NULL, "\xc3");		/* cut in the middle: no byte beyond is read */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(si_prefixes),
		cmocka_unit_test(si_rounds_first),
		cmocka_unit_test(per_cent),
		cmocka_unit_test(widths),
		cmocka_unit_test(lines_are_wrapped_at_words),
		cmocka_unit_test(what_is_no_text_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
