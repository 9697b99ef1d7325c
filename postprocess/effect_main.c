/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee effect: what the levels of a factor do, in pairs of cells of the same round. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"
#include "msg.h"
#include "opt.h"
#include "run.h"

struct options {
	const char *format, *factor, *base;
	bool man;
	struct opt_texts operands;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = OPT_LONG + 1, .name = "base", .arg = "LEVEL", .type = OPT_TEXT, .offset = AT(base),
	  .doc = "What the other levels are compared with (the first that --vary named)" },
	{ .key = OPT_LONG + 2, .name = "factor", .arg = "NAME", .type = OPT_TEXT, .offset = AT(factor),
	  .doc = "Which factor, as --vary named it (the only one)" },
	{ .key = 'f', .name = "format", .arg = "FORMAT", .type = OPT_TEXT, .offset = AT(format),
	  .choices = EFFECT_FORMATS, .doc = "text, markdown, csv or json (text)" },
	{ .key = OPT_LONG + 3, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "RUN",
	.operands_offset = AT(operands),
	.doc = "Says what the levels of a factor do: each against a base level, in pairs of cells that a "
	       "round ran one after another, with the 95 % interval; faster, slower, or in the noise. RUN "
	       "is a directory that runtest --vary made.",
};

/* Pairs of cells that were not measured make no effect. */
static enum exit_status exit_status(const struct effect *e, const char *path)
{
	if (e->nr && effect_count(e, EFFECT_UNKNOWN) < e->nr)
		return EXIT_MEASURED;
	msg_error("%s: no two rounds measured both %s=%s and another level", path, e->factor, e->base);
	return EXIT_CELL_FAILED;
}

static enum exit_status show(const struct options *o)
{
	const char *path = o->operands.texts[0];
	enum exit_status status, closed;
	struct effect e;
	struct run run;
	int err = run_load(&run, path);

	if (err)
		return run_exit_status(err);
	err = effect_make(&e, &run, o->factor, o->base);
	if (err) {
		status = err == -EINVAL ? EXIT_USAGE : EXIT_CELL_FAILED;
	} else {
		status = exit_status(&e, path);
		err = effect_print(&e, o->format, stdout);
		if (err)
			msg_error("cannot write the table: %s", strerror(-err));
		closed = msg_close_stdout();
		if (status == EXIT_MEASURED)
			status = err ? EXIT_CELL_FAILED : closed;
		effect_free(&e);
	}
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
