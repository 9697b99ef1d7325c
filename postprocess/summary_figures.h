/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a row under the names that the CSV and the JSON have in common. */
#ifndef KNEE_SUMMARY_FIGURES_H
#define KNEE_SUMMARY_FIGURES_H

#include "table.h"

/* The n-th figure's name, NULL beyond the last; its value, NAN if there is none. */
const char *summary_figure_name(size_t n);
double summary_figure(const struct table_row *row, size_t n);

/* RUN_OK if the row has a figure, else why it has none. */
enum run_status summary_status(const struct table_row *row);

#endif
