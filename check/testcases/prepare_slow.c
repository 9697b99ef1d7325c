/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preparation takes five seconds. */
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A preparation that takes its time";

void testcase_prepare(unsigned long nr_tasks)
{
	for (int i = 0; i < 5; i++)
		sleep(1);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
