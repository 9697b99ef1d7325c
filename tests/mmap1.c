/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mmap and munmap of 128 MiB of anonymous memory that is never touched: the making and removing
 * of a mapping (VMA, overcommit accounting), no page. Threads share one mm and are limited by its
 * mmap_lock; processes only share the overcommit counter.
 */
#include <stddef.h>
#include <sys/mman.h>

#include "testcase.h"

#define MEMSIZE (128UL * 1024 * 1024)

char *testcase_description = "Anonymous memory mmap/munmap of 128MB";

const struct testcase_info testcase_info = {
	.unit = "mmap + munmap of 128 MiB",
	.tags = "mm",
	.suites = "will-it-scale quick",
	.exercises = "mmap munmap __vm_enough_memory percpu_counter_add_batch",
	.contends = "mmap_lock vm_committed_as",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 }, { "munmap", 1 } },
	.notes = "two syscalls an operation; nothing is touched, so that no page is allocated",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		char *c = mmap(NULL, MEMSIZE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		must(c != MAP_FAILED);
		must(munmap(c, MEMSIZE) == 0);
		count(iterations);
	}
}
