/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tally.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

int tally_init(struct tally *t, const struct plan *p)
{
	t->plan = p;
	t->cells = calloc(p->nr_cells + 1, sizeof(*t->cells));
	return t->cells ? 0 : -ENOMEM;
}

void tally_free(struct tally *t)
{
	for (size_t i = 0; t->cells && i < t->plan->nr_cells; i++) {
		free(t->cells[i].done);
		free(t->cells[i].ops_hz);
		free(t->cells[i].idle_pct);
	}
	free(t->cells);
	t->cells = NULL;
}

static struct tally_cell *find(struct tally *t, const char *id)
{
	for (size_t i = 0; id && i < t->plan->nr_cells; i++)
		if (strcmp(t->plan->cells[i].id, id) == 0)
			return &t->cells[i];
	return NULL;
}

static int mark_done(struct tally_cell *c, size_t round)
{
	if (round >= c->nr_done) {
		bool *done = reallocarray(c->done, round + 1, sizeof(*done));

		if (!done)
			return -ENOMEM;
		memset(done + c->nr_done, 0, (round + 1 - c->nr_done) * sizeof(*done));
		c->done = done;
		c->nr_done = round + 1;
	}
	c->done[round] = true;
	return 0;
}

static int add_figures(struct tally_cell *c, const json_t *record)
{
	const json_t *idle = json_object_get(json_object_get(record, "window"), "idle_pct");
	double *ops_hz = reallocarray(c->ops_hz, c->nr + 1, sizeof(*ops_hz));
	double *idle_pct;

	if (!ops_hz)
		return -ENOMEM;
	c->ops_hz = ops_hz;
	idle_pct = reallocarray(c->idle_pct, c->nr_idle + 1, sizeof(*idle_pct));
	if (!idle_pct)
		return -ENOMEM;
	c->idle_pct = idle_pct;
	ops_hz[c->nr++] = json_number_value(json_object_get(record, "ops_per_s"));
	/* null: it could not be had. */
	if (json_is_number(idle))
		idle_pct[c->nr_idle++] = json_number_value(idle);
	return 0;
}

/* Whether it has what every record of this plan has. */
static bool is_own(const struct plan *p, const json_t *record, const char *status)
{
	const json_t *round = json_object_get(record, "round");

	return status && json_is_integer(round) && json_integer_value(round) >= 0 &&
	       (uint64_t)json_integer_value(round) < p->max_rounds &&
	       (strcmp(status, "ok") != 0 || json_is_number(json_object_get(record, "ops_per_s")));
}

int tally_add(struct tally *t, const json_t *record)
{
	json_t *cell = json_object_get(record, "cell");
	struct tally_cell *c = find(t, json_string_value(json_object_get(cell, "id")));
	const char *status = json_string_value(json_object_get(record, "status"));
	int err;

	if (!c || !is_own(t->plan, record, status) || strcmp(status, "killed") == 0)
		return 0;
	err = mark_done(c, (size_t)json_integer_value(json_object_get(record, "round")));
	if (err)
		return err;
	if (strcmp(status, "ok") == 0)
		return add_figures(c, record);
	c->not_ok++;
	c->lacking = strcmp(status, "lacking") == 0;
	return 0;
}

bool tally_done(const struct tally *t, size_t cell, uint64_t round)
{
	const struct tally_cell *c = &t->cells[cell];

	return round < c->nr_done && c->done[round];
}

static struct stats stats(const double *values, size_t nr)
{
	struct stats s = { .mean = NAN, .ci95_pct = NAN };

	stats_of(&s, values, nr);	/* without memory: as without values */
	return s;
}

double tally_mean_hz(const struct tally_cell *c)
{
	return stats(c->ops_hz, c->nr).mean;
}

double tally_idle_pct(const struct tally_cell *c)
{
	return stats(c->idle_pct, c->nr_idle).mean;
}

double tally_interval_pct(const struct tally_cell *c)
{
	return stats(c->ops_hz, c->nr).ci95_pct;
}
