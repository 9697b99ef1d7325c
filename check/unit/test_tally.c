/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rounds have brought, and the CSV that is made of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv.h"
#include "tally.h"

static struct plan_cell cells[] = {
	{ .id = (char *)"a/processes/1", .testcase = "a", .mode = MODE_PROCESSES, .tasks = 1 },
	{ .id = (char *)"a/threads/1", .testcase = "a", .mode = MODE_THREADS, .tasks = 1 },
	{ .id = (char *)"a/processes/4", .testcase = "a", .mode = MODE_PROCESSES, .tasks = 4 },
	{ .id = (char *)"a/threads/4", .testcase = "a", .mode = MODE_THREADS, .tasks = 4 },
	{ .id = (char *)"b/processes/2", .testcase = "b", .mode = MODE_PROCESSES, .tasks = 2 },
};

static const struct plan plan = {
	.block = 1,
	.cells = cells, .nr_cells = sizeof(cells) / sizeof(cells[0]), .rounds = 3, .max_rounds = 5,
};

static struct tally tally;

static int begin(void **state)
{
	(void)state;
	return tally_init(&tally, &plan);
}

static int end(void **state)
{
	(void)state;
	tally_free(&tally);
	return tally.cells != NULL;
}

static void add_text(const char *text)
{
	json_t *record = json_loads(text, 0, NULL);

	assert_non_null(record);
	assert_int_equal(tally_add(&tally, record), 0);
	json_decref(record);
}

static void add(const char *id, int round, const char *rest)
{
	char text[512];

	snprintf(text, sizeof(text), "{\"cell\":{\"id\":\"%s\"},\"round\":%d,%s}", id, round, rest);
	add_text(text);
}

#define OK(ops, idle) \
	"\"status\":\"ok\",\"ops_per_s\":" #ops ",\"window\":{\"idle_pct\":" #idle "}"

static void near(double got, double expected)
{
	assert_true(fabs(got - expected) < 1e-9 * (1 + fabs(expected)));
}

static void figures(void **state)
{
	const struct tally_cell *c = &tally.cells[0];

	(void)state;
	assert_true(isnan(tally_mean_hz(c)) && isnan(tally_idle_pct(c)));
	assert_true(isnan(tally_interval_pct(c)));
	add("a/processes/1", 0, OK(90, 50));
	near(tally_mean_hz(c), 90);
	assert_true(isnan(tally_interval_pct(c)));	/* one round has no spread */
	add("a/processes/1", 1, OK(110, 40));
	near(tally_mean_hz(c), 100);
	near(tally_idle_pct(c), 45);
	/* 12.70620 is Student's quantile for one degree of freedom; sd / sqrt(2) is 10. */
	assert_true(fabs(tally_interval_pct(c) - 127.0620) < 1e-3);
}

static void rounds_that_are_done(void **state)
{
	(void)state;
	add("a/processes/1", 2, OK(90, 50));
	add("a/threads/1", 0, "\"status\":\"failed\"");
	add("a/processes/4", 0, "\"status\":\"killed\"");
	add("a/threads/4", 0, "\"status\":\"lacking\"");
	assert_false(tally_done(&tally, 0, 0));
	assert_false(tally_done(&tally, 0, 1));
	assert_true(tally_done(&tally, 0, 2));
	assert_false(tally_done(&tally, 0, 3));
	assert_true(tally_done(&tally, 1, 0));
	assert_false(tally_done(&tally, 2, 0));	/* a resumed run measures it */
	assert_true(tally_done(&tally, 3, 0));
	assert_int_equal(tally.cells[1].not_ok, 1);
	assert_false(tally.cells[1].lacking);
	assert_true(tally.cells[3].lacking);
	assert_int_equal(tally.cells[2].not_ok, 0);
}

static void foreign_records(void **state)
{
	(void)state;
	add("c/processes/1", 0, OK(90, 50));
	add_text("{}");
	add_text("[]");
	add_text("{\"cell\":7,\"round\":0,\"status\":\"ok\"}");
	add_text("{\"cell\":{\"id\":\"a/processes/1\"},\"round\":0}");
	add_text("{\"cell\":{\"id\":\"a/processes/1\"},\"round\":0,\"status\":7}");
	for (size_t i = 0; i < plan.nr_cells; i++) {
		assert_false(tally_done(&tally, i, 0));
		assert_int_equal(tally.cells[i].nr, 0);
	}
}

