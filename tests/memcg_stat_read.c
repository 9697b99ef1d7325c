/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.stat of a group read whose descendants charge and uncharge: what each CPU counted there
 * since the last reading is flushed up the tree, under one lock, then printed. Each task dirties
 * the counters of a group of its own (`pages` pages touched and given back; 0: it only reads), and
 * all read the common parent's file. A group's threads are charged together: only processes.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "memory.stat read while its group's counters change";

const struct testcase_info testcase_info = {
	.unit = "pages touched and given back + memory.stat read",
	.tags = "memcg vfs",
	.exercises = "pread64 madvise memory_stat_show memcg_stat_format css_rstat_flush "
		     "mem_cgroup_css_rstat_flush css_rstat_updated mod_memcg_lruvec_state",
	.contends = "cgroup_rstat_lock kernfs_open_file->mutex page_counter",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.syscalls = { { "pread64", 1 }, { "madvise", 1 } },
	.needs = { .memory = "2M", .controller = "memory", .groups = "1", .descriptors = "2" },
	.params = { { "pages", "64", "0", "256K", NULL, "pages touched before each reading" } },
	.notes = "the kernel flushes if enough has changed since the last time: few pages, no "
		 "flush; pages=0 makes no madvise",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = param("pages") * page;
	const int fd = group_open(GROUP_TOP, "stat", O_RDONLY);
	char text[16384] IO_BUFFER;
	volatile char *c = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(c != MAP_FAILED);
	group_enter(task_group(GROUP_TOP, nr));
	for (;;) {
		for (size_t i = 0; i < size; i += page)
			c[i] = 1;
		must(!size || madvise((char *)c, size, MADV_DONTNEED) == 0);
		must(pread(fd, text, sizeof(text), 0) > 0);
		count(iterations);
	}
}
