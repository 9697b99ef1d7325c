/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task 1 dies by a signal (a parameter) after a moment. */
#include <signal.h>

#include "moment.h"

char *testcase_description = "A task that a signal kills";

const struct testcase_info testcase_info = {
	.params = { { .name = "signal", .value = "11", .max = "64", .doc = "its number" } },
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ms(iterations, 150);
	if (nr == 1)
		raise(param("signal"));
	count_for_ever(iterations);
}
