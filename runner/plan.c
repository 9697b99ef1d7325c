/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "factors.h"
#include "json_text.h"
#include "mem_nodes.h"
#include "memcg_level.h"
#include "msg.h"
#include "needs.h"
#include "rlimits.h"
#include "settings.h"
#include "tasks.h"
#include "words.h"

#define SCHEMA "knee-plan/1"

/* What a cell takes beside its window and warm-up: exec, topology, scratch; each task's start and end. */
#define CELL_S 0.03
#define TASK_S 0.0003

/* To fit a budget: windows of half a second, then as few as three rounds, then shorter windows. */
#define FIT_DURATION_S 0.5
#define FIT_ROUNDS_MIN 3
#define FIT_DURATION_MIN_S 0.2

/* A warm-up that was not given: a quarter of the window, from a twentieth to a quarter of a second. */
#define WARMUP_SHARE 0.25
#define WARMUP_LEAST_S 0.05
#define WARMUP_MOST_S 0.25
#define WARMUP_MAX_FACTOR 4

/* ---- cells ---------------------------------------------------------------------------------- */

static const char *mode_name(enum testcase_mode mode)
{
	return mode == MODE_THREADS ? "threads" : "processes";
}

/* Factors that show in another part of a cell's id. */
static bool is_told_before(const char *factor)
{
	return strcmp(factor, "placement") == 0 || strcmp(factor, "membind") == 0 ||
	       words_after(factor, "param:");
}

static char *cell_id(const struct plan_cell *cell)
{
	char *id = NULL;
	const char *name;
	json_t *value;
	size_t size;
	FILE *out = open_memstream(&id, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s/%s/%" PRIu64 "/%s", cell->testcase, mode_name(cell->mode), cell->tasks,
		cell->placement);
	if (cell->membind)
		fprintf(out, "/membind=%s", cell->membind);
	json_object_foreach(cell->params, name, value)
		fprintf(out, "/%s=%s", name, json_string_value(value));
	json_object_foreach(cell->factors, name, value)
		if (!is_told_before(name))
			fprintf(out, "/%s=%s", name, json_string_value(value));
	if (fclose(out) != 0) {
		free(id);
		return NULL;
	}
	return id;
}

/* All parameters of the testcase with their values: the id of a cell tells all that was set. */
static json_t *cell_params(const json_t *facts)
{
	json_t *params = json_object(), *param;
	size_t i;

	json_array_foreach(json_object_get(facts, "params"), i, param)
		json_object_set(params, json_string_value(json_object_get(param, "name")),
				json_object_get(param, "value"));
	return params;
}

static double cell_expected_s(const struct plan *p, const struct plan_cell *cell)
{
	return CELL_S + TASK_S * (double)cell->tasks + p->warmup_s + p->duration_s;
}

