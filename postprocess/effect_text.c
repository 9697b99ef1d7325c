/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The effect of a factor for people: text of COMPARE_COLUMNS columns, and markdown. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_print.h"
#include "effect.h"
#include "human.h"
#include "print.h"

/* "in the noise" is what a reader looks for. */
static const char *const words[] = {
	[EFFECT_NOISE] = "in the noise",
	[EFFECT_SLOWER] = "slower",
	[EFFECT_FASTER] = "faster",
	[EFFECT_UNKNOWN] = "unknown",
};

static int put_paragraph(char *text, const char *first, bool markdown, FILE *out)
{
	int err = 0;

	if (!text)
		return -ENOMEM;
	if (markdown) {
		err = print_markdown(text, first, out);
		fputc('\n', out);
	} else {
		human_wrap(out, first, "  ", text, COMPARE_COLUMNS);
	}
	free(text);
	return err;
}

static char *head_text(const struct effect *e)
{
	const struct run *r = e->run;
	char *text;

	if (asprintf(&text, "%s against %s=%s; %s%s%s: %" PRIu64 " rounds%s%s", e->factor, e->factor, e->base,
		     r->name, r->time ? ", " : "", r->time ? r->time : "", r->rounds,
		     r->machine[0] ? ", " : "", r->machine) < 0)
		return NULL;
	return text;
}

static char *interval_text(const struct effect_row *row, char buf[3 * COMPARE_TEXT_MAX])
{
	char low[COMPARE_TEXT_MAX], high[COMPARE_TEXT_MAX];

	if (isnan(row->ratio.low))
		return strcpy(buf, "-");
	snprintf(buf, 3 * COMPARE_TEXT_MAX, "%s to %s", compare_pct(low, 100 * (row->ratio.low - 1)),
		 compare_pct(high, 100 * (row->ratio.high - 1)));
	return buf;
}

/* Why there is no verdict; NULL if there is one. */
static const char *unknown_text(const struct effect_row *row)
{
	if (row->verdict != EFFECT_UNKNOWN)
		return NULL;
	if (row->nr < INFER_ROUNDS_MIN)
		return "fewer than two pairs";
	return "a rate of 0";
}

/* "root d2, child d1!1; 3 without a pair; skipped: why" */
static char *doubt_text(const struct effect *e, const struct effect_row *row)
{
	const char *skip = row->cell->skip ? row->cell->skip : row->base_cell->skip;
	const char *unknown = unknown_text(row), *between = "";
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (row->base_marks[0]) {
		fprintf(out, "%s %s", e->base, row->base_marks);
		between = ", ";
	}
	if (row->marks[0]) {
		fprintf(out, "%s%s %s", between, row->level, row->marks);
		between = "; ";
	}
	if (row->unpaired) {
		fprintf(out, "%s%zu without a pair", between, row->unpaired);
		between = "; ";
	}
	if (skip)
		fprintf(out, "%sskipped: %s", between, skip);
	else if (unknown)
		fprintf(out, "%s%s", between, unknown);
	return fclose(out) == 0 ? text : NULL;
}

static char *counts_text(const struct effect *e)
{
	size_t unknown = effect_count(e, EFFECT_UNKNOWN), known = e->nr - unknown;
	char few[64] = "", *text;

	if (unknown)
		snprintf(few, sizeof(few), ", %zu unknown", unknown);
	if (asprintf(&text, "%zu slower, %zu faster, %zu in the noise%s. By chance alone about %.2g of %zu "
		     "would be called slower or faster: 5 %% of them.", effect_count(e, EFFECT_SLOWER),
		     effect_count(e, EFFECT_FASTER), effect_count(e, EFFECT_NOISE), few,
		     0.05 * (double)known, known) < 0)
		return NULL;
	return text;
}

static char *rule_text(const struct effect *e)
{
	char *text;

	if (asprintf(&text, "change: the middle of level / %s within each round, with its 95 %% interval; in "
		     "the noise: the interval holds 0. seen: the smallest loss that these rounds would have "
		     "shown, about 4 times of 5. Rates are medians over the n rounds, ops/s of a run. Marks of doubt "
		     "are those of knee summary.", e->base) < 0)
		return NULL;
	return text;
}

/* ---- text ----------------------------------------------------------------------------------- */

static int level_width(const struct effect *e)
{
	size_t width = strlen("level");

	for (size_t i = 0; i < e->nr; i++)
		if (human_width(e->rows[i].level) > width)
			width = human_width(e->rows[i].level);
	return width > 24 ? 24 : (int)width;
}

