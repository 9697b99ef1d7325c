/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An assertion fails in task 1 after a moment. */
#undef NDEBUG
#include <assert.h>

#include "moment.h"

char *testcase_description = "A task whose assertion fails";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ms(iterations, 150);
	assert(nr != 1);
	count_for_ever(iterations);
}
