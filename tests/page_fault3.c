/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of a shared file mapping touched (written): a fault that finds the page in the page
 * cache, tells the filesystem that it becomes writable (page_mkwrite) and maps it. Each task maps
 * 128 MiB of a sparse file of its own, touches it in order and unmaps it; only the touches are
 * counted. Limited by the filesystem's journal and dirty accounting, in threads by the one mm.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

#define MEMSIZE (128UL * 1024 * 1024)

char *testcase_description = "Write faults on private files, mapped shared";

const struct testcase_info testcase_info = {
	.unit = "one page touched",
	.tags = "mm vfs",
	.suites = "will-it-scale",
	.exercises = "handle_mm_fault do_fault filemap_fault page_mkwrite file_update_time "
		     "set_page_dirty munmap",
	.contends = "journal sb_writers wb->list_lock mmap_lock vma_lock page_table_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "mmap", 1 / 32768. }, { "munmap", 1 / 32768. } },
	.needs = { .memory = "128M", .descriptors = "1", .disk = "128M" },
	.notes = "an operation is a touch, not a fault: where the page cache uses large "
		 "folios one fault maps many pages; the first pass fills the holes of the "
		 "file, later ones find the page cache hot; writeback disturbs on a disk",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const int fd = temp_file_sparse(MEMSIZE);

	for (;;) {
		volatile char *c = mmap(NULL, MEMSIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		must(c != MAP_FAILED);
		for (size_t i = 0; i < MEMSIZE; i += page) {
			c[i] = 1;
			count(iterations);
		}
		must(munmap((char *)c, MEMSIZE) == 0);
	}
}
