/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An operation reads a file into a memory cgroup's page cache, and has the group emptied. */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Page cache of a memory cgroup filled and emptied";

const struct testcase_info testcase_info = {
	.needs = { .controller = "memory", .groups = "1", .descriptors = "2" },
	.modes = MODE_PROCESSES,
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	static char buffer[65536] IO_BUFFER;
	int group = task_group(GROUP_TOP, nr), file = temp_file(1 << 20);

	group_enter(group);
	for (;;) {
		for (off_t at = 0; at < 1 << 20; at += (off_t)sizeof(buffer))
			must(pread(file, buffer, sizeof(buffer), at) == sizeof(buffer));
		must(group_empty(group) == 0);
		count(iterations);
	}
}
