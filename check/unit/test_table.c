/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The derived table against check/fixtures/expected.json, which Python computed (make.py). */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run.h"
#include "summary_figures.h"
#include "table.h"

static void make(struct run *r, struct table *t, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "check/fixtures/runs/%s", name);
	assert_int_equal(run_load(r, path), 0);
	assert_int_equal(table_make(t, r), 0);
}

static void drop(struct run *r, struct table *t)
{
	table_free(t);
	run_free(r);
}

static const struct table_row *row(const struct table *t, const char *id)
{
	for (size_t i = 0; i < t->nr_series; i++)
		for (size_t j = 0; j < t->series[i].nr_rows; j++)
			if (strcmp(t->series[i].rows[j].id, id) == 0)
				return &t->series[i].rows[j];
	fail_msg("no row %s", id);
	return NULL;
}

/* Rows that were compared, so that a loop over nothing does not pass. */
static size_t compared;

static void same(const char *run, const char *id, const char *name, double got,
		 const json_t *expected)
{
	double value = json_number_value(expected);

	compared++;
	if (json_is_null(expected) ? isnan(got) : fabs(got - value) <= 1e-9 * (1 + fabs(value)))
		return;
	fail_msg("%s: %s: %s is %.15g, expected %.15g", run, id, name, got,
		 json_is_null(expected) ? NAN : value);
}

static void compare_row(const char *run, const struct table_series *s, const struct table_row *r,
			const json_t *expected)
{
	assert_non_null(expected);
	assert_int_equal(r->rounds, json_integer_value(json_object_get(expected, "rounds")));
	assert_int_equal(r->rounds_ok, json_integer_value(json_object_get(expected, "rounds_ok")));
	same(run, r->id, "scalability", s->scalability, json_object_get(expected, "scalability"));
	for (size_t i = 0; summary_figure_name(i); i++)
		if (strcmp(summary_figure_name(i), "cell_idle_pct") != 0 &&
		    strncmp(summary_figure_name(i), "boot95_", 7) != 0)
			same(run, r->id, summary_figure_name(i), summary_figure(r, i),
			     json_object_get(expected, summary_figure_name(i)));
}

static void compare_run(const char *name, const json_t *expected)
{
	struct run r;
	struct table t;
	size_t rows = 0;

	make(&r, &t, name);
	for (size_t i = 0; i < t.nr_series; i++)
		for (size_t j = 0; j < t.series[i].nr_rows; j++, rows++)
			compare_row(name, &t.series[i], &t.series[i].rows[j],
				    json_object_get(expected, t.series[i].rows[j].id));
	assert_int_equal(rows, json_object_size(expected));
	drop(&r, &t);
}

static void every_fixture(void **state)
{
	json_t *all = json_load_file("check/fixtures/expected.json", 0, NULL), *expected;
	const char *name;

	(void)state;
	assert_non_null(all);
	json_object_foreach(all, name, expected)
		compare_run(name, expected);
	assert_true(compared > 1000);
	json_decref(all);
}

static void rows_are_in_order(void **state)
{
	static const uint64_t tasks[] = { 1, 2, 4, 1, 2, 4 };
	struct run r;
	struct table t;

	(void)state;
	make(&r, &t, "plain");
	assert_int_equal(t.nr_series, 1);
	assert_int_equal(t.series[0].nr_rows, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(t.series[0].rows[i].tasks, tasks[i]);
		assert_int_equal(t.series[0].rows[i].mode, i < 3 ? RUN_PROCESSES : RUN_THREADS);
	}
	drop(&r, &t);
}

/* Shown, with the round, and counted all the same. */
static void outliers(void **state)
{
	struct run r;
	struct table t;
	const struct table_row *rw;

	(void)state;
	make(&r, &t, "outliers");
	rw = row(&t, "mmap1/processes/1/core");
	assert_int_equal(rw->nr_outliers, 1);
	assert_int_equal(rw->outliers[0].round, 4);
	assert_true(rw->outliers[0].ops_per_s == 600);
	assert_int_equal(rw->rounds_ok, 7);
	assert_true(rw->boot95_low < rw->ops.mean && rw->ops.mean < rw->boot95_high);
	rw = row(&t, "mmap1/processes/2/core");	/* more than half are the same */
	assert_int_equal(rw->nr_outliers, 1);
	assert_int_equal(rw->outliers[0].round, 3);
	assert_int_equal(row(&t, "mmap1/processes/4/core")->nr_outliers, 0);
	drop(&r, &t);
}

