/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preparation opens files until it may not. */
#include <fcntl.h>

#include "moment.h"

char *testcase_description = "A preparation that runs out of descriptors";

void testcase_prepare(unsigned long nr_tasks)
{
	for (;;)
		must(open("/dev/null", O_RDONLY) >= 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
