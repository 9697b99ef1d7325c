/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot_curves.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "curves.h"
#include "gnuplot.h"
#include "human.h"
#include "msg.h"
#include "near.h"
#include "num.h"
#include "opt.h"
#include "pictures.h"
#include "run.h"
#include "style.h"
#include "summary_cells.h"
#include "table.h"

struct options {
	const char *dir, *format;
	bool terminal;
	struct opt_texts operands;	/* RUN, then testcases */
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = 'o', .name = "output", .arg = "DIR", .type = OPT_TEXT, .offset = AT(dir),
	  .doc = "Put scripts and pictures into DIR, which is made if need be (.)" },
	{ .key = 'f', .name = "format", .arg = "LIST", .type = OPT_TEXT, .offset = AT(format),
	  .doc = "svg, png, or both with a comma between (svg)" },
	{ .key = 't', .name = "terminal", .type = OPT_FLAG, .offset = AT(terminal),
	  .doc = "Draw on the terminal, make no file" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table_of_options,
	.operands = "RUN [TESTCASE...]",
	.operands_offset = AT(operands),
	.doc = "Draws operations per second against tasks, a picture for each testcase (all of the "
	       "run): processes, threads and linear scaling, the 95 % interval of each mean, and "
	       "the idle time. Beside each picture stands the gnuplot script that makes it.",
};

/* ---- what to draw --------------------------------------------------------------------------- */

static bool chosen(const struct options *o, const struct table_series *s)
{
	for (size_t i = 1; i < o->operands.nr; i++)
		if (strcmp(o->operands.texts[i], s->testcase) == 0)
			return true;
	return o->operands.nr == 1;
}

static int say_unknown(const struct table *t, const char *testcase)
{
	const char **names = calloc(t->nr_series + 1, sizeof(*names));
	char near[NEAR_TEXT_MAX] = "";
	size_t nr = 0;

	for (size_t i = 0; names && i < t->nr_series; i++)
		if (i == 0 || strcmp(t->series[i - 1].testcase, t->series[i].testcase) != 0)
			names[nr++] = t->series[i].testcase;
	if (names)
		near_names(near, testcase, names, nr);
	msg_error("the run has no testcase '%s'%s%s", testcase, near[0] ? "; near it: " : "", near);
	free(names);
	return -ESRCH;
}

static int check_testcases(const struct options *o, const struct table *t)
{
	for (size_t i = 1; i < o->operands.nr; i++) {
		bool found = false;

		for (size_t j = 0; !found && j < t->nr_series; j++)
			found = strcmp(o->operands.texts[i], t->series[j].testcase) == 0;
		if (!found)
			return say_unknown(t, o->operands.texts[i]);
	}
	return 0;
}

/* ---- into files ----------------------------------------------------------------------------- */

static int add_picture(struct pictures *p, const struct table *t, const struct table_series *s)
{
	char *title;
	const char *name;
	FILE *script = NULL;
	int err, closed;

	if (asprintf(&title, "%s%s%s", s->testcase, s->label[0] ? "-" : "", s->label) >= 0) {
		script = pictures_add(p, title, &name);
		free(title);
	}
	if (!script)
		return -EIO;
	err = curves_script(t, s, name, p->formats, script);
	closed = pictures_added(p, script);
	return err ? err : closed;
}

static int draw_files(const struct options *o, const struct table *t)
{
	struct pictures p;
	char *formats = style_formats(o->format);
	int err;

	if (!formats)
		return -ESRCH;
	err = pictures_open(&p, o->dir, formats);
	if (err) {
		free(formats);
		return -ESRCH;
	}
	for (size_t i = 0; !err && i < t->nr_series; i++)
		if (chosen(o, &t->series[i]))
			err = add_picture(&p, t, &t->series[i]);
	if (!err && p.nr)
		err = pictures_draw(&p);
	pictures_close(&p);
	free(formats);
	return err;
}

/* ---- on the terminal ------------------------------------------------------------------------ */

