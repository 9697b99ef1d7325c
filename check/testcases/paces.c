/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An operation is a microsecond that has passed, and `slow` per cent of one: its rate is known to be
 * 10^6 / (1 + slow / 100) a second, whatever the machine does. It sleeps most of the time: who does
 * is woken at once, also where other work waits for the CPU.
 */
#include <time.h>

#include "testcase.h"

char *testcase_description = "Microseconds that pass, or a little more";

const struct testcase_info testcase_info = {
	.params = { { .name = "slow", .value = "0", .min = "0", .max = "100",
		      .doc = "per cent that an operation takes longer" } },
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const double period_ns = 1000 + 10.0 * (double)param("slow");

	const struct timespec pause = { .tv_nsec = 100000 };

	for (;;) {
		*(volatile unsigned long long *)iterations =
			(unsigned long long)((double)time_ns() / period_ns);
		nanosleep(&pause, NULL);
	}
}
