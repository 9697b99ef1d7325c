/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `knee figures` prints, in its forms: doc/formats.md. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "figures_table.h"
#include "human.h"
#include "print.h"
#include "table.h"

#define COLUMNS 80

static double mean(const struct figures_row *row)
{
	return row->nr ? row->sum / (double)row->nr : NAN;
}

/* What all forms have, in this order. */
#define NR_COLUMNS 5
static const char *const columns[NR_COLUMNS] = { "mean", "min", "median", "p99", "max" };

static void get_columns(const struct figures_row *row, double values[NR_COLUMNS])
{
	const double all[NR_COLUMNS] = { mean(row), row->min, row->median, row->p99, row->max };

	memcpy(values, all, sizeof(all));
}

/* ---- for people ----------------------------------------------------------------------------- */

static int name_width(const struct figures_table *t)
{
	size_t width = 0;

	for (size_t i = 0; i < t->nr; i++)
		if (strlen(t->rows[i].name) > width)
			width = strlen(t->rows[i].name);
	return (int)width;
}

static int put_name(const char *text, int width, FILE *out)
{
	char *clean = human_clean(text);

	if (!clean)
		return -ENOMEM;
	fprintf(out, "  %-*s", width, clean);
	free(clean);
	return 0;
}

static int put_text_row(const struct figures_row *row, int width, FILE *out)
{
	double values[NR_COLUMNS];
	char buf[HUMAN_MAX];
	int err = put_name(row->name, width, out);

	get_columns(row, values);
	fprintf(out, " %6" PRIu64, row->nr);
	for (size_t i = 0; i < NR_COLUMNS; i++)
		fprintf(out, "  %6s", human_si(buf, values[i]));
	if (row->lost)
		fprintf(out, "  %" PRIu64 " not kept", row->lost);
	fputc('\n', out);
	return err;
}

/* What each figure is, once. */
static int put_docs(const struct figures_table *t, const char *first, bool markdown, FILE *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < t->nr; i++) {
		const struct figures_row *row = &t->rows[i];
		bool told = !row->doc;
		char *text;

		for (size_t k = 0; !told && k < i; k++)
			told = strcmp(t->rows[k].name, row->name) == 0 && t->rows[k].doc &&
			       strcmp(t->rows[k].doc, row->doc) == 0;
		if (told)
			continue;
		if (asprintf(&text, "%s: %s", row->name, row->doc) < 0)
			return -ENOMEM;
		if (markdown) {
			err = print_markdown(text, first, out);
			fputc('\n', out);
		} else {
			human_wrap(out, first, "  ", text, COLUMNS);
		}
		free(text);
	}
	return err;
}

static const char rule[] = "n: values of all rounds, over which mean, min and max are. median, p99: the "
			   "medians over the rounds of each round's.";

static int print_as_text(const struct figures_table *t, FILE *out)
{
	int width = name_width(t), err = 0;

	fprintf(out, "  %-*s %6s", width, "", "n");
	for (size_t i = 0; i < NR_COLUMNS; i++)
		fprintf(out, "  %6s", columns[i]);
	fputc('\n', out);
	for (size_t i = 0; !err && i < t->nr; i++) {
		if (!i || t->rows[i - 1].cell != t->rows[i].cell)
			human_wrap(out, "", "  ", t->rows[i].cell->id, COLUMNS);
		err = put_text_row(&t->rows[i], width, out);
	}
	fputc('\n', out);
	if (!err)
		err = put_docs(t, "", false, out);
	human_wrap(out, "", "  ", rule, COLUMNS);
	return err;
}

static int print_as_markdown(const struct figures_table *t, FILE *out)
{
	int err = 0;

	fputs("| cell | figure | n |", out);
	for (size_t i = 0; i < NR_COLUMNS; i++)
		fprintf(out, " %s |", columns[i]);
	fputs(" not kept |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n", out);
	for (size_t i = 0; !err && i < t->nr; i++) {
		const struct figures_row *row = &t->rows[i];
		double values[NR_COLUMNS];
		char buf[HUMAN_MAX];

		get_columns(row, values);
		err = print_markdown(row->cell->id, "| ", out);
		if (!err)
			err = print_markdown(row->name, " | ", out);
		fprintf(out, " | %" PRIu64 " |", row->nr);
		for (size_t k = 0; k < NR_COLUMNS; k++)
			fprintf(out, " %s |", human_si(buf, values[k]));
		fprintf(out, " %" PRIu64 " |\n", row->lost);
	}
	fputc('\n', out);
	if (!err)
		err = put_docs(t, "- ", true, out);
	return err ? err : print_markdown(rule, "\n", out) ? -ENOMEM : (fputc('\n', out), 0);
}

/* ---- for programs --------------------------------------------------------------------------- */

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

static int print_as_csv(const struct figures_table *t, FILE *out)
{
	fputs("testcase,placement,params,factors,mode,tasks,figure,rounds,nr,lost", out);
	for (size_t i = 0; i < NR_COLUMNS; i++)
		fprintf(out, ",%s", columns[i]);
	fputc('\n', out);
	for (size_t i = 0; i < t->nr; i++) {
		const struct figures_row *row = &t->rows[i];
		double values[NR_COLUMNS];

		get_columns(row, values);
		print_csv_text(row->cell->testcase, out);
		fputc(',', out);
		print_csv_text(row->cell->placement, out);
		if (put_settings(&row->cell->params, out) != 0 || put_settings(&row->cell->factors, out) != 0)
			return -ENOMEM;
		fprintf(out, ",%s,%" PRIu64 ",", run_mode_name(row->cell->mode), row->cell->tasks);
		print_csv_text(row->name, out);
		fprintf(out, ",%zu,%" PRIu64 ",%" PRIu64, row->rounds, row->nr, row->lost);
		for (size_t k = 0; k < NR_COLUMNS; k++)
			print_csv_number(values[k], out);
		fputc('\n', out);
	}
	return 0;
}

static json_t *row_json(const struct figures_row *row)
{
	double values[NR_COLUMNS];
	json_t *object = json_pack("{ss ss ss* sI sI sI}", "cell", row->cell->id, "figure", row->name,
				   "doc", row->doc, "rounds", (json_int_t)row->rounds,
				   "nr", (json_int_t)row->nr, "lost", (json_int_t)row->lost);

	get_columns(row, values);
	for (size_t i = 0; i < NR_COLUMNS; i++)
		json_object_set_new(object, columns[i], print_json(values[i]));
	return object;
}

static int print_as_json(const struct figures_table *t, FILE *out)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < t->nr; i++)
		json_array_append_new(rows, row_json(&t->rows[i]));
	return print_json_root(json_pack("{ss ss so}", "schema", "knee-figures/1", "run", t->run->name,
					 "rows", rows), out);
}

int figures_table_print(const struct figures_table *t, const char *format, FILE *out)
{
	static const struct {
		const char *name;
		int (*print)(const struct figures_table *t, FILE *out);
	} forms[] = {
		{ "text", print_as_text },
		{ "markdown", print_as_markdown },
		{ "csv", print_as_csv },
		{ "json", print_as_json },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(forms[i].name, format) == 0)
			return forms[i].print(t, out);
	return -EINVAL;
}
