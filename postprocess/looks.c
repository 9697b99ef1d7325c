/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "looks.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "opt.h"
#include "print.h"

static const struct run_cell *cell_of(const struct run *run, const char *id)
{
	for (size_t i = 0; id && i < run->nr_cells; i++)
		if (strcmp(run->cells[i].id, id) == 0)
			return &run->cells[i];
	return NULL;
}

/* A resumed run may have looked again: the last one counts. */
static struct look *place_of(struct looks *l, const struct run_cell *cell, const char *kind)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->list[i].cell == cell && strcmp(l->list[i].kind, kind) == 0)
			return &l->list[i];
	return &l->list[l->nr++];
}

static double number(const json_t *object, const char *name)
{
	return json_number_value(json_object_get(object, name));
}

static void take(struct looks *l, const struct run *run, json_t *line)
{
	const char *kind = json_string_value(json_object_get(line, "kind"));
	const struct run_cell *cell = cell_of(run, json_string_value(
		json_object_get(json_object_get(line, "cell"), "id")));
	struct look *look;

	if (!kind || !cell)
		return;
	look = place_of(l, cell, kind);
	*look = (struct look){
		.cell = cell, .kind = kind,
		.reason = json_string_value(json_object_get(line, "reason")),
		.seen = json_object_get(line, kind),
		.ops = number(line, "ops"), .ops_per_s = number(line, "ops_per_s"),
	};
	if (!look->seen && !look->reason)
		look->reason = "no reason was recorded";
}

static int by_cell(const void *a, const void *b)
{
	const struct look *x = a, *y = b;

	if (x->cell != y->cell)
		return x->cell < y->cell ? -1 : 1;
	return strcmp(x->kind, y->kind);
}

int looks_load(struct looks *l, const struct run *run, const char *path)
{
	json_t *line;
	size_t i;

	*l = (struct looks){ .path = path, .lines = run_lines(path, "extra.jsonl") };
	l->list = calloc(json_array_size(l->lines) + 1, sizeof(*l->list));
	if (!l->list)
		return -ENOMEM;
	json_array_foreach(l->lines, i, line)
		take(l, run, line);
	qsort(l->list, l->nr, sizeof(*l->list), by_cell);
	return 0;
}

void looks_free(struct looks *l)
{
	free(l->list);
	json_decref(l->lines);
	*l = (struct looks){ 0 };
}

const struct look *looks_find(const struct looks *l, const struct run_cell *cell, const char *kind)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->list[i].cell == cell && strcmp(l->list[i].kind, kind) == 0)
			return &l->list[i];
	return NULL;
}

int looks_stacks(const struct looks *l, const struct look *look, const char *what, struct stacks *s)
{
	const char *name = look ? json_string_value(json_object_get(
					  json_object_get(look->seen, what), "folded"))
				: NULL;
	char *path;
	FILE *in;
	int err = name ? stacks_init(s) : -ENODATA;

	if (err)
		return err;
	if (asprintf(&path, "%s/%s", l->path, name) < 0)
		return -ENOMEM;
	in = fopen(path, "re");
	err = in ? stacks_read(s, in) : -errno;
	if (err)
		msg_error("%s: %s", path, strerror(-err));
	if (in)
		fclose(in);
	free(path);
	if (err)
		stacks_free(s);
	return err;
}

/* ---- the commands --------------------------------------------------------------------------- */

struct options {
	const char *format;
	bool man;
	struct opt_texts operands;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table_of_options[] = {
	{ .key = 'f', .name = "format", .arg = "FORMAT", .type = OPT_TEXT, .offset = AT(format),
	  .choices = "text json", .doc = "text or json (text)" },
	{ .key = OPT_LONG + 1, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .doc = NULL },
};

static json_t *look_json(const struct look *look)
{
	return json_pack("{ss ss* so sf sf}", "cell", look->cell->id, "reason", look->reason,
			 look->kind, look->seen ? json_incref(look->seen) : json_null(),
			 "ops", look->ops, "ops_per_s", look->ops_per_s);
}

static enum exit_status print_looks(const struct options *o, const struct looks *l,
				    const char *kind,
				    int (*print)(const struct looks *, const struct look *, FILE *))
{
	const char *test = o->operands.nr > 1 ? o->operands.texts[1] : NULL;
	bool json = strcmp(o->format, "json") == 0;
	json_t *array = json_array();
	size_t found = 0;
	int err = 0;

	for (size_t i = 0; !err && i < l->nr; i++) {
		const struct look *look = &l->list[i];

		if (strcmp(look->kind, kind) != 0 ||
		    (test && strcmp(look->cell->testcase, test) != 0))
			continue;
		found += look->seen != NULL;
		if (json)
			json_array_append_new(array, look_json(look));
		else
			err = print(l, look, stdout);
	}
	if (!err && !found)
		msg_error("%s: no %s%s%s (runtest --%s)", l->path, kind, test ? " of " : "",
			  test ? test : "", kind);
	else if (!err && json)
		err = print_json_root(json_incref(array), stdout);
	json_decref(array);
	return err || !found ? EXIT_CELL_FAILED : EXIT_MEASURED;
}

static enum exit_status of_run(const struct options *o, const char *kind,
			       int (*print)(const struct looks *, const struct look *, FILE *))
{
	enum exit_status status = EXIT_CELL_FAILED, closed;
	struct looks looks;
	struct run run;
	int err = run_load(&run, o->operands.texts[0]);

	if (err)
		return run_exit_status(err);
	if (looks_load(&looks, &run, o->operands.texts[0]) == 0) {
		status = print_looks(o, &looks, kind, print);
		looks_free(&looks);
	}
	run_free(&run);
	closed = msg_close_stdout();
	return closed == EXIT_MEASURED ? status : closed;
}

int looks_command(int argc, char **argv, const char *kind, const char *doc,
		  int (*print)(const struct looks *l, const struct look *look, FILE *out))
{
	const struct opt_program program = {
		.table = table_of_options, .operands = "RUN [TESTCASE]",
		.operands_offset = AT(operands), .doc = doc,
	};
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
	} else if (o.operands.nr < 1 || o.operands.nr > 2) {
		msg_error("a run directory, and perhaps a testcase, are expected (%s --help)",
			  msg_program());
		status = EXIT_USAGE;
	} else {
		status = of_run(&o, kind, print);
	}
	free(o.operands.texts);
	return status;
}
