/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of its own that a testcase reports (testcase.h, figure_add()): values with their time,
 * in shared memory, of which a report takes those of the measured window.
 */
#ifndef KNEE_FIGURES_H
#define KNEE_FIGURES_H

#include <stdint.h>

/* A task's newest values are kept, so many of each figure. */
#define FIGURES_KEPT 16384UL

struct figures_summary {
	uint64_t nr;		/* values in the window that were kept */
	uint64_t lost;		/* values given since the gate opened that were not kept */
	double sum, min, median, p99, max;	/* of nr values; not defined if there are none */
};

/* Before the tasks exist: @nr of them. Nothing to do without figures. 0 or -errno, said once. */
int figures_prepare(unsigned long nr);

/* How many figures the facts declare. */
unsigned int figures_nr(void);

/*
 * Of the values of figure @index whose time, on clock_ns(), is after @from_ns and not after @to_ns.
 * A quantile is the value of nearest rank: the smallest that at least so many values do not
 * exceed. No task may run any more. 0 or -ENOMEM.
 */
int figures_summarise(unsigned int index, uint64_t from_ns, uint64_t to_ns,
		      struct figures_summary *summary);

#endif
