/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each task touches memory without end, in a memory cgroup of its own of 8 MiB. */
#include <stdlib.h>
#include <string.h>

#include "testcase.h"

#define CHUNK (1024 * 1024)

char *testcase_description = "Eats the memory of its group";

const struct testcase_info testcase_info = {
	.modes = MODE_PROCESSES,
	.needs = { .groups = "1" },
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int group = task_group(GROUP_TOP, nr);

	must(group_set(group, "limit", 8 * CHUNK) == 0);
	group_enter(group);
	for (;;) {
		char *memory = malloc(CHUNK);

		must(memory);
		memset(memory, 1, CHUNK);
		count(iterations);
	}
}