/* -1 as a number of elements freed the cell's memory, which was then used. */
static void rounds_that_no_plan_has(void **state)
{
	(void)state;
	add("a/processes/1", 0, OK(90, 50));
	add("a/processes/1", -1, OK(7, 50));
	add("a/processes/1", 5, OK(7, 50));
	add_text("{\"cell\":{\"id\":\"a/processes/1\"},\"round\":4611686018427387904," OK(7, 50) "}");
	add_text("{\"cell\":{\"id\":\"a/processes/1\"},\"round\":null," OK(7, 50) "}");
	add_text("{\"cell\":{\"id\":\"a/processes/1\"}," OK(7, 50) "}");
	near(tally_mean_hz(&tally.cells[0]), 90);
	assert_int_equal(tally.cells[0].nr, 1);
	add("a/processes/1", 4, OK(110, 50));
	assert_int_equal(tally.cells[0].nr, 2);
}

static void figures_that_are_not_there(void **state)
{
	(void)state;
	add("a/processes/1", 0, "\"status\":\"ok\"");
	add("a/processes/1", 0, "\"status\":\"ok\",\"ops_per_s\":null");
	assert_int_equal(tally.cells[0].nr, 0);
	assert_false(tally_done(&tally, 0, 0));
}

/* An idle that could not be had is no idle of 0. */
static void idle_that_is_not_known(void **state)
{
	(void)state;
	add("a/processes/1", 0, OK(90, 50));
	add("a/processes/1", 1, OK(110, null));
	near(tally_idle_pct(&tally.cells[0]), 50);
	near(tally_mean_hz(&tally.cells[0]), 100);
	add("a/threads/1", 0, OK(110, null));
	assert_true(isnan(tally_idle_pct(&tally.cells[1])));
	add("b/processes/2", 0, "\"status\":\"ok\",\"ops_per_s\":5");
	assert_true(isnan(tally_idle_pct(&tally.cells[4])));
}

/* ---- CSV ------------------------------------------------------------------------------------ */

#define HEAD "tasks,processes,processes_idle,threads,threads_idle,linear\n0,0,100,0,100,0\n"

static void csv(const char *testcase, const char *expected)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	csv_print(&tally, testcase, 0, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void nothing_measured(void **state)
{
	(void)state;
	csv("a", HEAD);
	csv("c", HEAD);
}

static void rows(void **state)
{
	(void)state;
	add("a/processes/1", 0, OK(1000.4, 49.994));
	add("a/threads/1", 0, OK(1200, 50.5));
	add("a/processes/4", 0, OK(3000, 0.0));
	add("a/threads/4", 0, OK(1500.6, 10));
	csv("a", HEAD "1,1000,49.99,1200,50.50,1200\n4,3000,0.00,1501,10.00,4800\n");
}

/* A mode that was not asked for is 0, and so is linear without one task. */
static void one_mode(void **state)
{
	(void)state;
	add("b/processes/2", 0, OK(10, 20));
	csv("b", HEAD "2,10,20.00,0,0.00,0\n");
}

static void a_point_that_failed_has_no_row(void **state)
{
	(void)state;
	add("a/processes/1", 0, OK(1000, 50));
	add("a/threads/1", 0, "\"status\":\"failed\"");
	add("a/processes/4", 0, OK(3000, 0));
	add("a/threads/4", 0, OK(1500, 10));
	csv("a", HEAD "4,3000,0.00,1500,10.00,0\n");
}

/* "nan" would be neither digits, dots nor commas. */
static void idle_that_is_not_known_is_0(void **state)
{
	(void)state;
	add("b/processes/2", 0, OK(10, null));
	csv("b", HEAD "2,10,0.00,0,0.00,0\n");
}

int main(void)
{
#define WITH_TALLY(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		WITH_TALLY(figures),
		WITH_TALLY(rounds_that_are_done),
		WITH_TALLY(foreign_records),
		WITH_TALLY(nothing_measured),
		WITH_TALLY(rows),
		WITH_TALLY(one_mode),
		WITH_TALLY(a_point_that_failed_has_no_row),
		WITH_TALLY(rounds_that_no_plan_has),
		WITH_TALLY(figures_that_are_not_there),
		WITH_TALLY(idle_that_is_not_known),
		WITH_TALLY(idle_that_is_not_known_is_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
