/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table as JSON: knee-table/1. */
#include "summary.h"

#include <jansson.h>
#include <math.h>

#include "print.h"
#include "summary_figures.h"

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *text(const char *value)
{
	return value ? json_string(value) : json_null();
}

static json_t *settings_json(const struct run_settings *settings)
{
	json_t *object = json_object();

	for (size_t i = 0; i < settings->nr; i++)
		json_object_set_new(object, settings->list[i].name, text(settings->list[i].value));
	return object;
}

static json_t *flags_json(const struct table *t, const struct table_row *row)
{
	json_t *object = json_object();

	for (size_t i = 0; i < t->nr_flags; i++)
		if (row->flag_rounds[i])
			json_object_set_new(object, t->flags[i], integer(row->flag_rounds[i]));
	return object;
}

static json_t *failures_json(const struct table_row *row)
{
	json_t *array = json_array();

	for (size_t i = 0; i < row->nr_failures; i++) {
		const struct table_failure *f = &row->failures[i];

		json_array_append_new(array, json_pack("{ss so ss}", "status",
						       run_status_name(f->status), "rounds",
						       integer(f->rounds), "reason", f->reason));
	}
	return array;
}

static json_t *outliers_json(const struct table_row *row)
{
	json_t *array = json_array();

	for (size_t i = 0; i < row->nr_outliers; i++) {
		const struct table_outlier *o = &row->outliers[i];

		json_array_append_new(array, json_pack("{so so so}", "round", integer(o->round),
						       "ops_per_s", print_json(o->ops_per_s),
						       "deviation", print_json(o->deviation)));
	}
	return array;
}

static json_t *row_json(const struct table *t, const struct table_row *row)
{
	json_t *object = json_pack("{ss ss so so ss so so}", "cell", row->id,
				   "mode", run_mode_name(row->mode), "tasks", integer(row->tasks),
				   "cpus", text(row->cpus),
				   "status", run_status_name(summary_status(row)),
				   "rounds", integer(row->rounds),
				   "rounds_ok", integer(row->rounds_ok));

	for (size_t i = 0; summary_figure_name(i); i++)
		json_object_set_new(object, summary_figure_name(i),
				    print_json(summary_figure(row, i)));
	json_object_set_new(object, "outliers", outliers_json(row));
	json_object_set_new(object, "flags", flags_json(t, row));
	json_object_set_new(object, "failures", failures_json(row));
	return object;
}

static json_t *series_json(const struct table *t, const struct table_series *s)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < s->nr_rows; i++)
		json_array_append_new(rows, row_json(t, &s->rows[i]));
	return json_pack("{ss ss so so ss so so so so so}", "testcase", s->testcase,
			 "label", s->label,
			 "description", text(s->description), "unit", text(s->unit),
			 "placement", s->placement,
			 "params", settings_json(&s->params),
			 "factors", settings_json(&s->factors),
			 "scalability", print_json(s->scalability), "scalability_tasks",
			 isnan(s->scalability) ? json_null() : integer(s->scalability_tasks),
			 "rows", rows);
}

static json_t *table_json(const struct table *t)
{
	json_t *series = json_array(), *meanings = json_object();

	for (size_t i = 0; i < t->nr_series; i++)
		json_array_append_new(series, series_json(t, &t->series[i]));
	for (size_t i = 0; i < t->nr_flags; i++)
		json_object_set_new(meanings, t->flags[i], text(table_flag_meaning(i)));
	return json_pack("{ss ss so ss so so so so}", "schema", "knee-table/1", "run", t->run,
			 "time", text(t->time), "machine", t->machine,
			 "rounds", integer(t->rounds), "duration_s", print_json(t->duration_s),
			 "series", series, "flags", meanings);
}

int summary_json(const struct table *t, FILE *out)
{
	return print_json_root(table_json(t), out);
}
