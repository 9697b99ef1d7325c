/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An operation is a sleep, which becomes shorter all the time: the rate never becomes steady. */
#include <time.h>

#include "testcase.h"

char *testcase_description = "A rate that goes up for ever";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct timespec begin, now, pause = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		/* A rate of 50 times the seconds that have passed, and half of one more. */
		pause.tv_nsec = (long)(1e9 / (50 * (now.tv_sec - begin.tv_sec +
						    (now.tv_nsec - begin.tv_nsec) / 1e9 + 0.5)));
		nanosleep(&pause, NULL);
		count(iterations);
	}
}
