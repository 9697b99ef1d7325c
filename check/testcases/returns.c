/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task 1 returns after a moment, instead of looping for ever. */
#include "moment.h"

char *testcase_description = "A task that returns";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ms(iterations, 150);
	if (nr == 1)
		return;
	count_for_ever(iterations);
}
