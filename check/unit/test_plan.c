/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans for a machine and testcases that are made up. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan.h"
#include "quiet.h"
#include "tree.h"

#define FACTS(name, modes, params, needs) \
	"{\"name\":\"" name "\",\"modes\":[" modes "],\"params\":[" params "],\"needs\":{" needs "}}"

static struct catalogue_entry entries[] = {
	{ .name = (char *)"lock", .path = (char *)"/t/lock", .named = true },
	{ .name = (char *)"map", .path = (char *)"/t/map" },
};

static const struct catalogue catalogue = { .entries = entries, .nr = 2 };
static struct topo machine;
static struct point counts[] = {
	{ 1, "one task" }, { 2, "two tasks" }, { 8, "all PUs" }, { 20, "asked for" },
};
static const struct points points = { .points = counts, .nr = 4 };
static struct plan plan;

static struct arrangement arrangement;
static struct plan_variant variant;

static struct plan_input input(const char *modes, const char *placement)
{
	arrange_free(&arrangement);
	assert_int_equal(arrange_make(&arrangement, &machine, placement), 0);
	json_decref((json_t *)variant.factors);
	variant = (struct plan_variant){
		.arrangement = &arrangement, .catalogue = &catalogue, .factors = json_object(),
	};
	return (struct plan_input){
		.catalogue = &catalogue, .variants = &variant, .nr_variants = 1, .points = &points,
		.modes = modes,
	};
}

static void make(const char *modes, const char *placement)
{
	const struct plan_input in = input(modes, placement);

	plan_free(&plan);
	plan = (struct plan){
		.run = strdup("20261130-135220-mmap1"), .time = strdup("2026-11-30T13:52:20Z"),
		.seed = 4711, .rounds = 5, .max_rounds = 5, .duration_s = 1, .warmup_s = 0.25,
		.warmup_max_s = 1, .timeout_s = 7.5, .dir = strdup("/tmp"), .options = json_object(),
	};
	assert_int_equal(plan_make(&plan, &in), 0);
}

static int load(void **state)
{
	(void)state;
	entries[0].facts = json_loads(FACTS("lock", "\"processes\",\"threads\"",
		"{\"name\":\"size\",\"value\":\"4K\"},{\"name\":\"touch\",\"value\":\"all\"}", ""),
		0, NULL);
	entries[1].facts = json_loads(FACTS("map", "\"processes\"", "", ""), 0, NULL);
	setenv("HWLOC_SYNTHETIC", "pack:2 core:2 pu:2", 1);
	return !entries[0].facts || !entries[1].facts || topo_load(&machine, NULL) || tree_make(NULL);
}

static int unload(void **state)
{
	plan_free(&plan);
	arrange_free(&arrangement);
	json_decref(entries[0].facts);
	json_decref(entries[1].facts);
	topo_free(&machine);
	return tree_remove(state);
}

/* ---- cells ---------------------------------------------------------------------------------- */

static const struct plan_cell *cell(const char *id)
{
	for (size_t i = 0; i < plan.nr_cells; i++)
		if (strcmp(plan.cells[i].id, id) == 0)
			return &plan.cells[i];
	fail_msg("no cell %s", id);
	return NULL;
}

static void cells(void **state)
{
	const struct plan_cell *c;

	(void)state;
	make("both", "core");
	assert_int_equal(plan.nr_cells, 4 + 4 + 4);	/* map has no threads */
	c = cell("lock/threads/2/core/size=4K/touch=all");
	assert_string_equal(c->testcase, "lock");
	assert_string_equal(c->path, "/t/lock");
	assert_string_equal(c->why, "two tasks");
	assert_string_equal(c->cpus, "0,2");
	assert_string_equal(json_string_value(json_object_get(c->params, "size")), "4K");
	assert_int_equal(c->mode, MODE_THREADS);
	assert_int_equal(c->tasks, 2);
	assert_true(c->named);
	assert_null(c->skip);
	assert_true(c->expected_s > 1.25 && c->expected_s < 1.5);
	c = cell("map/processes/20/core");
	assert_false(c->named);
	assert_string_equal(c->cpus, "0,2,4,6,1,3,5,7");	/* and round again */
}

