/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times inside kernel functions, of some tasks and whatever they start: by the function_graph
 * tracer where the kernel has it, else, of reclaim, by the vmscan tracepoints. In a trace
 * instance of its own; kernels before 6.11 have function_graph in the one top-level instance
 * alone, which is used if nobody else does, and put back. Either is undone also if this program
 * is killed: a child waits for that.
 */
#ifndef KNEE_TRACER_H
#define KNEE_TRACER_H

#include <jansson.h>

struct tracer;

/*
 * Why @what ("reclaim", or functions separated by commas) cannot be traced here, as one line;
 * NULL: it can.
 */
const char *tracer_lacks(const char *what);

/* NULL: no memory. What fails later is in tracer_why(), and further calls do nothing. */
struct tracer *tracer_new(const char *what);
void tracer_attach(struct tracer *t, const json_t *ids);
void tracer_begin(struct tracer *t);
void tracer_stop(struct tracer *t);

/* What was traced, as the record has it; NULL: tracer_why(). */
json_t *tracer_result(struct tracer *t);
const char *tracer_why(const struct tracer *t);

/* Removes the instance, puts back what was changed. */
void tracer_free(struct tracer *t);

#endif
