/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One brk call: the heap grows by a page above the break that the task found, and shrinks again,
 * two operations a loop. Nothing is touched. The kernel makes a VMA (or extends that of the C
 * library's heap, where there is one), accounts the page and undoes both. Threads share one mm,
 * its mmap_lock and its break.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "brk, heap grown and shrunk by a page";

const struct testcase_info testcase_info = {
	.unit = "one brk call (to grow or to shrink)",
	.tags = "mm",
	.suites = "will-it-scale",
	.exercises = "brk do_brk_flags vma_merge_new_range do_vmi_align_munmap "
		     "__vm_enough_memory percpu_counter_add_batch",
	.contends = "mmap_lock vm_committed_as",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "brk", 1 } },
	.notes = "where the C library has a heap already, its VMA is extended and cut as in "
		 "brk2; threads move one break, so that some calls find it where they put it",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const long page = sysconf(_SC_PAGESIZE);
	char *low = sbrk(0);

	for (;;) {
		must(brk(low + page) == 0);
		count(iterations);
		must(brk(low) == 0);
		count(iterations);
	}
}
