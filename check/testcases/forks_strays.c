/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each task leaves children behind: in its process group, in a session of their own, and theirs. */
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A task with children of its own";

static _Noreturn void sleep_for_ever(void)
{
	for (;;)
		pause();
}

/* A child, and a child of it, each in a session of its own. */
static void fork_strays(void)
{
	pid_t pid = fork();

	must(pid >= 0);
	if (pid)
		return;
	setsid();
	pid = fork();
	if (pid == 0)
		setsid();
	sleep_for_ever();
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0)
		sleep_for_ever();
	fork_strays();
	count_for_ever(iterations);
}
