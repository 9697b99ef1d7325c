/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison for people: text of COMPARE_COLUMNS columns, and markdown. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_print.h"
#include "human.h"
#include "print.h"

/* Cells of a testcase that one side lacks are named, up to so many. */
#define NAMED_MAX 10

/* ---- what both have ------------------------------------------------------------------------- */

/* A line of either form. */
struct form {
	FILE *out;
	bool markdown;
};

static int put_line(const struct form *f, const char *first, const char *next, char *text)
{
	int err = 0;

	if (!text)
		return -ENOMEM;
	if (f->markdown) {
		err = print_markdown(text, first, f->out);
		fputc('\n', f->out);
	} else {
		human_wrap(f->out, first, next, text, COMPARE_COLUMNS);
	}
	free(text);
	return err;
}

static char *describe(const struct side *s)
{
	char *text;
	int len;

	if (s->is_run)
		len = asprintf(&text, "%s%s%s: %" PRIu64 " rounds%s%s", s->name,
			       s->run.time ? ", " : "", s->run.time ? s->run.time : "",
			       s->run.rounds, s->run.machine[0] ? ", " : "", s->run.machine);
	else
		len = asprintf(&text, "%s: %zu runs", s->name, s->nr_runs);
	return len < 0 ? NULL : text;
}

static int put_sides(const struct form *f, const struct compare_pair *p)
{
	int err = put_line(f, f->markdown ? "- base: " : "base  ", "        ", describe(p->base));

	return err ? err : put_line(f, f->markdown ? "- head: " : "head  ", "        ",
				    describe(p->head));
}

static char *difference_text(const struct difference *d)
{
	char *text;

	if (asprintf(&text, "%s%s: %s -> %s", d->name,
		     d->kind == DIFFERENCE_MATTERS ? " (matters, allowed)" : "", d->base,
		     d->head) < 0)
		return NULL;
	return text;
}

/* What always differs is only named: nobody reads the values. */
static char *always_text(const struct differences *d)
{
	char *text;
	size_t size, nr = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < d->nr; i++)
		if (d->list[i].kind == DIFFERENCE_ALWAYS)
			fprintf(out, "%s%s", nr++ ? ", " : "as always: ", d->list[i].name);
	return fclose(out) == 0 ? text : NULL;
}

static int put_differences(const struct form *f, const struct compare_pair *p)
{
	const struct differences *d = &p->differences;
	const char *first = f->markdown ? "- " : "  ";
	char *always;
	int err = 0;

	if (d->unknown)
		return put_line(
			f, f->markdown ? "\n" : "", "  ",
			strdup("The machines were not compared: a machine.json is missing."));
	if (!d->nr)
		return 0;
	fputs(f->markdown ? "\nThey differ in:\n\n" : "they differ in\n", f->out);
	for (size_t i = 0; !err && i < d->nr; i++)
		if (d->list[i].kind != DIFFERENCE_ALWAYS)
			err = put_line(f, first, "    ", difference_text(&d->list[i]));
	always = err ? NULL : always_text(d);
	if (!err && !always)
		return -ENOMEM;
	if (!err && always[0])
		return put_line(f, first, "    ", always);
	free(always);
	return err;
}

static char *only_text(const char *who, const struct side_sample *const *list, size_t nr)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "only in %s: ", who);
	for (size_t i = 0; i < nr && i < NAMED_MAX; i++)
		fprintf(out, "%s%s", i ? ", " : "", compare_id(list[i]));
	if (nr > NAMED_MAX)
		fprintf(out, " and %zu more", nr - NAMED_MAX);
	return fclose(out) == 0 ? text : NULL;
}

static int put_only(const struct form *f, const struct compare_pair *p)
{
	const char *first = f->markdown ? "\n" : "";
	int err = 0;

	if (p->nr_only_base)
		err = put_line(f, first, "  ", only_text("base", p->only_base, p->nr_only_base));
	if (!err && p->nr_only_head)
		err = put_line(f, first, "  ", only_text("head", p->only_head, p->nr_only_head));
	return err;
}

