/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One page of page cache charged to the task's memory cgroup and uncharged: a file of the task's
 * own is written page by page at its end, then cut to nothing. Each page enters the file's tree of
 * pages and an LRU list. Beside charging the filesystem limits it.
 */
#include <fcntl.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Pages of a file charged (written) and uncharged";

const struct testcase_info testcase_info = {
	.unit = "one page written, removed by truncation",
	.tags = "memcg vfs",
	.exercises = "pwrite64 ftruncate generic_perform_write filemap_add_folio "
		     "__mem_cgroup_charge folio_add_lru truncate_inode_pages_range uncharge_batch",
	.contends = "page_counter memcg_stock lruvec->lru_lock xa_lock zone->lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "pwrite64", 1 }, { "ftruncate", 1 / 256. } },
	.needs = { .memory = "1M", .descriptors = "1", .files = "1", .disk = "1M" },
	.params = { { "pages", "256", "1", "64K", NULL, "charged before all are uncharged" } },
	.notes = "a page of 4 KiB is written in each call, whatever the machine's page size",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	static char data[4096] IO_BUFFER;
	const off_t size = param("pages") * sizeof(data);
	const int fd = temp_file_sparse(0);

	for (;;) {
		for (off_t at = 0; at < size; at += sizeof(data)) {
			must(pwrite(fd, data, sizeof(data), at) == sizeof(data));
			count(iterations);
		}
		must(ftruncate(fd, 0) == 0);
	}
}
