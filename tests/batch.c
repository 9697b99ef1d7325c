/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System V messages sent in a batch to a queue of the task's own, then received in a batch: so many
 * charged objects are allocated before the first is freed. A batch of 1 goes round in the same
 * object and in the CPU's stock of charges; larger ones leave the CPU's slab and the stock.
 */
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/msg.h>

#include "testcase.h"

#define BYTES_LIMIT (8 * 1024)

char *testcase_description = "System V messages sent, then received, in batches";

const struct testcase_info testcase_info = {
	.unit = "one message sent and received",
	.tags = "ipc memcg",
	.exercises = "msgsnd msgrcv alloc_msg free_msg kmalloc kfree obj_cgroup_charge "
		     "refill_obj_stock __memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter node->list_lock ns->percpu_msg_bytes",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "msgsnd", 1 }, { "msgrcv", 1 } },
	.needs = { .sysv_queues = "1" },
	.params = {
		{ "batch", "4", "1", "16K", NULL, "messages sent before the first is received" },
		{ "bytes", "32", "1", "8K", NULL, "text of a message; its header has 48" },
	},
	.notes = "a queue holds kernel.msgmnb bytes, by default 16 KiB: a larger batch fails",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t bytes = param("bytes");
	const unsigned int batch = param("batch");
	const int queue = task_sysv_queue(nr);
	struct {
		long type;
		char text[BYTES_LIMIT];
	} message = { .type = 1 };

	for (;;) {
		for (unsigned int i = 0; i < batch; i++)
			must(msgsnd(queue, &message, bytes, IPC_NOWAIT) == 0);
		for (unsigned int i = 0; i < batch; i++) {
			must(msgrcv(queue, &message, bytes, 0, IPC_NOWAIT) == (ssize_t)bytes);
			count(iterations);
		}
	}
}
