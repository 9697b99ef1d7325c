/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "summary_figures.h"

#include <math.h>
#include <string.h>

#define ROW(field) offsetof(struct table_row, field)

enum modes {
	BOTH,
	PROCESSES,
	THREADS,
};

static const struct {
	const char *name;
	size_t offset;		/* in struct table_row, of a double */
	enum modes modes;	/* that have it */
} figures[] = {
	{ "ops_per_s", ROW(ops.mean), BOTH },
	{ "median", ROW(ops.median), BOTH },
	{ "min", ROW(ops.min), BOTH },
	{ "max", ROW(ops.max), BOTH },
	{ "trimmed_mean", ROW(ops.trimmed_mean), BOTH },
	{ "harmonic_mean", ROW(ops.harmonic_mean), BOTH },
	{ "sd", ROW(ops.sd), BOTH },
	{ "mad", ROW(ops.mad), BOTH },
	{ "rse_pct", ROW(ops.rse_pct), BOTH },
	{ "ci95_low", ROW(ops.ci95_low), BOTH },
	{ "ci95_high", ROW(ops.ci95_high), BOTH },
	{ "ci95_pct", ROW(ops.ci95_pct), BOTH },
	{ "boot95_low", ROW(boot95_low), BOTH },
	{ "boot95_high", ROW(boot95_high), BOTH },
	{ "per_process_ops", ROW(per_task_ops), PROCESSES },
	{ "per_thread_ops", ROW(per_task_ops), THREADS },
	{ "task_min_ops", ROW(task_min_ops), BOTH },
	{ "task_max_ops", ROW(task_max_ops), BOTH },
	{ "fairness", ROW(fairness), BOTH },
	{ "efficiency", ROW(efficiency), BOTH },
	{ "linear", ROW(linear), BOTH },
	{ "idle_pct", ROW(idle_pct), BOTH },
	{ "cell_idle_pct", ROW(cell_idle_pct), BOTH },
};

#define NR_FIGURES (sizeof(figures) / sizeof(figures[0]))

const char *summary_figure_name(size_t n)
{
	return n < NR_FIGURES ? figures[n].name : NULL;
}

double summary_figure(const struct table_row *row, size_t n)
{
	enum modes own = row->mode == RUN_THREADS ? THREADS : PROCESSES;
	double value;

	if (figures[n].modes != BOTH && figures[n].modes != own)
		return NAN;
	memcpy(&value, (const char *)row + figures[n].offset, sizeof(value));
	return value;
}

enum run_status summary_status(const struct table_row *row)
{
	if (table_measured(row) || !row->nr_failures)
		return RUN_OK;
	return row->failures[0].status;
}
