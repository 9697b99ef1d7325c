/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that will-it-scale's runtest.py prints, which clients read byte for byte. */
#ifndef KNEE_CSV_H
#define KNEE_CSV_H

#include <stdio.h>

#include "tally.h"

/*
 * Of one testcase of the plan (doc/formats.md, "CSV of runtest"). A point that failed in a mode
 * that was asked for has no row.
 */
void csv_print(const struct tally *t, const char *testcase, FILE *out);

#endif
