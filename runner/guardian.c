/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guardian.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "msg.h"

/* The kernel's word that the parent is gone. Any catchable signal would do. */
#define PARENT_DIED SIGUSR1

static const struct timespec pause_time = { .tv_nsec = 5000000 };

static void wait_for_death_of(pid_t parent)
{
	sigset_t all, wanted;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	sigemptyset(&wanted);
	sigaddset(&wanted, PARENT_DIED);
	prctl(PR_SET_PDEATHSIG, PARENT_DIED);
	while (getppid() == parent)
		sigwaitinfo(&wanted, NULL);
}

/* Returns when the group is gone, or soon: zombies stay as long as their new parent likes. */
static void kill_group(pid_t group)
{
	kill(-group, SIGKILL);
	for (int i = 0; i < 20 && kill(-group, 0) == 0; i++)
		nanosleep(&pause_time, NULL);
}

/* A task that was still dying may have made a file meanwhile. */
static void remove_scratch(const char *path)
{
	for (int i = 0; i < 100 && file_remove_tree(path) != 0; i++)
		nanosleep(&pause_time, NULL);
}

static _Noreturn void guard(const struct guardian_duty *duty, pid_t parent)
{
	/* A group of its own: what is sent to the supervisor's group must not hit the guardian. */
	setpgid(0, 0);
	wait_for_death_of(parent);
	if (*duty->group > 0)
		kill_group(*duty->group);
	if (duty->scratch)
		remove_scratch(duty->scratch);
	_exit(0);
}

int guardian_start(struct guardian *g, const struct guardian_duty *duty)
{
	pid_t parent = getpid();

	g->pid = fork();
	if (g->pid == 0)
		guard(duty, parent);
	if (g->pid < 0) {
		int err = -errno;

		msg_error("cannot start a process (the guardian): %s", strerror(-err));
		return err;
	}
	return 0;
}

void guardian_stop(struct guardian *g)
{
	if (g->pid <= 0)
		return;
	kill(g->pid, SIGKILL);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}
