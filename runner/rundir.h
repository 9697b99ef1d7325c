/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run directory: written append-only, so that a killed run keeps what it measured. */
#ifndef KNEE_RUNDIR_H
#define KNEE_RUNDIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "plan.h"

struct rundir {
	char *path;
	FILE *records;	/* records.jsonl, at its end */
};

/*
 * Makes a directory for a new run below @parent: NAME, or NAME-2, NAME-3, ... if others were
 * faster. *@name becomes the name that it got. Its path, freed by the caller; NULL: said.
 */
char *rundir_reserve(const char *parent, char **name);

/*
 * Makes @path (and its parents) or takes an empty one, and writes machine.json and plan.json.
 * 0; -EEXIST: it holds a run already; -errno. Said.
 */
int rundir_create(struct rundir *d, const char *path, const struct plan *p, json_t *machine);

/* Opens one for more records; an incomplete last line is ended. 0 or -errno, said. */
int rundir_reopen(struct rundir *d, const char *path);

/* Appends one line and hands it to the kernel. Takes @record. 0 or -errno, said. */
int rundir_append(struct rundir *d, json_t *record);

/* The same for file @name, which is opened for it. */
int rundir_append_to(struct rundir *d, const char *name, json_t *object);

/* Makes directory @name, if there is none. 0 or -errno, said. */
int rundir_make(struct rundir *d, const char *name);

/* Appends what a testcase said on stderr, under @heading. 0 or -errno, said. */
int rundir_log(struct rundir *d, const char *heading, const char *text);

/* Writes @text to file @name, anew. 0 or -errno, said. */
int rundir_write(struct rundir *d, const char *name, const char *text);

/*
 * Calls @record for every complete line of file @name so far, of records.jsonl if NULL; incomplete and
 * foreign lines are left out. A missing file other than that has none. 0 or -errno, said.
 */
int rundir_records(const char *path, const char *name,
		   void (*record)(void *arg, const json_t *record), void *arg);

void rundir_close(struct rundir *d);

#endif
