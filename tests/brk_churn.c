/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap grown by `size` bytes, touched (written) page by page, and shrunk again: what malloc
 * does at the top of its heap. VMA, overcommit accounting, faults, pages and their charges, and
 * their release. Threads would move one break under each other, so there are only processes.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Heap grown by brk, touched, shrunk";

const struct testcase_info testcase_info = {
	.unit = "brk to grow + touch + brk to shrink",
	.tags = "mm memcg",
	.exercises = "brk do_brk_flags do_vmi_align_munmap __vm_enough_memory "
		     "percpu_counter_add_batch do_anonymous_page charge_memcg",
	.contends = "vm_committed_as page_counter zone->lock lruvec->lru_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.syscalls = { { "brk", 2 } },
	.needs = { .memory = "size" },
	.params = { { "size", "128K", "4K", "1G", NULL, "bytes grown and touched" } },
	.notes = "where huge pages are always on, touching clears up to 2 MiB a fault",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = param("size");
	volatile char *low = sbrk(0);

	for (;;) {
		must(brk((char *)low + size) == 0);
		for (size_t i = 0; i < size; i += page)
			low[i] = 1;
		must(brk((char *)low) == 0);
		count(iterations);
	}
}
