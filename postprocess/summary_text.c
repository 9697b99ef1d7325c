/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table for people: fits SUMMARY_COLUMNS columns, the same layout for every testcase. */
#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "summary_cells.h"

#define COLUMNS_MAX 20

/* "processes" */
#define FIRST_WIDTH 9

struct layout {
	size_t nr;
	const struct summary_column *columns[COLUMNS_MAX];
	size_t widths[COLUMNS_MAX];
};

static size_t bigger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* A cell of the table. Figures without a prefix leave its place free: "123.4 ". */
static char *cell(const struct summary_column *c, const struct table_row *row, char buf[HUMAN_MAX])
{
	size_t len;

	c->format(row, buf);
	len = strlen(buf);
	if (c->si && len && strchr("0123456789-", buf[len - 1]))
		strcpy(buf + len, " ");
	return buf;
}

static struct layout layout_of(const struct table *t, enum summary_view view)
{
	struct layout l = { 0 };
	char buf[HUMAN_MAX];

	for (const struct summary_column *c = summary_columns; c->head; c++) {
		size_t width = human_width(c->head) + c->si;

		if (!(c->views & view))
			continue;
		for (size_t i = 0; i < t->nr_series; i++)
			for (size_t j = 0; j < t->series[i].nr_rows; j++)
				width = bigger(width, human_width(cell(c, &t->series[i].rows[j],
								       buf)));
		l.columns[l.nr] = c;
		l.widths[l.nr++] = width;
	}
	return l;
}

static void put_right(const char *text, size_t width, FILE *out)
{
	size_t used = human_width(text);

	fprintf(out, "%*s%s", used < width ? (int)(width - used) : 0, "", text);
}

static void put_centred(const char *text, size_t width, FILE *out)
{
	size_t used = human_width(text) + 2, left = used < width ? (width - used) / 2 : 0;

	for (size_t i = 0; i < left; i++)
		fputc('-', out);
	fprintf(out, " %s ", text);
	for (size_t i = left + used; i < width; i++)
		fputc('-', out);
}

static const char *group_name(enum summary_group group, enum run_mode mode)
{
	if (group == GROUP_TASKS)
		return summary_per_task(mode);
	return group == GROUP_BOOTSTRAP ? "bootstrap" : "over rounds";
}

/* The line above the heads: what groups of columns have in common. */
static void put_groups(const struct layout *l, enum run_mode mode, FILE *out)
{
	size_t blanks = FIRST_WIDTH;

	for (size_t i = 0; i < l->nr;) {
		enum summary_group group = l->columns[i]->group;
		size_t width = l->widths[i], j = i + 1;

		while (group != GROUP_NONE && j < l->nr && l->columns[j]->group == group)
			width += 1 + l->widths[j++];
		if (group == GROUP_NONE) {
			blanks += 1 + width;
		} else {
			fprintf(out, "%*s", (int)blanks + 1, "");
			put_centred(group_name(group, mode), width, out);
			blanks = 0;
		}
		i = j;
	}
	fputc('\n', out);
}

static void put_heads(const struct layout *l, enum run_mode mode, FILE *out)
{
	char head[HUMAN_MAX];

	put_right(run_mode_name(mode), FIRST_WIDTH, out);
	for (size_t i = 0; i < l->nr; i++) {
		const struct summary_column *c = l->columns[i];

		snprintf(head, sizeof(head), "%s%s", c->head, c->si ? " " : "");
		fputc(' ', out);
		put_right(head, l->widths[i], out);
	}
	fputc('\n', out);
}

/* Marks that find no room stand on a line of their own. */
static int put_measured(const struct table *t, const struct layout *l, const struct table_row *row,
			FILE *out)
{
	size_t used = FIRST_WIDTH;
	char *marks = summary_marks(t, row), buf[HUMAN_MAX];

	if (!marks)
		return -ENOMEM;
	fprintf(out, "%*" PRIu64, FIRST_WIDTH, row->tasks);
	for (size_t i = 0; i < l->nr; i++) {
		fputc(' ', out);
		put_right(cell(l->columns[i], row, buf), l->widths[i], out);
		used += 1 + l->widths[i];
	}
	if (marks[0] && used + 1 + strlen(marks) <= SUMMARY_COLUMNS)
		fprintf(out, " %s", marks);
	else if (marks[0])
		fprintf(out, "\n%*s", SUMMARY_COLUMNS, marks);
	fputc('\n', out);
	free(marks);
	return 0;
}

static int put_failures(const struct table_row *row, const char *first, const char *next,
			FILE *out)
{
	for (size_t i = 0; i < row->nr_failures; i++) {
		char *text = summary_failure(row, &row->failures[i]);

		if (!text)
			return -ENOMEM;
		human_wrap(out, i ? next : first, next, text, SUMMARY_COLUMNS);
		free(text);
	}
	return 0;
}

