/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A System V message sent to a queue of the task's own and received again: one struct msg_msg
 * allocated, charged to the memory cgroup and freed; beyond a page also its segments. As near as
 * system calls come to a bare kmalloc and kfree of a charged object.
 */
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/msg.h>

#include "testcase.h"

#define BYTES_LIMIT (8 * 1024)

char *testcase_description = "System V message sent and received";

const struct testcase_info testcase_info = {
	.unit = "msgsnd + msgrcv of one message",
	.tags = "ipc memcg",
	.exercises = "msgsnd msgrcv load_msg alloc_msg store_msg free_msg ipc_obtain_object_check "
		     "percpu_counter_add_local __memcg_slab_post_alloc_hook",
	.contends = "memcg_stock page_counter ns->percpu_msg_bytes",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "msgsnd", 1 }, { "msgrcv", 1 } },
	.needs = { .sysv_queues = "1" },
	.params = { { "bytes", "32", "1", "8K", NULL, "text of a message; its header has 48" } },
	.notes = "the queue is no longer than one message: no sender and no receiver waits",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t bytes = param("bytes");
	const int queue = task_sysv_queue(nr);
	struct {
		long type;
		char text[BYTES_LIMIT];
	} message = { .type = 1 };

	for (;;) {
		must(msgsnd(queue, &message, bytes, IPC_NOWAIT) == 0);
		must(msgrcv(queue, &message, bytes, 0, IPC_NOWAIT) == (ssize_t)bytes);
		count(iterations);
	}
}
