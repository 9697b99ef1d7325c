/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One byte through a stream socket pair, one direction, by one task: write allocates an skb,
 * charges it to the sender and queues it, read takes it off and frees it. Every task has its own
 * pair; only the slab allocator and the counters of the memory cgroup are common.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Unix stream socket pair, one byte written and read";

const struct testcase_info testcase_info = {
	.unit = "write of 1 byte + read of 1 byte",
	.tags = "net ipc memcg",
	.suites = "will-it-scale quick",
	.exercises = "write read unix_stream_sendmsg sock_alloc_send_pskb __alloc_skb "
		     "unix_stream_read_generic consume_skb",
	.contends = "memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "write", 1 }, { "read", 1 } },
	.needs = { .descriptors = "2" },
	.notes = "writer and reader are the same task: nobody sleeps and nobody is woken",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char byte = 0;
	int fd[2];

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
	for (;;) {
		must(write(fd[0], &byte, 1) == 1);
		must(read(fd[1], &byte, 1) == 1);
		count(iterations);
	}
}
