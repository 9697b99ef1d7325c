/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signal that the task raises for itself and that an empty handler takes: queued, delivered on
 * the way out of the kernel, the frame written to the stack, the handler run, rt_sigreturn. Threads
 * share the signal handlers and their lock; processes share only the count of the user's pending
 * signals.
 */
#include <signal.h>

#include "testcase.h"

char *testcase_description = "Signal raised and handled by the task itself";

const struct testcase_info testcase_info = {
	.unit = "raise of SIGUSR1 and its handler",
	.tags = "ipc",
	.suites = "will-it-scale quick",
	.exercises = "tgkill rt_sigreturn do_send_specific __send_signal_locked get_signal "
		     "setup_rt_frame",
	.contends = "sighand->siglock ucounts",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "tgkill", 1 }, { "rt_sigreturn", 1 }, { "gettid", 1 }, { "getpid", 1 } },
	.notes = "raise of the C library makes three syscalls and the handler ends with a "
		 "fourth",
};

static void handler(int sig)
{
}

void testcase_prepare(unsigned long nr_tasks)
{
	struct sigaction action = { .sa_handler = handler };

	must(sigaction(SIGUSR1, &action, NULL) == 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	sigset_t set;

	must(sigemptyset(&set) == 0);
	must(sigaddset(&set, SIGUSR1) == 0);
	must_zero(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
	for (;;) {
		must(raise(SIGUSR1) == 0);
		count(iterations);
	}
}
