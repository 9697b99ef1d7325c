/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often a change is called: power NOISE.json SIMULATIONS
 *
 * NOISE.json holds rounds of real cells. Twice ten of a cell's rounds are drawn without being put
 * back, the second ten made slower by 0, 1, 2, 5, 10 %, and judged by knee's rule, by LKP's and by
 * mmtests'. Rules are compared at equal false alarms: a rule's threshold is set so that it calls as
 * many cells without a change. LKP's rule is all or nothing; its threshold is how far the gap that
 * it asks for is open. mmtests sets a star where harmonic means are further apart than both
 * standard deviations. Exit status 1 if knee calls more than it says, or, beyond the simulation's
 * own error, less than another in some row.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>

#include "infer.h"
#include "lkp.h"
#include "stats.h"

#define ROUNDS 10
#define CELLS_MAX 256

static const double changes[] = { 0, 0.01, 0.02, 0.05, 0.1 };

#define NR_CHANGES (sizeof(changes) / sizeof(changes[0]))

struct noise {
	double *rounds;
	size_t nr;
};

static struct noise cells[CELLS_MAX];
static size_t nr_cells;

static bool load(const char *path)
{
	json_t *root = json_load_file(path, 0, NULL), *array, *value;
	const char *id;
	size_t i;

	json_object_foreach(json_object_get(root, "cells"), id, array) {
		struct noise *n = &cells[nr_cells++];

		n->rounds = calloc(json_array_size(array) + 1, sizeof(*n->rounds));
		json_array_foreach(array, i, value)
			n->rounds[n->nr++] = json_number_value(value);
		if (n->nr < 2 * ROUNDS || nr_cells == CELLS_MAX)
			return false;
	}
	json_decref(root);
	return nr_cells;
}

/* ---- scores: the higher, the surer that something changed ----------------------------------- */

struct pair {
	double a[ROUNDS], b[ROUNDS];	/* sorted */
	struct stats base, head;
};

static double knee(const struct pair *p)
{
	struct infer_tests t;

	infer_tests(&t, p->a, &p->base, p->b, &p->head);
	return -t.p;
}

/*
 * How far the lesser of LKP's two gaps is open, as a part of the median: more than 0 is its rule
 * but for the factor between the medians.
 */
static double lkp(const struct pair *p)
{
	double a = p->a[ROUNDS / 2], b = p->b[ROUNDS / 2];
	double up = fmin(p->b[0] - a, b - p->a[ROUNDS - 1]);
	double down = fmin(a - p->b[ROUNDS - 1], p->a[0] - b);

	return fmax(up, down) / a;
}

static double lkp_as_is(const struct pair *p)
{
	return lkp_changed(p->a, ROUNDS, p->b, ROUNDS, 1.01);
}

/* Harmonic means, how many times both standard deviations they are apart; more than 1 is a star. */
static double mmtests(const struct pair *p)
{
	return fabs(p->base.harmonic_mean - p->head.harmonic_mean) / (p->base.sd + p->head.sd);
}

#define NR_RULES 3

static const struct rule {
	const char *name;
	double (*score)(const struct pair *p);
} rules[NR_RULES] = { { "knee", knee }, { "LKP", lkp }, { "mmtests", mmtests } };

/* ---- simulation ----------------------------------------------------------------------------- */

static void draw(struct pair *p, const struct noise *n, double change, gsl_rng *rng)
{
	double drawn[2 * ROUNDS];

	gsl_ran_choose(rng, drawn, 2 * ROUNDS, n->rounds, n->nr, sizeof(*drawn));
	gsl_ran_shuffle(rng, drawn, 2 * ROUNDS, sizeof(*drawn));
	for (size_t i = 0; i < ROUNDS; i++) {
		p->a[i] = drawn[i];
		p->b[i] = drawn[ROUNDS + i] * (1 - change);
	}
	gsl_sort(p->a, 1, ROUNDS);
	gsl_sort(p->b, 1, ROUNDS);
	stats_of(&p->base, p->a, ROUNDS);
	stats_of(&p->head, p->b, ROUNDS);
}

struct result {
	size_t nr;			/* simulations a change */
	double *scores[NR_CHANGES][NR_RULES];
	double as_is[NR_CHANGES][2];	/* shares that LKP and mmtests call by themselves */
};

static void simulate(struct result *r, size_t per_cell, gsl_rng *rng)
{
	r->nr = per_cell * nr_cells;
	for (size_t c = 0; c < NR_CHANGES; c++) {
		for (size_t k = 0; k < NR_RULES; k++)
			r->scores[c][k] = calloc(r->nr, sizeof(double));
		for (size_t i = 0; i < r->nr; i++) {
			struct pair p;

			draw(&p, &cells[i / per_cell], changes[c], rng);
			for (size_t k = 0; k < NR_RULES; k++)
				r->scores[c][k][i] = rules[k].score(&p);
			r->as_is[c][0] += lkp_as_is(&p) / (double)r->nr;
			r->as_is[c][1] += (mmtests(&p) > 1) / (double)r->nr;
		}
	}
}

