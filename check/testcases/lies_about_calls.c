/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Its facts say one getppid an operation. It makes two, or leaves one in 50 out, or makes another
 * call in one in 50, as the environment says.
 */
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "More calls than its facts say";

const struct testcase_info testcase_info = {
	.syscalls = { { "getppid", 1 } },
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const char lie = getenv("LIE") ? *getenv("LIE") : '-';

	for (unsigned long i = 0;; i++) {
		if (lie != 'm' || i % 50)
			must(getppid() >= 0);
		if (lie == 't')
			must(getppid() >= 0);
		if (lie == 'u' && i % 50 == 0)
			must(sched_yield() == 0);
		count(iterations);
	}
}
