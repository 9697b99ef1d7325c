/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file twice as large as the limit of the task's own memory cgroup read from its beginning to its
 * end, again and again: no page is found in the cache, and each new one is charged only after
 * another was reclaimed, by the reader itself. The file is a hole, so that no disk is waited for.
 * All groups reclaim at once: LRU lists of their own, but one zone, one set of shrinkers. A group's
 * threads are charged together, so there are only processes.
 */
#include <unistd.h>

#include "testcase.h"

#define CHUNK (64 * 1024)

char *testcase_description = "File read in a memory cgroup too small for it";

const struct testcase_info testcase_info = {
	.unit = "64 KiB read, and as much reclaimed",
	.tags = "memcg mm vfs",
	.exercises = "pread64 filemap_read page_cache_ra_unbounded __mem_cgroup_charge "
		     "try_charge_memcg try_to_free_mem_cgroup_pages shrink_node shrink_lruvec "
		     "shrink_slab __remove_mapping workingset_eviction",
	.contends = "lruvec->lru_lock zone->lock xa_lock shrinker_rwsem page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.syscalls = { { "pread64", 1 } },
	.needs = { .memory = "limit", .fs = "disk", .descriptors = "2", .files = "1",
		   .controller = "memory", .groups = "1" },
	.params = { { "limit", "16M", "4M", "1024G", NULL, "limit of each task's group" } },
	.notes = "a file of holes reclaims as clean page cache does, but is never read "
		 "from a disk",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	static char data[CHUNK] IO_BUFFER;
	const off_t limit = param("limit"), size = 2 * limit / CHUNK * CHUNK;
	const int group = task_group(GROUP_TOP, nr), fd = temp_file_sparse(size);

	must(group_set(group, "limit", limit) == 0);
	group_enter(group);
	for (;;) {
		for (off_t at = 0; at < size; at += CHUNK) {
			must(pread(fd, data, CHUNK, at) == CHUNK);
			count(iterations);
		}
	}
}
