/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table as GitHub-flavoured markdown. */
#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "summary_cells.h"

static int put_line(const char *head, char *text, FILE *out)
{
	int err = -ENOMEM;

	if (text) {
		err = print_markdown(text, head, out);
		fputc('\n', out);
	}
	free(text);
	return err;
}

static void put_heads(FILE *out)
{
	fputs("\n| mode | tasks |", out);
	for (const struct summary_column *c = summary_columns; c->head; c++)
		fprintf(out, " %s |", c->long_head);
	fputs(" marks |\n|---|---:|", out);
	for (const struct summary_column *c = summary_columns; c->head; c++)
		fputs("---:|", out);
	fputs("---|\n", out);
}

/* The reason stands in the last column, where it may be long. */
static int put_reasons(const struct table_row *row, FILE *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < row->nr_failures; i++) {
		char *text = summary_failure(row, &row->failures[i]);

		fputs(i ? "; " : " ", out);
		err = text ? print_markdown(text, "", out) : -ENOMEM;
		free(text);
	}
	return err;
}

static int put_outliers(const struct table_row *row, FILE *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < row->nr_outliers; i++) {
		char *text = summary_outlier(row, &row->outliers[i]);

		fputs(i ? "; " : " ", out);
		err = text ? print_markdown(text, "", out) : -ENOMEM;
		free(text);
	}
	return err;
}

static int put_row(const struct table *t, const struct table_row *row, FILE *out)
{
	char *marks, buf[HUMAN_MAX];

	fprintf(out, "| %s | %" PRIu64 " |", run_mode_name(row->mode), row->tasks);
	for (const struct summary_column *c = summary_columns; c->head; c++) {
		c->format(row, buf);
		fputc(' ', out);
		print_markdown(buf, "", out);
		fputs(" |", out);
	}
	marks = table_measured(row) ? summary_marks(t, row) : strdup("");
	if (!marks)
		return -ENOMEM;
	fprintf(out, "%s%s", marks[0] ? " " : "", marks);
	free(marks);
	if (put_outliers(row, out) != 0 || put_reasons(row, out) != 0)
		return -ENOMEM;
	fputs(" |\n", out);
	return 0;
}

static int put_heading(const struct table_series *s, FILE *out)
{
	char *unit;

	if (put_line("\n## ", summary_title(s), out) != 0)
		return -ENOMEM;
	if (s->unit && (asprintf(&unit, "One operation: %s", s->unit) < 0 ||
			put_line("\n", unit, out) != 0))
		return -ENOMEM;
	return put_line("\n", summary_conditions(s), out);
}

static int put_legend(const struct table *t, const struct table_series *s, FILE *out)
{
	bool any = false;
	int err = 0;

	for (size_t i = 0; !err && i < t->nr_flags; i++) {
		char head[16], *text;

		if (!summary_legend(t, s, i, &text))
			continue;
		snprintf(head, sizeof(head), "%s- `%c` ", any ? "" : "\n", summary_mark(t, i));
		err = put_line(head, text, out);
		any = true;
	}
	return err;
}

static int put_series(const struct table *t, const struct table_series *s, FILE *out)
{
	char *scalability;
	int err = put_heading(s, out);

	if (!err)
		put_heads(out);
	for (size_t i = 0; !err && i < s->nr_rows; i++)
		err = put_row(t, &s->rows[i], out);
	scalability = err ? NULL : summary_scalability(s);
	if (scalability)
		err = put_line("\n", scalability, out);
	return err ? err : put_legend(t, s, out);
}

static int put_title(const struct table *t, FILE *out)
{
	char *rounds = summary_rounds(t), *text = NULL;
	int err = put_line("# ", strdup(t->run), out);

	if (!err && rounds && asprintf(&text, "%s%s%s%s%s", t->time ? t->time : "",
				       t->time ? ", " : "", rounds, t->machine[0] ? ", " : "",
				       t->machine) < 0)
		text = NULL;
	free(rounds);
	return err ? err : put_line("\n", text, out);
}

int summary_markdown(const struct table *t, FILE *out)
{
	int err = put_title(t, out);

	for (size_t i = 0; !err && i < t->nr_series; i++)
		err = put_series(t, &t->series[i], out);
	for (size_t i = 0; !err && summary_notes[i]; i++)
		err = put_line("\n", strdup(summary_notes[i]), out);
	for (size_t i = 0; !err && summary_statistics_notes[i]; i++)
		err = put_line("\n", strdup(summary_statistics_notes[i]), out);
	if (!err && summary_single_rounds(t))
		err = put_line("\n", strdup(summary_single_round_note), out);
	return err;
}
