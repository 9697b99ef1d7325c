/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task 1 ends with status 0 after a moment. */
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A task that exits";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ms(iterations, 150);
	if (nr == 1)
		_exit(0);
	count_for_ever(iterations);
}
