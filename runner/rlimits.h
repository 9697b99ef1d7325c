/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a cell needs against what this process may have, before anything is started. */
#ifndef KNEE_RLIMITS_H
#define KNEE_RLIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct rlimits_need {
	uint64_t tasks;
	bool threads;		/* all tasks in one process */
	/* Each task's: */
	uint64_t memory_bytes;
	uint64_t descriptors;
	uint64_t files;
	uint64_t disk_bytes;
	uint64_t partners;
	uint64_t groups;
	uint64_t sysv_queues, posix_queues;
};

#define RLIMITS_TEXT_MAX 512

/*
 * Raises RLIMIT_NOFILE as far as needed and allowed; checks open files, processes, memory of the
 * machine, memory cgroups, message queues, and room and inodes in the filesystem of @dir. 0, or -EMFILE, -EAGAIN, -ENOMEM,
 * -ENOSPC; then @why is a line with the limit and the need. Limits of the memory cgroup are not
 * checked: page cache can be reclaimed there, and an OOM kill is named.
 */
int rlimits_check(const struct rlimits_need *need, const char *dir, char why[RLIMITS_TEXT_MAX]);

/*
 * The limits on processes and threads that apply here, for a message: "RLIMIT_NPROC 40, ...".
 * RLIMIT_AS is among them: threads need stacks.
 */
char *rlimits_text_processes(char buf[RLIMITS_TEXT_MAX]);

#endif
