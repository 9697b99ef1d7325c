/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malloc and free of 1 KiB: the block comes from the thread's own cache of the C library and goes
 * back to it. No syscall, no lock, nothing shared: nothing limits it but the core.
 */
#include <stdlib.h>

#include "testcase.h"

#define SIZE 1024

char *testcase_description = "malloc and free of 1KB";

const struct testcase_info testcase_info = {
	.unit = "malloc + free of 1 KiB",
	.tags = "user",
	.suites = "will-it-scale",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.notes = "stays in user space",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		void *p = malloc(SIZE);

		__asm__ volatile("" : "+r"(p));	/* else the compiler drops the pair */
		must(p);
		free(p);
		count(iterations);
	}
}
