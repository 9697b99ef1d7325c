/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An operation is the first touch of a MiB, up to 256 MiB a task; then of nothing. */
#include <string.h>
#include <sys/mman.h>

#include "moment.h"

char *testcase_description = "Memory that is not given back";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	size_t mib = 1 << 20;

	for (int i = 0; i < 256; i++) {
		void *p = mmap(NULL, mib, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		must(p != MAP_FAILED);
		memset(p, 1, mib);
		count(iterations);
	}
	count_for_ever(iterations);
}
