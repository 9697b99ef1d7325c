/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The comparison as mmtests' compare-mmtests.pl prints it: harmonic means and more, the change
 * beside each in brackets, positive where it is better; a star instead of a bracket where the
 * verdict says so.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare_print.h"

static double harmonic_mean(const struct stats *s)
{
	return s->harmonic_mean;
}

static double minimum(const struct stats *s)
{
	return s->min;
}

static double maximum(const struct stats *s)
{
	return s->max;
}

static double deviation(const struct stats *s)
{
	return s->sd;
}

/* Of the arithmetic mean, in per cent. */
static double variation(const struct stats *s)
{
	return s->mean > 0 ? 100 * s->sd / s->mean : NAN;
}

static const struct row {
	const char *name;
	double (*value)(const struct stats *s);
	int better;		/* more is: 1, less is: -1 */
	bool verdict;		/* starred */
} rows[] = {
	{ "Min", minimum, 1, false },
	{ "Hmean", harmonic_mean, 1, true },
	{ "Stddev", deviation, -1, false },
	{ "CoeffVar", variation, -1, false },
	{ "Max", maximum, 1, false },
};

/* "mmap1_processes-4", with what tells it from other cells of the testcase. */
static char *key_of(const struct side_sample *x)
{
	const struct run_cell *c = x->cell;
	char *text;
	size_t size;
	FILE *out;

	if (!c)
		return strdup(x->key);
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fprintf(out, "%s_%s", c->testcase, run_mode_name(c->mode));
	for (size_t i = 0; i < c->params.nr; i++)
		fprintf(out, ":%s=%s", c->params.list[i].name, c->params.list[i].value);
	for (size_t i = 0; i < c->factors.nr; i++)
		fprintf(out, ":%s=%s", c->factors.list[i].name, c->factors.list[i].value);
	if (strcmp(c->placement, "core") != 0)
		fprintf(out, ":%s", c->placement);
	fprintf(out, "-%" PRIu64, c->tasks);
	return fclose(out) == 0 ? text : NULL;
}

static void put_value(double value, double pct, bool star, FILE *out)
{
	fprintf(out, " %14.2f %s%8.2f%%%s", value, star ? "*" : "(", pct, star ? "*" : ")");
}

static double better_pct(const struct row *row, double base, double head)
{
	return base != 0 && !isnan(base) ? row->better * 100 * (head - base) / base : NAN;
}

/* The pairs have the same BASE, but not all the same cells. */
static const struct compare_cell *find(const struct compare_pair *p, const char *key)
{
	for (size_t i = 0; i < p->nr; i++)
		if (strcmp(p->cells[i].base->key, key) == 0)
			return &p->cells[i];
	return NULL;
}

static int put_row(const struct comparison *c, const struct row *row,
		   const struct compare_cell *cell, int width, FILE *out)
{
	double base = row->value(&cell->base_stats);
	char *key = key_of(cell->base);

	if (!key)
		return -ENOMEM;
	fprintf(out, "%-10s%-*s", row->name, width, key);
	put_value(base, 0, false, out);
	for (size_t i = 0; i < c->nr; i++) {
		const struct compare_cell *other = i ? find(&c->pairs[i], cell->base->key) : cell;
		double head = other ? row->value(&other->head_stats) : NAN;
		bool star = other && row->verdict && other->verdict != VERDICT_SAME &&
			    other->verdict != VERDICT_UNKNOWN;

		put_value(head, better_pct(row, base, head), star, out);
	}
	fputc('\n', out);
	free(key);
	return 0;
}

static int key_width(const struct compare_pair *p)
{
	size_t width = 10;

	for (size_t i = 0; i < p->nr; i++) {
		char *key = key_of(p->cells[i].base);

		if (!key)
			return -ENOMEM;
		width = strlen(key) > width ? strlen(key) : width;
		free(key);
	}
	return (int)width;
}

static void put_heads(const struct comparison *c, int width, FILE *out)
{
	fprintf(out, "will-it-scale\n%*s%26.26s", width + 10, "", c->pairs[0].base->name);
	for (size_t i = 0; i < c->nr; i++)
		fprintf(out, "%26.26s", c->pairs[i].head->name);
	fputc('\n', out);
}

int compare_mmtests(const struct comparison *c, FILE *out)
{
	int width = c->nr ? key_width(&c->pairs[0]) : 0, err = 0;

	if (width < 0 || !c->nr)
		return width;
	put_heads(c, width, out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t j = 0; !err && j < c->pairs[0].nr; j++)
			err = put_row(c, &rows[i], &c->pairs[0].cells[j], width, out);
	return err;
}
