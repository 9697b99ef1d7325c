/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Needs that no machine meets are refused, whatever the product of their numbers is in 64 bits. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rlimits.h"

static void lacks(const struct rlimits_need *need, int err, const char *says)
{
	char why[RLIMITS_TEXT_MAX];

	assert_int_equal(rlimits_check(need, "/tmp", why), err);
	if (!strstr(why, says))
		fail_msg("%s is not in: %s", says, why);
}

static void modest_needs(void **state)
{
	const struct rlimits_need need = {
		.tasks = 2, .memory_bytes = 4096, .descriptors = 3, .files = 2, .disk_bytes = 4096,
	};
	char why[RLIMITS_TEXT_MAX];

	(void)state;
	assert_int_equal(rlimits_check(&need, "/tmp", why), 0);
}

static void each_need(void **state)
{
	(void)state;
	lacks(&(struct rlimits_need){ .tasks = 1, .memory_bytes = 1ULL << 60 }, -ENOMEM, "1.0 EiB");
	lacks(&(struct rlimits_need){ .tasks = 1, .disk_bytes = 1ULL << 60 }, -ENOSPC, "--dir");
	lacks(&(struct rlimits_need){ .tasks = 1, .partners = 1ULL << 40 }, -EAGAIN, "processes");
	lacks(&(struct rlimits_need){ .tasks = 1, .descriptors = 1ULL << 40 }, -EMFILE, "open files");
}

/* 2^63 bytes for each of two tasks are not 0 bytes. */
static void products_beyond_64_bits(void **state)
{
	(void)state;
	lacks(&(struct rlimits_need){ .tasks = 2, .disk_bytes = 1ULL << 63 }, -ENOSPC, "16 EiB");
	lacks(&(struct rlimits_need){ .tasks = 1, .memory_bytes = UINT64_MAX }, -ENOMEM, "16 EiB");
	lacks(&(struct rlimits_need){ .tasks = 2, .memory_bytes = 1ULL << 63 }, -ENOMEM, "16 EiB");
	lacks(&(struct rlimits_need){ .tasks = 2, .partners = (1ULL << 63) - 1 }, -EAGAIN, "processes");
	lacks(&(struct rlimits_need){ .tasks = 2, .partners = UINT64_MAX }, -EAGAIN, "processes");
	lacks(&(struct rlimits_need){ .tasks = 4, .threads = true, .descriptors = 1ULL << 62 },
	      -EMFILE, "open files");
	lacks(&(struct rlimits_need){ .tasks = 1, .descriptors = UINT64_MAX }, -EMFILE, "open files");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modest_needs),
		cmocka_unit_test(each_need),
		cmocka_unit_test(products_beyond_64_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
