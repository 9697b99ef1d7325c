/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An epoll instance made, one descriptor (an eventfd of the task's own) added, closed: a struct
 * eventpoll, a file, an epitem in its tree and an entry in the wait queue of the eventfd, allocated
 * and freed. Slab allocator and charging limit it, in threads also the common descriptor table.
 */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "epoll instance made, one descriptor added, closed";

const struct testcase_info testcase_info = {
	.unit = "epoll_create1 + epoll_ctl + close",
	.tags = "vfs memcg",
	.exercises = "epoll_create1 epoll_ctl close ep_alloc anon_inode_getfile ep_insert "
		     "ep_ptable_queue_proc ep_clear_and_put __memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter user->epoll_watches files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "epoll_create1", 1 }, { "epoll_ctl", 1 }, { "close", 1 } },
	.needs = { .descriptors = "2" },
	.notes = "all instances have one anonymous inode, which none of them allocates",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct epoll_event event = { .events = EPOLLIN };
	int watched = eventfd(0, 0);

	must(watched >= 0);
	for (;;) {
		int fd = epoll_create1(0);

		must(fd >= 0);
		must(epoll_ctl(fd, EPOLL_CTL_ADD, watched, &event) == 0);
		must(close(fd) == 0);
		count(iterations);
	}
}
