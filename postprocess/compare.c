/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "lkp.h"

static const char *const verdicts[] = {
	[VERDICT_SAME] = "same",
	[VERDICT_REGRESSION] = "regression",
	[VERDICT_IMPROVEMENT] = "improvement",
	[VERDICT_CHANGED] = "changed",
	[VERDICT_UNKNOWN] = "unknown",
};

const char *compare_verdict_name(enum compare_verdict v)
{
	return verdicts[v];
}

double compare_change_pct(const struct compare_cell *cell)
{
	return 100 * (cell->ratio.ratio - 1);
}

/* ---- a cell --------------------------------------------------------------------------------- */

static int measure(struct compare_cell *cell)
{
	const struct side_sample *a = cell->base, *b = cell->head;
	double *sorted = calloc(a->nr + b->nr + 1, sizeof(*sorted));
	int err = sorted ? 0 : -ENOMEM;

	if (!err)
		err = stats_of(&cell->base_stats, a->values, a->nr);
	if (!err)
		err = stats_of(&cell->head_stats, b->values, b->nr);
	if (!err) {
		if (a->nr)
			memcpy(sorted, a->values, a->nr * sizeof(*sorted));
		if (b->nr)
			memcpy(sorted + a->nr, b->values, b->nr * sizeof(*sorted));
		gsl_sort(sorted, 1, a->nr);
		gsl_sort(sorted + a->nr, 1, b->nr);
		infer_ratio(&cell->ratio, &cell->base_stats, &cell->head_stats);
		infer_tests(&cell->tests, sorted, &cell->base_stats, sorted + a->nr,
			    &cell->head_stats);
	}
	free(sorted);
	return err;
}

static enum compare_verdict changed(const struct compare_cell *cell)
{
	if (!cell->direction)
		return VERDICT_CHANGED;
	return cell->direction * (cell->head_stats.mean - cell->base_stats.mean) < 0
		? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
}

static enum compare_verdict judge(const struct comparison *c, const struct compare_cell *cell)
{
	const struct side_sample *a = cell->base, *b = cell->head;

	if (c->rule == RULE_LKP) {
		if (!lkp_judges(a->nr, b->nr))
			return VERDICT_UNKNOWN;
		return lkp_changed(a->values, a->nr, b->values, b->nr,
				   lkp_threshold(a->key, a->cell))
			       ? changed(cell)
			       : VERDICT_SAME;
	}
	if (isnan(cell->q))
		return VERDICT_UNKNOWN;
	return cell->q <= c->fdr ? changed(cell) : VERDICT_SAME;
}

/* ---- a pair --------------------------------------------------------------------------------- */

static int match(struct compare_pair *p)
{
	const struct side *base = p->base, *head = p->head;
	int err = 0;

	p->cells = calloc(base->nr + 1, sizeof(*p->cells));
	p->only_base = calloc(base->nr + 1, sizeof(*p->only_base));
	p->only_head = calloc(head->nr + 1, sizeof(*p->only_head));
	if (!p->cells || !p->only_base || !p->only_head)
		return -ENOMEM;
	for (size_t i = 0; !err && i < base->nr; i++) {
		const struct side_sample *other = side_find(head, base->samples[i].key);

		if (!other) {
			p->only_base[p->nr_only_base++] = &base->samples[i];
			continue;
		}
		p->cells[p->nr] = (struct compare_cell){
			.base = &base->samples[i], .head = other, .q = NAN,
			.direction = other->cell ? 1 : lkp_direction(other->key),
		};
		err = measure(&p->cells[p->nr++]);
	}
	for (size_t i = 0; i < head->nr; i++)
		if (!side_find(base, head->samples[i].key))
			p->only_head[p->nr_only_head++] = &head->samples[i];
	return err ? err : differences_find(&p->differences, base, head);
}

/* Over all cells of all pairs: it is one report, and one share of it that may be false. */
static int adjust(struct comparison *c)
{
	size_t nr = 0, k = 0;
	double *p, *q;
	int err = -ENOMEM;

	for (size_t i = 0; i < c->nr; i++)
		nr += c->pairs[i].nr;
	p = calloc(nr + 1, sizeof(*p));
	q = calloc(nr + 1, sizeof(*q));
	if (p && q) {
		for (size_t i = 0; i < c->nr; i++)
			for (size_t j = 0; j < c->pairs[i].nr; j++)
				p[k++] = c->pairs[i].cells[j].tests.p;
		err = infer_adjust(q, p, nr);
		k = 0;
		for (size_t i = 0; !err && i < c->nr; i++)
			for (size_t j = 0; j < c->pairs[i].nr; j++)
				c->pairs[i].cells[j].q = q[k++];
	}
	free(p);
	free(q);
	return err;
}

int compare_make(struct comparison *c, const struct side *sides, size_t nr,
		 enum compare_rule rule, double fdr)
{
	int err = 0;

	*c = (struct comparison){ .rule = rule, .fdr = fdr };
	c->pairs = calloc(nr, sizeof(*c->pairs));
	if (!c->pairs)
		return -ENOMEM;
	for (size_t i = 1; !err && i < nr; i++) {
		c->pairs[c->nr].base = &sides[0];
		c->pairs[c->nr].head = &sides[i];
		err = match(&c->pairs[c->nr++]);
	}
	if (!err)
		err = adjust(c);
	for (size_t i = 0; !err && i < c->nr; i++)
		for (size_t j = 0; j < c->pairs[i].nr; j++)
			c->pairs[i].cells[j].verdict = judge(c, &c->pairs[i].cells[j]);
	if (err)
		compare_free(c);
	return err;
}

void compare_free(struct comparison *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->pairs[i].cells);
		free(c->pairs[i].only_base);
		free(c->pairs[i].only_head);
		differences_free(&c->pairs[i].differences);
	}
	free(c->pairs);
	*c = (struct comparison){ 0 };
}

/* ---- counting ------------------------------------------------------------------------------- */

size_t compare_count(const struct compare_pair *p, enum compare_verdict v)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr; i++)
		nr += p->cells[i].verdict == v;
	return nr;
}

size_t compare_regressions(const struct comparison *c, double pct)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr; i++)
		for (size_t j = 0; j < c->pairs[i].nr; j++) {
			const struct compare_cell *cell = &c->pairs[i].cells[j];

			nr += cell->verdict == VERDICT_REGRESSION &&
			      fabs(compare_change_pct(cell)) >= pct;
		}
	return nr;
}
