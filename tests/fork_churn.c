/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process forked that ends at once, and waited for: a task_struct, an mm with copies of all VMAs
 * and page tables, a descriptor table, a PID, allocated, charged and freed. By the bare system
 * call: the C library's fork takes locks of its own, for which threads wait. Without SIGCHLD, which
 * would make forks of other threads start anew. The parent maps little beside a testcase
 * executable (param bytes, touched), but all of it is copied.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Process forked that ends at once, waited for";

const struct testcase_info testcase_info = {
	.unit = "fork + _exit + waitpid",
	.tags = "sched mm memcg",
	.exercises = "clone exit_group wait4 copy_process dup_mm copy_page_range dup_task_struct "
		     "anon_vma_fork exit_mmap unmap_page_range release_task",
	.contends = "tasklist_lock pidmap_lock anon_vma->rwsem zone->lock mmap_lock memcg_stock "
		    "page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "clone", 1 }, { "wait4", 1 }, { "exit_group", 1 } },
	.needs = { .memory = "bytes", .partners = "2" },
	.params = { { "bytes", "4K", "4K", "1G", NULL, "anonymous memory that each fork copies" } },
	.notes = "exit_group does not return, and strace -c does not count it",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t bytes = param("bytes");
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	must(memory != MAP_FAILED);
	memset(memory, 1, bytes);
	for (;;) {
		pid_t pid = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);

		if (pid == 0)
			_exit(0);
		must(pid > 0);
		must(waitpid(pid, NULL, __WALL) == pid);
		count(iterations);
	}
}
