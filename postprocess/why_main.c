/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee why: why the curves of a run bend. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "msg.h"
#include "opt.h"
#include "run.h"
#include "why.h"

struct options {
	const char *format;
	bool man;
	struct opt_texts operands;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = 'f', .name = "format", .arg = "FORMAT", .type = OPT_TEXT, .offset = AT(format),
	  .choices = WHY_FORMATS, .doc = "text or json (text)" },
	{ .key = OPT_LONG + 1, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "RUN [TESTCASE]",
	.operands_offset = AT(operands),
	.doc = "Says for each testcase and mode of a run why it does not scale: what grew most "
	       "from the fewest "
	       "to the most tasks, with the evidence; unknown where that is weak. Runs made with "
	       "runtest "
	       "--profile can name locks and functions.",
};

static enum exit_status print(const struct options *o, const struct run *run)
{
	const char *test = o->operands.nr > 1 ? o->operands.texts[1] : NULL;
	int err = why_print(run, o->operands.texts[0], test, o->format, stdout);

	return err ? EXIT_CELL_FAILED : msg_close_stdout();
}

static enum exit_status of_run(const struct options *o)
{
	enum exit_status status;
	struct run run;
	int err;

	if (o->man) {
		opt_print_man(&program, stdout);
		return msg_close_stdout();
	}
	if (o->operands.nr < 1 || o->operands.nr > 2) {
		msg_error("a run directory, and perhaps a testcase, are expected (%s --help)",
			  msg_program());
		return EXIT_USAGE;
	}
	err = run_load(&run, o->operands.texts[0]);
	if (err)
		return run_exit_status(err);
	status = print(o, &run);
	run_free(&run);
	return status;
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
		status = of_run(&o);
	free(o.operands.texts);
	return status;
}
