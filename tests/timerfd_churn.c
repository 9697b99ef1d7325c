/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A timerfd made, set to an hour from now, and closed: its context, a struct file on the anonymous
 * inode, and a timer put into the CPU's queue and taken out again. Slab allocator and charging
 * limit it, in threads also the common descriptor table.
 */
#include <sys/timerfd.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "timerfd made, set, closed";

const struct testcase_info testcase_info = {
	.unit = "timerfd_create + timerfd_settime + close",
	.tags = "ipc vfs memcg",
	.exercises = "timerfd_create timerfd_settime close hrtimer_start_range_ns "
		     "anon_inode_getfile timerfd_release hrtimer_cancel "
		     "__memcg_slab_post_alloc_hook",
	.contends = "hrtimer_cpu_base->lock memcg_stock page_counter files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "timerfd_create", 1 }, { "timerfd_settime", 1 }, { "close", 1 } },
	.needs = { .descriptors = "1" },
	.notes = "the file is charged to the memory cgroup, the context is not",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const struct itimerspec hour = { .it_value.tv_sec = 3600 };

	for (;;) {
		int fd = timerfd_create(CLOCK_MONOTONIC, 0);

		must(fd >= 0);
		must(timerfd_settime(fd, 0, &hour, NULL) == 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
