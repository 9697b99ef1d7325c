/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"

struct making {
	const struct run *run;
	const char *test;
	struct counts_cell *cells;	/* one for each cell of the run */
};

static int append(double **list, size_t nr, double value)
{
	double *bigger = reallocarray(*list, nr + 1, sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	*list = bigger;
	bigger[nr] = value;
	return 0;
}

static struct counts_event *add_event(struct counts_cell *cell, const char *name, bool user_only)
{
	struct counts_event *events =
		reallocarray(cell->events, cell->nr_events + 1, sizeof(*events));
	struct counts_event *e;

	if (!events)
		return NULL;
	cell->events = events;
	e = &events[cell->nr_events];
	*e = (struct counts_event){ 0 };
	if (asprintf(&e->name, "%s%s", name, user_only ? ":u" : "") < 0) {
		e->name = NULL;
		return NULL;
	}
	cell->nr_events++;
	return e;
}

/* The same counter, of user space alone or not: two different ones. */
static struct counts_event *event_of(struct counts_cell *cell, const char *name, bool user_only)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < cell->nr_events; i++)
		if (strncmp(cell->events[i].name, name, len) == 0 &&
		    strcmp(cell->events[i].name + len, user_only ? ":u" : "") == 0)
			return &cell->events[i];
	return add_event(cell, name, user_only);
}

static int take_event(struct counts_cell *cell, const json_t *json, double ops)
{
	const char *name = json_string_value(json_object_get(json, "event"));
	const char *status = json_string_value(json_object_get(json, "status"));
	const json_t *value = json_object_get(json, "value");
	struct counts_event *e;

	if (!name || !status)
		return 0;
	e = event_of(cell, name, json_is_true(json_object_get(json, "user_only")));
	if (!e)
		return -ENOMEM;
	if (!e->status || json_is_number(value)) {
		free(e->status);
		e->status = strdup(status);
	}
	if (!e->status)
		return -ENOMEM;
	if (!json_is_number(value))
		return 0;
	e->enabled_ns += json_number_value(json_object_get(json, "enabled_ns"));
	e->running_ns += json_number_value(json_object_get(json, "running_ns"));
	if (append(&e->values, e->nr, json_number_value(value)) != 0 ||
	    append(&e->per_op, e->nr, ops > 0 ? json_number_value(value) / ops : 0) != 0)
		return -ENOMEM;
	e->nr++;
	return 0;
}

static int take_record(void *arg, const struct run_record *record, json_t *json)
{
	struct making *m = arg;
	struct counts_cell *cell = &m->cells[record->cell];
	const json_t *events = json_object_get(json_object_get(json, "counters"), "events");
	double ops = json_number_value(json_object_get(json, "ops"));
	json_t *event;
	size_t i;
	int err;

	if (!json_array_size(events) || (m->test && strcmp(cell->cell->testcase, m->test) != 0))
		return 0;
	err = append(&cell->elapsed_ns, cell->nr, record->elapsed_ns);
	if (!err)
		err = append(&cell->operations, cell->nr, ops);
	json_array_foreach(events, i, event)
		if (!err)
			err = take_event(cell, event, ops);
	cell->nr++;
	return err;
}

static int summarise(struct counts_cell *cell)
{
	int err = stats_of(&cell->elapsed, cell->elapsed_ns, cell->nr);

	if (!err)
		err = stats_of(&cell->ops, cell->operations, cell->nr);
	for (size_t i = 0; !err && i < cell->nr_events; i++) {
		struct counts_event *e = &cell->events[i];

		e->running_pct = e->enabled_ns > 0 ? 100 * e->running_ns / e->enabled_ns : 0;
		if (e->nr)
			err = stats_of(&e->value, e->values, e->nr);
		if (!err && e->nr)
			err = stats_of(&e->per_operation, e->per_op, e->nr);
	}
	return err;
}

static void free_cell(struct counts_cell *cell)
{
	for (size_t i = 0; i < cell->nr_events; i++) {
		free(cell->events[i].name);
		free(cell->events[i].status);
		free(cell->events[i].values);
		free(cell->events[i].per_op);
	}
	free(cell->events);
	free(cell->elapsed_ns);
	free(cell->operations);
}

int counts_make(struct counts *c, const struct run *run, const char *path, const char *test)
{
	struct making m = { .run = run, .test = test,
			    .cells = calloc(run->nr_cells + 1, sizeof(*m.cells)) };
	int err = m.cells ? 0 : -ENOMEM;

	*c = (struct counts){ 0 };
	for (size_t i = 0; !err && i < run->nr_cells; i++)
		m.cells[i].cell = &run->cells[i];
	if (!err)
		err = run_details(run, path, take_record, &m);
	for (size_t i = 0; !err && i < run->nr_cells; i++)
		if (m.cells[i].nr) {
			m.cells[c->nr++] = m.cells[i];
			err = summarise(&m.cells[c->nr - 1]);
		}
	c->cells = m.cells;
	if (!err)
		return 0;
	if (err == -ENOMEM)
		msg_error("%s: %s", path, strerror(ENOMEM));
	if (m.cells && !c->nr)
		for (size_t i = 0; i < run->nr_cells; i++)
			free_cell(&m.cells[i]);
	counts_free(c);
	return err;
}

void counts_free(struct counts *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free_cell(&c->cells[i]);
	free(c->cells);
	*c = (struct counts){ 0 };
}

const struct counts_event *counts_find(const struct counts_cell *cell, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < cell->nr_events; i++) {
		const struct counts_event *e = &cell->events[i];

		if (e->nr && strncmp(e->name, name, len) == 0 &&
		    (!e->name[len] || strcmp(e->name + len, ":u") == 0))
			return e;
	}
	return NULL;
}
