/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cpulist.h"

/* What is parsed, and what it is as text again. */
static void round_trip(const char *text, size_t nr, const char *expected)
{
	struct cpulist list, again;
	char *got;

	assert_int_equal(cpulist_parse(text, &list), 0);
	assert_int_equal(list.nr, nr);
	got = cpulist_format(list.cpus, list.nr);
	assert_string_equal(got, expected);
	assert_int_equal(cpulist_parse(got, &again), 0);
	assert_int_equal(again.nr, nr);
	assert_memory_equal(again.cpus, list.cpus, nr * sizeof(*list.cpus));
	free(got);
	cpulist_free(&again);
	cpulist_free(&list);
}

static void round_trips(void **state)
{
	(void)state;
	round_trip("0", 1, "0");
	round_trip("4095", 1, "4095");
	round_trip("65535", 1, "65535");
	round_trip("0-3", 4, "0-3");
	round_trip("0,1", 2, "0,1");
	round_trip("0,1,2", 3, "0-2");
	round_trip("0-1,4095", 3, "0,1,4095");
	round_trip("0-4095", 4096, "0-4095");
	round_trip("10-14:2", 3, "10,12,14");
	round_trip("10-15:2", 3, "10,12,14");
	round_trip("5-5:7", 1, "5");
	round_trip("0-65535:65535", 2, "0,65535");
	/* Order and repetitions say where the tasks go. */
	round_trip("3,2,1,0", 4, "3,2,1,0");
	round_trip("0,0,1", 3, "0,0,1");
	round_trip("4-6,0-2,4", 7, "4-6,0-2,4");
}

static void wrong(const char *text, int err)
{
	struct cpulist list = { .nr = 7 };

	assert_int_equal(cpulist_parse(text, &list), err);
	assert_int_equal(list.nr, 0);
	assert_null(list.cpus);
}

static void malformed(void **state)
{
	(void)state;
	wrong("", -EINVAL);
	wrong(",", -EINVAL);
	wrong("0,", -EINVAL);
	wrong(",0", -EINVAL);
	wrong("0,,1", -EINVAL);
	wrong("a", -EINVAL);
	wrong("0x1", -EINVAL);
	wrong("-1", -EINVAL);
	wrong("1-", -EINVAL);
	wrong("3-1", -EINVAL);
	wrong("0-3:", -EINVAL);
	wrong("0-3:0", -EINVAL);
	wrong("0-3:-1", -EINVAL);
	wrong("1:2", -EINVAL);
	wrong("0-3:1/2", -EINVAL);
	wrong(" 0", -EINVAL);
	wrong("0 ", -EINVAL);
	wrong("0-3,x", -EINVAL);
	wrong("0\n", -EINVAL);
}

static void out_of_range(void **state)
{
	(void)state;
	wrong("65536", -ERANGE);
	wrong("0-65536", -ERANGE);
	wrong("0-3:65536", -ERANGE);
	wrong("4294967296", -ERANGE);
	wrong("18446744073709551616", -ERANGE);
}

static void members(void **state)
{
	struct cpulist list;

	(void)state;
	assert_int_equal(cpulist_parse("0-2,4095", &list), 0);
	assert_true(cpulist_contains(&list, 4095));
	assert_true(cpulist_contains(&list, 0));
	assert_false(cpulist_contains(&list, 3));
	assert_false(cpulist_contains(&list, -1));
	assert_int_equal(cpulist_add(&list, 3), 0);
	assert_true(cpulist_contains(&list, 3));
	cpulist_free(&list);
	assert_false(cpulist_contains(&list, 0));
	cpulist_free(&list);
}

static void an_empty_list(void **state)
{
	char *text = cpulist_format(NULL, 0);

	(void)state;
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trips),
		cmocka_unit_test(malformed),
		cmocka_unit_test(out_of_range),
		cmocka_unit_test(members),
		cmocka_unit_test(an_empty_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
