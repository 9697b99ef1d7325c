/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of one cell: made, bound, held at the start gate, released together, killed.
 *
 * The supervisor is their reaper: processes mode makes them by a tree of forks (an ancestor, then a
 * spawner for each CPU and at most TASKS_PER_SPAWNER tasks, which exit when their children exist),
 * because the cost of fork grows with the siblings that share the parent's pages; the supervisor,
 * a child subreaper, inherits them. Threads mode makes one process in which a thread on each CPU creates that CPU's
 * tasks. Either way a task is born on its CPU and never migrates.
 */
#ifndef KNEE_TASKS_H
#define KNEE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cpulist.h"
#include "membind.h"
#include "testcase.h"

#define TASKS_PER_SPAWNER 64

/* Kernel's PID_MAX_LIMIT: no machine runs more. */
#define TASKS_MAX 4194304UL

/* A task's counter is alone on this many bytes: two pairs of cache lines that are fetched together. */
#define TASKS_COUNTER_BYTES 256UL

struct tasks_config {
	unsigned long nr;		/* 1 to TASKS_MAX */
	enum testcase_mode mode;
	const int *cpus;		/* nr CPU numbers, -1: not bound */
	/* Both wrap round: task i has entry i modulo their length. */
	const struct cpulist *bind_cpus;	/* all CPUs that a task may use; NULL: its own alone */
	size_t nr_bind_cpus;
	struct cpulist partner_cpus;	/* the CPU of a task's partners; empty: as the task */
	const struct membind *membind;	/* set once the task has touched its counter; NULL: no policy */
	pid_t guardian;			/* a child that is not to be killed, 0: none */
	void (*attach)(pid_t ancestor);	/* called before it makes others; NULL: nothing */
	bool apart;			/* scheduled apart from the supervisor (tasks.c, go_apart()) */
};

/* What each task tells about itself. */
struct task_slot {
	pid_t id;		/* process ID, or thread ID in threads mode */
	pid_t partner;		/* the same of its first partner, 0: none */
	uint32_t nr_partners;
};

struct tasks {
	const struct tasks_config *config;
	struct tasks_shared *shared;
	struct task_slot *slots;
	uint8_t *counters;
	uint32_t *places;	/* a task's counter is at counters + places[task] * COUNTER_BYTES */
	pid_t worker;		/* threads mode: the one process; else 0 */
	unsigned long spawners;	/* not yet reaped */
	int signal_fd, ready_fd;
	size_t map_bytes;

	/* Why the cell failed, as one line, and the exit status that this means. */
	char failure[1024];
	int failure_status;
};

/* Maps what supervisor and tasks share. @config must outlive @t. 0 or -errno, said once. */
int tasks_init(struct tasks *t, const struct tasks_config *config);
void tasks_free(struct tasks *t);

/* The process group of all tasks, 0 as long as there is none; in shared memory. */
const volatile pid_t *tasks_group(const struct tasks *t);

/*
 * Makes all tasks and returns when each is bound and waits at the gate. From here on, SIGINT,
 * SIGTERM, SIGHUP and SIGCHLD are blocked and read by tasks_wait(), until tasks_free().
 * 0, a signal number that asks to end, or -ECHILD: t->failure says why. In the last two cases
 * tasks_kill() is still to be called.
 */
int tasks_start(struct tasks *t);

/* Opens the gate. */
void tasks_release(struct tasks *t);

/*
 * Sleeps until clock_ns() reaches @deadline_ns. 0, a signal number that asks to end, or -ECHILD
 * when a task died or returned: t->failure says why.
 */
int tasks_wait(struct tasks *t, uint64_t deadline_ns);

/*
 * After the window: whether the tasks (of more than 1024, so many of them) are still bound as they
 * were; a CPU that goes offline lets them loose. 0, or -ECHILD: t->failure says which one is not.
 */
int tasks_check_bound(struct tasks *t);

/* Kills and reaps every process that descends from the supervisor's tasks. */
void tasks_kill(struct tasks *t);

static inline unsigned long long tasks_count(const struct tasks *t, unsigned long task)
{
	const uint8_t *place = t->counters + t->places[task] * TASKS_COUNTER_BYTES;

	return *(const volatile unsigned long long *)place;
}

#endif
