/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Its needs are parameters: what is asked for is not used. */
#include "moment.h"

char *testcase_description = "Needs that are asked for";

const struct testcase_info testcase_info = {
	.needs = {
		.memory = "memory", .descriptors = "descriptors", .files = "files", .disk = "disk",
		.partners = "partners",
	},
	.params = {
		{ .name = "memory", .value = "0", .min = "0", .doc = "bytes a task" },
		{ .name = "descriptors", .value = "0", .min = "0", .doc = "open files a task" },
		{ .name = "files", .value = "0", .min = "0", .doc = "names a task" },
		{ .name = "disk", .value = "0", .min = "0", .doc = "bytes a task" },
		{ .name = "partners", .value = "0", .min = "0", .doc = "partners a task" },
	},
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
