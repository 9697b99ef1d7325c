/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mmap and munmap of 128 MiB of a sparse file of the task's own, private and writable, never
 * touched: a VMA made, entered in the file's tree of mappings, accounted and removed, no page.
 * Processes only share the overcommit counter; threads share one mm and its mmap_lock.
 */
#include <stddef.h>
#include <sys/mman.h>

#include "testcase.h"

#define MEMSIZE (128UL * 1024 * 1024)

char *testcase_description = "Private file mapping mmap/munmap of 128MB";

const struct testcase_info testcase_info = {
	.unit = "mmap + munmap of 128 MiB of a file",
	.tags = "mm vfs",
	.suites = "will-it-scale",
	.exercises = "mmap munmap __mmap_region vma_link_file unlink_file_vma_batch_final "
		     "__vm_enough_memory percpu_counter_add_batch",
	.contends = "mmap_lock vm_committed_as",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 }, { "munmap", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "MAP_PRIVATE and writable, so that it counts as committed memory like mmap1",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file_sparse(MEMSIZE);

	for (;;) {
		char *c = mmap(NULL, MEMSIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

		must(c != MAP_FAILED);
		must(munmap(c, MEMSIZE) == 0);
		count(iterations);
	}
}
