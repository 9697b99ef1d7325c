/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call fails in task 1 after a moment. */
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A task whose call fails";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ms(iterations, 150);
	if (nr == 1)
		must(close(-1) == 0);
	count_for_ever(iterations);
}
