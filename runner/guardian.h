/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guardian: a process that sleeps until the supervisor is dead, then removes what it left.
 * It makes SIGKILL, a crash and every unhandled signal leave as little behind as a normal end.
 */
#ifndef KNEE_GUARDIAN_H
#define KNEE_GUARDIAN_H

#include <sys/types.h>

struct guardian_duty {
	const volatile pid_t *group;	/* in shared memory: process group to kill, 0 for none yet */
	const char *scratch;		/* directory to remove, NULL for none */
	int lock_fd;			/* its lock, which every process of the cell holds */
	void (*remove_rest)(void);	/* what else there is to remove, when all are dead */
};

struct guardian {
	pid_t pid;
};

/* The caller is the one that is watched. 0 or -errno, said once. */
int guardian_start(struct guardian *g, const struct guardian_duty *duty);

/* The caller has cleaned up by itself. */
void guardian_stop(struct guardian *g);

#endif
