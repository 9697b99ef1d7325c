/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An eventfd made and closed: its context, an ID out of a common tree, and a struct file on the
 * anonymous inode. Slab allocator, charging and that tree's lock limit it, in threads also the
 * common descriptor table.
 */
#include <sys/eventfd.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "eventfd made and closed";

const struct testcase_info testcase_info = {
	.unit = "eventfd + close",
	.tags = "ipc vfs memcg",
	.exercises = "eventfd2 close do_eventfd ida_alloc_range anon_inode_getfile "
		     "eventfd_release ida_free __memcg_slab_post_alloc_hook",
	.contends = "eventfd_ida memcg_stock page_counter files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "eventfd2", 1 }, { "close", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "the file is charged to the memory cgroup, the context is not",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		int fd = eventfd(0, 0);

		must(fd >= 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