static char *copy_text(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* What was not copied for lack of memory. */
static bool lost(const char *text, const char *copy)
{
	return text && !copy;
}

/* Where its tasks go, and their partners. */
static int place_cell(const struct plan_variant *v, struct plan_cell *cell)
{
	const struct arranged *r = arrange_tasks(v->arrangement, cell->tasks);

	if (!r)
		return -ENOMEM;
	cell->placement = copy_text(v->arrangement->text);
	cell->cpus = copy_text(r->cpus);
	cell->bind_cpus = copy_text(r->bind_cpus);
	cell->partner_cpus = copy_text(r->partner_cpus);
	cell->span = json_incref(r->span);
	cell->skip = copy_text(r->lacking);
	return !cell->placement || lost(r->cpus, cell->cpus) || lost(r->bind_cpus, cell->bind_cpus) ||
	       lost(r->partner_cpus, cell->partner_cpus) || lost(r->lacking, cell->skip) ? -ENOMEM : 0;
}

/* Where its memory comes from. */
static int place_memory(const struct plan_variant *v, struct plan_cell *cell)
{
	char *lacking = NULL;
	int err;

	if (!v->membind)
		return 0;
	cell->membind = strdup(v->membind);
	if (!cell->membind)
		return -ENOMEM;
	err = mem_nodes_find(v->arrangement, v->membind, cell->tasks, &cell->mem_nodes, &lacking);
	if (cell->skip)
		free(lacking);
	else
		cell->skip = lacking;
	return err;
}

/* Why the levels of the factors cannot be had, in @why; else 0. */
static int check_factors(const struct plan_cell *cell, const json_t *facts, char why[RLIMITS_TEXT_MAX])
{
	const char *memcg = factors_level(cell->factors, "memcg"), *name;
	char text[SETTINGS_TEXT_MAX];
	json_t *level;
	int err = 0;

	if (memcg && json_integer_value(json_object_get(json_object_get(facts, "needs"), "groups")) > 0) {
		snprintf(why, RLIMITS_TEXT_MAX, "it makes memory cgroups of its own");
		return -ENOTSUP;
	}
	if (memcg)
		err = memcg_level_check(memcg, cell->mode, why);
	json_object_foreach(cell->factors, name, level) {
		if (err || !settings_is(name))
			continue;
		err = settings_check(name, json_string_value(level), text);
		if (err)
			snprintf(why, RLIMITS_TEXT_MAX, "%.500s", text);
	}
	return err;
}

/* A cell that cannot be run here is skipped, for the first reason that there is. */
static void check_cell(const struct plan *p, const json_t *facts, struct plan_cell *cell)
{
	char why[RLIMITS_TEXT_MAX];

	if (!cell->skip && (check_factors(cell, facts, why) != 0 ||
			    needs_check(facts, cell->mode, cell->tasks, cell->dir ? cell->dir : p->dir,
					why) != 0))
		cell->skip = strdup(why);
}

static int add_cell(struct plan *p, const struct plan_variant *v, const struct catalogue_entry *e,
		    enum testcase_mode mode, const struct point *point)
{
	struct plan_cell *cells = reallocarray(p->cells, p->nr_cells + 1, sizeof(*cells)), *cell;
	int err;

	if (!cells)
		return -ENOMEM;
	p->cells = cells;
	cell = &cells[p->nr_cells++];
	*cell = (struct plan_cell){
		.testcase = e->name,
		.path = e->path,
		.named = e->named,
		.mode = mode,
		.tasks = point->tasks,
		.why = point->why,
		.params = cell_params(e->facts),
		.factors = json_deep_copy(v->factors),
		.dir = copy_text(v->dir),
	};
	err = lost(v->dir, cell->dir) || !cell->factors ? -ENOMEM : place_cell(v, cell);
	if (!err)
		err = place_memory(v, cell);
	if (err)
		return err;
	cell->id = cell_id(cell);
	cell->expected_s = cell_expected_s(p, cell);
	check_cell(p, e->facts, cell);
	return cell->id ? 0 : -ENOMEM;
}

static bool has_mode(const json_t *facts, enum testcase_mode mode)
{
	json_t *name;
	size_t i;

	json_array_foreach(json_object_get(facts, "modes"), i, name)
		if (strcmp(json_string_value(name), mode_name(mode)) == 0)
			return true;
	return false;
}

/* A mode that was asked for by name and is not there makes skipped cells, which say so. */
static bool wants_mode(const struct plan_input *in, const json_t *facts, enum testcase_mode mode)
{
	if (strcmp(in->modes, "both") == 0)
		return has_mode(facts, mode);
	return strcmp(in->modes, mode_name(mode)) == 0;
}

/* A cell of each variant: a block. */
static int add_block(struct plan *p, const struct plan_input *in, size_t entry,
		     enum testcase_mode mode, const struct point *point)
{
	int err = 0;

	for (size_t i = 0; !err && i < in->nr_variants; i++) {
		const struct plan_variant *v = &in->variants[i];

		err = add_cell(p, v, &v->catalogue->entries[entry], mode, point);
	}
	return err;
}

static int add_testcase(struct plan *p, const struct plan_input *in, size_t entry)
{
	static const enum testcase_mode modes[] = { MODE_PROCESSES, MODE_THREADS };
	const json_t *facts = in->catalogue->entries[entry].facts;
	int err = 0;

	for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
		if (!wants_mode(in, facts, modes[m]))
			continue;
		for (size_t i = 0; !err && i < in->points->nr; i++)
			err = add_block(p, in, entry, modes[m], &in->points->points[i]);
	}
	return err;
}

int plan_make(struct plan *p, const struct plan_input *in)
{
	int err = 0;

	p->catalogue = in->catalogue;
	p->block = in->nr_variants;
	p->placement = strdup(in->variants[0].arrangement->text);
	if (!p->placement)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < in->catalogue->nr; i++)
		err = add_testcase(p, in, i);
	if (err)
		msg_error("plan: %s", strerror(-err));
	return err;
}

static void free_cells(struct plan *p)
{
	for (size_t i = 0; i < p->nr_cells; i++) {
		struct plan_cell *cell = &p->cells[i];

		free(cell->id);
		free(cell->placement);
		free(cell->cpus);
		free(cell->bind_cpus);
		free(cell->partner_cpus);
		free(cell->membind);
		free(cell->mem_nodes);
		free(cell->skip);
		free(cell->dir);
		json_decref(cell->factors);
		json_decref(cell->span);
		json_decref(cell->params);
	}
	free(p->cells);
}

