/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One brk call: the heap grows by a page and shrinks again, two operations a loop, above a page
 * that stays mapped: the kernel extends a VMA, accounts the page, and cuts the VMA again, but
 * makes none. Nothing is touched. Threads share one mm, its mmap_lock and its break.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "brk, heap grown and shrunk by a page above one that stays";

const struct testcase_info testcase_info = {
	.unit = "one brk call (to grow or to shrink)",
	.tags = "mm",
	.suites = "will-it-scale",
	.exercises = "brk do_brk_flags vma_merge_new_range do_vmi_align_munmap __split_vma "
		     "__vm_enough_memory percpu_counter_add_batch",
	.contends = "mmap_lock vm_committed_as",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "brk", 1 } },
	.notes = "threads move one break, so that some calls find it where they put it",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const long page = sysconf(_SC_PAGESIZE);
	char *low = (char *)sbrk(0) + page;

	must(brk(low) == 0);
	for (;;) {
		must(brk(low + page) == 0);
		count(iterations);
		must(brk(low) == 0);
		count(iterations);
	}
}
