/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num.h"

/* What is wrong leaves the value as it was. */
#define UNTOUCHED 4711

static void u64(const char *text, int err, uint64_t expected)
{
	uint64_t value = UNTOUCHED;

	assert_int_equal(num_parse_u64(text, &value), err);
	assert_int_equal(value, err ? UNTOUCHED : expected);
}

static void whole_numbers(void **state)
{
	(void)state;
	u64("0", 0, 0);
	u64("1", 0, 1);
	u64("007", 0, 7);
	u64("18446744073709551615", 0, UINT64_MAX);
	u64("18446744073709551616", -ERANGE, 0);
	u64("99999999999999999999999", -ERANGE, 0);
	u64("", -EINVAL, 0);
	u64(" 1", -EINVAL, 0);
	u64("1 ", -EINVAL, 0);
	u64("1\n", -EINVAL, 0);
	u64("+1", -EINVAL, 0);
	u64("-1", -EINVAL, 0);
	u64("0x10", -EINVAL, 0);
	u64("1.0", -EINVAL, 0);
	u64("1K", -EINVAL, 0);
	u64("1e3", -EINVAL, 0);
	u64("\xd9\xa1", -EINVAL, 0);	/* a digit, but not of ASCII */
}

static void amount(const char *text, int err, uint64_t expected)
{
	uint64_t value = UNTOUCHED;

	assert_int_equal(num_parse_amount(text, &value), err);
	assert_int_equal(value, err ? UNTOUCHED : expected);
}

static void amounts(void **state)
{
	(void)state;
	amount("0", 0, 0);
	amount("0T", 0, 0);
	amount("4096", 0, 4096);
	amount("4K", 0, 4096);
	amount("4k", 0, 4096);
	amount("128M", 0, 128ULL << 20);
	amount("3G", 0, 3ULL << 30);
	amount("2T", 0, 2ULL << 40);
	amount("16777215T", 0, 16777215ULL << 40);
	amount("16777216T", -ERANGE, 0);
	amount("18014398509481984K", -ERANGE, 0);
	amount("18446744073709551616", -ERANGE, 0);
	amount("", -EINVAL, 0);
	amount("K", -EINVAL, 0);
	amount("4KB", -EINVAL, 0);
	amount("4KK", -EINVAL, 0);
	amount("4P", -EINVAL, 0);
	amount("4 K", -EINVAL, 0);
	amount("4K ", -EINVAL, 0);
	amount("-4K", -EINVAL, 0);
	amount("1.5K", -EINVAL, 0);
}

static void decimal(const char *text, int err, double expected)
{
	double value = UNTOUCHED;

	assert_int_equal(num_parse_decimal(text, &value), err);
	assert_true(value == (err ? UNTOUCHED : expected));
}

static void decimals(void **state)
{
	(void)state;
	decimal("0", 0, 0);
	decimal("2", 0, 2);
	decimal("2.0", 0, 2);
	decimal(".5", 0, 0.5);
	decimal("2.", 0, 2);
	decimal("0.001", 0, 0.001);
	decimal("", -EINVAL, 0);
	decimal(".", -EINVAL, 0);
	decimal("..", -EINVAL, 0);
	decimal("1.2.3", -EINVAL, 0);
	decimal("-1", -EINVAL, 0);
	decimal("+1", -EINVAL, 0);
	decimal("1e3", -EINVAL, 0);
	decimal("0x1", -EINVAL, 0);
	decimal("inf", -EINVAL, 0);
	decimal("nan", -EINVAL, 0);
	decimal("1,5", -EINVAL, 0);
	decimal("1 ", -EINVAL, 0);
	decimal("50%", -EINVAL, 0);
	/* 64 digits are no number that anybody means. */
	decimal("0000000000000000000000000000000000000000000000000000000000000001", -ERANGE, 0);
}

static void seconds(const char *text, int err, double expected)
{
	double value = UNTOUCHED;

	assert_int_equal(num_parse_seconds(text, &value), err);
	assert_true(value == (err ? UNTOUCHED : expected));
}

static void durations(void **state)
{
	(void)state;
	seconds("90", 0, 90);
	seconds("0.5", 0, 0.5);
	seconds("2s", 0, 2);
	seconds("200ms", 0, 200 * 1e-3);
	seconds("1.5m", 0, 90);
	seconds("10m", 0, 600);
	seconds("1m30s", 0, 90);
	seconds("1h30m", 0, 5400);
	seconds("1h1m1s500ms", 0, 3661.5);
	seconds("0", 0, 0);
	seconds("", -EINVAL, 0);
	seconds("s", -EINVAL, 0);
	seconds("1m30", -EINVAL, 0);	/* 30 what? */
	seconds("1d", -EINVAL, 0);
	seconds("1min", -EINVAL, 0);
	seconds("1mS", -EINVAL, 0);
	seconds("1M", -EINVAL, 0);
	seconds("1 s", -EINVAL, 0);
	seconds("1s ", -EINVAL, 0);
	seconds("1s,2s", -EINVAL, 0);
	seconds("-1s", -EINVAL, 0);
	seconds("1m-30s", -EINVAL, 0);
	seconds("0000000000000000000000000000000000000000000000000000000000000001s", -ERANGE, 0);
}

static void bytes(uint64_t value, const char *expected)
{
	char buf[NUM_BYTES_MAX];

	assert_string_equal(num_format_bytes(buf, value), expected);
}

static void bytes_for_people(void **state)
{
	(void)state;
	bytes(0, "0 B");
	bytes(512, "512 B");
	bytes(1023, "1023 B");
	bytes(1024, "1 KiB");
	bytes(1536, "1.5 KiB");
	bytes(64ULL << 20, "64 MiB");
	bytes(3ULL << 29, "1.5 GiB");
	bytes(UINT64_MAX, "16 EiB");
}

/* What rounds up to 1024 has the next prefix. */
static void bytes_round_first(void **state)
{
	(void)state;
	bytes(1048524, "1023.9 KiB");
	bytes(1048575, "1 MiB");
	bytes((1ULL << 30) - 1, "1 GiB");
	bytes((1ULL << 60) - 1, "1 EiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(amounts),
		cmocka_unit_test(decimals),
		cmocka_unit_test(durations),
		cmocka_unit_test(bytes_for_people),
		cmocka_unit_test(bytes_round_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
