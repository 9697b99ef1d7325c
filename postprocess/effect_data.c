/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The effect of a factor for programs: CSV, and JSON: knee-effect/1. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"
#include "print.h"
#include "table.h"

#define AT(field) offsetof(struct effect_row, field)

/* What both have, under the same names. */
static const struct {
	const char *name;
	size_t offset;		/* of a double */
} figures[] = {
	{ "base_mean", AT(base_stats.mean) },
	{ "base_median", AT(base_stats.median) },
	{ "base_min", AT(base_stats.min) },
	{ "base_max", AT(base_stats.max) },
	{ "mean", AT(stats.mean) },
	{ "median", AT(stats.median) },
	{ "min", AT(stats.min) },
	{ "max", AT(stats.max) },
	{ "ratio", AT(ratio.ratio) },
	{ "ratio_ci95_low", AT(ratio.low) },
	{ "ratio_ci95_high", AT(ratio.high) },
	{ "detectable_pct", AT(ratio.detectable_pct) },
	{ "p", AT(p) },
	{ "q", AT(q) },
};

#define NR_FIGURES (sizeof(figures) / sizeof(figures[0]))

static double figure(const struct effect_row *row, size_t n)
{
	double value;

	memcpy(&value, (const char *)row + figures[n].offset, sizeof(value));
	return value;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

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

static int put_row(const struct effect *e, const struct effect_row *row, FILE *out)
{
	const struct run_cell *cell = row->cell;

	print_csv_text(e->factor, out);
	fputc(',', out);
	print_csv_text(e->base, out);
	fputc(',', out);
	print_csv_text(row->level, out);
	fputc(',', out);
	print_csv_text(cell->testcase, out);
	fputc(',', out);
	print_csv_text(cell->placement, out);
	if (put_settings(&cell->params, out) != 0 || put_settings(&cell->factors, out) != 0)
		return -ENOMEM;
	fprintf(out, ",%s,%" PRIu64 ",%zu,%zu", run_mode_name(cell->mode), cell->tasks, row->nr,
		row->unpaired);
	for (size_t i = 0; i < NR_FIGURES; i++)
		print_csv_number(figure(row, i), out);
	print_csv_number(effect_change_pct(row), out);
	fprintf(out, ",%s,", effect_verdict_name(row->verdict));
	print_csv_text(row->base_marks, out);
	fputc(',', out);
	print_csv_text(row->marks, out);
	fputc('\n', out);
	return 0;
}

int effect_csv(const struct effect *e, FILE *out)
{
	int err = 0;

	fputs("factor,base,level,testcase,placement,params,factors,mode,tasks,rounds,unpaired", out);
	for (size_t i = 0; i < NR_FIGURES; i++)
		fprintf(out, ",%s", figures[i].name);
	fputs(",change_pct,verdict,base_marks,marks\n", out);
	for (size_t i = 0; !err && i < e->nr; i++)
		err = put_row(e, &e->rows[i], out);
	return err;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *settings_json(const struct run_settings *settings)
{
	json_t *object = json_object();

	for (size_t i = 0; i < settings->nr; i++)
		json_object_set_new(object, settings->list[i].name,
				    json_string(settings->list[i].value));
	return object;
}

/* level / base of each pair, by round. */
static json_t *ratios_json(const struct effect_row *row)
{
	json_t *array = json_array();

	for (size_t i = 0; i < row->nr; i++)
		json_array_append_new(array, print_json(row->ops[i] / row->base_ops[i]));
	return array;
}

static json_t *row_json(const struct effect_row *row)
{
	const struct run_cell *c = row->cell;
	json_t *object = json_pack("{ss ss ss ss ss so so ss sI sI sI}", "cell", c->id, "base_cell",
				   row->base_cell->id, "level", row->level, "testcase", c->testcase,
				   "placement", c->placement, "params", settings_json(&c->params),
				   "factors", settings_json(&c->factors), "mode", run_mode_name(c->mode),
				   "tasks", (json_int_t)c->tasks, "rounds", (json_int_t)row->nr,
				   "unpaired", (json_int_t)row->unpaired);

	for (size_t i = 0; i < NR_FIGURES; i++)
		json_object_set_new(object, figures[i].name, print_json(figure(row, i)));
	json_object_set_new(object, "change_pct", print_json(effect_change_pct(row)));
	json_object_set_new(object, "ratios", ratios_json(row));
	json_object_set_new(object, "verdict", json_string(effect_verdict_name(row->verdict)));
	json_object_set_new(object, "base_marks", json_string(row->base_marks));
	json_object_set_new(object, "marks", json_string(row->marks));
	return object;
}

int effect_json(const struct effect *e, FILE *out)
{
	json_t *rows = json_array(), *counts = json_object();

	for (size_t i = 0; i < e->nr; i++)
		json_array_append_new(rows, row_json(&e->rows[i]));
	for (enum effect_verdict v = 0; v < EFFECT_NR; v++)
		json_object_set_new(counts, effect_verdict_name(v),
				    json_integer((json_int_t)effect_count(e, v)));
	return print_json_root(json_pack("{ss ss ss* ss ss ss so so}", "schema", "knee-effect/1", "run",
					 e->run->name, "time", e->run->time, "machine", e->run->machine,
					 "factor", e->factor, "base", e->base, "counts", counts, "rows",
					 rows), out);
}

/* ---- all forms ------------------------------------------------------------------------------ */

int effect_print(const struct effect *e, const char *format, FILE *out)
{
	static const struct {
		const char *name;
		int (*print)(const struct effect *e, FILE *out);
	} forms[] = {
		{ "text", effect_text },
		{ "markdown", effect_markdown },
		{ "csv", effect_csv },
		{ "json", effect_json },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(forms[i].name, format) == 0)
			return forms[i].print(e, out);
	return -EINVAL;
}
