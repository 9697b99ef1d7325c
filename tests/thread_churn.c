/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread made that ends at once, by bare clone on a stack that is used again and again: a
 * task_struct, a kernel stack, a PID, allocated, charged and freed, and a switch there and back.
 * The maker sleeps until the thread gives up the common memory (CLONE_VFORK), which costs less
 * and is more regular than waiting on a futex as pthread_join does.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "testcase.h"

#define STACK_BYTES (64 * 1024)

char *testcase_description = "Thread made that ends at once";

const struct testcase_info testcase_info = {
	.unit = "clone + exit of a thread",
	.tags = "sched mm memcg",
	.exercises = "clone exit copy_process dup_task_struct alloc_thread_stack_node alloc_pid "
		     "wake_up_new_task do_exit release_task free_pid",
	.contends = "tasklist_lock pidmap_lock sighand->siglock rq->lock memcg_stock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "clone", 1 }, { "exit", 1 } },
	.needs = { .partners = "2" },
	.notes = "exit does not return, and strace -c does not count it; the kernel frees a thread "
		 "after a grace period of RCU, so that many dead ones are still charged; kernel "
		 "stacks are kept for the next thread, two a CPU",
};

static int end_at_once(void *arg)
{
	syscall(SYS_exit, 0);
	return 0;
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM | CLONE_VFORK;
	char *stack = aligned_alloc(4096, STACK_BYTES);

	must(stack);
	for (;;) {
		must(clone(end_at_once, stack + STACK_BYTES, flags, NULL) > 0);
		count(iterations);
	}
}
