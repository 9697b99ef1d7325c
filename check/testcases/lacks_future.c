/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "moment.h"

char *testcase_description = "A kernel that does not exist yet";

const struct testcase_info testcase_info = { .needs = { .kernel = "99.0" } };

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
