/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One side of a comparison: named samples, a value a round, from a run directory or from LKP's
 * matrix.json (key -> one value a run).
 */
#ifndef KNEE_SIDE_H
#define KNEE_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "run.h"

/* Samples with the same key are compared. */
struct side_sample {
	char *key;			/* of a matrix: LKP's */
	const struct run_cell *cell;	/* NULL: of a matrix */
	double *values;			/* by round; ops per second of a cell */
	size_t nr;
	char *marks;			/* doubts, as the summary has them */
};

struct side {
	const char *path;
	char *name;
	bool is_run;
	struct run run;			/* if is_run */
	json_t *matrix;			/* else */
	size_t nr_runs;			/* of a matrix */
	struct side_sample *samples;
	size_t nr;
};

/*
 * Loads a run directory, a matrix.json, or a directory that holds one. @name is what it is called;
 * NULL: by its own name. 0 or -errno, said.
 */
int side_load(struct side *s, const char *path, const char *name);
void side_free(struct side *s);

/* The sample with this key, or NULL. */
const struct side_sample *side_find(const struct side *s, const char *key);

#endif
