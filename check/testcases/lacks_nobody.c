/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "moment.h"

char *testcase_description = "A capability that nobody has";

const struct testcase_info testcase_info = { .needs = { .capability = "CAP_NOBODY_HAS_IT" } };

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
