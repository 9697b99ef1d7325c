/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A Unix stream socket pair made, one message sent through it, closed: two each of inode, dentry,
 * sock and file allocated and freed, and an skb; for larger messages also its pages. The slab
 * allocator and the charging of every object to the memory cgroup limit it, in threads also the
 * common descriptor table.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "testcase.h"

#define SIZE_LIMIT (64 * 1024)

char *testcase_description = "Unix socket pair made, used for one message, closed";

const struct testcase_info testcase_info = {
	.unit = "socketpair + one message + 2 close",
	.tags = "net ipc memcg",
	.exercises = "socketpair write read close unix_create sock_alloc_inode "
		     "alloc_file_pseudo unix_stream_sendmsg sock_alloc_send_pskb unix_release "
		     "__memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter unix_nr_socks files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "socketpair", 1 }, { "write", 1 }, { "read", 1 }, { "close", 2 } },
	.needs = { .descriptors = "2" },
	.params = { { "size", "64", "1", "64K", NULL, "bytes of the message" } },
	.notes = "a message of 4 KiB or more takes pages beside its skb",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t size = param("size");
	char *message = aligned_alloc(4096, SIZE_LIMIT);
	int fd[2];

	must(message);
	memset(message, 0, SIZE_LIMIT);
	for (;;) {
		must(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
		must(write(fd[0], message, size) == (ssize_t)size);
		must(read(fd[1], message, size) == (ssize_t)size);
		must(close(fd[0]) == 0);
		must(close(fd[1]) == 0);
		count(iterations);
	}
}
