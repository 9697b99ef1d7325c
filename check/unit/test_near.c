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

/* The distance to what is cut off must not be measured with the whole word's yardstick. */
static void a_long_word_is_near_to_nothing(void **state)
{
	char word[300];

	(void)state;
	memset(word, 'q', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	near(word, "");
}

static void a_long_name_is_shown_whole_or_not(void **state)
{
	char a[200], b[200], buf[NEAR_TEXT_MAX];
	const char *const two[] = { a, b };

	(void)state;
	memset(a, 'a', sizeof(a) - 1);
	a[sizeof(a) - 1] = '\0';
	memcpy(b, a, sizeof(a));
	near_names(buf, a, two, 2);
	assert_string_equal(buf, a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slips),
		cmocka_unit_test(three_at_most),
		cmocka_unit_test(nothing_near),
		cmocka_unit_test(a_long_word_is_near_to_nothing),
		cmocka_unit_test(a_long_name_is_shown_whole_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
