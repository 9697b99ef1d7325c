/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

static const char *const names[] = {
	"getppid1", "mmap1", "mmap2", "mmap_churn", "open1", "open2", "open3", "page_fault1",
};

#define NR_NAMES (sizeof(names) / sizeof(names[0]))

static void near(const char *word, const char *expected)
{
	char buf[NEAR_TEXT_MAX];

	assert_string_equal(near_names(buf, word, names, NR_NAMES), expected);
}

static void slips(void **state)
{
	(void)state;
	near("mmap1", "mmap1, mmap2");
	near("mmap", "mmap1, mmap2");
	near("map1", "mmap1, mmap2");
	near("getpid1", "getppid1");
	near("page_falut1", "page_fault1");
	near("mmap_chrun", "mmap_churn");
}

/* The nearest first, and of those as near the first three. */
static void three_at_most(void **state)
{
	(void)state;
	near("open2", "open2, open1, open3");
	near("open9", "open1, open2, open3");
}

static void nothing_near(void **state)
{
	char buf[NEAR_TEXT_MAX];

	(void)state;
	near("socket_churn", "");
	near("", "");
	assert_string_equal(near_names(buf, "mmap1", names, 0), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slips),
		cmocka_unit_test(three_at_most),
		cmocka_unit_test(nothing_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
