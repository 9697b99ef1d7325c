/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The testcases that there are: executables in one directory, with their facts. */
#ifndef KNEE_CATALOGUE_H
#define KNEE_CATALOGUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "opt.h"

struct catalogue_entry {
	char *name, *path;
	json_t *facts;		/* NULL until catalogue_describe() */
	bool named;		/* selected by its name, not by a glob */
};

/* Ascending by name. */
struct catalogue {
	char *dir;
	struct catalogue_entry *entries;
	size_t nr;
};

/*
 * The directory "tests" beside this program, or this program's own if it is flat; freed by the
 * caller. NULL if there is no memory.
 */
char *catalogue_default_dir(void);

/*
 * Lists @dir: what make puts there, NAME with NAME_processes and NAME_threads beside it, or, in
 * will-it-scale's flat layout, every NAME_processes. 0 or -errno, said.
 */
int catalogue_open(struct catalogue *c, const char *dir);
void catalogue_free(struct catalogue *c);

/* Keeps the entries for which @keep, one for each, is true. How many that are. */
size_t catalogue_keep(struct catalogue *c, const bool *keep);

/* Asks every entry for its facts under @params, again if need be. 0, or -EINVAL: one does not know them, said. */
int catalogue_describe(struct catalogue *c, const struct opt_texts *params);

#endif
