/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Written for will-it-scale: no header of knee's, one argument only, an unused variable. */
#include <unistd.h>
#include <assert.h>
#include <sys/syscall.h>

char *testcase_description = "A testcase that was written for will-it-scale";

void testcase_prepare(void)
{
	int unused;

	assert(access(".", W_OK) == 0);
}

void testcase(unsigned long long *iterations)
{
	while (1) {
		syscall(SYS_getppid);
		(*iterations)++;
	}
}
