/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table as CSV (RFC 4180, but lines end in a newline alone): a line for each row. */
#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "print.h"
#include "summary_figures.h"

static int put_settings(const struct run_settings *settings, FILE *out)
{
	char *text = table_settings(settings);

	if (!text)
		return -ENOMEM;
	fputc(',', out);
	print_csv_text(text, out);
	free(text);
	return 0;
}

/* "drift:2 late:1" */
static void put_flags(const struct table *t, const struct table_row *row, FILE *out)
{
	const char *blank = "";

	fputc(',', out);
	for (size_t i = 0; i < t->nr_flags; i++) {
		if (!row->flag_rounds[i])
			continue;
		fprintf(out, "%s%s:%" PRIu64, blank, t->flags[i], row->flag_rounds[i]);
		blank = " ";
	}
}

/* "failed:2:reason; missing:1:not run" */
static int put_failures(const struct table_row *row, FILE *out)
{
	char *text;
	size_t size;
	FILE *list = open_memstream(&text, &size);

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < row->nr_failures; i++)
		fprintf(list, "%s%s:%" PRIu64 ":%s", i ? "; " : "",
			run_status_name(row->failures[i].status), row->failures[i].rounds,
			row->failures[i].reason);
	if (fclose(list) != 0)
		return -ENOMEM;
	fputc(',', out);
	print_csv_text(text, out);
	free(text);
	return 0;
}

static int put_row(const struct table *t, const struct table_series *s,
		   const struct table_row *row, FILE *out)
{
	print_csv_text(s->testcase, out);
	fputc(',', out);
	print_csv_text(s->placement, out);
	if (put_settings(&s->params, out) != 0 || put_settings(&s->factors, out) != 0)
		return -ENOMEM;
	fprintf(out, ",%s,%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64, run_mode_name(row->mode),
		row->tasks, run_status_name(summary_status(row)), row->rounds, row->rounds_ok);
	for (size_t i = 0; summary_figure_name(i); i++)
		print_csv_number(summary_figure(row, i), out);
	print_csv_number(s->scalability, out);
	fprintf(out, ",%zu", row->nr_outliers);
	put_flags(t, row, out);
	if (put_failures(row, out) != 0)
		return -ENOMEM;
	fputc('\n', out);
	return 0;
}

int summary_csv(const struct table *t, FILE *out)
{
	int err = 0;

	fputs("testcase,placement,params,factors,mode,tasks,status,rounds,rounds_ok", out);
	for (size_t i = 0; summary_figure_name(i); i++)
		fprintf(out, ",%s", summary_figure_name(i));
	fputs(",scalability,outliers,flags,failures\n", out);
	for (size_t i = 0; i < t->nr_series; i++)
		for (size_t j = 0; !err && j < t->series[i].nr_rows; j++)
			err = put_row(t, &t->series[i], &t->series[i].rows[j], out);
	return err;
}
