/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The derived table in the forms that people and programs read: doc/formats.md. */
#ifndef KNEE_SUMMARY_H
#define KNEE_SUMMARY_H

#include <stdio.h>

#include "table.h"

/* What the text fits into. */
#define SUMMARY_COLUMNS 100

/* For options, blank-separated. */
#define SUMMARY_FORMATS "text statistics markdown csv json"

/* @format is one of SUMMARY_FORMATS. 0, or -ENOMEM; the caller looks at @out for errors. */
int summary_print(const struct table *t, const char *format, FILE *out);

int summary_text(const struct table *t, FILE *out);
int summary_statistics(const struct table *t, FILE *out);	/* the text with other columns */
int summary_markdown(const struct table *t, FILE *out);
int summary_csv(const struct table *t, FILE *out);
int summary_json(const struct table *t, FILE *out);

#endif
