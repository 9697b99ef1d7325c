/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Its call fails, and it counts all the same. */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "A call whose failure nobody sees";

const struct testcase_info testcase_info = {
	.syscalls = { { "getppid", 1 } },
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		getppid();
		count(iterations);
	}
}
