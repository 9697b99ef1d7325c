/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malloc and free of 128 MiB that are never touched. A block of that size is always a mapping of
 * its own: an mmap, a page fault (malloc writes the block's size into the first page), a munmap.
 * Threads share one mm and are limited by its mmap_lock; processes share the overcommit counter.
 */
#include <stdlib.h>

#include "testcase.h"

#define SIZE (128UL * 1024 * 1024)

char *testcase_description = "malloc and free of 128MB";

const struct testcase_info testcase_info = {
	.unit = "malloc + free of 128 MiB",
	.tags = "mm",
	.suites = "will-it-scale",
	.exercises = "mmap munmap handle_mm_fault do_anonymous_page __vm_enough_memory "
		     "percpu_counter_add_batch",
	.contends = "mmap_lock vm_committed_as",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 }, { "munmap", 1 } },
	.notes = "one page fault an operation, by the C library; where huge pages are always "
		 "on it may clear 2 MiB",
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
