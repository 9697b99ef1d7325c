/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "moment.h"

char *testcase_description = "A cgroup controller that no kernel has";

const struct testcase_info testcase_info = { .needs = { .controller = "nosuch" } };

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