/* Two lines are left for the heading, one for the shell. */
static void terminal_size(unsigned int *columns, unsigned int *lines)
{
	const char *variables[] = { getenv("COLUMNS"), getenv("LINES") };
	struct winsize size;
	uint64_t value[2] = { 80, 24 };

	for (size_t i = 0; i < 2; i++)
		if (variables[i])
			num_parse_u64(variables[i], &value[i]);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
		value[0] = size.ws_col;
		value[1] = size.ws_row;
	}
	*columns = value[0] < 40 ? 40 : value[0] > 500 ? 500 : (unsigned int)value[0];
	*lines = value[1] < 15 ? 12 : value[1] > 200 ? 197 : (unsigned int)value[1] - 3;
}

static int put_heading(const struct table *t, const struct table_series *s, unsigned int columns)
{
	char *title = summary_title(s), *legend = curves_legend_text(t, s);

	if (title && legend) {
		human_wrap(stdout, "", "", title, columns);
		human_wrap(stdout, "", "", legend, columns);
	}
	free(title);
	free(legend);
	return title && legend ? 0 : -ENOMEM;
}

/* gnuplot starts a page with a form feed, and fills lines with blanks. */
static void put_page(FILE *page)
{
	char *line = NULL;
	size_t room = 0;

	rewind(page);
	while (getline(&line, &room, page) > 0) {
		char *begin = line + (line[0] == '\f'), *end = begin + strlen(begin);

		while (end > begin && (end[-1] == ' ' || end[-1] == '\n'))
			end--;
		*end = '\0';
		puts(begin);
	}
	free(line);
}

static FILE *memory_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;

	if (!file)
		msg_error("%s: %s", name, strerror(errno));
	return file;
}

static int draw_text(const struct table *t, const struct table_series *s, unsigned int columns,
		     unsigned int lines)
{
	const char *no_colour = getenv("NO_COLOR");
	bool colour = isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]);
	FILE *script = memory_file("script"), *page = memory_file("page");
	int err = -EIO;

	if (!script || !page)
		goto out;
	curves_script_text(t, s, columns, lines, colour, script);
	rewind(script);
	err = gnuplot_run_fd(fileno(script), fileno(page));
	if (!err)
		err = put_heading(t, s, columns);
	if (!err)
		put_page(page);
out:
	if (script)
		fclose(script);
	if (page)
		fclose(page);
	return err;
}

static int draw_terminal(const struct options *o, const struct table *t)
{
	unsigned int columns, lines;
	int err = 0;

	terminal_size(&columns, &lines);
	for (size_t i = 0; !err && i < t->nr_series; i++)
		if (chosen(o, &t->series[i]))
			err = draw_text(t, &t->series[i], columns, lines);
	return err;
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum exit_status exit_status(int err)
{
	switch (err) {
	case 0:
		return EXIT_MEASURED;
	case -ENOENT:
		return EXIT_LACKING;	/* gnuplot */
	case -ESRCH:
		return EXIT_USAGE;
	default:
		return EXIT_CELL_FAILED;
	}
}

static enum exit_status draw_run(const struct options *o, const struct run *run)
{
	struct table table;
	int err = table_make(&table, run);

	if (err)
		return EXIT_CELL_FAILED;
	err = check_testcases(o, &table);
	if (!err)
		err = o->terminal ? draw_terminal(o, &table) : draw_files(o, &table);
	if (!err && fflush(stdout) != 0) {
		msg_error("cannot write to stdout: %s", strerror(errno));
		err = -EIO;
	}
	table_free(&table);
	return exit_status(err);
}

static enum exit_status draw(const struct options *o)
{
	enum exit_status status;
	struct run run;
	int err;

	if (o->operands.nr < 1) {
		msg_error("a run directory is expected (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	err = run_load(&run, o->operands.texts[0]);
	if (err)
		return run_exit_status(err);
	status = draw_run(o, &run);
	run_free(&run);
	return status;
}

int plot_curves(int argc, char **argv)
{
	struct options o = { .dir = ".", .format = "svg" };
	enum exit_status status;
	int err = opt_parse(&program, argc, argv, &o);

	if (err)
		status = err > 0 ? EXIT_MEASURED : EXIT_USAGE;
	else
		status = draw(&o);
	free(o.operands.texts);
	return status;
}
