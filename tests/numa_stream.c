/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array of doubles read and another one written, on memory of a chosen node: a[i] = 3 * b[i] over
 * 62,500 elements is one MB (10^6 bytes) of traffic as the program sees it, so operations per second
 * are MB/s. The arrays are run through in order; caches that fetch a line before they write it move
 * half as much again.
 */
#include <stddef.h>
#include <sys/mman.h>

#include "testcase.h"

#define BLOCK 62500	/* elements of 8 bytes, read and written: 1 MB */

char *testcase_description = "Memory of a chosen node read and written in order";

const struct testcase_info testcase_info = {
	.unit = "1 MB read and written (a[i] = 3 * b[i])",
	.tags = "mm user",
	.exercises = "load store",
	.contends = "memory-controller interconnect",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.prepares = 1,
	.needs = { .memory = "128M" },
	.params = {
		{ "node", "local", NULL, NULL, NULL, NODE_DOC },
		{ "blocks", "128", "1", "8192", NULL, "half a MB each, of each of the two arrays" },
	},
	.notes = "few blocks lie in caches",
};

static double *make_array(size_t nr)
{
	double *a = map_on_node(nr * sizeof(*a), memory_node(param_text("node")));

	madvise(a, nr * sizeof(*a), MADV_HUGEPAGE);
	for (size_t i = 0; i < nr; i++)
		a[i] = (double)i;
	return a;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t blocks = param("blocks");
	double *a = make_array(blocks * BLOCK), *b = make_array(blocks * BLOCK);

	for (size_t at = 0;; at = (at + BLOCK) % (blocks * BLOCK)) {
		for (size_t i = at; i < at + BLOCK; i++)
			a[i] = 3 * b[i];
		/* What was written is used: no compiler may leave it out. */
		__asm__ volatile("" : : "r"(a) : "memory");
		count(iterations);
	}
}
