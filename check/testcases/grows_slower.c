/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each operation takes a little longer than the one before. */
#include <stdlib.h>

#include "testcase.h"

char *testcase_description = "Operations that become longer";

const struct testcase_info testcase_info = {
	.tags = "user",
	.sharing_processes = SHARING_PRIVATE,
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (unsigned long i = 0;; i++) {
		void *p = malloc(1024);

		must(p);
		for (volatile unsigned long k = 0; k < i / 1000; k++)
			;
		free(p);
		count(iterations);
	}
}
