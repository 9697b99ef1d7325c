/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile of one measured window, by the program perf: where the tasks spend their CPU time
 * (cpu-clock, so many samples a second of it) and, where the user may see tracepoints, where they
 * go to sleep (sched_switch); both with call stacks.
 */
#ifndef KNEE_PROFILE_H
#define KNEE_PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "stacks.h"

#define PROFILE_HZ 1997

/* Tasks that are profiled, evenly spread over all: perf opens each on every CPU. */
#define PROFILE_TASKS_MAX 16UL

struct profile {
	pid_t perf;		/* 0: it does not run */
	int control, answer;	/* perf's --control */
	bool sleeps;
	size_t tasks;
	char *data, *messages;	/* files */
	char no_sleeps[256];	/* why sleeps are not seen; "" if they are */
	char why[256];		/* what went wrong, as one line; "" if nothing did */
};

/* perf's data and messages go to files that start with @path, until profile_end(). 0 or -ENOMEM. */
int profile_init(struct profile *p, const char *path);

/* Why there can be no profile at all, as one line; NULL: there can be one. */
const char *profile_lacks(void);

/*
 * Attaches to tasks @ids, and does not sample yet. What fails is in p->why, and later calls do
 * nothing.
 */
void profile_attach(struct profile *p, const json_t *ids);
void profile_begin(struct profile *p);
void profile_stop(struct profile *p);

/*
 * After the cell: reads what was sampled, and removes perf's files. 0; -ENODATA: p->why says why
 * there is nothing; -ENOMEM.
 */
int profile_read(struct profile *p, struct stacks *cpu, struct stacks *sleeps);

/* Ends perf if it still runs, removes its files. */
void profile_free(struct profile *p);

/* Why the kernel's part of @cpu is not to be seen, as one line; NULL: it is. Static. */
const char *profile_hidden(const struct stacks *cpu);

#endif
