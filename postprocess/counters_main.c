/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee counters: what runtest --counters counted. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
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
	  .choices = COUNTS_FORMATS, .doc = "text or json (text)" },
	{ .key = OPT_LONG + 1, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "RUN [TESTCASE]",
	.operands_offset = AT(operands),
	.doc = "Prints the counters of a run that was made with runtest --counters, for each cell "
	       "over "
	       "its rounds, as perf stat -r does; and per operation.",
};

static enum exit_status print(const struct options *o, const struct run *run)
{
	const char *test = o->operands.nr > 1 ? o->operands.texts[1] : NULL;
	struct counts counts;
	int err = counts_make(&counts, run, o->operands.texts[0], test);

	if (err)
		return EXIT_CELL_FAILED;
	if (!counts.nr) {
		msg_error("%s: no counters%s%s (runtest --counters)", run->name, test ? " of " : "",
			  test ? test : "");
		err = -ENODATA;
	} else if (counts_print(&counts, o->format, stdout) != 0) {
		msg_error("cannot write the counters: %s", strerror(ENOMEM));
		err = -ENOMEM;
	}
	counts_free(&counts);
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
