/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs one cell: a fresh exec of the testcase executable, with plain values on its command line. */
#ifndef KNEE_EXECUTE_H
#define KNEE_EXECUTE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan.h"

enum execute_status {
	EXECUTE_OK,
	EXECUTE_FAILED,
	EXECUTE_TIMEOUT,
	EXECUTE_LACKING,
	EXECUTE_KILLED,		/* a signal asked this program to end */
};

/* The statuses as records name them. */
const char *execute_status_name(enum execute_status status);

struct execution {
	enum execute_status status;
	char *reason;		/* NULL if ok */
	int exit_status;	/* 128 + n for signal n */
	int signal;		/* that asked this program to end, or 0 */
	uint64_t wall_ns;
	json_t *started, *result;	/* the events of the executable, or NULL */
	char *stderr_text;
	/* Removed memory cgroups that are still held, of the machine; only where the level of a
	   factor says in which one the cell runs. */
	bool dying_known;
	uint64_t dying_before, dying_after;
	bool dying_grown;	/* before the cell, more than this program has met, without those of
				   cells that ended in the last two seconds */
};

struct execute_listener {
	/* A sample came: operations and nanoseconds. */
	void (*slice)(void *arg, uint64_t ops, uint64_t elapsed_ns);
	/*
	 * The cell waits until this returns: "ready" at the gate, with the IDs of tasks; "begin" and "end"
	 * of the window. NULL: it waits for nobody.
	 */
	void (*attend)(void *arg, const char *point, const json_t *ids);
	void *arg;
};

/*
 * From here on SIGINT, SIGTERM and SIGHUP are blocked and heard of by execute_cell() and
 * execute_pending_signal(). 0 or -errno, said.
 */
int execute_init(void);

/* A signal that asks this program to end and came between two cells; 0: none. */
int execute_pending_signal(void);

/* 0 or -errno, said; @e is to be freed in any case. */
int execute_cell(const struct plan *p, const struct plan_cell *cell,
		 const struct execute_listener *listener, struct execution *e);
void execute_free(struct execution *e);

#endif