static void every_id_is_different(void **state)
{
	(void)state;
	make("both", "core");
	for (size_t i = 0; i < plan.nr_cells; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(plan.cells[i].id, plan.cells[k].id);
}

static void placements(void **state)
{
	(void)state;
	make("processes", "smt");
	assert_string_equal(cell("map/processes/2/smt")->cpus, "0,1");
	assert_string_equal(cell("map/processes/8/smt")->cpus, "0-7");
	make("processes", "none");
	assert_null(cell("map/processes/2/none")->cpus);
}

/* Asked for by name, a mode that is not there is a cell that says so. */
static void modes(void **state)
{
	(void)state;
	make("threads", "core");
	assert_int_equal(plan.nr_cells, 8);
	assert_non_null(strstr(cell("map/threads/1/core")->skip, "no threads mode"));
	make("processes", "core");
	assert_int_equal(plan.nr_cells, 8);
	assert_null(cell("map/processes/1/core")->skip);
}

/* ---- time ----------------------------------------------------------------------------------- */

static void expected_time(void **state)
{
	double sum = 0;

	(void)state;
	make("threads", "core");
	for (size_t i = 0; i < plan.nr_cells; i++)
		if (!plan.cells[i].skip)
			sum += plan.cells[i].expected_s;
	assert_true(fabs(plan_round_s(&plan) - sum) < 1e-9 && sum > 4 * 1.25);
	assert_true(fabs(plan_expected_s(&plan) - 5 * sum) < 1e-9);
}

static void fitted(double budget_s, double duration_s, uint64_t rounds)
{
	make("processes", "core");
	assert_int_equal(plan_fit(&plan, budget_s), 0);
	assert_true(plan_expected_s(&plan) <= budget_s);
	assert_true(fabs(plan.duration_s - duration_s) < 1e-9);
	assert_int_equal(plan.rounds, rounds);
	assert_int_equal(plan.max_rounds, rounds);
}

/* 8 cells take 0.28 s each beside their window, and 0.0186 s more for all their tasks. */
static void budgets(void **state)
{
	(void)state;
	fitted(1000, 1, 5);
	fitted(52, 1, 5);
	fitted(45, 0.842, 5);	/* 45 = 5 (8 (0.28 + d) + 0.0186) */
	fitted(32, 0.517, 5);
	fitted(30, 0.5, 4);
	fitted(20, 0.5, 3);
	fitted(12, 0.217, 3);
}

static void budgets_that_are_too_small(void **state)
{
	(void)state;
	make("processes", "core");
	quiet_begin();
	assert_int_equal(plan_fit(&plan, 5), -ENOSPC);
	assert_int_equal(quiet_end(), 1);
	assert_non_null(strstr(quiet_text, "must be dropped"));
	/* What was asked for is not raised: one round of windows shorter than any that would be made. */
	make("processes", "core");
	plan.rounds = plan.max_rounds = 1;
	plan.duration_s = 0.1;
	quiet_begin();
	assert_int_equal(plan_fit(&plan, 0.5), -ENOSPC);
	quiet_end();
	assert_int_equal(plan.rounds, 1);
	assert_true(plan.duration_s == 0.1);
}

/* Thirty rounds in the time of nine would be no budget. */
static void budgets_bound_what_precision_adds(void **state)
{
	(void)state;
	make("processes", "core");
	plan.precision_pct = 1;
	plan.max_rounds = 30;
	assert_int_equal(plan_fit(&plan, 100), 0);
	assert_int_equal(plan.rounds, 5);
	assert_int_equal(plan.max_rounds, 9);	/* of 10.26 s each */
	assert_true((double)plan.max_rounds * plan_round_s(&plan) <= 100);
	make("processes", "core");
	plan.precision_pct = 1;
	plan.max_rounds = 30;
	assert_int_equal(plan_fit(&plan, 1000), 0);
	assert_int_equal(plan.max_rounds, 30);
}

/* ---- order ---------------------------------------------------------------------------------- */

#define NR_CELLS 12

static void order(size_t *out, uint64_t seed, uint64_t round)
{
	plan.seed = seed;
	plan_order(&plan, round, out);
}

static void every_round_is_a_permutation(void **state)
{
	size_t out[NR_CELLS];

	(void)state;
	make("both", "core");
	assert_int_equal(plan.nr_cells, NR_CELLS);
	for (uint64_t round = 0; round < 200; round++) {
		bool seen[NR_CELLS] = { false };

		order(out, 4711, round);
		for (size_t i = 0; i < NR_CELLS; i++) {
			assert_true(out[i] < NR_CELLS && !seen[out[i]]);
			seen[out[i]] = true;
		}
	}
}

static void the_seed_decides(void **state)
{
	size_t a[NR_CELLS], b[NR_CELLS];

	(void)state;
	make("both", "core");
	order(a, 4711, 3);
	order(b, 4711, 3);
	assert_memory_equal(a, b, sizeof(a));
	order(b, 4711, 4);
	assert_memory_not_equal(a, b, sizeof(a));
	order(b, 4712, 3);
	assert_memory_not_equal(a, b, sizeof(a));
	order(b, 4294967295, 3);
	assert_memory_not_equal(a, b, sizeof(a));
}

/* Each cell is everywhere about as often: no cell always runs on the machine as another left it. */
static void no_place_is_preferred(void **state)
{
	size_t out[NR_CELLS], at[NR_CELLS][NR_CELLS] = { { 0 } };

	(void)state;
	make("both", "core");
	for (uint64_t round = 0; round < 1200; round++) {
		order(out, 4711, round);
		for (size_t i = 0; i < NR_CELLS; i++)
			at[out[i]][i]++;
	}
	/* 100 expected, a standard deviation of 9.6. */
	for (size_t i = 0; i < NR_CELLS; i++)
		for (size_t k = 0; k < NR_CELLS; k++)
			assert_in_range(at[i][k], 55, 145);
}

/* ---- plan.json ------------------------------------------------------------------------------ */

static void put_json(json_t *object)
{
	char *text = json_dumps(object, JSON_REAL_PRECISION(12));

	tree_put("/plan.json", text);
	free(text);
}

static int read_back(struct plan *p)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/plan.json", tree_root);
	return plan_read(p, path, &catalogue);
}

