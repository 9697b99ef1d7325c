/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `knee overhead` prints: the table as it was published, and for programs. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "overhead.h"
#include "print.h"

#define COLUMNS 80
#define CELL_MAX 48

/* "2.848 s", "271.1%": three decimals and one, as it was published. */
static char *seconds(char buf[CELL_MAX], double value_s)
{
	if (isnan(value_s))
		return strcpy(buf, "-");
	snprintf(buf, CELL_MAX, "%.3f s", value_s);
	return buf;
}

static char *per_cent(char buf[CELL_MAX], double pct)
{
	if (isnan(pct))
		return strcpy(buf, "-");
	snprintf(buf, CELL_MAX, "%.1f%%", pct);
	return buf;
}

/* ---- what there is to doubt ----------------------------------------------------------------- */

static void put_time_note(const struct overhead_time *time, const char *label, FILE *out)
{
	char pct[HUMAN_MAX];

	fprintf(out, "%s %zu round%s", label, time->nr, time->nr == 1 ? "" : "s");
	if (!isnan(time->stats.ci95_pct))
		fprintf(out, " +-%s", human_pct(pct, time->stats.ci95_pct));
	if (time->marks && time->marks[0])
		fprintf(out, " %s", time->marks);
}

static bool has_notes(const struct overhead_object *object)
{
	bool has = object->disabled.nr > 1 || object->disabled.marks;

	for (size_t i = 0; i < object->nr; i++)
		has |= object->times[i].nr > 1 || object->times[i].marks;
	return has;
}

/* "32 B: disabled 8 rounds +-0.66%, none 8 rounds +-1.2% i2". NULL: no memory. */
static char *object_note(const struct overhead_object *object)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s: ", object->name);
	put_time_note(&object->disabled, "disabled", out);
	for (size_t i = 0; i < object->nr; i++) {
		fputs(", ", out);
		put_time_note(&object->times[i], object->times[i].label, out);
	}
	if (object->noise_p >= 0.05)
		fprintf(out, ". The overhead of the unpatched kernel is in the noise (p = %.2g): %%age 1 "
			"says nothing", object->noise_p);
	return fclose(out) == 0 ? text : NULL;
}

static int put_notes(const struct overhead *o, bool markdown, FILE *out)
{
	bool any = false;
	int err = 0;

	for (size_t i = 0; !err && i < o->nr; i++) {
		char *text;

		if (!has_notes(&o->objects[i]))
			continue;
		if (!any)
			fprintf(out, "\nTimes are the %s of their rounds; +- is the 95 %% interval of the "
				"mean.\n%s", o->statistic, markdown ? "\n" : "");
		any = true;
		text = object_note(&o->objects[i]);
		if (!text)
			return -ENOMEM;
		if (markdown) {
			err = print_markdown(text, "- ", out);
			fputc('\n', out);
		} else {
			human_wrap(out, "", "  ", text, COLUMNS);
		}
		free(text);
	}
	return err;
}

/* ---- markdown ------------------------------------------------------------------------------- */

static int put_markdown_row(const struct overhead_object *object, size_t n, FILE *out)
{
	const struct overhead_time *time = &object->times[n];
	char disabled[CELL_MAX], run[CELL_MAX], over[CELL_MAX], pct_1[CELL_MAX], pct_2[CELL_MAX];
	int err = 0;

	if (n == 0) {
		err = print_markdown(object->name, "| ", out);
		fprintf(out, " | %s | ", seconds(disabled, object->disabled.time_s));
	} else {
		fputs("| | | ", out);
	}
	if (!err)
		err = print_markdown(time->label, "", out);
	fprintf(out, " | %s | %s | %s | %s |\n", seconds(run, time->time_s), seconds(over, time->overhead_s),
		per_cent(pct_1, time->pct_1), per_cent(pct_2, time->pct_2));
	return err;
}

static int print_as_markdown(const struct overhead *o, FILE *out)
{
	int err = 0;

	fputs("| object | accounting disabled | patches | run time | overhead | %age 1 | %age 2 |\n"
	      "|---|---|---|---|---|---|---|\n", out);
	for (size_t i = 0; i < o->nr; i++)
		for (size_t k = 0; !err && k < o->objects[i].nr; k++)
			err = put_markdown_row(&o->objects[i], k, out);
	return err ? err : put_notes(o, true, out);
}

/* ---- text ----------------------------------------------------------------------------------- */

static int widest(const char *text, int width)
{
	int own = (int)human_width(text);

	return own > width ? own : width;
}

