/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extra rounds, which look into a cell while it is measured: --profile, --trace. Their figures
 * are not those of the run; what they saw is appended to extra.jsonl (doc/formats.md).
 */
#ifndef KNEE_PROBE_H
#define KNEE_PROBE_H

#include <jansson.h>

#include "execute.h"
#include "plan.h"

struct probe;

/* A way to look into a cell. */
struct probe_kind {
	const char *name;	/* "profile", "trace" */

	/* Why it cannot be done here at all, as one line; NULL: it can. */
	const char *(*lacks)(const struct plan *plan);

	/* For one cell. @path: files of its own may start with that. NULL: no memory. */
	void *(*open)(const struct plan *plan, const char *path);

	/* As execute_listener has it. */
	void (*attend)(void *state, const char *point, const json_t *ids);

	/*
	 * What was seen, as the member of the record; @name is what @path ends with. NULL:
	 * nothing, and *@why is a line.
	 */
	json_t *(*result)(void *state, const char *name, const char **why);
	void (*close)(void *state);
};

extern const struct probe_kind probe_profile, probe_trace;

/*
 * Whether the cell is looked into: one with the fewest or the most tasks of those that differ in
 * tasks alone. Both, for the difference between them says why a curve bends.
 */
bool probe_wants(const struct plan *plan, size_t cell);

#endif
