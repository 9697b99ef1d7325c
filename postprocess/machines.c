/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machines.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what matters --------------------------------------------------------------------------- */

/* A name, or with a dot at its end all below it; the first that fits decides. */
static const struct {
	const char *name;
	enum difference_kind kind;
} kinds[] = {
	{ "kernel.boot_id", DIFFERENCE_ALWAYS },
	{ "load.", DIFFERENCE_ALWAYS },
	{ "memory.available_bytes", DIFFERENCE_ALWAYS },
	{ "memory.swap_free_bytes", DIFFERENCE_ALWAYS },
	/* Kernels are what is compared. */
	{ "kernel.config_hash", DIFFERENCE_MATTERS },
	{ "kernel.cmdline", DIFFERENCE_MATTERS },
	{ "kernel.machine", DIFFERENCE_MATTERS },
	{ "kernel.lsm", DIFFERENCE_MATTERS },
	{ "kernel.preempt", DIFFERENCE_MATTERS },
	{ "kernel.sched_autogroup", DIFFERENCE_MATTERS },
	{ "kernel.", DIFFERENCE_LISTED },
	/* Newer kernels know more of them; not_affected() lets those pass. */
	{ "cpu.mitigations.old_microcode", DIFFERENCE_LISTED },
	{ "cpu.", DIFFERENCE_MATTERS },
	{ "memory.max_map_count", DIFFERENCE_LISTED },
	{ "memory.swap_bytes", DIFFERENCE_LISTED },
	{ "memory.", DIFFERENCE_MATTERS },
	{ "topology.", DIFFERENCE_MATTERS },
	{ "cgroup.memory.version", DIFFERENCE_MATTERS },
	{ "virtualisation.", DIFFERENCE_MATTERS },
	{ "process.aslr_before", DIFFERENCE_LISTED },
	{ "scratch.fs", DIFFERENCE_MATTERS },
	{ "build.", DIFFERENCE_MATTERS },
	{ "cells.", DIFFERENCE_MATTERS },
	{ "", DIFFERENCE_LISTED },
};

static bool fits(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	return !len || strcmp(pattern, name) == 0 ||
	       (pattern[len - 1] == '.' && strncmp(pattern, name, len) == 0);
}

static enum difference_kind kind_of(const char *name)
{
	size_t i = 0;

	while (!fits(kinds[i].name, name))
		i++;
	return kinds[i].kind;
}

/* A kernel has a little more or less memory for itself than another. */
#define MEMORY_TOLERANCE 0.01

/* Words of the command line that name the kernel itself. */
static bool names_kernel(const char *word)
{
	return strncmp(word, "BOOT_IMAGE=", 11) == 0 || strncmp(word, "initrd=", 7) == 0;
}

static char *without_image(const char *cmdline)
{
	char *copy = strdup(cmdline), *rest = copy, *word, *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	while (copy && out && (word = strsep(&rest, " ")))
		if (*word && !names_kernel(word))
			fprintf(out, "%s ", word);
	free(copy);
	return out && fclose(out) == 0 ? text : NULL;
}

/* A weakness that only one of the kernels knows, and that the CPU does not have. */
static bool not_affected(const char *name, const json_t *a, const json_t *b)
{
	const json_t *known = a && !json_is_null(a) ? a : b;

	return strncmp(name, "cpu.mitigations.", 16) == 0 && json_is_string(known) &&
	       strcmp(json_string_value(known), "Not affected") == 0;
}

/* Different as texts, but the same in what matters. */
static bool alike(const char *name, const json_t *a, const json_t *b)
{
	if (!a || !b || json_is_null(a) || json_is_null(b))
		return not_affected(name, a, b);
	if (strcmp(name, "memory.total_bytes") == 0) {
		double x = json_number_value(a), y = json_number_value(b);

		return x > 0 && fabs(x - y) <= MEMORY_TOLERANCE * x;
	}
	if (strcmp(name, "kernel.cmdline") == 0 && json_is_string(a) && json_is_string(b)) {
		char *x = without_image(json_string_value(a)),
		     *y = without_image(json_string_value(b));
		bool same = x && y && strcmp(x, y) == 0;

		free(x);
		free(y);
		return same;
	}
	return false;
}

/* ---- finding -------------------------------------------------------------------------------- */

static char *value_text(const json_t *value)
{
	if (!value || json_is_null(value))
		return strdup("-");
	if (json_is_string(value))
		return strdup(json_string_value(value));
	return json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS |
			  JSON_REAL_PRECISION(12));
}

static int add(struct differences *d, const char *name, char *base, char *head,
	       enum difference_kind kind)
{
	struct difference *list = reallocarray(d->list, d->nr + 1, sizeof(*list));
	struct difference *new;

	if (list)
		d->list = list;
	new = list ? &list[d->nr] : NULL;
	if (new)
		*new = (struct difference){ strdup(name), base, head, kind, false };
	if (!new || !new->name || !base || !head) {
		if (new)
			free(new->name);
		free(base);
		free(head);
		return -ENOMEM;
	}
	d->nr++;
	return 0;
}

