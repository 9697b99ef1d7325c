/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one-pass reader: what it accepts, jansson accepts, and both read the same. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "skim.h"

static bool skimmed(const char *text, size_t len)
{
	struct skim s = { .at = text, .end = text + len };

	skim_skip(&s);
	return skim_ended(&s);
}

static bool parsed(const char *text, size_t len)
{
	json_t *value = json_loadb(text, len, JSON_DECODE_ANY, NULL);

	json_decref(value);
	return value;
}

static const char line[] =
	"{\"a\": [1, 2.5, -3e-7, 0, null, true, false], \"b\": {\"c\": \"text \\n \\\"\", \"d\": "
	"{}},"
	"\"e\": [], \"f\": [[1, 2], [3, 4]], \"g\": 12345678901234567, \"h\": 0.125}\n";

static void well_formed(void **state)
{
	(void)state;
	assert_true(skimmed(line, strlen(line)));
	assert_true(parsed(line, strlen(line)));
}

/* Right, but rare: jansson's. */
static void rare(void **state)
{
	static const char *const texts[] = {
		"\"\\u00e9\"", "\"\xc3\xa9\"", "1e300", "1234567890123456789",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_false(skimmed(texts[i], strlen(texts[i])));
		assert_true(parsed(texts[i], strlen(texts[i])));
	}
}

static void malformed(void **state)
{
	static const char *const texts[] = {
		"", "{", "}", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
		"01", "1.", ".5", "+1", "-", "1e", "1e+", "nul", "truex", "\"", "\"\\\"", "\"\\x\"",
		"\"\t\"", "[1]]", "{\"a\":1}{", "[\"a\" \"b\"]", "'a'", "NaN",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (skimmed(texts[i], strlen(texts[i])))
			fail_msg("accepted: %s", texts[i]);
		assert_false(parsed(texts[i], strlen(texts[i])));
	}
}

/* A byte or two changed, removed or doubled: never may it accept what is no JSON. */
static void damaged(void **state)
{
	static const char bytes[] = "{}[]\",:\\ 0123456789.eE+-ntfu\n\x01\xc3";
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t accepted = 0;

	(void)state;
	for (size_t i = 0; i < 50000; i++) {
		char text[sizeof(line)];
		size_t len = strlen(line);

		memcpy(text, line, sizeof(line));
		for (size_t n = 1 + gsl_rng_uniform_int(rng, 2); n; n--) {
			size_t at = gsl_rng_uniform_int(rng, len);

			text[at] = bytes[gsl_rng_uniform_int(rng, sizeof(bytes) - 1)];
		}
		len -= gsl_rng_uniform_int(rng, 3);
		if (!skimmed(text, len))
			continue;
		accepted++;
		if (!parsed(text, len))
			fail_msg("accepted: %.*s", (int)len, text);
	}
	assert_in_range(accepted, 100, 49000);
	gsl_rng_free(rng);
}

static void numbers(void **state)
{
	static const char *const texts[] = {
		"0", "1", "123456789012345", "1234567890123456", "123456789012345678", "0.1",
		"1e30", "-5", "1412345678", "1000123.456789", "4.00265968302", "6.09523320683e-5",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct skim s = { .at = texts[i], .end = texts[i] + strlen(texts[i]) };

		assert_true(skim_number(&s) == strtod(texts[i], NULL));
		assert_true(skim_ended(&s));
	}
}

static void members(void **state)
{
	struct skim s = { .at = line, .end = line + strlen(line) };
	struct skim_text name;
	bool first = true;
	size_t nr = 0;

	(void)state;
	while (skim_member(&s, &first, &name)) {
		nr++;
		if (skim_is(&name, "h"))
			assert_true(skim_number(&s) == 0.125);
		else
			skim_skip(&s);
	}
	assert_true(skim_ended(&s));
	assert_int_equal(nr, 6);
}

/* Depth is bounded: no stack is overrun. */
static void deep(void **state)
{
	char text[4000];

	(void)state;
	memset(text, '[', sizeof(text));
	assert_false(skimmed(text, sizeof(text)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed),
		cmocka_unit_test(rare),
		cmocka_unit_test(malformed),
		cmocka_unit_test(damaged),
		cmocka_unit_test(numbers),
		cmocka_unit_test(members),
		cmocka_unit_test(deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
