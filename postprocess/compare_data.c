/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison for programs: CSV, and JSON: knee-compare/1. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_print.h"
#include "print.h"
#include "table.h"

#define AT(field) offsetof(struct compare_cell, field)

/* What both have, under the same names. */
static const struct {
	const char *name;
	size_t offset;		/* of a double */
} figures[] = {
	{ "base_mean", AT(base_stats.mean) },
	{ "base_median", AT(base_stats.median) },
	{ "base_sd", AT(base_stats.sd) },
	{ "head_mean", AT(head_stats.mean) },
	{ "head_median", AT(head_stats.median) },
	{ "head_sd", AT(head_stats.sd) },
	{ "ratio", AT(ratio.ratio) },
	{ "ratio_ci95_low", AT(ratio.low) },
	{ "ratio_ci95_high", AT(ratio.high) },
	{ "detectable_pct", AT(ratio.detectable_pct) },
	{ "welch_p", AT(tests.welch_p) },
	{ "mann_whitney_p", AT(tests.mann_whitney_p) },
	{ "tukey_p", AT(tests.tukey_p) },
	{ "p", AT(tests.p) },
	{ "q", AT(q) },
};

#define NR_FIGURES (sizeof(figures) / sizeof(figures[0]))

static double figure(const struct compare_cell *cell, size_t n)
{
	double value;

	memcpy(&value, (const char *)cell + figures[n].offset, sizeof(value));
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

/* testcase, placement, params, factors, mode, tasks; of LKP's only the first: the key. */
static int put_cell(const struct side_sample *x, FILE *out)
{
	const struct run_cell *cell = x->cell;

	if (!cell) {
		print_csv_text(x->key, out);
		fputs(",,,,,", out);
		return 0;
	}
	print_csv_text(cell->testcase, out);
	fputc(',', out);
	print_csv_text(cell->placement, out);
	if (put_settings(&cell->params, out) != 0 || put_settings(&cell->factors, out) != 0)
		return -ENOMEM;
	fprintf(out, ",%s,%" PRIu64, run_mode_name(cell->mode), cell->tasks);
	return 0;
}

static int put_row(const struct compare_pair *p, const struct compare_cell *cell, FILE *out)
{
	print_csv_text(p->base->name, out);
	fputc(',', out);
	print_csv_text(p->head->name, out);
	fputc(',', out);
	if (put_cell(cell->base, out) != 0)
		return -ENOMEM;
	fprintf(out, ",%zu,%zu", cell->base->nr, cell->head->nr);
	for (size_t i = 0; i < NR_FIGURES; i++)
		print_csv_number(figure(cell, i), out);
	print_csv_number(compare_change_pct(cell), out);
	fprintf(out, ",%s,", compare_verdict_name(cell->verdict));
	print_csv_text(cell->base->marks, out);
	fputc(',', out);
	print_csv_text(cell->head->marks, out);
	fputc('\n', out);
	return 0;
}

int compare_csv(const struct comparison *c, FILE *out)
{
	int err = 0;

	fputs("base,head,testcase,placement,params,factors,mode,tasks,base_rounds,head_rounds",
	      out);
	for (size_t i = 0; i < NR_FIGURES; i++)
		fprintf(out, ",%s", figures[i].name);
	fputs(",change_pct,verdict,base_marks,head_marks\n", out);
	for (size_t i = 0; i < c->nr; i++)
		for (size_t j = 0; !err && j < c->pairs[i].nr; j++)
			err = put_row(&c->pairs[i], &c->pairs[i].cells[j], out);
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

static json_t *cell_json(const struct compare_cell *cell)
{
	const struct run_cell *c = cell->base->cell;
	json_t *object =
		c ? json_pack("{ss ss ss sI ss so so}", "cell", c->id, "testcase", c->testcase,
			      "mode", run_mode_name(c->mode), "tasks", (json_int_t)c->tasks,
			      "placement", c->placement, "params", settings_json(&c->params),
			      "factors", settings_json(&c->factors))
		  : json_pack("{ss}", "cell", cell->base->key);

	json_object_set_new(object, "base_rounds", json_integer((json_int_t)cell->base->nr));
	json_object_set_new(object, "head_rounds", json_integer((json_int_t)cell->head->nr));
	for (size_t i = 0; i < NR_FIGURES; i++)
		json_object_set_new(object, figures[i].name, print_json(figure(cell, i)));
	json_object_set_new(object, "change_pct", print_json(compare_change_pct(cell)));
	json_object_set_new(object, "direction", json_integer(cell->direction));
	json_object_set_new(object, "verdict", json_string(compare_verdict_name(cell->verdict)));
	json_object_set_new(object, "base_marks", json_string(cell->base->marks));
	json_object_set_new(object, "head_marks", json_string(cell->head->marks));
	return object;
}

static json_t *differences_json(const struct differences *d)
{
	static const char *const kinds[] = {
		[DIFFERENCE_MATTERS] = "matters",
		[DIFFERENCE_LISTED] = "listed",
		[DIFFERENCE_ALWAYS] = "always",
	};
	json_t *array = json_array();

	for (size_t i = 0; i < d->nr; i++)
		json_array_append_new(
			array, json_pack("{ss ss ss ss sb}", "name", d->list[i].name, "base",
					 d->list[i].base, "head", d->list[i].head, "kind",
					 kinds[d->list[i].kind], "allowed", d->list[i].allowed));
	return array;
}

static json_t *only_json(const struct side_sample *const *list, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(array, json_string(compare_id(list[i])));
	return array;
}

static json_t *counts_json(const struct compare_pair *p)
{
	json_t *object = json_object();

	for (enum compare_verdict v = 0; v < VERDICT_NR; v++)
		json_object_set_new(object, compare_verdict_name(v),
				    json_integer((json_int_t)compare_count(p, v)));
	return object;
}

static json_t *pair_json(const struct compare_pair *p)
{
	json_t *cells = json_array();

	for (size_t i = 0; i < p->nr; i++)
		json_array_append_new(cells, cell_json(&p->cells[i]));
	return json_pack("{ss ss so so so so so sb so}", "base", p->base->name, "head",
			 p->head->name, "counts", counts_json(p), "geometric_mean_ratio",
			 print_json(compare_geometric_mean(p)), "cells", cells, "only_base",
			 only_json(p->only_base, p->nr_only_base), "only_head",
			 only_json(p->only_head, p->nr_only_head), "machines_known",
			 !p->differences.unknown, "differences", differences_json(&p->differences));
}

int compare_json(const struct comparison *c, FILE *out)
{
	json_t *pairs = json_array();

	for (size_t i = 0; i < c->nr; i++)
		json_array_append_new(pairs, pair_json(&c->pairs[i]));
	return print_json_root(json_pack("{ss ss sf so}", "schema", "knee-compare/1", "rule",
					 c->rule == RULE_LKP ? "lkp" : "knee", "fdr", c->fdr,
					 "pairs", pairs), out);
}
