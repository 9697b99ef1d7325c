/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "overhead.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"
#include "infer.h"
#include "marks.h"
#include "msg.h"

#define DISABLED "disabled"
#define NONE "none"

/* ---- gathering ------------------------------------------------------------------------------ */

static struct overhead_object *object_named(struct overhead *o, const char *name)
{
	struct overhead_object *objects;

	for (size_t i = 0; i < o->nr; i++)
		if (strcmp(o->objects[i].name, name) == 0)
			return &o->objects[i];
	objects = reallocarray(o->objects, o->nr + 1, sizeof(*objects));
	if (!objects)
		return NULL;
	o->objects = objects;
	objects[o->nr] = (struct overhead_object){ .name = strdup(name) };
	return objects[o->nr].name ? &objects[o->nr++] : NULL;
}

static struct overhead_time *time_labelled(struct overhead_object *object, const char *label)
{
	struct overhead_time *times;

	if (strcmp(label, DISABLED) == 0)
		return &object->disabled;
	for (size_t i = 0; i < object->nr; i++)
		if (strcmp(object->times[i].label, label) == 0)
			return &object->times[i];
	times = reallocarray(object->times, object->nr + 1, sizeof(*times));
	if (!times)
		return NULL;
	object->times = times;
	times[object->nr] = (struct overhead_time){ .label = strdup(label) };
	return times[object->nr].label ? &times[object->nr++] : NULL;
}

