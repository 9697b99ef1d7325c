/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times of functions that call each other, from their beginnings and ends: a tree for each task,
 * merged.
 */
#ifndef KNEE_NEST_H
#define KNEE_NEST_H

#include <jansson.h>
#include <stdint.h>

struct nest;

/* NULL: no memory. */
struct nest *nest_new(void);
void nest_free(struct nest *n);

/*
 * Function @name begins or ends in thread @thread at @ns. An end without its beginning, which
 * happened before the trace began or was lost, is left out with what is open within it; so is
 * what has no end. 0 or -ENOMEM.
 */
int nest_enter(struct nest *n, int thread, const char *name, uint64_t ns);
int nest_leave(struct nest *n, int thread, const char *name, uint64_t ns);

/* Something that has no length happened within what is open. */
int nest_mark(struct nest *n, int thread, const char *name);

/*
 * [ { "function", "count", "total_ns", "self_ns", "median_ns", "p99_ns", "max_ns", "calls": [ ...
 * ] } ], by total, outermost first. Quantiles are of nearest rank. Marks have a count alone; the
 * others are null.
 */
json_t *nest_json(struct nest *n);

#endif
