/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partner of task 1 returns after a moment. */
#include <stddef.h>
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A partner that returns";

static void *partner(void *arg)
{
	usleep(150000);
	while (!arg)
		pause();
	return NULL;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	new_task(partner, nr == 1 ? iterations : NULL);
	count_for_ever(iterations);
}