/* "base d2, head !1" */
static char *doubt_text(const struct compare_cell *cell)
{
	const char *a = cell->base->marks, *b = cell->head->marks;
	char *text;

	if (asprintf(&text, "%s%s%s%s%s", a[0] ? "base " : "", a, a[0] && b[0] ? ", " : "",
		     b[0] ? "head " : "", b) < 0)
		return NULL;
	return text;
}

static int put_end(const struct form *f, const struct compare_pair *p)
{
	const char *first = f->markdown ? "\n" : "";
	int err = put_only(f, p);

	if (!err)
		err = put_line(f, first, "  ", compare_counts(p));
	return err || !p->nr ? err : put_line(f, first, "  ", compare_seen(p));
}

static bool shown(const struct compare_cell *cell, bool changed_only)
{
	return !changed_only || (cell->verdict != VERDICT_SAME && cell->verdict != VERDICT_UNKNOWN);
}

static char *interval_text(char buf[3 * COMPARE_TEXT_MAX], const struct compare_cell *cell)
{
	char low[COMPARE_TEXT_MAX], high[COMPARE_TEXT_MAX];

	if (isnan(cell->ratio.low))
		return strcpy(buf, "-");
	snprintf(buf, 3 * COMPARE_TEXT_MAX, "%s to %s",
		 compare_pct(low, 100 * (cell->ratio.low - 1)),
		 compare_pct(high, 100 * (cell->ratio.high - 1)));
	return buf;
}

