/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For testcases in which something goes wrong after a moment. */
#ifndef CHECK_MOMENT_H
#define CHECK_MOMENT_H

#include <time.h>

#include "testcase.h"

/* Counts without doing anything, for so many milliseconds. */
static inline void count_for_ms(unsigned long long *iterations, long ms)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		count(iterations);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static inline _Noreturn void count_for_ever(unsigned long long *iterations)
{
	for (;;)
		count(iterations);
}

#endif
