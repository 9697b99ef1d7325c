/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves: operations per second against tasks, as a gnuplot script. */
#ifndef KNEE_CURVES_H
#define KNEE_CURVES_H

#include <stdbool.h>
#include <stdio.h>

#include "table.h"

/*
 * The script that draws @s into NAME.FORMAT for each of @formats (blank-separated names of
 * STYLE_FORMATS). Everything it draws stands in it. 0 or -errno.
 */
int curves_script(const struct table *t, const struct table_series *s, const char *name,
		  const char *formats, FILE *out);

/* The same for a text terminal: letters are points, as the legend says. */
void curves_script_text(const struct table *t, const struct table_series *s, unsigned int columns,
			unsigned int lines, bool colour, FILE *out);

/* Its legend, a line. Freed by the caller; NULL: no memory. */
char *curves_legend_text(const struct table *t, const struct table_series *s);

#endif
