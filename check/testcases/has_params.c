/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters of each kind: a number with bounds, an amount, a word of a list, a text. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "moment.h"

char *testcase_description = "Parameters of each kind";

const struct testcase_info testcase_info = {
	.params = {
		{ .name = "number", .value = "3", .min = "2", .max = "9", .doc = "from 2 to 9" },
		{ .name = "size", .value = "4K", .min = "1K", .max = "1M", .doc = "bytes" },
		{ .name = "colour", .value = "red", .choices = "red green blue", .doc = "a choice" },
		{ .name = "text", .value = "none", .doc = "any text" },
	},
};

/* What arrived, on stderr. */
void testcase_prepare(unsigned long nr_tasks)
{
	fprintf(stderr, "number %llu size %llu colour %s text %s\n", param("number"), param("size"),
		param_text("colour"), param_text("text"));
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
