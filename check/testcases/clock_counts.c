/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An operation is a microsecond that has passed. */
#include <time.h>

#include "testcase.h"

char *testcase_description = "Microseconds that pass";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct timespec now;

	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		*(volatile unsigned long long *)iterations =
			(unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000;
	}
}
