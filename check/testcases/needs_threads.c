/* SPDX-License-Identifier: GPL-2.0-or-later */
/* There is no processes mode. */
#include "moment.h"

char *testcase_description = "Threads only";

const struct testcase_info testcase_info = { .modes = MODE_THREADS };

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
