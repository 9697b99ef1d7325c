/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A datagram sent through a Unix socket pair of the task's own and received: an skb with its data
 * allocated, charged to the memory cgroup and freed; from 4 KiB on the data are pages, which go
 * past the stock of charges for small objects. The sockets stay, unlike socket_churn's.
 */
#include <string.h>
#include <sys/socket.h>

#include "testcase.h"

#define BYTES_LIMIT (64 * 1024)

char *testcase_description = "Unix datagram sent and received";

const struct testcase_info testcase_info = {
	.unit = "send + recv of one datagram",
	.tags = "net ipc memcg",
	.exercises = "sendto recvfrom unix_dgram_sendmsg sock_alloc_send_pskb alloc_skb_with_frags "
		     "unix_dgram_recvmsg consume_skb __memcg_slab_post_alloc_hook "
		     "__memcg_kmem_charge_page",
	.contends = "memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "sendto", 1 }, { "recvfrom", 1 } },
	.needs = { .memory = "128K", .descriptors = "2" },
	.params = { { "bytes", "4K", "32", "64K", NULL, "bytes of a datagram" } },
	.notes = "a sender pays for its datagram in the buffer space of its own socket, too",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t bytes = param("bytes");
	char data[BYTES_LIMIT] IO_BUFFER;
	int fd[2];

	memset(data, 0, sizeof(data));
	must(socketpair(AF_UNIX, SOCK_DGRAM, 0, fd) == 0);
	for (;;) {
		must(send(fd[0], data, bytes, MSG_DONTWAIT) == (ssize_t)bytes);
		must(recv(fd[1], data, bytes, MSG_DONTWAIT) == (ssize_t)bytes);
		count(iterations);
	}
}
