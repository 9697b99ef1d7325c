/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Anonymous memory mapped, touched (written) and unmapped, the size and the touching chosen by
 * parameters: from the bare making of a mapping (touch=0: VMA and overcommit accounting) to its
 * pages (touch=all: allocation, clearing, charging to the memory cgroup). Processes share the
 * overcommit counter, the zones and the cgroup's counters; threads also the mm.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Anonymous memory mapped, touched and unmapped";

const struct testcase_info testcase_info = {
	.unit = "mmap + touch + munmap",
	.tags = "mm memcg",
	.exercises = "mmap munmap __vm_enough_memory percpu_counter_add_batch handle_mm_fault "
		     "do_anonymous_page charge_memcg",
	.contends = "vm_committed_as mmap_lock page_counter zone->lock lruvec->lru_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 }, { "munmap", 1 } },
	.needs = { .memory = "size" },
	.params = {
		{ "size", "128K", "4K", "1G", NULL, "bytes mapped, in whole pages" },
		{ "touch", "all", NULL, NULL, "0 1 all", "pages touched: none, the first, all" },
	},
	.notes = "figures of different size or touch are different measures; where huge pages "
		 "are always on, touching clears up to 2 MiB a fault",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const size_t size = param("size");
	const char *touch = param_text("touch");
	const size_t end = *touch == '0' ? 0 : *touch == '1' ? 1 : size;

	for (;;) {
		volatile char *c = mmap(NULL, size, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		must(c != MAP_FAILED);
		for (size_t i = 0; i < end; i += page)
			c[i] = 1;
		must(munmap((char *)c, size) == 0);
		count(iterations);
	}
}