/* LKP's parser on its own fixture gives 0.75 for 48 of 64 million; the same rule here. */
static void scalability(void **state)
{
	struct run r;
	struct table t;

	(void)state;
	make(&r, &t, "plain");
	assert_true(fabs(t.series[0].scalability - 0.75) < 1e-12);	/* 300000 / (4 * 100000) */
	assert_int_equal(t.series[0].scalability_tasks, 4);
	drop(&r, &t);
	make(&r, &t, "two_points");	/* threads alone */
	assert_true(isnan(t.series[0].scalability));
	drop(&r, &t);
}

static void failed(const struct table_row *r, size_t n, enum run_status status, uint64_t rounds)
{
	assert_true(n < r->nr_failures);
	assert_int_equal(r->failures[n].status, status);
	assert_int_equal(r->failures[n].rounds, rounds);
}

/* What was not measured is a row, with its reason. */
static void failures(void **state)
{
	const struct table_row *rw;
	struct run r;
	struct table t;

	(void)state;
	make(&r, &t, "failures");
	rw = row(&t, "getppid1/processes/2/core");
	assert_true(table_measured(rw) && table_doubtful(&t, rw));
	failed(rw, 0, RUN_FAILED, 1);
	rw = row(&t, "getppid1/processes/4/core");
	assert_false(table_measured(rw));
	assert_int_equal(rw->nr_failures, 1);
	failed(rw, 0, RUN_FAILED, 3);
	failed(row(&t, "getppid1/processes/8/core"), 0, RUN_KILLED, 1);
	failed(row(&t, "getppid1/processes/16/core"), 0, RUN_MISSING, 3);
	failed(row(&t, "getppid1/processes/32/core"), 0, RUN_SKIPPED, 3);
	rw = row(&t, "getppid1/threads/2/core");
	failed(rw, 0, RUN_TIMEOUT, 2);
	failed(rw, 1, RUN_LACKING, 1);
	assert_false(table_doubtful(&t, row(&t, "getppid1/processes/1/core")));
	drop(&r, &t);
}

static uint64_t flag_rounds(const struct table *t, const char *id, const char *flag)
{
	const struct table_row *rw = row(t, id);

	for (size_t i = 0; i < t->nr_flags; i++)
		if (strcmp(t->flags[i], flag) == 0)
			return rw->flag_rounds[i];
	return 0;
}

static void flags(void **state)
{
	struct run r;
	struct table t;

	(void)state;
	make(&r, &t, "failures");
	assert_int_equal(flag_rounds(&t, "getppid1/processes/8/core", "drift"), 1);
	assert_int_equal(flag_rounds(&t, "getppid1/processes/8/core", "disturbed"), 2);
	assert_int_equal(flag_rounds(&t, "getppid1/processes/1/core", "disturbed"), 0);
	assert_int_equal(flag_rounds(&t, "getppid1/threads/1/core", "solar_flare"), 1);
	drop(&r, &t);
}

/* A label names what differs between the series of a testcase, and nothing else. */
static void labels(void **state)
{
	static const char *const expected[] = {
		"size=4K memcg=root", "size=4K memcg=child", "size=2M memcg=root",
		"size=2M memcg=child", "compact", "scatter",
	};
	struct run r;
	struct table t;

	(void)state;
	make(&r, &t, "series");
	assert_int_equal(t.nr_series, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(t.series[i].label, expected[i]);
	drop(&r, &t);
	make(&r, &t, "plain");
	assert_string_equal(t.series[0].label, "");
	drop(&r, &t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fixture),
		cmocka_unit_test(rows_are_in_order),
		cmocka_unit_test(outliers),
		cmocka_unit_test(scalability),
		cmocka_unit_test(failures),
		cmocka_unit_test(flags),
		cmocka_unit_test(labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
