/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One switch between a task and its partner: a token of one byte goes to the partner through one
 * pipe and comes back through another, two switches a round trip. Each waits for the other, so
 * every operation is a wake-up, a sleep and a pass of the scheduler. Nothing is shared between
 * pairs; where the two run decides the figure.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Context switch between two tasks over pipes";

const struct testcase_info testcase_info = {
	.unit = "one switch (half a round trip)",
	.tags = "sched ipc",
	.suites = "will-it-scale quick",
	.exercises = "write read pipe_write pipe_read try_to_wake_up __schedule "
		     "context_switch switch_mm_irqs_off",
	.contends = "rq->lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "write", 1 }, { "read", 1 } },
	.needs = { .descriptors = "4", .partners = "1" },
	.notes = "placement is part of the figure: up to ten times faster with the partner on "
		 "the same CPU than unpinned; half of the syscalls are the partner's",
};

struct pair {
	int to[2];
	int back[2];
};

static void *partner(void *arg)
{
	const struct pair *pair = arg;
	char token;

	for (;;) {
		must(read(pair->to[0], &token, 1) == 1);
		must(write(pair->back[1], &token, 1) == 1);
	}
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct pair pair;
	char token = 0;

	must(pipe(pair.to) == 0);
	must(pipe(pair.back) == 0);
	new_task(partner, &pair);
	for (;;) {
		must(write(pair.to[1], &token, 1) == 1);
		must(read(pair.back[0], &token, 1) == 1);
		count(iterations);	/* there */
		count(iterations);	/* and back */
	}
}
