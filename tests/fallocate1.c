/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallocate of 8 KiB in a tmpfs file of the task's own, place after place up to 1 MiB, then
 * truncated (not counted): pages allocated, charged and put into the page cache. All tasks share
 * the filesystem's count of used blocks, the LRU and zone locks and the cgroup's counters.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

#define FILESIZE (1024 * 1024)
#define STEP (8 * 1024)

char *testcase_description = "fallocate of 8KB in private tmpfs files";

const struct testcase_info testcase_info = {
	.unit = "fallocate of 8 KiB",
	.tags = "vfs mm memcg",
	.suites = "will-it-scale",
	.exercises = "fallocate ftruncate shmem_fallocate shmem_get_folio shmem_undo_range",
	.contends = "shmem_sb_info->used_blocks lruvec->lru_lock zone->lock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "fallocate", 1 }, { "ftruncate", 1 / 128. } },
	.needs = { .memory = "1M", .descriptors = "1", .disk = "1M", .fs = "tmpfs" },
	.notes = "one ftruncate of 1 MiB in 128 operations is part of the time, not of the "
		 "count",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int fd = temp_file(0);

	for (;;) {
		for (off_t at = 0; at < FILESIZE; at += STEP) {
			must(fallocate(fd, 0, at, STEP) == 0);
			count(iterations);
		}
		must(ftruncate(fd, 0) == 0);
	}
}
