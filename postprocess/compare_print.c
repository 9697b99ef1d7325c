/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare_print.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "table.h"

char *compare_pct(char buf[COMPARE_TEXT_MAX], double pct)
{
	double size = fabs(pct);

	if (!isfinite(pct))
		strcpy(buf, "-");
	else
		snprintf(buf, COMPARE_TEXT_MAX, "%+.*f%%", size < 9.995 ? 2 : size < 99.95 ? 1 : 0,
			 fmin(pct, 99999));
	return buf;
}

char *compare_p(char buf[COMPARE_TEXT_MAX], double p)
{
	if (isnan(p))
		strcpy(buf, "-");
	else
		snprintf(buf, COMPARE_TEXT_MAX, p >= 0.00005 || p == 0 ? "%.4f" : "%.0e", p);
	return buf;
}

const char *compare_word(const struct compare_cell *cell)
{
	switch (cell->verdict) {
	case VERDICT_REGRESSION:
		return "slower";
	case VERDICT_IMPROVEMENT:
		return "faster";
	case VERDICT_CHANGED:
		return "change";
	case VERDICT_UNKNOWN:
		return "few";
	default:
		return "";
	}
}

static void put_settings(const struct run_settings *settings, FILE *out)
{
	for (size_t i = 0; i < settings->nr; i++)
		fprintf(out, " %s=%s", settings->list[i].name, settings->list[i].value);
}

char *compare_title(const struct side_sample *sample)
{
	const struct run_cell *cell = sample->cell;
	char *text;
	size_t size;
	FILE *out;

	if (!cell)
		return strdup(sample->key);
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fprintf(out, "%s [%s", cell->testcase, cell->placement);
	put_settings(&cell->params, out);
	put_settings(&cell->factors, out);
	fputc(']', out);
	return fclose(out) == 0 ? text : NULL;
}

const char *compare_id(const struct side_sample *sample)
{
	return sample->cell ? sample->cell->id : sample->key;
}

double compare_geometric_mean(const struct compare_pair *p)
{
	double sum = 0;
	size_t nr = 0;

	for (size_t i = 0; i < p->nr; i++) {
		if (!(p->cells[i].ratio.ratio > 0))
			continue;
		sum += log(p->cells[i].ratio.ratio);
		nr++;
	}
	return nr ? exp(sum / (double)nr) : NAN;
}

char *compare_counts(const struct compare_pair *p)
{
	double mean = compare_geometric_mean(p);
	size_t changed = compare_count(p, VERDICT_CHANGED), few = compare_count(p, VERDICT_UNKNOWN);
	char *text, pct[COMPARE_TEXT_MAX];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%zu cell%s: %zu slower, %zu faster, ", p->nr, p->nr == 1 ? "" : "s",
		compare_count(p, VERDICT_REGRESSION), compare_count(p, VERDICT_IMPROVEMENT));
	if (changed)
		fprintf(out, "%zu changed where neither way is better, ", changed);
	fprintf(out, "%zu where no change was seen", compare_count(p, VERDICT_SAME));
	if (few)
		fprintf(out, ", %zu with too few rounds for a verdict", few);
	if (!isnan(mean))
		fprintf(out, "; geometric mean of all %s", compare_pct(pct, 100 * (mean - 1)));
	return fclose(out) == 0 ? text : NULL;
}

char *compare_seen(const struct compare_pair *p)
{
	double *seen = calloc(p->nr + 1, sizeof(*seen));
	char *text = NULL, middle[COMPARE_TEXT_MAX], worst[COMPARE_TEXT_MAX];
	size_t nr = 0;

	if (!seen)
		return NULL;
	for (size_t i = 0; i < p->nr; i++)
		if (!isnan(p->cells[i].ratio.detectable_pct))
			seen[nr++] = p->cells[i].ratio.detectable_pct;
	gsl_sort(seen, 1, nr);
	if (!nr)
		text = strdup("With one round a side no change can be told from chance.");
	else if (asprintf(&text,
			  "A fall of %s would have been seen in half of the cells, one of %s in "
			  "the noisiest (4 times of 5, at 5 %%).",
			  compare_pct(middle, gsl_stats_median_from_sorted_data(seen, 1, nr)) + 1,
			  compare_pct(worst, seen[nr - 1]) + 1) < 0)
		text = NULL;
	free(seen);
	return text;
}

char *compare_rule_text(const struct comparison *c)
{
	char *text;

	if (c->rule == RULE_LKP)
		return strdup(
			"Verdicts by LKP's rule: each side lies beyond the other's median, and "
			"the medians differ by more than 1 % (5 % for what is not the suite's).");
	if (asprintf(&text,
		     "Verdicts: Welch's, Mann's and Whitney's, and Tukey's quick test give one p "
		     "a cell; q is the share of false calls if all cells with a q as low are "
		     "called, "
		     "which is done up to %g %% (Benjamini and Hochberg).",
		     100 * c->fdr) < 0)
		return NULL;
	return text;
}

int compare_print(const struct comparison *c, const struct side *sides, size_t nr_sides,
		  const struct compare_form *form, FILE *out)
{
	const char *f = form->format;

	if (strcmp(f, "text") == 0)
		return compare_text(c, form->changed_only, out);
	if (strcmp(f, "markdown") == 0)
		return compare_markdown(c, form->changed_only, out);
	if (strcmp(f, "csv") == 0)
		return compare_csv(c, out);
	if (strcmp(f, "json") == 0)
		return compare_json(c, out);
	if (strcmp(f, "lkp") == 0)
		return compare_lkp(sides, nr_sides, form, out);
	if (strcmp(f, "mmtests") == 0)
		return compare_mmtests(c, out);
	return compare_gbench(sides, nr_sides, out);
}
