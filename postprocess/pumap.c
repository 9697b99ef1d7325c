/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pumap.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "msg.h"

/* ---- the machine ---------------------------------------------------------------------------- */

static int index_of(const json_t *entry, size_t i)
{
	json_t *value = json_array_get(entry, i);

	return json_is_integer(value) ? (int)json_integer_value(value) : -1;
}

static int take_pus(struct pumap *m, const json_t *topology)
{
	const json_t *map = json_object_get(topology, "map");
	json_t *entry;
	size_t i;

	m->pus = calloc(json_array_size(map) + 1, sizeof(*m->pus));
	if (!m->pus)
		return -ENOMEM;
	json_array_foreach(map, i, entry) {
		struct pumap_pu *pu = &m->pus[m->nr++];

		*pu = (struct pumap_pu){
			.cpu = index_of(entry, 0), .core = index_of(entry, 1), .l3 = index_of(entry, 2),
			.node = index_of(entry, 3), .package = index_of(entry, 4),
		};
		if (pu->cpu < 0 || pu->core < 0)
			return -EINVAL;
	}
	return m->nr ? 0 : -ENODATA;
}

/* ---- placements ----------------------------------------------------------------------------- */

static struct pumap_placement *find(const struct pumap *m, const char *name)
{
	for (size_t i = 0; i < m->nr_placements; i++)
		if (strcmp(m->placements[i].name, name) == 0)
			return &m->placements[i];
	return NULL;
}

/* Keeps the longest list of each placement: the shorter ones are how it begins. */
static int take_placement(struct pumap *m, const char *name, const char *cpus)
{
	struct pumap_placement *p, *more;
	struct cpulist list;
	int err = cpulist_parse(cpus, &list);

	if (err)
		return err;
	p = find(m, name);
	if (p && p->cpus.nr >= list.nr) {
		cpulist_free(&list);
		return 0;
	}
	if (p) {
		cpulist_free(&p->cpus);
		p->cpus = list;
		return 0;
	}
	more = reallocarray(m->placements, m->nr_placements + 1, sizeof(*more));
	if (more) {
		m->placements = more;
		more[m->nr_placements].name = strdup(name);
		more[m->nr_placements].cpus = list;
		if (more[m->nr_placements++].name)
			return 0;
	} else {
		cpulist_free(&list);
	}
	return -ENOMEM;
}

static int take_cells(struct pumap *m, const json_t *cells)
{
	json_t *cell;
	size_t i;
	int err = 0;

	json_array_foreach(cells, i, cell) {
		const char *name = json_string_value(json_object_get(cell, "placement"));
		const char *cpus = json_string_value(json_object_get(cell, "cpus"));

		if (!err && name && cpus)
			err = take_placement(m, name, cpus);
	}
	return err;
}

static int take_placements(struct pumap *m, json_t *placements)
{
	const char *name;
	json_t *cpus;
	int err = 0;

	json_object_foreach(placements, name, cpus)
		if (!err && json_is_string(cpus))
			err = take_placement(m, name, json_string_value(cpus));
	return err;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* NULL: said. */
static json_t *load_json(const char *path)
{
	json_error_t error;
	json_t *json = json_load_file(path, 0, &error);

	if (!json)
		msg_error("%s: %s", path, error.text);
	return json;
}

static json_t *load_from(const char *dir, const char *name)
{
	char *path;
	json_t *json;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return NULL;
	json = load_json(path);
	free(path);
	return json;
}

static int load_run(struct pumap *m, const char *path)
{
	json_t *machine = load_from(path, "machine.json"), *plan = NULL;
	const char *run;
	int err = -ENOENT;

	if (machine)
		plan = load_from(path, "plan.json");
	if (!plan)
		goto out;
	run = json_string_value(json_object_get(plan, "run"));
	m->source = strdup(run ? run : "");
	err = take_pus(m, json_object_get(machine, "topology"));
	if (!err)
		err = take_cells(m, json_object_get(plan, "cells"));
	if (err == -ENODATA)
		msg_error("%s: machine.json does not tell which PUs there are", path);
	else if (err)
		msg_error("%s: %s", path, strerror(-err));
out:
	json_decref(machine);
	json_decref(plan);
	return err;
}

static int load_file(struct pumap *m, const char *path)
{
	json_t *json = load_json(path);
	int err;

	if (!json)
		return -ENOENT;
	m->source = strdup("");
	err = take_pus(m, json_object_get(json, "topology"));
	if (!err)
		err = take_placements(m, json_object_get(json, "placements"));
	if (err)
		msg_error("%s: not what runtest --topology --json prints", path);
	json_decref(json);
	return err;
}

int pumap_load(struct pumap *m, const char *path)
{
	struct stat st;
	int err;

	*m = (struct pumap){ 0 };
	if (stat(path, &st) != 0) {
		msg_error("%s: %s", path, strerror(errno));
		return -ENOENT;
	}
	err = S_ISDIR(st.st_mode) ? load_run(m, path) : load_file(m, path);
	if (err)
		pumap_free(m);
	return err;
}

void pumap_free(struct pumap *m)
{
	for (size_t i = 0; i < m->nr_placements; i++) {
		free(m->placements[i].name);
		cpulist_free(&m->placements[i].cpus);
	}
	free(m->placements);
	free(m->pus);
	free(m->source);
	*m = (struct pumap){ 0 };
}