static int compare_values(struct differences *d, const char *name, const json_t *a, const json_t *b)
{
	enum difference_kind kind = kind_of(name);

	if (json_equal(a, b) || ((!a || json_is_null(a)) && (!b || json_is_null(b))))
		return 0;
	if (kind == DIFFERENCE_MATTERS && alike(name, a, b))
		kind = DIFFERENCE_LISTED;
	return add(d, name, value_text(a), value_text(b), kind);
}

static int compare_objects(struct differences *d, const char *prefix, const json_t *a,
			   const json_t *b);

static int compare_members(struct differences *d, const char *prefix, const char *key,
			   const json_t *a, const json_t *b)
{
	char *name;
	int err;

	if (asprintf(&name, "%s%s%s", prefix, prefix[0] ? "." : "", key) < 0)
		return -ENOMEM;
	if (json_is_object(a) || json_is_object(b))
		err = compare_objects(d, name, a, b);
	else
		err = compare_values(d, name, a, b);
	free(name);
	return err;
}

/* Either may be NULL, or no object. */
static int compare_objects(struct differences *d, const char *prefix, const json_t *a,
			   const json_t *b)
{
	json_t *value;
	const char *key;
	int err = 0;

	json_object_foreach((json_t *)a, key, value)
		if (!err)
			err = compare_members(d, prefix, key, value, json_object_get(b, key));
	json_object_foreach((json_t *)b, key, value)
		if (!err && !json_object_get(a, key))
			err = compare_members(d, prefix, key, NULL, value);
	return err;
}

static int compare_plans(struct differences *d, const json_t *a, const json_t *b)
{
	static const char *const members[] = {
		"duration_s", "warmup_s", "warmup_max_s", "rounds", "seed",
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(members) / sizeof(members[0]); i++)
		err = compare_members(d, "plan", members[i], json_object_get(a, members[i]),
				      json_object_get(b, members[i]));
	return err;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static int add_cells(struct differences *d, const char *name, const char *base, const char *head,
		     size_t nr)
{
	char *a, *b;

	if (!nr)
		return 0;
	if (asprintf(&a, "%s", base ? base : "-") < 0)
		a = NULL;
	if (asprintf(&b, "%s (%zu cells)", head ? head : "-", nr) < 0)
		b = NULL;
	return add(d, name, a, b, kind_of(name));
}

/* The same cell on other CPUs, or with another operation behind the same name. */
static int compare_cells(struct differences *d, const struct side *base, const struct side *head)
{
	const struct run_cell *cpus[2] = { NULL }, *units[2] = { NULL };
	size_t nr_cpus = 0, nr_units = 0;
	int err;

	for (size_t i = 0; i < base->nr; i++) {
		const struct side_sample *other = side_find(head, base->samples[i].key);
		const struct run_cell *a = base->samples[i].cell, *b = other ? other->cell : NULL;

		if (!b)
			continue;
		if (!same_text(a->cpus, b->cpus) && !nr_cpus++) {
			cpus[0] = a;
			cpus[1] = b;
		}
		if (!same_text(a->unit, b->unit) && !nr_units++) {
			units[0] = a;
			units[1] = b;
		}
	}
	err = add_cells(d, "cells.cpus", cpus[0] ? cpus[0]->cpus : NULL,
			cpus[1] ? cpus[1]->cpus : NULL, nr_cpus);
	return err ? err : add_cells(d, "cells.unit", units[0] ? units[0]->unit : NULL,
				     units[1] ? units[1]->unit : NULL, nr_units);
}

static int by_kind(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return strcmp(x->name, y->name);
}

int differences_find(struct differences *d, const struct side *base, const struct side *head)
{
	const json_t *a = base->run.machine_json, *b = head->run.machine_json;
	int err = 0;

	*d = (struct differences){ 0 };
	if (!base->is_run || !head->is_run)
		return 0;
	d->unknown = !a || !b;
	if (!d->unknown)
		err = compare_objects(d, "", a, b);
	if (!err)
		err = compare_plans(d, base->run.plan_json, head->run.plan_json);
	if (!err)
		err = compare_cells(d, base, head);
	if (d->nr)
		qsort(d->list, d->nr, sizeof(*d->list), by_kind);
	if (err)
		differences_free(d);
	return err;
}

void differences_free(struct differences *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		free(d->list[i].name);
		free(d->list[i].base);
		free(d->list[i].head);
	}
	free(d->list);
	*d = (struct differences){ 0 };
}

/* ---- what is allowed ------------------------------------------------------------------------ */

size_t differences_allow(struct differences *d, const char *name)
{
	size_t len = strlen(name), nr = 0;

	for (size_t i = 0; i < d->nr; i++) {
		const char *own = d->list[i].name;

		if (d->list[i].kind != DIFFERENCE_MATTERS)
			continue;
		if (strcmp(name, "all") != 0 && (strncmp(own, name, len) != 0 ||
						 (own[len] != '\0' && own[len] != '.')))
			continue;
		d->list[i].allowed = true;
		nr++;
	}
	return nr;
}

size_t differences_refused(const struct differences *d)
{
	size_t nr = 0;

	for (size_t i = 0; i < d->nr; i++)
		nr += d->list[i].kind == DIFFERENCE_MATTERS && !d->list[i].allowed;
	return nr;
}
