/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's and the processor's counters (perf_event_open(2)) of the cell's tasks, their
 * partners and whatever they start, in the measured window alone.
 *
 * Each is one event on the ancestor of all tasks, which all of them inherit: one descriptor however
 * many tasks there are. It is off until counters_begin().
 */
#ifndef KNEE_COUNTERS_H
#define KNEE_COUNTERS_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

/* What perf stat counts unless asked otherwise. */
#define COUNTERS_DEFAULT \
	"task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches," \
	"branch-misses"

/*
 * Names separated by commas, as perf list has them: software and hardware events, caches'
 * (LLC-load-misses), raw ones (rNNN), tracepoints (GROUP:NAME). 0 or -EINVAL, said. @list is kept.
 */
int counters_choose(const char *list);

/* Whether any were chosen. */
bool counters_chosen(void);

/*
 * Attaches to @pid, which has no descendants yet. What cannot be counted, and why, is part of
 * counters_json(): the cell is measured all the same.
 */
void counters_attach(pid_t pid);

void counters_begin(void);
void counters_end(void);

/* What was counted (doc/formats.md); null if nothing was chosen. */
json_t *counters_json(void);

#endif
