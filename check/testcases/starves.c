/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task 1 never completes an operation. */
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A task that completes nothing";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	while (nr == 1)
		pause();
	count_for_ever(iterations);
}
