/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options: one table a program, which feeds parsing, --help, the man page and the recorded
 * configuration. A line of the table is an option; nothing else names it.
 */
#ifndef KNEE_OPT_H
#define KNEE_OPT_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

enum opt_type {
	OPT_HELP,	/* print the help */
	OPT_HEADING,	/* not an option: doc heads the following group in the help */
	OPT_FLAG,	/* bool: true if given */
	OPT_COUNT,	/* uint64_t, from min to max */
	OPT_DECIMAL,	/* double, from min to max */
	OPT_SECONDS,	/* double: 90, 0.5, 200ms, 1m30s; from min to max */
	OPT_TEXT,	/* const char *, one of choices if there are any */
	OPT_TEXTS,	/* struct opt_texts: may be given several times */
};

struct opt_texts {
	const char **texts;
	size_t nr;
};

struct opt {
	int key;		/* the letter, or OPT_LONG + n for an option without one */
	const char *name;	/* the long name, or NULL */
	const char *arg;	/* name of the argument in the help; NULL: no argument */
	enum opt_type type;
	size_t offset;		/* of the value in the program's options */
	double min, max;
	const char *choices;	/* blank-separated */
	const char *bare;	/* OPT_TEXT: what it means without an argument, which is then optional */
	const char *doc;
};

#define OPT_LONG 256

struct opt_program {
	const struct opt *table;	/* ends with a line whose doc is NULL */
	const char *operands;		/* in the usage line; NULL: there are none */
	size_t operands_offset;		/* struct opt_texts */
	const char *doc;		/* one paragraph */
};

/*
 * Fills @values, whose defaults the caller has set. 0; 1: the help was asked for and printed;
 * -EINVAL: wrong, said in one line. Texts point into @argv.
 */
int opt_parse(const struct opt_program *p, int argc, char **argv, void *values);

/* All options with their values, by long name (or letter): what a record keeps. */
json_t *opt_json(const struct opt_program *p, const void *values);

/* The section OPTIONS of a manual page, in man(7) macros. */
void opt_print_man(const struct opt_program *p, FILE *out);

#endif
