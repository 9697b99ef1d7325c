/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guardian.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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

/*
 * Kills those that have @lock open, by the same number, as only descendants of the supervisor can;
 * whether there were any.
 */
static bool kill_holders(int lock_fd, const struct stat *lock)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	bool found = false;

	while (d && (e = readdir(d))) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		struct stat st;
		char path[64];

		if (pid <= 0 || pid == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, lock_fd);
		if (stat(path, &st) == 0 && st.st_ino == lock->st_ino &&
		    st.st_dev == lock->st_dev && kill(pid, SIGKILL) == 0)
			found = true;
	}
	if (d)
		closedir(d);
	return found;
}

/* Processes that left the group. Nothing but the private scratch directory may tell them. */
static void kill_strays(int lock_fd, const char *scratch)
{
	struct stat lock, path;

	if (fstat(lock_fd, &lock) != 0 || lstat(scratch, &path) != 0 || !S_ISDIR(lock.st_mode) ||
	    lock.st_ino != path.st_ino || lock.st_dev != path.st_dev)
		return;
	for (int i = 0; i < 20 && kill_holders(lock_fd, &lock); i++)
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
	if (duty->scratch) {
		kill_strays(duty->lock_fd, duty->scratch);
		duty->remove_rest();
		remove_scratch(duty->scratch);
	}
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
