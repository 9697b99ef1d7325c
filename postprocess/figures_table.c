/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "figures_table.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "stats.h"

static double number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* As the facts say it. */
static const char *find_doc(const struct run *run, const char *testcase, const char *figure)
{
	json_t *facts, *one;
	size_t i, k;

	json_array_foreach(json_object_get(run->plan_json, "testcases"), i, facts) {
		const char *name = json_string_value(json_object_get(facts, "name"));

		if (!name || strcmp(name, testcase) != 0)
			continue;
		json_array_foreach(json_object_get(facts, "figures"), k, one) {
			const char *own = json_string_value(json_object_get(one, "name"));

			if (own && strcmp(own, figure) == 0)
				return json_string_value(json_object_get(one, "doc"));
		}
	}
	return NULL;
}

/* The cell's row of this name, or a new one; NULL: no memory. */
static struct figures_row *row_named(struct figures_table *t, const struct run_cell *cell, const char *name)
{
	struct figures_row *rows;

	for (size_t i = t->nr; i > 0 && t->rows[i - 1].cell == cell; i--)
		if (strcmp(t->rows[i - 1].name, name) == 0)
			return &t->rows[i - 1];
	rows = reallocarray(t->rows, t->nr + 1, sizeof(*rows));
	if (!rows)
		return NULL;
	t->rows = rows;
	rows[t->nr] = (struct figures_row){
		.cell = cell, .name = strdup(name), .doc = find_doc(t->run, cell->testcase, name),
		.min = NAN, .max = NAN, .median = NAN, .p99 = NAN,
	};
	return rows[t->nr].name ? &rows[t->nr++] : NULL;
}

static void take_round(struct figures_row *row, const json_t *figure)
{
	double nr = number(figure, "nr"), lost = number(figure, "lost");

	row->lost += lost > 0 ? (uint64_t)lost : 0;
	if (!(nr > 0))
		return;
	row->rounds++;
	row->nr += (uint64_t)nr;
	row->sum += number(figure, "sum");
	row->min = fmin(row->min, number(figure, "min"));
	row->max = fmax(row->max, number(figure, "max"));
}

static int take_record(struct figures_table *t, const struct run_cell *cell, const struct run_record *r)
{
	json_t *figures = r->figures ? json_loads(r->figures, JSON_DECODE_ANY, NULL) : NULL, *figure;
	const char *name;
	int err = 0;

	json_object_foreach(figures, name, figure) {
		struct figures_row *row = row_named(t, cell, name);

		if (!row) {
			err = -ENOMEM;
			break;
		}
		take_round(row, figure);
	}
	json_decref(figures);
	return err;
}

/* The median over the rounds of the cell of this member of the figure. */
static int over_rounds(const struct figures_table *t, const struct figures_row *row, const char *member,
		       double *median)
{
	const struct run_record *records = t->run->records + row->cell->first_record;
	double *values = calloc(row->cell->nr_records + 1, sizeof(*values));
	struct stats stats;
	size_t nr = 0;
	int err;

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < row->cell->nr_records; i++) {
		json_t *figures = records[i].figures ? json_loads(records[i].figures, 0, NULL) : NULL;
		double value = number(json_object_get(figures, row->name), member);

		if (!isnan(value))
			values[nr++] = value;
		json_decref(figures);
	}
	err = stats_of(&stats, values, nr);
	*median = nr ? stats.median : NAN;
	free(values);
	return err;
}

int figures_table_make(struct figures_table *t, const struct run *run)
{
	int err = 0;

	*t = (struct figures_table){ .run = run };
	for (size_t i = 0; !err && i < run->nr_cells; i++) {
		const struct run_cell *cell = &run->cells[i];

		for (size_t k = 0; !err && k < cell->nr_records; k++)
			err = take_record(t, cell, &run->records[cell->first_record + k]);
	}
	for (size_t i = 0; !err && i < t->nr; i++) {
		err = over_rounds(t, &t->rows[i], "median", &t->rows[i].median);
		if (!err)
			err = over_rounds(t, &t->rows[i], "p99", &t->rows[i].p99);
	}
	if (err == -ENOMEM)
		msg_error("%s", strerror(ENOMEM));
	if (err)
		figures_table_free(t);
	return err;
}

void figures_table_free(struct figures_table *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->rows[i].name);
	free(t->rows);
	*t = (struct figures_table){ 0 };
}
