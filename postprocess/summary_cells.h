/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the text and the markdown have in common: columns, marks and sentences. */
#ifndef KNEE_SUMMARY_CELLS_H
#define KNEE_SUMMARY_CELLS_H

#include <stdbool.h>
#include <stdio.h>

#include "human.h"
#include "table.h"

enum summary_group {
	GROUP_NONE,
	GROUP_BOOTSTRAP,
	GROUP_ROUNDS,	/* over the rounds */
	GROUP_TASKS,	/* over the tasks */
};

/* The texts that have a column; markdown has them all. */
enum summary_view {
	VIEW_TEXT = 1,
	VIEW_STATISTICS = 2,
};

struct summary_column {
	const char *head, *long_head;	/* for a narrow and for a wide table */
	unsigned int views;
	enum summary_group group;
	bool si;			/* figures with SI prefixes */
	void (*format)(const struct table_row *row, char buf[HUMAN_MAX]);
};

/* The figures of a row, from left to right; ends with a NULL head. */
extern const struct summary_column summary_columns[];

/* "per_process_ops" or "per_thread_ops", the field's words for a rate divided by tasks. */
const char *summary_per_task(enum run_mode mode);

/* A flag's letter: the first of its name that no flag before it has. */
char summary_mark(const struct table *t, size_t flag);

/*
 * The following texts are freed by the caller; NULL: no memory.
 *
 * "d2i1~1!1": the flags of a row with their rounds, its outliers, its rounds without a figure.
 */
char *summary_marks(const struct table *t, const struct table_row *row);

/* "drift, 3 rounds of 2 rows: the rate moved ...". False if no row of the series has the flag. */
bool summary_legend(const struct table *t, const struct table_series *s, size_t flag, char **text);

/* "failed in 1 of 5 rounds: task 3: killed by signal 9" */
char *summary_failure(const struct table_row *row, const struct table_failure *f);

/* "round 2: 80.00k, 5.1 deviations below the median" */
char *summary_outlier(const struct table_row *row, const struct table_outlier *o);

/* "mmap_churn [memcg=root]: Map, touch and unmap" */
char *summary_title(const struct table_series *s);

/* "placement core, size=128K, memcg=root" */
char *summary_conditions(const struct table_series *s);

/* "scalability 0.872: processes / linear at 16 tasks", or NULL if there is none. */
char *summary_scalability(const struct table_series *s);

/* "5 rounds of 1 s" */
char *summary_rounds(const struct table *t);

/* Whether some row was measured in one round only. */
bool summary_single_rounds(const struct table *t);

/* What the columns mean: sentences, to be wrapped; ends with NULL. */
extern const char *const summary_notes[];
extern const char *const summary_statistics_notes[];
extern const char summary_single_round_note[];

#endif
