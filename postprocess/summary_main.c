/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee summary: the derived table of a run. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "opt.h"
#include "run.h"
#include "summary.h"
#include "table.h"

struct options {
	const char *format;
	uint64_t seed;
	bool man;
	struct opt_texts operands;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = 'f',
	  .name = "format",
	  .arg = "FORMAT",
	  .type = OPT_TEXT,
	  .offset = AT(format),
	  .choices = SUMMARY_FORMATS,
	  .doc = "text, statistics (a text with other columns: bootstrap, trimmed and harmonic "
		 "mean, outliers, fairness), markdown, csv or json (text)" },
	{ .key = OPT_LONG + 1,
	  .name = "seed",
	  .arg = "N",
	  .type = OPT_COUNT,
	  .offset = AT(seed),
	  .min = 1,
	  .max = 4294967295.0,
	  .doc = "Of the bootstrap (1)" },
	{ .key = OPT_LONG + 2,
	  .name = "man",
	  .type = OPT_FLAG,
	  .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "RUN",
	.operands_offset = AT(operands),
	.doc = "Prints the table of a run: for each testcase, mode and number of tasks the "
	       "operations per second over the rounds, their spread, and how they scale. RUN is "
	       "a directory that runtest made.",
};

static int print(const struct run *run, const struct options *o)
{
	struct table table;
	int err = table_make_seeded(&table, run, o->seed);

	if (err)
		return err;
	errno = 0;
	err = summary_print(&table, o->format, stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		err = errno ? -errno : -EIO;
	if (err)
		msg_error("cannot write the table: %s", strerror(-err));
	table_free(&table);
	return err;
}

static enum exit_status summarise(const struct options *o)
{
	struct run run;
	int err;

	if (o->man) {
		opt_print_man(&program, stdout);
		return msg_close_stdout();
	}
	if (o->operands.nr != 1) {
		msg_error("one run directory is expected (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	err = run_load(&run, o->operands.texts[0]);
	if (err)
		return run_exit_status(err);
	err = print(&run, o);
	run_free(&run);
	return err ? EXIT_CELL_FAILED : EXIT_MEASURED;
}

int main(int argc, char **argv)
{
	struct options o = { .format = "text", .seed = TABLE_SEED };
	enum exit_status status;
	int err;

	msg_init(argv[0]);
	err = opt_parse(&program, argc, argv, &o);
	if (err)
		status = err > 0 ? EXIT_MEASURED : EXIT_USAGE;
	else
		status = summarise(&o);
	free(o.operands.texts);
	return status;
}
