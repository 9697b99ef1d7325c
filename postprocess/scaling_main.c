/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee scaling: the law by which rates scale, and what it says. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "opt.h"
#include "run.h"
#include "scaling.h"
#include "table.h"

struct options {
	const char *format, *csv, *column;
	bool man;
	struct opt_texts operands;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = OPT_LONG + 1,
	  .name = "column",
	  .arg = "NAME",
	  .type = OPT_TEXT,
	  .offset = AT(column),
	  .doc = "The rates are in this column of FILE (the one after tasks)" },
	{ .key = OPT_LONG + 2,
	  .name = "csv",
	  .arg = "FILE",
	  .type = OPT_TEXT,
	  .offset = AT(csv),
	  .doc = "Read tasks and rates from FILE (-: stdin) instead: a line for each round, a line "
		 "of names above if you like" },
	{ .key = 'f',
	  .name = "format",
	  .arg = "FORMAT",
	  .type = OPT_TEXT,
	  .offset = AT(format),
	  .choices = SCALING_FORMATS,
	  .doc = "text, markdown, csv or json (text)" },
	{ .key = OPT_LONG + 3,
	  .name = "man",
	  .type = OPT_FLAG,
	  .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "RUN | --csv FILE",
	.operands_offset = AT(operands),
	.doc = "Says how rates scale with tasks: how far linearly, where they flatten, where they "
	       "fall; and the Universal Scalability Law that describes them. RUN is a directory "
	       "that runtest made.",
};

/* A curve without a model is no failure as long as another one has it. */
static enum exit_status exit_status(const struct scaling *s)
{
	for (size_t i = 0; i < s->nr_curves; i++)
		if (!s->curves[i].model.refused)
			return EXIT_MEASURED;
	msg_error("%s: no model: %s", s->name, s->nr_curves ? s->curves[0].model.refused
							     : "nothing was measured");
	return EXIT_CELL_FAILED;
}

static enum exit_status print(struct scaling *s, const char *format)
{
	enum exit_status status = exit_status(s), closed;

	if (scaling_print(s, format, stdout) != 0) {
		msg_error("cannot write the table: %s", strerror(ENOMEM));
		status = EXIT_CELL_FAILED;
	}
	scaling_free(s);
	closed = msg_close_stdout();
	return closed == EXIT_MEASURED ? status : closed;
}

static enum exit_status of_run(const struct options *o)
{
	enum exit_status status = EXIT_CELL_FAILED;
	struct scaling s;
	struct table t;
	struct run run;
	int err = run_load(&run, o->operands.texts[0]);

	if (err)
		return run_exit_status(err);
	if (table_make(&t, &run) == 0) {
		if (scaling_of_table(&s, &t, &run) == 0)
			status = print(&s, o->format);
		table_free(&t);
	}
	run_free(&run);
	return status;
}

static enum exit_status of_csv(const struct options *o)
{
	struct scaling s;
	int err = scaling_of_csv(&s, o->csv, o->column);

	return err ? run_exit_status(err) : print(&s, o->format);
}

static enum exit_status run(const struct options *o)
{
	if (o->man) {
		opt_print_man(&program, stdout);
		return msg_close_stdout();
	}
	if (o->operands.nr != (o->csv ? 0 : 1)) {
		msg_error("one run directory, or --csv, is expected (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	if (o->column && !o->csv) {
		msg_error("--column goes with --csv (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	return o->csv ? of_csv(o) : of_run(o);
}

int main(int argc, char **argv)
{
	struct options o = { .format = "text" };
	enum exit_status status;
	int err;

	msg_init(argv[0]);
	err = opt_parse(&program, argc, argv, &o);
	if (err)
		status = err > 0 ? EXIT_MEASURED : EXIT_USAGE;
	else
		status = run(&o);
	free(o.operands.texts);
	return status;
}