static void round_trip(void **state)
{
	json_t *json, *again;
	struct plan p;

	(void)state;
	make("threads", "smt");
	plan.precision_pct = 1.5;
	plan.max_rounds = 30;
	json = plan_json(&plan);
	assert_non_null(json);
	put_json(json);
	assert_int_equal(read_back(&p), 0);
	assert_string_equal(p.cells[0].path, "/t/lock");
	assert_true(p.cells[0].named);
	again = plan_json(&p);
	assert_true(json_equal(json, again));
	json_decref(again);
	json_decref(json);
	plan_free(&p);
}

static void unreadable(void **state)
{
	static const char *const texts[] = { "", "{", "[]", "{}", "7", "{\"schema\":\"knee-plan/1\"}" };
	struct plan p;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		tree_put("/plan.json", texts[i]);
		quiet_begin();
		assert_int_equal(read_back(&p), -EINVAL);
		assert_int_equal(quiet_end(), 1);
		plan_free(&p);
	}
}

static void a_testcase_that_is_not_here(void **state)
{
	json_t *json;
	struct plan p;

	(void)state;
	make("processes", "core");
	json = plan_json(&plan);
	json_object_set_new(json_array_get(json_object_get(json, "cells"), 3), "testcase",
			    json_string("gone"));
	put_json(json);
	json_decref(json);
	quiet_begin();
	assert_int_equal(read_back(&p), -ENOENT);
	assert_int_equal(quiet_end(), 1);
	assert_non_null(strstr(quiet_text, "gone"));
	plan_free(&p);
}

/* A plan with one member that is not as it must be: of the plan, or of its first cell. */
static void refused(bool of_cell, const char *name, const char *value)
{
	json_t *json, *object;
	struct plan p;

	make("processes", "core");
	json = plan_json(&plan);
	object = of_cell ? json_array_get(json_object_get(json, "cells"), 0) : json;
	assert_int_equal(json_object_set_new(object, name, json_loads(value, JSON_DECODE_ANY, NULL)), 0);
	put_json(json);
	json_decref(json);
	quiet_begin();
	assert_int_equal(read_back(&p), -EINVAL);
	assert_int_equal(quiet_end(), 1);
	plan_free(&p);
}

/* Else -1 rounds would be 2^64 - 1, and fibres processes. */
static void members_that_no_plan_has(void **state)
{
	(void)state;
	refused(false, "schema", "\"knee-plan/2\"");
	refused(false, "schema", "null");
	refused(false, "rounds", "-1");
	refused(false, "rounds", "0");
	refused(false, "max_rounds", "4");
	refused(false, "max_rounds", "-1");
	refused(false, "seed", "-1");
	refused(false, "placement", "\"everywhere\"");
	refused(false, "dir", "null");
	refused(false, "duration_s", "\"1\"");
	refused(false, "cells", "{}");
	refused(true, "id", "7");
	refused(true, "mode", "\"fibres\"");
	refused(true, "tasks", "0");
	refused(true, "tasks", "-1");
	refused(true, "tasks", "4194305");
	refused(true, "tasks", "\"1\"");
	refused(true, "params", "[]");
	refused(true, "params", "{\"size\":4096}");
	refused(true, "expected_s", "null");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells),
		cmocka_unit_test(every_id_is_different),
		cmocka_unit_test(placements),
		cmocka_unit_test(modes),
		cmocka_unit_test(expected_time),
		cmocka_unit_test(budgets),
		cmocka_unit_test(budgets_that_are_too_small),
		cmocka_unit_test(budgets_bound_what_precision_adds),
		cmocka_unit_test(every_round_is_a_permutation),
		cmocka_unit_test(the_seed_decides),
		cmocka_unit_test(no_place_is_preferred),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(unreadable),
		cmocka_unit_test(a_testcase_that_is_not_here),
		cmocka_unit_test(members_that_no_plan_has),
	};

	return cmocka_run_group_tests(tests, load, unload) != 0;
}