static int put_text_row(const struct overhead_object *object, size_t n, int width, FILE *out)
{
	const struct overhead_time *time = &object->times[n];
	char disabled[CELL_MAX] = "", run[CELL_MAX], over[CELL_MAX], pct_1[CELL_MAX], pct_2[CELL_MAX];
	char *label = human_clean(time->label);

	if (!label)
		return -ENOMEM;
	if (n == 0)
		seconds(disabled, object->disabled.time_s);
	fprintf(out, "  %19s  %-*s %10s %10s %8s %8s\n", disabled, width, label, seconds(run, time->time_s),
		seconds(over, time->overhead_s), per_cent(pct_1, time->pct_1), per_cent(pct_2, time->pct_2));
	free(label);
	return 0;
}

static int print_as_text(const struct overhead *o, FILE *out)
{
	int width = widest("patches", 0), err = 0;

	for (size_t i = 0; i < o->nr; i++)
		for (size_t k = 0; k < o->objects[i].nr; k++)
			width = widest(o->objects[i].times[k].label, width);
	fprintf(out, "  %19s  %-*s %10s %10s %8s %8s\n", "accounting disabled", width, "patches", "run time",
		"overhead", "%age 1", "%age 2");
	for (size_t i = 0; !err && i < o->nr; i++) {
		human_wrap(out, "", "  ", o->objects[i].name, COLUMNS);
		for (size_t k = 0; !err && k < o->objects[i].nr; k++)
			err = put_text_row(&o->objects[i], k, width, out);
	}
	return err ? err : put_notes(o, false, out);
}

/* ---- for programs --------------------------------------------------------------------------- */

static int print_as_csv(const struct overhead *o, FILE *out)
{
	fputs("object,patches,disabled_s,run_s,overhead_s,pct_1,pct_2,disabled_rounds,rounds,ci95_pct,"
	      "marks\n", out);
	for (size_t i = 0; i < o->nr; i++)
		for (size_t k = 0; k < o->objects[i].nr; k++) {
			const struct overhead_object *object = &o->objects[i];
			const struct overhead_time *time = &object->times[k];

			print_csv_text(object->name, out);
			fputc(',', out);
			print_csv_text(time->label, out);
			print_csv_number(object->disabled.time_s, out);
			print_csv_number(time->time_s, out);
			print_csv_number(time->overhead_s, out);
			print_csv_number(time->pct_1, out);
			print_csv_number(time->pct_2, out);
			fprintf(out, ",%zu,%zu", object->disabled.nr, time->nr);
			print_csv_number(time->stats.ci95_pct, out);
			fputc(',', out);
			print_csv_text(time->marks ? time->marks : "", out);
			fputc('\n', out);
		}
	return 0;
}

static json_t *values_json(const struct overhead_time *time)
{
	json_t *array = json_array();

	for (size_t i = 0; i < time->nr; i++)
		json_array_append_new(array, print_json(time->values_s[i]));
	return array;
}

static json_t *time_json(const struct overhead_time *time)
{
	return json_pack("{so so so so so so ss*}", "run_s", print_json(time->time_s), "overhead_s",
			 print_json(time->overhead_s), "pct_1", print_json(time->pct_1), "pct_2",
			 print_json(time->pct_2), "ci95_pct", print_json(time->stats.ci95_pct), "rounds_s",
			 values_json(time), "marks", time->marks);
}

static json_t *object_json(const struct overhead_object *object)
{
	json_t *array = json_array();

	for (size_t i = 0; i < object->nr; i++) {
		json_t *row = time_json(&object->times[i]);

		json_object_set_new(row, "patches", json_string(object->times[i].label));
		json_array_append_new(array, row);
	}
	return json_pack("{ss so so ss* so so}", "object", object->name, "disabled_s",
			 print_json(object->disabled.time_s), "disabled_rounds_s",
			 values_json(&object->disabled), "disabled_marks", object->disabled.marks,
			 "unpatched_p", print_json(object->noise_p), "rows", array);
}

static int print_as_json(const struct overhead *o, FILE *out)
{
	json_t *array = json_array();

	for (size_t i = 0; i < o->nr; i++)
		json_array_append_new(array, object_json(&o->objects[i]));
	return print_json_root(json_pack("{ss ss so}", "schema", "knee-overhead/1", "statistic",
					 o->statistic, "objects", array), out);
}

int overhead_print(const struct overhead *o, const char *format, FILE *out)
{
	static const struct {
		const char *name;
		int (*print)(const struct overhead *o, FILE *out);
	} forms[] = {
		{ "text", print_as_text },
		{ "markdown", print_as_markdown },
		{ "csv", print_as_csv },
		{ "json", print_as_json },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(forms[i].name, format) == 0)
			return forms[i].print(o, out);
	return -EINVAL;
}
