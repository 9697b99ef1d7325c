/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot_placement.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "opt.h"
#include "pictures.h"
#include "placement_picture.h"
#include "pumap.h"
#include "style.h"

struct options {
	const char *dir, *format;
	struct opt_texts operands;	/* RUN */
};

#define AT(field) offsetof(struct options, field)

static const struct opt table[] = {
	{ .key = 'o', .name = "output", .arg = "DIR", .type = OPT_TEXT, .offset = AT(dir),
	  .doc = "Put scripts and pictures into DIR, which is made if need be (.)" },
	{ .key = 'f', .name = "format", .arg = "LIST", .type = OPT_TEXT, .offset = AT(format),
	  .doc = "svg, png, or both with a comma between (svg)" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table,
	.operands = "RUN",
	.operands_offset = AT(operands),
	.doc = "Draws the machine of a run, its packages, L3s, cores and PUs, and on each PU the number "
	       "of the first task that was there: a picture for each placement. RUN may also be a file "
	       "that `runtest --topology --json` wrote.",
};

static int add_picture(struct pictures *p, const struct pumap *m,
		       const struct pumap_placement *placement)
{
	const char *name;
	FILE *script = NULL;
	char *title;
	int err, closed;

	if (asprintf(&title, "placement-%s", placement->name) >= 0) {
		script = pictures_add(p, title, &name);
		free(title);
	}
	if (!script)
		return -EIO;
	err = placement_script(m, placement, name, p->formats, script);
	closed = pictures_added(p, script);
	return err ? err : closed;
}

/* -ESRCH: wrong usage. */
static int draw(const struct options *o, const struct pumap *m)
{
	char *formats = style_formats(o->format);
	struct pictures p;
	int err;

	if (!formats)
		return -ESRCH;
	if (pictures_open(&p, o->dir, formats) != 0) {
		free(formats);
		return -ESRCH;
	}
	err = 0;
	for (size_t i = 0; !err && i < m->nr_placements; i++)
		err = add_picture(&p, m, &m->placements[i]);
	if (!err && p.nr)
		err = pictures_draw(&p);
	pictures_close(&p);
	free(formats);
	return err;
}

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

static enum exit_status draw_operand(const struct options *o)
{
	struct pumap m;
	int err;

	if (o->operands.nr != 1) {
		msg_error("a run directory is expected (%s --help)", msg_program());
		return EXIT_USAGE;
	}
	err = pumap_load(&m, o->operands.texts[0]);
	if (err)
		return err == -ENOENT ? EXIT_USAGE : EXIT_CELL_FAILED;
	if (!m.nr_placements) {
		msg_error("%s: no task was bound: there is nothing to draw", o->operands.texts[0]);
		err = -ENODATA;
	} else {
		err = draw(o, &m);
	}
	pumap_free(&m);
	if (!err && fflush(stdout) != 0) {
		msg_error("cannot write to stdout: %s", strerror(errno));
		err = -EIO;
	}
	return exit_status(err);
}

int plot_placement(int argc, char **argv)
{
	struct options o = { .dir = ".", .format = "svg" };
	enum exit_status status;
	int err = opt_parse(&program, argc, argv, &o);

	if (err)
		status = err > 0 ? EXIT_MEASURED : EXIT_USAGE;
	else
		status = draw_operand(&o);
	free(o.operands.texts);
	return status;
}
