/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `knee compare` prints, in its forms: doc/formats.md. */
#ifndef KNEE_COMPARE_PRINT_H
#define KNEE_COMPARE_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "compare.h"

/* What the text fits into: mail. */
#define COMPARE_COLUMNS 80

/* For options, blank-separated. */
#define COMPARE_FORMATS "text markdown csv json lkp mmtests gbench"

struct compare_form {
	const char *format;		/* one of COMPARE_FORMATS */
	bool changed_only;		/* text and markdown: no cells without a change */
	const char *const *axes; /* LKP's: "NAME=VALUE", instead of what is known or beside it */
	size_t nr_axes;
};

/* @sides as they were compared; only gbench prints a single one. 0 or -ENOMEM. */
int compare_print(const struct comparison *c, const struct side *sides, size_t nr_sides,
		  const struct compare_form *form, FILE *out);

int compare_text(const struct comparison *c, bool changed_only, FILE *out);
int compare_markdown(const struct comparison *c, bool changed_only, FILE *out);
int compare_csv(const struct comparison *c, FILE *out);
int compare_json(const struct comparison *c, FILE *out);
int compare_lkp(const struct side *sides, size_t nr_sides, const struct compare_form *form,
		FILE *out);	/* what LKP's rule says, whatever the comparison's is */
int compare_mmtests(const struct comparison *c, FILE *out);
int compare_gbench(const struct side *sides, size_t nr_sides, FILE *out);

/* ---- what the forms have in common ---------------------------------------------------------- */

#define COMPARE_TEXT_MAX 32

/* "-10.05%" */
char *compare_pct(char buf[COMPARE_TEXT_MAX], double pct);

/* "0.0123", "2e-05" */
char *compare_p(char buf[COMPARE_TEXT_MAX], double p);

/* "slower", "faster", "" */
const char *compare_word(const struct compare_cell *cell);

/* "mmap1 [core size=128K memcg=root]", or LKP's key. Freed by the caller; NULL: no memory. */
char *compare_title(const struct side_sample *sample);

/* "mmap1/processes/4/core", or LKP's key. */
const char *compare_id(const struct side_sample *sample);

/* Counts, the geometric mean of the ratios, and what would have been seen: a sentence each. */
char *compare_counts(const struct compare_pair *p);
char *compare_seen(const struct compare_pair *p);

/* How verdicts came about. */
char *compare_rule_text(const struct comparison *c);

/* The geometric mean of the ratios of all cells that have one; NAN if there is none. */
double compare_geometric_mean(const struct compare_pair *p);

#endif
