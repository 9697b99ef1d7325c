/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A descriptor sent through a Unix socket pair of the task's own (SCM_RIGHTS), received and closed:
 * an skb, the list of files that travels with it, and a new descriptor. The sender is noted for
 * the garbage collector of Unix sockets, under one lock for all.
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Descriptor sent through a Unix socket, received, closed";

const struct testcase_info testcase_info = {
	.unit = "sendmsg + recvmsg of one descriptor + close",
	.tags = "net ipc memcg",
	.exercises = "sendmsg recvmsg close __scm_send scm_fp_copy unix_attach_fds unix_detach_fds "
		     "scm_detach_fds receive_fd __memcg_slab_post_alloc_hook",
	.contends = "unix_gc_lock memcg_stock page_counter files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "sendmsg", 1 }, { "recvmsg", 1 }, { "close", 1 } },
	.needs = { .descriptors = "4" },
	.notes = "the descriptor is the socket itself, so that the garbage collector must "
		 "count it",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char byte = 0;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {
		.header = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
			    .cmsg_type = SCM_RIGHTS },
	};
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control };
	int *fd = (int *)CMSG_DATA(&control.header), sent, sockets[2];

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	sent = dup(sockets[0]);
	must(sent >= 0);
	for (;;) {
		message.msg_controllen = sizeof(control.bytes);
		*fd = sent;
		must(sendmsg(sockets[0], &message, MSG_DONTWAIT) == 1);
		must(recvmsg(sockets[1], &message, MSG_DONTWAIT) == 1);
		must(message.msg_controllen >= CMSG_LEN(sizeof(int)));
		must(close(*fd) == 0);
		count(iterations);
	}
}
