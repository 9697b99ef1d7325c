/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee figures: what testcases measure beside their rates. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures_table.h"
#include "msg.h"
#include "opt.h"
#include "run.h"

struct options {
	const char *format;
	bool man;
	struct opt_texts operands;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = 'f', .name = "format", .arg = "FORMAT", .type = OPT_TEXT, .offset = AT(format),
	  .choices = FIGURES_FORMATS, .doc = "text, markdown, csv or json (text)" },
	{ .key = OPT_LONG + 1, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "RUN",
	.operands_offset = AT(operands),
	.doc = "Prints what testcases measure beside their rates, such as the latency of a single call: of "
	       "each cell of RUN, a directory that runtest made, over its rounds.",
};

static enum exit_status show(const struct options *o)
{
	struct figures_table t;
	struct run run;
	enum exit_status closed;
	int err = run_load(&run, o->operands.texts[0]);

	if (err)
		return run_exit_status(err);
	err = figures_table_make(&t, &run);
	if (!err && !t.nr) {
		msg_error("%s: its testcases measured nothing beside their rates", o->operands.texts[0]);
		err = -ENODATA;
	} else if (!err) {
		err = figures_table_print(&t, o->format, stdout);
		if (err)
			msg_error("cannot write the table: %s", strerror(-err));
		figures_table_free(&t);
	}
	run_free(&run);
	closed = msg_close_stdout();
	return err ? EXIT_CELL_FAILED : closed;
}

int main(int argc, char **argv)
{
	struct options o = { .format = "text" };
	enum exit_status status;
	int err;

	msg_init(argv[0]);
	err = opt_parse(&program, argc, argv, &o);
	if (err) {
		status = err > 0 ? EXIT_MEASURED : EXIT_USAGE;
	} else if (o.man) {
		opt_print_man(&program, stdout);
		status = msg_close_stdout();
	} else if (o.operands.nr != 1) {
		msg_error("one run directory is expected (%s --help)", msg_program());
		status = EXIT_USAGE;
	} else {
		status = show(&o);
	}
	free(o.operands.texts);
	return status;
}