/* The share of scores above @threshold, and of those that equal it as much as @ties. */
static double share(const double *scores, size_t nr, double threshold, double ties)
{
	double count = 0;

	for (size_t i = 0; i < nr; i++)
		count += scores[i] > threshold ? 1 : scores[i] == threshold ? ties : 0;
	return count / (double)nr;
}

/*
 * Where @alpha of the cells without a change are called; a score that many share is called in part.
 */
static void calibrate(const double *scores, size_t nr, double alpha, double *threshold,
		      double *ties)
{
	double *sorted = malloc(nr * sizeof(*sorted)), above, equal;

	memcpy(sorted, scores, nr * sizeof(*sorted));
	gsl_sort(sorted, 1, nr);
	*threshold = sorted[nr - 1 - (size_t)fmin(alpha * (double)nr, (double)nr - 1)];
	above = share(scores, nr, *threshold, 0);
	equal = share(scores, nr, *threshold, 1) - above;
	*ties = equal > 0 ? (alpha - above) / equal : 0;
	free(sorted);
}

/* ---- the tables ----------------------------------------------------------------------------- */

static bool good = true;

static void expect(bool ok, const char *what)
{
	if (!ok)
		printf(" (NOT SO: %s)", what);
	good = good && ok;
}

/* Two standard errors of a share: what a simulation may be off. */
static double error_of(double share_, size_t nr)
{
	return 2 * sqrt(fmax(share_ * (1 - share_), 1.0 / (double)nr) / (double)nr);
}

/*
 * A row for each change, at @alpha false alarms; @own: rule @own as it is, the only other one then.
 */
static void put_rows(const struct result *r, const char *head, double alpha, size_t own)
{
	double threshold[NR_RULES], ties[NR_RULES], found[NR_RULES];

	for (size_t k = 0; k < NR_RULES; k++)
		calibrate(r->scores[0][k], r->nr, alpha, &threshold[k], &ties[k]);
	for (size_t c = 1; c < NR_CHANGES; c++) {
		printf("%-24s %7.3f %% %5g %%", head, 100 * alpha, 100 * changes[c]);
		for (size_t k = 0; k < NR_RULES; k++) {
			found[k] = share(r->scores[c][k], r->nr, threshold[k], ties[k]);
			if (own && k == own)
				found[k] = r->as_is[c][own - 1];
			if (own && k && k != own) {
				printf(" %10s", "");
				continue;
			}
			printf(" %8.2f %%", 100 * found[k]);
			/* Shares and thresholds of both rules are estimates: four errors. */
			expect(found[0] >= found[k] - 2 * error_of(found[k], r->nr), rules[k].name);
		}
		putchar('\n');
	}
}

/* Whole comparisons of all cells without a change: how many call anything. */
static double whole(size_t nr, double fdr, gsl_rng *rng)
{
	double p[CELLS_MAX], q[CELLS_MAX];
	size_t calling = 0;

	for (size_t i = 0; i < nr; i++) {
		bool any = false;

		for (size_t j = 0; j < nr_cells; j++) {
			struct pair pair;

			draw(&pair, &cells[j], 0, rng);
			p[j] = -knee(&pair);
		}
		infer_adjust(q, p, nr_cells);
		for (size_t j = 0; j < nr_cells; j++)
			any = any || q[j] <= fdr;
		calling += any;
	}
	return (double)calling / (double)nr;
}

static void put_sizes(const struct result *r, size_t wholes, gsl_rng *rng)
{
	double at5 = share(r->scores[0][0], r->nr, -0.05, 1), any = whole(wholes, 0.01, rng);

	printf("without a change: %.2f %% of %zu single cells called at p <= 5 %%\n", 100 * at5,
	       r->nr);
	printf("without a change: %.2f %% of %zu comparisons of %zu cells call anything at q <= 1 "
	       "%%\n\n",
	       100 * any, wholes, nr_cells);
	expect(at5 <= 0.05 + error_of(0.05, r->nr), "5 % of single cells at most");
	expect(any <= 0.01 + error_of(0.01, wholes), "1 % of comparisons at most");
}

int main(int argc, char **argv)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t per_cell = argc == 3 ? (size_t)atoi(argv[2]) : 0;
	struct result r = { 0 };

	if (!per_cell || !load(argv[1])) {
		fprintf(stderr,
			"usage: power NOISE.json SIMULATIONS, cells of 20 rounds or more\n");
		return 2;
	}
	simulate(&r, per_cell, rng);
	put_sizes(&r, 10 * per_cell, rng);
	printf("%-24s %9s %7s", "at the false alarms of", "", "change");
	for (size_t k = 0; k < NR_RULES; k++)
		printf(" %10s", rules[k].name);
	putchar('\n');
	put_rows(&r, "5 % of cells", 0.05, 0);
	put_rows(&r, "1 % of cells", 0.01, 0);
	put_rows(&r, "LKP's rule as it is", r.as_is[0][0], 1);
	put_rows(&r, "mmtests' rule as it is", r.as_is[0][1], 2);
	return !good;
}