static char *rounds_text(char buf[COMPARE_TEXT_MAX], const struct compare_cell *cell)
{
	if (cell->base->nr == cell->head->nr)
		snprintf(buf, COMPARE_TEXT_MAX, "%zu", cell->base->nr);
	else
		snprintf(buf, COMPARE_TEXT_MAX, "%zu,%zu", cell->base->nr, cell->head->nr);
	return buf;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_text_heads(const struct form *f)
{
	fprintf(f->out, "%9s %4s %6s %6s %7s %-17s %6s %6s %4s\n", "", "task", "base", "head",
		"change", "  95 % interval", "q", "seen", "n");
}

static int put_text_row(const struct form *f, const struct compare_cell *cell)
{
	char base[HUMAN_MAX], head[HUMAN_MAX], change[COMPARE_TEXT_MAX], q[COMPARE_TEXT_MAX];
	char seen[HUMAN_MAX], interval[3 * COMPARE_TEXT_MAX], rounds[COMPARE_TEXT_MAX],
		tasks[24] = "";
	const struct run_cell *c = cell->base->cell;
	char *doubts;
	int err = 0;

	if (c)
		snprintf(tasks, sizeof(tasks), "%" PRIu64, c->tasks);
	fprintf(f->out, "%9s %4s %6s %6s %7s %17s %6s %6s %4s%s%s\n",
		c ? run_mode_name(c->mode) : "", tasks, human_si(base, cell->base_stats.mean),
		human_si(head, cell->head_stats.mean),
		compare_pct(change, compare_change_pct(cell)), interval_text(interval, cell),
		compare_p(q, cell->q), human_pct(seen, cell->ratio.detectable_pct),
		rounds_text(rounds, cell), compare_word(cell)[0] ? " " : "", compare_word(cell));
	doubts = doubt_text(cell);
	if (!doubts)
		return -ENOMEM;
	if (doubts[0])
		err = put_line(f, "            ", "            ", doubts);
	else
		free(doubts);
	return err;
}

/* Cells of one series have one title. */
static int put_text_cells(const struct form *f, const struct compare_pair *p, bool changed_only)
{
	char *last = NULL;
	int err = 0;

	for (size_t i = 0; !err && i < p->nr; i++) {
		char *title;

		if (!shown(&p->cells[i], changed_only))
			continue;
		title = compare_title(p->cells[i].base);
		if (!title) {
			err = -ENOMEM;
			break;
		}
		if (!last) {
			fputc('\n', f->out);
			put_text_heads(f);
		}
		if (!last || strcmp(last, title) != 0)
			human_wrap(f->out, "", "  ", title, COMPARE_COLUMNS);
		free(last);
		last = title;
		err = put_text_row(f, &p->cells[i]);
	}
	if (last)
		fputc('\n', f->out);
	free(last);
	return err;
}

int compare_text(const struct comparison *c, bool changed_only, FILE *out)
{
	struct form f = { out, false };
	int err = 0;

	for (size_t i = 0; !err && i < c->nr; i++) {
		const struct compare_pair *p = &c->pairs[i];

		if (i)
			fputc('\n', out);
		err = put_sides(&f, p);
		if (!err)
			err = put_differences(&f, p);
		if (!err)
			err = put_text_cells(&f, p, changed_only);
		if (!err)
			err = put_end(&f, p);
	}
	fputc('\n', out);
	if (!err)
		err = put_line(&f, "", "  ", compare_rule_text(c));
	return err ? err
		   : put_line(&f, "", "  ",
			      strdup("base, head: means over the n rounds, ops/s of a "
				     "run. seen: the smallest fall that the test would have seen, "
				     "4 times of 5. Marks of doubt "
				     "are those of knee summary."));
}

/* ---- markdown ------------------------------------------------------------------------------- */

static int put_markdown_row(const struct form *f, const struct compare_cell *cell)
{
	char base[HUMAN_MAX], head[HUMAN_MAX], change[COMPARE_TEXT_MAX], q[COMPARE_TEXT_MAX];
	char seen[HUMAN_MAX], interval[3 * COMPARE_TEXT_MAX], rounds[COMPARE_TEXT_MAX];
	char *title = compare_title(cell->base), *doubts = doubt_text(cell);
	const struct run_cell *c = cell->base->cell;
	int err = -ENOMEM;

	if (title && doubts)
		err = print_markdown(title, "| ", f->out);
	if (!err) {
		fprintf(f->out, " | %s | ", c ? run_mode_name(c->mode) : "");
		if (c)
			fprintf(f->out, "%" PRIu64, c->tasks);
		fprintf(f->out, " | %s | %s | %s | %s | %s | ",
			human_si(base, cell->base_stats.mean),
			human_si(head, cell->head_stats.mean),
			compare_pct(change, compare_change_pct(cell)),
			interval_text(interval, cell), compare_p(q, cell->q));
		print_markdown(human_pct(seen, cell->ratio.detectable_pct), "", f->out);
		fprintf(f->out, " | %s | %s | ", rounds_text(rounds, cell), compare_word(cell));
		err = print_markdown(doubts, "", f->out);
		fputs(" |\n", f->out);
	}
	free(title);
	free(doubts);
	return err;
}

int compare_markdown(const struct comparison *c, bool changed_only, FILE *out)
{
	struct form f = { out, true };
	int err = 0;

	for (size_t i = 0; !err && i < c->nr; i++) {
		const struct compare_pair *p = &c->pairs[i];

		fputs(i ? "\n" : "", out);
		err = put_sides(&f, p);
		if (!err)
			err = put_differences(&f, p);
		fputs("\n| cell | mode | tasks | base | head | change | 95 % interval | q | seen | "
		      "n | "
		      "verdict | doubts |\n"
		      "|---|---|---:|---:|---:|---:|---|---:|---:|---:|---|---|\n",
		      out);
		for (size_t j = 0; !err && j < p->nr; j++)
			if (shown(&p->cells[j], changed_only))
				err = put_markdown_row(&f, &p->cells[j]);
		if (!err)
			err = put_end(&f, p);
	}
	return err ? err : put_line(&f, "\n", "", compare_rule_text(c));
}
