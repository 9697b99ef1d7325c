/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partner of task 1 dies by a signal after a moment. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A partner that a signal kills";

static void *partner(void *arg)
{
	usleep(150000);
	while (!arg)
		pause();
	raise(SIGSEGV);
	return NULL;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	new_task(partner, nr == 1 ? iterations : NULL);
	count_for_ever(iterations);
}
