/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee overhead: the table of the overhead of kernel-memory accounting. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "opt.h"
#include "overhead.h"
#include "run.h"

struct options {
	const char *format, *csv, *level, *statistic;
	struct opt_texts names, operands;
	uint64_t operations;
	bool man;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = OPT_LONG + 1, .name = "csv", .arg = "FILE", .type = OPT_TEXT, .offset = AT(csv),
	  .doc = "Read run times from FILE (-: stdin) instead: lines of OBJECT,PATCHES,SECONDS, with the "
		 "patches disabled (accounting is) and none (the unpatched kernel)" },
	{ .key = 'f', .name = "format", .arg = "FORMAT", .type = OPT_TEXT, .offset = AT(format),
	  .choices = OVERHEAD_FORMATS, .doc = "text, markdown, csv or json (text)" },
	{ .key = OPT_LONG + 2, .name = "level", .arg = "LEVEL", .type = OPT_TEXT, .offset = AT(level),
	  .doc = "The level of memcg that is charged (the only one beside root)" },
	{ .key = OPT_LONG + 3, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = OPT_LONG + 4, .name = "name", .arg = "NAME", .type = OPT_TEXTS, .offset = AT(names),
	  .doc = "What the patches of the first PATCHED are called, then of the next (what the run calls "
		 "itself)" },
	{ .key = OPT_LONG + 5, .name = "operations", .arg = "N", .type = OPT_COUNT,
	  .offset = AT(operations), .min = 1, .max = 1e15,
	  .doc = "A run time is that of N operations by each task (100000000)" },
	{ .key = OPT_LONG + 6, .name = "statistic", .arg = "WHICH", .type = OPT_TEXT,
	  .offset = AT(statistic), .choices = OVERHEAD_STATISTICS,
	  .doc = "Of the rounds of a time, the mean, median or min (mean)" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "UNPATCHED [PATCHED...] | --csv FILE",
	.operands_offset = AT(operands),
	.doc = "Prints what kernel-memory accounting costs, as a table of run times: of UNPATCHED, a "
	       "directory that runtest --vary memcg=root,child made, the root memory cgroup stands for "
	       "accounting disabled; then the charged one of each PATCHED.",
};

static enum exit_status print(struct overhead *o, const char *format)
{
	int err = overhead_print(o, format, stdout);
	enum exit_status closed;

	if (err)
		msg_error("cannot write the table: %s", strerror(-err));
	closed = msg_close_stdout();
	overhead_free(o);
	return err ? EXIT_CELL_FAILED : closed;
}

static enum exit_status of_runs(const struct options *o, const struct run *runs, size_t nr)
{
	const char **labels = calloc(nr + 1, sizeof(*labels));
	struct overhead overhead;
	int err = labels ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < nr; i++)
		labels[i] = i && i - 1 < o->names.nr ? o->names.texts[i - 1] : runs[i].name;
	if (!err)
		err = overhead_of_runs(&overhead, runs, labels, nr, o->level, o->operations, o->statistic);
	free(labels);
	return err ? run_exit_status(err) : print(&overhead, o->format);
}

static enum exit_status from_runs(const struct options *o)
{
	struct run *runs = calloc(o->operands.nr, sizeof(*runs));
	enum exit_status status = runs ? EXIT_MEASURED : EXIT_CELL_FAILED;
	size_t nr = 0;

	while (status == EXIT_MEASURED && nr < o->operands.nr) {
		int err = run_load(&runs[nr], o->operands.texts[nr]);

		if (err)
			status = run_exit_status(err);
		else
			nr++;
	}
	if (status == EXIT_MEASURED)
		status = of_runs(o, runs, nr);
	while (nr)
		run_free(&runs[--nr]);
	free(runs);
	return status;
}

static enum exit_status from_file(const struct options *o)
{
	struct overhead overhead;
	int err = overhead_read(&overhead, o->csv, o->statistic);

	return err ? run_exit_status(err) : print(&overhead, o->format);
}

static enum exit_status check_usage(const struct options *o)
{
	if (!o->operands.nr != !o->csv && !(o->names.nr && o->names.nr >= o->operands.nr))
		return EXIT_MEASURED;
	if (o->names.nr && o->names.nr >= o->operands.nr)
		msg_error("more names than PATCHED runs (%s --help)", msg_program());
	else
		msg_error("run directories are expected, or --csv (%s --help)", msg_program());
	return EXIT_USAGE;
}

static enum exit_status run(const struct options *o)
{
	enum exit_status status;

	if (o->man) {
		opt_print_man(&program, stdout);
		return msg_close_stdout();
	}
	status = check_usage(o);
	if (status != EXIT_MEASURED)
		return status;
	return o->csv ? from_file(o) : from_runs(o);
}

int main(int argc, char **argv)
{
	struct options o = { .format = "text", .statistic = "mean", .operations = 100000000 };
	enum exit_status status;
	int err;

	msg_init(argv[0]);
	err = opt_parse(&program, argc, argv, &o);
	if (err)
		status = err > 0 ? EXIT_MEASURED : EXIT_USAGE;
	else
		status = run(&o);
	free(o.operands.texts);
	free(o.names.texts);
	return status;
}