static int put_row(const struct table *t, const struct layout *l, const struct table_row *row,
		   FILE *out)
{
	char first[HUMAN_MAX], next[HUMAN_MAX];

	if (table_measured(row))
		return put_measured(t, l, row, out);
	snprintf(first, sizeof(first), "%*" PRIu64 "  ", FIRST_WIDTH, row->tasks);
	snprintf(next, sizeof(next), "%*s", FIRST_WIDTH + 2, "");
	return put_failures(row, first, next, out);
}

static int put_rows(const struct table *t, const struct layout *l, const struct table_series *s,
		    FILE *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < s->nr_rows; i++) {
		enum run_mode mode = s->rows[i].mode;

		if (i == 0 || s->rows[i - 1].mode != mode) {
			put_groups(l, mode, out);
			put_heads(l, mode, out);
		}
		err = put_row(t, l, &s->rows[i], out);
	}
	return err;
}

/* ---- what stands around the rows ------------------------------------------------------------ */

static int put_text(char *text, const char *first, const char *next, FILE *out)
{
	if (!text)
		return -ENOMEM;
	human_wrap(out, first, next, text, SUMMARY_COLUMNS);
	free(text);
	return 0;
}

static int put_heading(const struct table_series *s, FILE *out)
{
	char *unit;

	if (put_text(summary_title(s), "", "  ", out) != 0)
		return -ENOMEM;
	if (s->unit && (asprintf(&unit, "one operation: %s", s->unit) < 0 ||
			put_text(unit, "  ", "    ", out) != 0))
		return -ENOMEM;
	return put_text(summary_conditions(s), "  ", "    ", out);
}

/* Rows with a figure whose other rounds gave none. */
static int put_partial_failures(const struct table_series *s, FILE *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < s->nr_rows; i++) {
		const struct table_row *row = &s->rows[i];
		char first[64];

		if (!table_measured(row))
			continue;
		snprintf(first, sizeof(first), "  !  %s %" PRIu64 ": ", run_mode_name(row->mode),
			 row->tasks);
		err = put_failures(row, first, "     ", out);
	}
	return err;
}

static int put_outliers(const struct table_series *s, FILE *out)
{
	for (size_t i = 0; i < s->nr_rows; i++) {
		const struct table_row *row = &s->rows[i];
		char first[64];

		snprintf(first, sizeof(first), "  ~  %s %" PRIu64 ": ", run_mode_name(row->mode),
			 row->tasks);
		for (size_t j = 0; j < row->nr_outliers; j++)
			if (put_text(summary_outlier(row, &row->outliers[j]), first, "     ", out))
				return -ENOMEM;
	}
	return 0;
}

static int put_legend(const struct table *t, const struct table_series *s, FILE *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < t->nr_flags; i++) {
		char first[8], *text;

		snprintf(first, sizeof(first), "  %c  ", summary_mark(t, i));
		if (summary_legend(t, s, i, &text))
			err = put_text(text, first, "     ", out);
	}
	if (!err)
		err = put_outliers(s, out);
	return err ? err : put_partial_failures(s, out);
}

static int put_series(const struct table *t, const struct layout *l, const struct table_series *s,
		      FILE *out)
{
	char *scalability;
	int err;

	fputc('\n', out);
	err = put_heading(s, out);
	if (!err)
		err = put_rows(t, l, s, out);
	scalability = err ? NULL : summary_scalability(s);
	if (scalability)
		err = put_text(scalability, "  ", "    ", out);
	return err ? err : put_legend(t, s, out);
}

static int put_title(const struct table *t, FILE *out)
{
	char *rounds = summary_rounds(t), *title = NULL;
	int err = -ENOMEM;

	if (rounds && asprintf(&title, "%s%s%s: %s", t->run, t->time ? ", " : "",
			       t->time ? t->time : "", rounds) >= 0)
		err = put_text(title, "", "  ", out);
	free(rounds);
	if (!err && t->machine[0])
		human_wrap(out, "", "  ", t->machine, SUMMARY_COLUMNS);
	return err;
}

static int put_table(const struct table *t, enum summary_view view, const char *const *notes,
		     FILE *out)
{
	struct layout l = layout_of(t, view);
	int err = put_title(t, out);

	for (size_t i = 0; !err && i < t->nr_series; i++)
		err = put_series(t, &l, &t->series[i], out);
	if (err)
		return err;
	fputc('\n', out);
	for (size_t i = 0; notes[i]; i++)
		human_wrap(out, "", "  ", notes[i], SUMMARY_COLUMNS);
	if (summary_single_rounds(t))
		human_wrap(out, "", "  ", summary_single_round_note, SUMMARY_COLUMNS);
	return 0;
}

int summary_text(const struct table *t, FILE *out)
{
	return put_table(t, VIEW_TEXT, summary_notes, out);
}

int summary_statistics(const struct table *t, FILE *out)
{
	return put_table(t, VIEW_STATISTICS, summary_statistics_notes, out);
}
