/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that will-it-scale's runtest.py prints, which clients read byte for byte. */
#ifndef KNEE_CSV_H
#define KNEE_CSV_H

#include <stdio.h>

#include "tally.h"

/*
 * Of one testcase of the plan in one of its variants, 0 to plan->block - 1 (doc/formats.md, "CSV of
 * runtest"). A point that failed in a mode that was asked for has no row.
 */
void csv_print(const struct tally *t, const char *testcase, size_t variant, FILE *out);

/*
 * What tells the table of a variant from others: "mmap1", "mmap1 memcg=root aslr=on". The caller
 * frees it. NULL: no memory.
 */
char *csv_name(const struct plan *p, const char *testcase, size_t variant);

#endif
