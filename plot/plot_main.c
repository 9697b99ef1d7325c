/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee plot KIND: pictures of derived tables. A kind is a line of the table of kinds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "near.h"
#include "plot_curves.h"
#include "plot_placement.h"

static const struct kind {
	const char *name;
	int (*run)(int argc, char **argv);	/* returns the exit status */
	const char *doc;
} kinds[] = {
	{ "curves", plot_curves, "operations per second against tasks" },
	{ "placement", plot_placement, "where the tasks were, on the machine" },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void print_help(FILE *out)
{
	fprintf(out, "Usage: %s KIND [OPTION...] RUN ...\nDraws pictures of a run, by gnuplot.\n\n",
		msg_program());
	for (size_t i = 0; i < NR_KINDS; i++)
		fprintf(out, "  %-12s%s\n", kinds[i].name, kinds[i].doc);
	fprintf(out, "\n%s KIND --help tells more.\n", msg_program());
}

static int say_unknown(const char *word)
{
	const char *names[NR_KINDS];
	char near[NEAR_TEXT_MAX];

	for (size_t i = 0; i < NR_KINDS; i++)
		names[i] = kinds[i].name;
	near_names(near, word, names, NR_KINDS);
	msg_error("there is no picture '%s'%s%s (%s --help)", word,
		  near[0] ? "; near it: " : "", near, msg_program());
	return EXIT_USAGE;
}

/* The kind becomes part of the program's name: "knee plot curves: ...". */
static int run(const struct kind *kind, int argc, char **argv)
{
	char *name;
	int status;

	if (asprintf(&name, "%s %s", msg_program(), kind->name) < 0)
		return EXIT_CELL_FAILED;
	argv[1] = name;
	msg_init(name);
	status = kind->run(argc - 1, argv + 1);
	free(name);
	return status;
}

int main(int argc, char **argv)
{
	msg_init(argv[0]);
	if (argc < 2) {
		msg_error("the kind of picture is missing (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		print_help(stdout);
		return fflush(stdout) == 0 ? EXIT_MEASURED : EXIT_CELL_FAILED;
	}
	for (size_t i = 0; i < NR_KINDS; i++)
		if (strcmp(argv[1], kinds[i].name) == 0)
			return run(&kinds[i], argc, argv);
	return say_unknown(argv[1]);
}
