/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The overhead of kernel-memory accounting, as W. Long tabulated it ("Reduce kmemcache memory
 * accounting overhead", 2021): run times with accounting disabled, on the unpatched kernel, and on
 * patched ones.
 *
 *	overhead = run time - run time with accounting disabled
 *	%age 1   = overhead / overhead of the unpatched kernel
 *	%age 2   = overhead / run time with accounting disabled
 */
#ifndef KNEE_OVERHEAD_H
#define KNEE_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "run.h"
#include "stats.h"


/* Which one of the rounds of a time stands in the table. */
#define OVERHEAD_STATISTICS "mean median min"

/* A run time, in seconds: of one round or more. */
struct overhead_time {
	char *label;		/* patches; "disabled": accounting is; "none": the unpatched kernel */
	double *values_s;
	size_t nr;
	char *marks;		/* doubts, as the summary has them; NULL: none are known */
	struct stats stats;
	double time_s;		/* what stands in the table */
	double overhead_s, pct_1, pct_2;	/* NAN: not defined */
};

struct overhead_object {
	char *name;
	struct overhead_time disabled;
	struct overhead_time *times;	/* in the order of the table; one of them is "none" */
	size_t nr;
	double noise_p;		/* that chance alone makes the unpatched overhead; NAN: not known */
	bool paired;		/* noise_p is of pairs of the same round */
};

struct overhead {
	const char *statistic;
	struct overhead_object *objects;
	size_t nr;
};

/*
 * A file of lines OBJECT,PATCHES,SECONDS ("-": stdin); a line of names above and remarks after # are
 * left out; lines of the same object and patches are rounds. 0; -EINVAL, -errno, said.
 */
int overhead_read(struct overhead *o, const char *path, const char *statistic);

/*
 * Of runs that vary memcg: @runs[0] is the unpatched kernel, of which root stands for accounting
 * disabled and @level for none; @level of each other is called @labels[i]. A time is that of
 * @operations by each task. @level NULL: the only one beside root. 0; -ENOENT:
 * no such level; -EEXIST: two labels are the same; -EINVAL: times are missing; -ENOMEM. Said.
 */
int overhead_of_runs(struct overhead *o, const struct run *runs, const char *const *labels, size_t nr,
		     const char *level, uint64_t operations, const char *statistic);

void overhead_free(struct overhead *o);

/* ---- forms ---------------------------------------------------------------------------------- */

#define OVERHEAD_FORMATS "text markdown csv json"

/* In one of OVERHEAD_FORMATS. 0 or -ENOMEM. */
int overhead_print(const struct overhead *o, const char *format, FILE *out);

#endif
