/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An operation is a sleep of a millisecond: its rate hardly depends on the machine. */
#include <time.h>

#include "testcase.h"

char *testcase_description = "Sleeps of one millisecond";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (;;) {
		nanosleep(&pause, NULL);
		count(iterations);
	}
}