static int put_text_row(const struct effect *e, const struct effect_row *row, int width, FILE *out)
{
	char base[HUMAN_MAX], ops[HUMAN_MAX], change[COMPARE_TEXT_MAX], seen[HUMAN_MAX];
	char interval[3 * COMPARE_TEXT_MAX];
	char *level = human_clean(row->level), *doubts = doubt_text(e, row);
	int err = level && doubts ? 0 : -ENOMEM;

	if (!err) {
		fprintf(out, "  %-*s %5" PRIu64 " %6s %6s %7s %17s %6s %3zu  %s\n", width, level,
			row->cell->tasks, human_si(base, row->base_stats.median),
			human_si(ops, row->stats.median), compare_pct(change, effect_change_pct(row)),
			interval_text(row, interval), human_pct(seen, row->ratio.detectable_pct), row->nr,
			words[row->verdict]);
		if (doubts[0])
			human_wrap(out, "      ", "      ", doubts, COMPARE_COLUMNS);
	}
	free(level);
	free(doubts);
	return err;
}

static int put_text_title(const struct effect_row *row, FILE *out)
{
	char *text;

	if (asprintf(&text, "%s, %s", row->title, run_mode_name(row->cell->mode)) < 0)
		return -ENOMEM;
	fputc('\n', out);
	return put_paragraph(text, "", false, out);
}


/* Rows come by level, then mode: here modes are blocks. */
static int put_text_mode(const struct effect *e, size_t first, size_t end, enum run_mode mode, int width,
			 FILE *out)
{
	bool headed = false;
	int err = 0;

	for (size_t i = first; !err && i < end; i++) {
		if (e->rows[i].cell->mode != mode)
			continue;
		if (!headed)
			err = put_text_title(&e->rows[i], out);
		headed = true;
		if (!err)
			err = put_text_row(e, &e->rows[i], width, out);
	}
	return err;
}

int effect_text(const struct effect *e, FILE *out)
{
	int width = level_width(e), err = put_paragraph(head_text(e), "", false, out);

	fprintf(out, "\n  %-*s %5s %6s %6s %7s %-17s %6s %3s\n", width, "level", "tasks", "base", "level",
		"change", "  95 % interval", "seen", "n");
	for (size_t first = 0, end; !err && first < e->nr; first = end) {
		for (end = first; end < e->nr && strcmp(e->rows[end].title, e->rows[first].title) == 0; end++)
			;
		err = put_text_mode(e, first, end, RUN_PROCESSES, width, out);
		if (!err)
			err = put_text_mode(e, first, end, RUN_THREADS, width, out);
	}
	fputc('\n', out);
	if (!err)
		err = put_paragraph(counts_text(e), "", false, out);
	return err ? err : put_paragraph(rule_text(e), "", false, out);
}

/* ---- markdown ------------------------------------------------------------------------------- */

static int put_markdown_row(const struct effect *e, const struct effect_row *row, FILE *out)
{
	char base[HUMAN_MAX], ops[HUMAN_MAX], change[COMPARE_TEXT_MAX], seen[HUMAN_MAX];
	char interval[3 * COMPARE_TEXT_MAX], *doubts = doubt_text(e, row);
	int err = doubts ? print_markdown(row->title, "| ", out) : -ENOMEM;

	if (!err)
		err = print_markdown(row->level, " | ", out);
	if (!err) {
		fprintf(out, " | %s | %" PRIu64 " | %s | %s | %s | %s | ", run_mode_name(row->cell->mode),
			row->cell->tasks, human_si(base, row->base_stats.median),
			human_si(ops, row->stats.median), compare_pct(change, effect_change_pct(row)),
			interval_text(row, interval));
		err = print_markdown(human_pct(seen, row->ratio.detectable_pct), "", out);
	}
	if (!err) {
		fprintf(out, " | %zu | %s | ", row->nr, words[row->verdict]);
		err = print_markdown(doubts, "", out);
		fputs(" |\n", out);
	}
	free(doubts);
	return err;
}

int effect_markdown(const struct effect *e, FILE *out)
{
	int err = put_paragraph(head_text(e), "", true, out);

	fputs("\n| cell | level | mode | tasks | base | ops/s | change | 95 % interval | seen | n | verdict | "
	      "doubts |\n|---|---|---|---:|---:|---:|---:|---|---:|---:|---|---|\n", out);
	for (size_t i = 0; !err && i < e->nr; i++)
		err = put_markdown_row(e, &e->rows[i], out);
	if (!err)
		err = put_paragraph(counts_text(e), "\n", true, out);
	return err ? err : put_paragraph(rule_text(e), "\n", true, out);
}
