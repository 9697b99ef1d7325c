/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee compare: what changed from one run to others, and how sure that is. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare_print.h"
#include "msg.h"
#include "opt.h"

struct options {
	const char *format, *rule;
	struct opt_texts allow, names, axes, operands;
	double fdr_pct, fail_pct;
	bool changed, man;
};

#define AT(field) offsetof(struct options, field)

/* --fail-on-regression was not given. */
#define NO_FAIL -1

static const struct opt table_of_options[] = {
	{ .key = OPT_LONG + 1,
	  .name = "allow",
	  .arg = "NAME",
	  .type = OPT_TEXTS,
	  .offset = AT(allow),
	  .doc = "Compare although the runs differ in NAME (memory.thp; cpu: all that begins so; "
		 "all: "
		 "whatever)" },
	{ .key = OPT_LONG + 2,
	  .name = "axis",
	  .arg = "NAME=VALUE",
	  .type = OPT_TEXTS,
	  .offset = AT(axes),
	  .doc = "In the head of LKP's table" },
	{ .key = OPT_LONG + 3,
	  .name = "changed",
	  .type = OPT_FLAG,
	  .offset = AT(changed),
	  .doc = "Text and markdown: only cells that changed" },
	{ .key = OPT_LONG + 4,
	  .name = "fail-on-regression",
	  .arg = "PCT",
	  .type = OPT_DECIMAL,
	  .offset = AT(fail_pct),
	  .max = 100,
	  .doc = "Exit with 4 if a cell is called slower, by PCT per cent or more" },
	{ .key = OPT_LONG + 5,
	  .name = "fdr",
	  .arg = "PCT",
	  .type = OPT_DECIMAL,
	  .offset = AT(fdr_pct),
	  .min = 0.0001,
	  .max = 50,
	  .doc = "Call changes of which at most PCT per cent are false (1)" },
	{ .key = 'f',
	  .name = "format",
	  .arg = "FORMAT",
	  .type = OPT_TEXT,
	  .offset = AT(format),
	  .choices = COMPARE_FORMATS,
	  .doc = "text, markdown, csv, json, lkp (the kernel test robot's table), mmtests, or "
		 "gbench "
		 "(for google/benchmark's compare.py; of one run, too) (text)" },
	{ .key = OPT_LONG + 6,
	  .name = "man",
	  .type = OPT_FLAG,
	  .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = OPT_LONG + 7,
	  .name = "name",
	  .arg = "NAME",
	  .type = OPT_TEXTS,
	  .offset = AT(names),
	  .doc = "What BASE is called, then each HEAD (what the runs call themselves)" },
	{ .key = OPT_LONG + 8,
	  .name = "rule",
	  .arg = "RULE",
	  .type = OPT_TEXT,
	  .offset = AT(rule),
	  .choices = COMPARE_RULES,
	  .doc = "knee, or lkp: verdicts as LKP's (knee)" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "BASE HEAD...",
	.operands_offset = AT(operands),
	.doc = "Says what changed from BASE to each HEAD, and how sure that is: ratios with their "
	       "intervals, and verdicts of which few are false over all cells. They are "
	       "directories "
	       "that runtest made, or LKP's matrix.json.",
};

/* ---- what can be compared ------------------------------------------------------------------- */

/* Every difference that matters is named, so that one reading is enough. */
static enum exit_status check_differences(struct comparison *c, const struct options *o)
{
	size_t refused = 0;

	for (size_t i = 0; i < c->nr; i++) {
		struct differences *d = &c->pairs[i].differences;

		for (size_t j = 0; j < o->allow.nr; j++)
			differences_allow(d, o->allow.texts[j]);
		for (size_t j = 0; j < d->nr; j++)
			if (d->list[j].kind == DIFFERENCE_MATTERS && !d->list[j].allowed)
				msg_note("%s differs: %s, and %s in %s", d->list[j].name,
					 d->list[j].base, d->list[j].head, c->pairs[i].head->name);
		refused += differences_refused(d);
	}
	if (!refused)
		return EXIT_MEASURED;
	msg_error("not compared: the runs differ in what matters (--allow NAME, or --allow all)");
	return EXIT_USAGE;
}

static enum exit_status check_cells(const struct comparison *c)
{
	for (size_t i = 0; i < c->nr; i++)
		if (!c->pairs[i].nr) {
			msg_error("%s and %s have no cell in common", c->pairs[i].base->name,
				  c->pairs[i].head->name);
			return EXIT_USAGE;
		}
	return EXIT_MEASURED;
}

/* ---- printing ------------------------------------------------------------------------------- */

static enum exit_status print(const struct comparison *c, const struct side *sides, size_t nr,
			      const struct options *o)
{
	struct compare_form form = {
		.format = o->format, .changed_only = o->changed,
		.axes = o->axes.texts, .nr_axes = o->axes.nr,
	};
	enum exit_status closed;
	int err = compare_print(c, sides, nr, &form, stdout);

	if (err)
		msg_error("cannot write the table: %s", strerror(-err));
	closed = msg_close_stdout();
	return err ? EXIT_CELL_FAILED : closed;
}

static enum exit_status verdict(const struct comparison *c, const struct options *o)
{
	size_t nr;

	if (o->fail_pct == NO_FAIL)
		return EXIT_MEASURED;
	nr = compare_regressions(c, o->fail_pct);
	if (!nr)
		return EXIT_MEASURED;
	msg_note("%zu cell%s slower by %g %% or more", nr, nr == 1 ? " is" : "s are", o->fail_pct);
	return EXIT_REGRESSION;
}

static enum exit_status compare(const struct side *sides, size_t nr, const struct options *o)
{
	enum compare_rule rule = strcmp(o->rule, "lkp") == 0 ? RULE_LKP : RULE_KNEE;
	struct comparison c;
	enum exit_status status;

	if (compare_make(&c, sides, nr, rule, o->fdr_pct / 100) != 0) {
		msg_error("%s", strerror(ENOMEM));
		return EXIT_CELL_FAILED;
	}
	status = check_differences(&c, o);
	if (status == EXIT_MEASURED)
		status = check_cells(&c);
	if (status == EXIT_MEASURED)
		status = print(&c, sides, nr, o);
	if (status == EXIT_MEASURED)
		status = verdict(&c, o);
	compare_free(&c);
	return status;
}

/* ---- usage ---------------------------------------------------------------------------------- */

static enum exit_status check_usage(const struct options *o)
{
	bool single = strcmp(o->format, "gbench") == 0;

	if (o->operands.nr < (single ? 1 : 2)) {
		msg_error("two runs or more are expected (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	if (o->names.nr > o->operands.nr) {
		msg_error("more names than runs (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < o->axes.nr; i++)
		if (!strchr(o->axes.texts[i], '=')) {
			msg_error("--axis %s: NAME=VALUE is expected", o->axes.texts[i]);
			return EXIT_USAGE;
		}
	return EXIT_MEASURED;
}

static enum exit_status check_kinds(const struct side *sides, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (sides[i].is_run != sides[0].is_run) {
			msg_error("%s is a run directory, %s is a matrix.json",
				  sides[sides[0].is_run ? 0 : i].path,
				  sides[sides[0].is_run ? i : 0].path);
			return EXIT_USAGE;
		}
	return EXIT_MEASURED;
}

static enum exit_status run(const struct options *o)
{
	enum exit_status status = EXIT_MEASURED;
	struct side *sides;
	size_t nr = 0;

	if (o->man) {
		opt_print_man(&program, stdout);
		return msg_close_stdout();
	}
	status = check_usage(o);
	if (status != EXIT_MEASURED)
		return status;
	sides = calloc(o->operands.nr, sizeof(*sides));
	if (!sides)
		return EXIT_CELL_FAILED;
	while (status == EXIT_MEASURED && nr < o->operands.nr) {
		int err = side_load(&sides[nr], o->operands.texts[nr],
				    nr < o->names.nr ? o->names.texts[nr] : NULL);

		if (err)
			status = run_exit_status(err);
		else
			nr++;
	}
	if (status == EXIT_MEASURED)
		status = check_kinds(sides, nr);
	if (status == EXIT_MEASURED)
		status = nr > 1 ? compare(sides, nr, o)
				: print(&(struct comparison){ 0 }, sides, nr, o);
	while (nr)
		side_free(&sides[--nr]);
	free(sides);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = {
		.format = "text", .rule = "knee", .fdr_pct = 1, .fail_pct = NO_FAIL,
	};
	enum exit_status status;
	int err;

	msg_init(argv[0]);
	err = opt_parse(&program, argc, argv, &o);
	if (err)
		status = err > 0 ? EXIT_MEASURED : EXIT_USAGE;
	else
		status = run(&o);
	free(o.operands.texts);
	free(o.allow.texts);
	free(o.names.texts);
	free(o.axes.texts);
	return status;
}
