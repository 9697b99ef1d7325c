/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A POSIX message sent to a queue of the task's own and received again: one struct msg_msg
 * allocated, charged to the memory cgroup and freed, and a place in the queue's tree of priorities
 * taken and given back.
 */
#include <mqueue.h>
#include <stddef.h>

#include "testcase.h"

#define BYTES_LIMIT (8 * 1024)

char *testcase_description = "POSIX message sent and received";

const struct testcase_info testcase_info = {
	.unit = "mq_send + mq_receive of one message",
	.tags = "ipc memcg",
	.exercises = "mq_timedsend mq_timedreceive load_msg alloc_msg msg_insert msg_get "
		     "store_msg free_msg __memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "mq_timedsend", 1 }, { "mq_timedreceive", 1 } },
	.needs = { .posix_queues = "1", .descriptors = "1" },
	.params = { { "bytes", "32", "1", "8K", NULL, "text of a message; its header has 48" } },
	.notes = "all queues of a user together have RLIMIT_MSGQUEUE bytes, by default 800 KiB; "
		 "beyond fs.mqueue.msgsize_max bytes only root sends",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	static const char zeroes[BYTES_LIMIT];
	const size_t bytes = param("bytes");
	const mqd_t queue = task_posix_queue(nr, 1, bytes);
	char message[BYTES_LIMIT];

	for (;;) {
		must(mq_send(queue, zeroes, bytes, 0) == 0);
		must(mq_receive(queue, message, bytes, NULL) == (ssize_t)bytes);
		count(iterations);
	}
}