void plan_free(struct plan *p)
{
	free_cells(p);
	free(p->run);
	free(p->time);
	free(p->placement);
	free(p->dir);
	free(p->counters);
	free(p->trace);
	json_decref(p->options);
	*p = (struct plan){ 0 };
}

/* ---- time ----------------------------------------------------------------------------------- */

double plan_round_s(const struct plan *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->nr_cells; i++)
		if (!p->cells[i].skip)
			sum += p->cells[i].expected_s;
	return sum;
}

double plan_expected_s(const struct plan *p)
{
	return (double)p->rounds * plan_round_s(p);
}

void plan_set_duration(struct plan *p, double duration_s)
{
	p->duration_s = duration_s;
	if (p->warmup_follows)
		p->warmup_s = fmin(fmax(WARMUP_SHARE * duration_s, WARMUP_LEAST_S), WARMUP_MOST_S);
	if (p->warmup_max_follows)
		p->warmup_max_s = WARMUP_MAX_FACTOR * p->warmup_s;
	for (size_t i = 0; i < p->nr_cells; i++)
		p->cells[i].expected_s = cell_expected_s(p, &p->cells[i]);
}

size_t plan_runnable(const struct plan *p)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_cells; i++)
		nr += !p->cells[i].skip;
	return nr;
}

static int does_not_fit(const struct plan *p, double budget_s)
{
	double cells = (double)plan_runnable(p), keep = floor(cells * budget_s / plan_expected_s(p));

	msg_error("--budget: %.0f cells x %" PRIu64 " rounds x %.3g s need %.0f s; in %.3g s there is "
		  "room for %.0f cells: %.0f must be dropped (fewer task counts with -t, one mode with "
		  "-m, fewer testcases)", cells, p->rounds, p->duration_s, plan_expected_s(p),
		  budget_s, keep, cells - keep);
	return -ENOSPC;
}

/*
 * Shortens the window as far as needed, but not under @least_s: to the longest one that fits, in
 * milliseconds.
 */
static void shorten(struct plan *p, double budget_s, double least_s)
{
	long low = lround(least_s * 1000), high = (long)(p->duration_s * 1000);

	if (plan_expected_s(p) <= budget_s || low >= high)
		return;
	while (low < high) {
		long middle = (low + high + 1) / 2;

		plan_set_duration(p, (double)middle / 1000);
		if (plan_expected_s(p) <= budget_s)
			low = middle;
		else
			high = middle - 1;
	}
	plan_set_duration(p, (double)low / 1000);
}

/* What --precision may add has to fit, too, even if each of its rounds runs every cell. */
static void limit_max_rounds(struct plan *p, double budget_s)
{
	double round_s = plan_round_s(p);

	if (p->precision_pct <= 0 || p->max_rounds < p->rounds)
		p->max_rounds = p->rounds;
	if (round_s > 0 && (double)p->max_rounds * round_s > budget_s)
		p->max_rounds = (uint64_t)(budget_s / round_s);
}

int plan_fit(struct plan *p, double budget_s)
{
	shorten(p, budget_s, FIT_DURATION_S);
	while (plan_expected_s(p) > budget_s && p->rounds > FIT_ROUNDS_MIN)
		p->rounds--;
	shorten(p, budget_s, FIT_DURATION_MIN_S);
	if (plan_expected_s(p) > budget_s)
		return does_not_fit(p, budget_s);
	limit_max_rounds(p, budget_s);
	return 0;
}