static int add_value(struct overhead_time *time, double value_s)
{
	double *values = reallocarray(time->values_s, time->nr + 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	time->values_s = values;
	values[time->nr++] = value_s;
	return 0;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static int choose(struct overhead_time *time, const char *statistic)
{
	int err = stats_of(&time->stats, time->values_s, time->nr);

	time->time_s = strcmp(statistic, "median") == 0 ? time->stats.median :
		       strcmp(statistic, "min") == 0 ? time->stats.min : time->stats.mean;
	return err;
}

static double percentage(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

static const struct overhead_time *unpatched(const struct overhead_object *object)
{
	for (size_t i = 0; i < object->nr; i++)
		if (strcmp(object->times[i].label, NONE) == 0)
			return &object->times[i];
	return NULL;
}

static int finish_object(struct overhead_object *object, const char *statistic)
{
	const struct overhead_time *none = unpatched(object);
	double unpatched_s;
	int err = 0;

	if (!object->disabled.nr || !none) {
		msg_error("%s: no run time %s", object->name,
			  none ? "with accounting " DISABLED : "of the unpatched kernel (" NONE ")");
		return -EINVAL;
	}
	err = choose(&object->disabled, statistic);
	for (size_t i = 0; !err && i < object->nr; i++)
		err = choose(&object->times[i], statistic);
	unpatched_s = none->time_s - object->disabled.time_s;
	for (size_t i = 0; i < object->nr; i++) {
		struct overhead_time *time = &object->times[i];

		time->overhead_s = time->time_s - object->disabled.time_s;
		time->pct_1 = percentage(time->overhead_s, unpatched_s);
		time->pct_2 = percentage(time->overhead_s, object->disabled.time_s);
	}
	if (!object->paired)
		object->noise_p = infer_welch(&none->stats, &object->disabled.stats);
	return err;
}

static int finish(struct overhead *o)
{
	int err = o->nr ? 0 : -EINVAL;

	if (!o->nr)
		msg_error("there are no run times");
	for (size_t i = 0; !err && i < o->nr; i++)
		err = finish_object(&o->objects[i], o->statistic);
	if (err == -ENOMEM)
		msg_error("%s", strerror(ENOMEM));
	if (err)
		overhead_free(o);
	return err;
}

/* ---- a file --------------------------------------------------------------------------------- */

/* Without blanks at its ends. */
static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

/* Takes in a line; the first one that holds anything may hold names. */
static int take_line(struct overhead *o, char *line, const char *path, size_t number)
{
	struct overhead_object *object;
	struct overhead_time *time;
	char *name, *label, *seconds, *end;
	double value_s;

	line[strcspn(line, "#")] = '\0';
	line = trimmed(line);
	if (!*line)
		return 0;
	name = trimmed(strsep(&line, ","));
	label = line ? trimmed(strsep(&line, ",")) : line;
	seconds = line ? trimmed(line) : NULL;
	value_s = seconds ? strtod(seconds, &end) : NAN;
	if (seconds && !o->nr && end == seconds)
		return 0;
	if (!seconds || !*name || !*label || end == seconds || *end || !(value_s > 0) || isinf(value_s)) {
		msg_error("%s:%zu: OBJECT,PATCHES,SECONDS is expected", path, number);
		return -EINVAL;
	}
	object = object_named(o, name);
	time = object ? time_labelled(object, label) : NULL;
	return time ? add_value(time, value_s) : -ENOMEM;
}

int overhead_read(struct overhead *o, const char *path, const char *statistic)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	size_t room = 0, number = 0;
	char *line = NULL;
	int err = 0;

	*o = (struct overhead){ .statistic = statistic };
	if (!in) {
		err = -errno;
		msg_error("%s: %s", path, strerror(errno));
		return err;
	}
	while (!err && getline(&line, &room, in) >= 0)
		err = take_line(o, line, path, ++number);
	if (!err && ferror(in)) {
		err = -EIO;
		msg_error("%s: %s", path, strerror(EIO));
	}
	free(line);
	if (in != stdin)
		fclose(in);
	if (!err)
		return finish(o);
	if (err == -ENOMEM)
		msg_error("%s", strerror(ENOMEM));
	overhead_free(o);
	return err;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static bool has_level(const struct run_cell *cell, const char *level)
{
	const char *own = effect_level(cell, "memcg");

	return own && strcmp(own, level) == 0;
}

/* The only level beside root, or -ENOENT, said. */
static int find_level(const struct run *run, const char **level)
{
	for (size_t i = 0; i < run->nr_cells; i++) {
		const char *own = effect_level(&run->cells[i], "memcg");

		if (!own || strcmp(own, "root") == 0)
			continue;
		if (*level && strcmp(*level, own) != 0) {
			msg_error("%s has memcg levels %s and %s: which one? (--level)", run->name, *level,
				  own);
			return -ENOENT;
		}
		*level = own;
	}
	if (*level)
		return 0;
	msg_error("%s has no memcg level beside root (runtest --vary memcg=root,child)", run->name);
	return -ENOENT;
}

static const struct run_cell *find_like(const struct run *run, const struct run_cell *cell,
					const char *level)
{
	for (size_t i = 0; i < run->nr_cells; i++)
		if (has_level(&run->cells[i], level) && effect_alike(&run->cells[i], cell, "memcg"))
			return &run->cells[i];
	return NULL;
}

static int take_cell(struct overhead_time *time, const struct run *run, const struct run_cell *cell,
		     uint64_t operations)
{
	uint64_t flags[RUN_FLAGS_MAX] = { 0 }, failed = 0;
	int err = 0;

	for (size_t i = 0; !err && i < cell->nr_records; i++) {
		const struct run_record *r = &run->records[cell->first_record + i];

		if (r->status != RUN_OK || !(r->ops_per_s > 0)) {
			failed++;
			continue;
		}
		for (size_t k = 0; k < run->nr_flags; k++)
			flags[k] += r->flags >> k & 1;
		err = add_value(time, (double)operations * (double)cell->tasks / r->ops_per_s);
	}
	time->marks = marks_text(run->flags, run->nr_flags, flags, 0, failed);
	return time->marks ? err : -ENOMEM;
}

/* Of the rounds that measured both: what the machine does in a round, it does to both. */
static int compare_pairs(struct overhead_object *object, const struct run *run,
			 const struct run_cell *root, const struct run_cell *charged)
{
	double *a = calloc(root->nr_records + 1, sizeof(*a)), *b = calloc(root->nr_records + 1, sizeof(*b));
	struct infer_ratio ratio;
	size_t nr = 0;
	int err = a && b ? 0 : -ENOMEM;

	for (size_t i = 0, k = 0; a && b && i < root->nr_records; i++) {
		const struct run_record *x = &run->records[root->first_record + i], *y;

		while (k < charged->nr_records && run->records[charged->first_record + k].round < x->round)
			k++;
		y = &run->records[charged->first_record + k];
		if (k == charged->nr_records || y->round != x->round || x->status != RUN_OK ||
		    y->status != RUN_OK || !(x->ops_per_s > 0) || !(y->ops_per_s > 0))
			continue;
		a[nr] = x->ops_per_s;
		b[nr++] = y->ops_per_s;
	}
	if (!err)
		err = infer_paired(&ratio, &object->noise_p, a, b, nr);
	object->paired = true;
	free(a);
	free(b);
	return err;
}

static char *object_name(const struct run_cell *cell)
{
	char *title = effect_title(cell, "memcg"), *name;

	if (title && asprintf(&name, "%s, %" PRIu64 " %s%s", title, cell->tasks,
			      cell->mode == RUN_THREADS ? "thread" : "process",
			      cell->tasks == 1 ? "" : cell->mode == RUN_THREADS ? "s" : "es") < 0)
		name = NULL;
	if (!title)
		name = NULL;
	free(title);
	return name;
}

/* Whether the cell was measured; a name of the time where it was not. */
static int take_time(struct overhead_object *object, const char *label, const struct run *run,
		     const struct run_cell *cell, uint64_t operations)
{
	struct overhead_time *time;

	if (!cell || !cell->nr_records) {
		msg_note("%s: %s has no rounds of it", object->name, run->name);
		return 0;
	}
	time = time_labelled(object, label);
	return time ? take_cell(time, run, cell, operations) : -ENOMEM;
}

/* Without a figure there is no row. */
static void drop_empty(struct overhead_object *object, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < object->nr; i++) {
		struct overhead_time *time = &object->times[i];

		if (time->nr) {
			object->times[kept++] = *time;
			continue;
		}
		msg_note("%s: %s: no round was measured", name, time->label);
		free(time->label);
		free(time->marks);
		free(time->values_s);
	}
	object->nr = kept;
}

static int take_object(struct overhead *o, const struct run *runs, const char *const *labels, size_t nr,
		       const struct run_cell *root, const char *level, uint64_t operations)
{
	char *name = object_name(root);
	struct overhead_object *object = name ? object_named(o, name) : NULL;
	const struct run_cell *charged = find_like(&runs[0], root, level);
	int err = object ? take_time(object, DISABLED, &runs[0], root, operations) : -ENOMEM;

	for (size_t i = 0; !err && i < nr; i++)
		err = take_time(object, i ? labels[i] : NONE, &runs[i], find_like(&runs[i], root, level),
				operations);
	if (!err && charged)
		err = compare_pairs(object, &runs[0], root, charged);
	if (!err)
		drop_empty(object, name);
	free(name);
	return err;
}

/* Two rows of one name would be taken for rounds of one. */
static int check_labels(const char *const *labels, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		bool twice = strcmp(labels[i], NONE) == 0 || strcmp(labels[i], DISABLED) == 0;

		for (size_t k = 1; k < i; k++)
			twice |= strcmp(labels[k], labels[i]) == 0;
		if (twice) {
			msg_error("two runs are called %s (--name)", labels[i]);
			return -EEXIST;
		}
	}
	return 0;
}

int overhead_of_runs(struct overhead *o, const struct run *runs, const char *const *labels, size_t nr,
		     const char *level, uint64_t operations, const char *statistic)
{
	int err = level ? 0 : find_level(&runs[0], &level);

	*o = (struct overhead){ .statistic = statistic };
	if (!err)
		err = check_labels(labels, nr);
	for (size_t i = 0; !err && i < runs[0].nr_cells; i++)
		if (has_level(&runs[0].cells[i], "root"))
			err = take_object(o, runs, labels, nr, &runs[0].cells[i], level, operations);
	if (!err)
		return finish(o);
	if (err == -ENOMEM)
		msg_error("%s", strerror(ENOMEM));
	overhead_free(o);
	return err;
}

static void free_time(struct overhead_time *time)
{
	free(time->label);
	free(time->values_s);
	free(time->marks);
}

void overhead_free(struct overhead *o)
{
	for (size_t i = 0; i < o->nr; i++) {
		struct overhead_object *object = &o->objects[i];

		for (size_t k = 0; k < object->nr; k++)
			free_time(&object->times[k]);
		free_time(&object->disabled);
		free(object->times);
		free(object->name);
	}
	free(o->objects);
	*o = (struct overhead){ 0 };
}
