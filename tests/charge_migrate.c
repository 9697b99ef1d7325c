/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling process moved from one of its two memory cgroups to the other, by a write to
 * cgroup.procs: one lock over all cgroups, one that stops all forks and exits of the machine, and
 * a walk through the process's threads. Pages that it touched before (param pages) stay charged
 * where they were. A group's threads move together, so there are only processes.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Process moved between two memory cgroups";

const struct testcase_info testcase_info = {
	.unit = "one write to cgroup.procs",
	.tags = "memcg sched",
	.exercises = "write cgroup_procs_write cgroup_attach_task cgroup_migrate_execute "
		     "mem_cgroup_can_attach mem_cgroup_attach css_set_move_task",
	.contends = "cgroup_mutex cgroup_threadgroup_rwsem css_set_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.syscalls = { { "write", 1 } },
	.needs = { .memory = "1M", .controller = "memory", .groups = "3", .descriptors = "5" },
	.params = { { "pages", "256", "1", "1M", NULL, "pages that the process has touched" } },
	.notes = "before Linux 6.13 v1 moved charges along where memory.move_charge_at_immigrate "
		 "asked for it, which nothing here does",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t bytes = param("pages") * sysconf(_SC_PAGESIZE);
	const int group = task_group(GROUP_TOP, nr);
	const int there = group_open(group_make(group, "there"), "procs", O_WRONLY);
	const int here = group_open(group_make(group, "here"), "procs", O_WRONLY);
	char *memory = malloc(bytes);

	must(memory);
	must(write(here, "0", 1) == 1);
	memset(memory, 1, bytes);
	for (;;) {
		must(write(there, "0", 1) == 1);
		count(iterations);
		must(write(here, "0", 1) == 1);
		count(iterations);
	}
}