static int compare_cpus(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

/* Adds lists of CPUs, separated by '/'; @text may be NULL. */
static int add_lists(const char *text, struct cpulist *cpus)
{
	char *copy = text ? strdup(text) : NULL, *rest = copy, *word;
	int err = text && !copy ? -ENOMEM : 0;

	while (!err && (word = strsep(&rest, "/"))) {
		struct cpulist list;

		err = cpulist_parse(word, &list);
		for (size_t i = 0; !err && i < list.nr; i++)
			err = cpulist_add(cpus, list.cpus[i]);
		cpulist_free(&list);
	}
	free(copy);
	return err;
}

int plan_cell_cpus(const struct plan_cell *cell, struct cpulist *cpus)
{
	size_t nr = 0;
	int err;

	*cpus = (struct cpulist){ 0 };
	err = add_lists(cell->cpus, cpus);
	if (!err)
		err = add_lists(cell->bind_cpus, cpus);
	if (!err)
		err = add_lists(cell->partner_cpus, cpus);
	if (err) {
		cpulist_free(cpus);
		return err;
	}
	if (cpus->nr)
		qsort(cpus->cpus, cpus->nr, sizeof(*cpus->cpus), compare_cpus);
	for (size_t i = 0; i < cpus->nr; i++)
		if (i == 0 || cpus->cpus[i] != cpus->cpus[i - 1])
			cpus->cpus[nr++] = cpus->cpus[i];
	cpus->nr = nr;
	return 0;
}

void plan_order(const struct plan *p, uint64_t round, size_t *order)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, p->seed + round);
	for (size_t i = 0; i < p->nr_cells; i++)
		order[i] = i;
	gsl_ran_shuffle(rng, order, p->nr_cells / p->block, p->block * sizeof(*order));
	for (size_t i = 0; p->block > 1 && i < p->nr_cells; i += p->block)
		gsl_ran_shuffle(rng, order + i, p->block, sizeof(*order));
	gsl_rng_free(rng);
}

/* ---- as JSON -------------------------------------------------------------------------------- */

json_t *plan_cell_json(const struct plan_cell *cell)
{
	return json_pack("{ss ss ss sI ss so so so so so so so sO sO}", "id", cell->id,
			 "testcase", cell->testcase,
			 "mode", mode_name(cell->mode), "tasks", (json_int_t)cell->tasks,
			 "placement", cell->placement,
			 "cpus", json_text(cell->cpus), "bind_cpus", json_text(cell->bind_cpus),
			 "partner_cpus", json_text(cell->partner_cpus),
			 "span", cell->span ? json_incref(cell->span) : json_null(),
			 "membind", json_text(cell->membind), "mem_nodes", json_text(cell->mem_nodes),
			 "dir", json_text(cell->dir), "params", cell->params,
			 "factors", cell->factors);
}

static json_t *cells_json(const struct plan *p)
{
	json_t *array = json_array();

	for (size_t i = 0; i < p->nr_cells; i++) {
		const struct plan_cell *cell = &p->cells[i];
		json_t *object = plan_cell_json(cell);

		json_object_set_new(object, "skip", json_text(cell->skip));
		json_object_set_new(object, "expected_s", json_real(cell->expected_s));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *order_json(const struct plan *p)
{
	size_t *order = calloc(p->nr_cells + 1, sizeof(*order));
	json_t *rounds = json_array();

	for (uint64_t r = 0; order && r < p->rounds; r++) {
		json_t *round = json_array();

		plan_order(p, r, order);
		for (size_t i = 0; i < p->nr_cells; i++)
			json_array_append_new(round, json_integer((json_int_t)order[i]));
		json_array_append_new(rounds, round);
	}
	free(order);
	return rounds;
}

static json_t *testcases_json(const struct plan *p)
{
	json_t *array = json_array();

	for (size_t i = 0; i < p->catalogue->nr; i++)
		json_array_append(array, p->catalogue->entries[i].facts);
	return array;
}

json_t *plan_json(const struct plan *p)
{
	return json_pack("{ss ss ss sI sI sI so sf sf sf sf sf ss ss so sb so sO so so sI so}",
		"schema", SCHEMA, "run", p->run, "time", p->time,
		"seed", (json_int_t)p->seed, "rounds", (json_int_t)p->rounds,
		"max_rounds", (json_int_t)p->max_rounds,
		"precision_pct", p->precision_pct > 0 ? json_real(p->precision_pct) : json_null(),
		"duration_s", p->duration_s, "warmup_s", p->warmup_s,
		"warmup_max_s", p->warmup_max_s, "timeout_s", p->timeout_s,
		"expected_s", plan_expected_s(p), "placement", p->placement, "dir", p->dir,
		"counters", json_text(p->counters), "profile", p->profile,
		"trace", json_text(p->trace), "options", p->options,
		"testcases", testcases_json(p), "cells", cells_json(p),
		"block", (json_int_t)p->block, "order", order_json(p));
}

static const struct catalogue_entry *find_entry(const struct catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->nr; i++)
		if (strcmp(c->entries[i].name, name) == 0)
			return &c->entries[i];
	return NULL;
}

static char *text_or_null(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? strdup(text) : NULL;
}

static int read_mode(const char *name, enum testcase_mode *mode)
{
	*mode = strcmp(name, "threads") == 0 ? MODE_THREADS : MODE_PROCESSES;
	return strcmp(name, mode_name(*mode)) == 0 ? 0 : -EINVAL;
}

static bool all_texts(json_t *params)
{
	const char *name;
	json_t *value;

	json_object_foreach(params, name, value)
		if (!json_is_string(value))
			return false;
	return json_is_object(params);
}

static int read_cell(struct plan *p, json_t *object)
{
	struct plan_cell *cell = &p->cells[p->nr_cells];
	const struct catalogue_entry *entry;
	const char *id, *name, *mode_text, *placement;
	enum testcase_mode mode;
	json_int_t tasks;
	json_t *params;
	double expected_s;

	if (json_unpack(object, "{ss ss ss sI ss so sf}", "id", &id, "testcase", &name, "mode",
			&mode_text, "tasks", &tasks, "placement", &placement, "params", &params,
			"expected_s", &expected_s) != 0 ||
	    read_mode(mode_text, &mode) != 0 || tasks < 1 || tasks > (json_int_t)TASKS_MAX ||
	    !all_texts(params))
		return -EINVAL;
	entry = find_entry(p->catalogue, name);
	if (!entry) {
		msg_error("the run has testcase %s, which is not here", name);
		return -ENOENT;
	}
	*cell = (struct plan_cell){
		.id = strdup(id), .testcase = entry->name, .path = entry->path,
		.named = entry->named, .mode = mode, .tasks = (uint64_t)tasks,
		.params = json_incref(params), .expected_s = expected_s,
		.placement = strdup(placement),
		.cpus = text_or_null(object, "cpus"), .skip = text_or_null(object, "skip"),
		.bind_cpus = text_or_null(object, "bind_cpus"),
		.partner_cpus = text_or_null(object, "partner_cpus"),
		.membind = text_or_null(object, "membind"),
		.mem_nodes = text_or_null(object, "mem_nodes"),
		.span = json_incref(json_object_get(object, "span")),
		.dir = text_or_null(object, "dir"),
		.factors = json_incref(json_object_get(object, "factors")),
	};
	p->nr_cells++;
	return 0;
}

static int read_cells(struct plan *p, json_t *cells)
{
	json_t *cell;
	size_t i;
	int err = 0;

	p->cells = calloc(json_array_size(cells) + 1, sizeof(*p->cells));
	if (!p->cells)
		return -ENOMEM;
	json_array_foreach(cells, i, cell) {
		err = read_cell(p, cell);
		if (err)
			break;
	}
	return err;
}

static int read_plan(struct plan *p, json_t *root)
{
	json_int_t seed, rounds, max_rounds, block;
	const char *schema, *run, *when, *placement, *dir;
	json_t *cells, *options;

	p->precision_pct = json_number_value(json_object_get(root, "precision_pct"));
	if (json_unpack(root, "{ss ss ss sI sI sI sf sf sf sf ss ss so so sI}", "schema", &schema,
			"run", &run, "time", &when,
			"seed", &seed, "rounds", &rounds, "max_rounds", &max_rounds,
			"duration_s", &p->duration_s,
			"warmup_s", &p->warmup_s, "warmup_max_s", &p->warmup_max_s,
			"timeout_s", &p->timeout_s, "placement", &placement, "dir", &dir,
			"options", &options, "cells", &cells, "block", &block) != 0 ||
	    strcmp(schema, SCHEMA) != 0 || seed < 0 || rounds < 1 || max_rounds < rounds ||
	    !json_is_array(cells) || !arrange_begins_well(placement) || block < 1)
		return -EINVAL;
	p->block = (size_t)block;
	p->run = strdup(run);
	p->time = strdup(when);
	p->seed = (uint64_t)seed;
	p->rounds = (uint64_t)rounds;
	p->max_rounds = (uint64_t)max_rounds;
	p->placement = strdup(placement);
	p->dir = strdup(dir);
	p->counters = text_or_null(root, "counters");
	p->profile = json_is_true(json_object_get(root, "profile"));
	p->trace = text_or_null(root, "trace");
	p->options = json_incref(options);
	if (json_array_size(cells) % p->block)
		return -EINVAL;
	return read_cells(p, cells);
}

int plan_read(struct plan *p, const char *path, const struct catalogue *catalogue)
{
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);
	int err;

	*p = (struct plan){ .catalogue = catalogue };
	if (!root) {
		msg_error("%s: %s", path, error.text);
		return -EINVAL;
	}
	err = read_plan(p, root);
	if (err == -EINVAL)
		msg_error("%s is not a plan of this version of knee", path);
	json_decref(root);
	return err;
}
