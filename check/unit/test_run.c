/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "run.h"

#define RUNS "check/fixtures/runs/"

static const struct run_cell *cell(const struct run *r, const char *id)
{
	for (size_t i = 0; i < r->nr_cells; i++)
		if (strcmp(r->cells[i].id, id) == 0)
			return &r->cells[i];
	fail_msg("no cell %s", id);
	return NULL;
}

static const struct run_record *record(const struct run *r, const struct run_cell *c,
				       uint64_t round)
{
	for (size_t i = 0; i < c->nr_records; i++)
		if (r->records[c->first_record + i].round == round)
			return &r->records[c->first_record + i];
	return NULL;
}

static void a_whole_run(void **state)
{
	const struct run_record *rec;
	const struct run_cell *c;
	struct run r;

	(void)state;
	assert_int_equal(run_load(&r, RUNS "plain"), 0);
	assert_string_equal(r.name, "20261130-135220-mmap1");
	assert_string_equal(r.machine, "alpha, Linux 6.18.5, Example CPU, 2 cores, 4 PUs");
	assert_int_equal(r.rounds, 5);
	assert_int_equal(r.nr_cells, 6);
	assert_int_equal(r.nr_records, 30);
	c = cell(&r, "mmap1/threads/4/core");
	assert_string_equal(c->testcase, "mmap1");
	assert_string_equal(c->unit, "mmap + munmap of 128 MiB");
	assert_int_equal(c->mode, RUN_THREADS);
	assert_int_equal(c->tasks, 4);
	assert_string_equal(c->cpus, "0,1");
	assert_null(c->skip);
	assert_int_equal(c->nr_records, 5);
	rec = record(&r, c, 1);
	assert_int_equal(rec->status, RUN_OK);
	assert_true(rec->ops_per_s == 120000 && rec->elapsed_ns == 1e9);
	assert_true(rec->min_task_ops == 27000 && rec->max_task_ops == 33000);
	assert_true(rec->idle_pct == 2.25);
	run_free(&r);
}

/* Half lines, in the middle (the run was resumed) and at the end, cost nothing but themselves. */
static void a_killed_run(void **state)
{
	const struct run_record *rec;
	struct run r;

	(void)state;
	assert_int_equal(run_load(&r, RUNS "failures"), 0);
	assert_int_equal(r.nr_records, 22);
	rec = record(&r, cell(&r, "getppid1/processes/2/core"), 1);
	assert_int_equal(rec->status, RUN_FAILED);
	assert_string_equal(rec->reason, "task 1 (process 4711) was killed by signal 9 (SIGKILL)");
	assert_int_equal(cell(&r, "getppid1/processes/16/core")->nr_records, 0);
	assert_string_equal(cell(&r, "getppid1/processes/32/core")->skip,
			    "32 tasks: only 16 PUs are allowed");
	run_free(&r);
}

/* A cell and a flag that only the records know. */
static void what_the_plan_lacks(void **state)
{
	const struct run_cell *c;
	struct run r;
	size_t flag = 0;

	(void)state;
	assert_int_equal(run_load(&r, RUNS "failures"), 0);
	c = cell(&r, "page_fault3/threads/2/core");
	assert_int_equal(c->nr_records, 3);
	while (flag < r.nr_flags && strcmp(r.flags[flag], "solar_flare") != 0)
		flag++;
	assert_true(flag < r.nr_flags);
	c = cell(&r, "getppid1/threads/1/core");
	assert_true(record(&r, c, 2)->flags == 1ULL << flag);
	run_free(&r);
}

static void the_last_record_counts(void **state)
{
	const struct run_cell *c;
	struct run r;

	(void)state;
	assert_int_equal(run_load(&r, RUNS "resumed"), 0);
	assert_int_equal(r.nr_records, 2);
	c = cell(&r, "mmap1/processes/1/core");
	assert_int_equal(record(&r, c, 1)->status, RUN_OK);
	assert_true(record(&r, c, 1)->ops_per_s == 3000);
	run_free(&r);
}

static void settings(void **state)
{
	const struct run_cell *c;
	struct run r;

	(void)state;
	assert_int_equal(run_load(&r, RUNS "series"), 0);
	c = cell(&r, "mmap_churn/processes/1/core/size=4K/touch=all/memcg=child");
	assert_int_equal(c->params.nr, 2);
	assert_string_equal(c->params.list[0].name, "size");
	assert_string_equal(c->params.list[0].value, "4K");
	assert_int_equal(c->factors.nr, 1);
	assert_string_equal(c->factors.list[0].value, "child");
	run_free(&r);
}

static void no_machine(void **state)
{
	struct run r;

	(void)state;
	assert_int_equal(run_load(&r, RUNS "one_point"), 0);
	assert_string_equal(r.machine, "");
	run_free(&r);
}

static void no_run_directory(void **state)
{
	struct run r;

	(void)state;
	assert_int_equal(run_load(&r, "check/fixtures"), -ENOENT);
	assert_int_equal(run_exit_status(-ENOENT), EXIT_USAGE);
	assert_int_equal(run_exit_status(-EINVAL), EXIT_CELL_FAILED);
}

/* ---- data that are wrong -------------------------------------------------------------------- */

#define CELL "{\"id\":\"a/processes/1\",\"testcase\":\"a\",\"mode\":\"processes\",\"tasks\":1," \
	     "\"placement\":\"core\",\"params\":{},\"factors\":{\"level\":2}}"
#define PLAN(cells) "{\"run\":\"r\",\"rounds\":1,\"cells\":[" cells "]}"
#define OK "\"round\":0,\"status\":\"ok\",\"ops_per_s\":5.5,\"elapsed_ns\":1000"

static void put(const char *dir, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int load(struct run *r, const char *plan, const char *records)
{
	char dir[] = "/tmp/knee-test-XXXXXX";
	int err;

	assert_non_null(mkdtemp(dir));
	put(dir, "plan.json", plan);
	put(dir, "records.jsonl", records);
	err = run_load(r, dir);
	assert_int_equal(file_remove_tree(dir), 0);
	return err;
}

static void expect(int expected, const char *plan, const char *records)
{
	struct run r;

	assert_int_equal(load(&r, plan, records), expected);
	if (!expected)
		run_free(&r);
}

static void wrong_plans(void **state)
{
	(void)state;
	expect(0, PLAN(CELL), "");
	expect(-EINVAL, "{\"run\": ", "");
	expect(-EINVAL, "{\"run\":\"r\",\"cells\":[]}", "");
	expect(-EINVAL, PLAN("{}"), "");
	expect(-EINVAL, PLAN("7"), "");
	expect(-EINVAL, PLAN(CELL "," CELL), "");
	expect(-EINVAL, PLAN("{\"id\":\"a\",\"testcase\":\"a\",\"mode\":\"fibres\",\"tasks\":1,"
			     "\"placement\":\"core\"}"), "");
	expect(-EINVAL, PLAN("{\"id\":\"a\",\"testcase\":\"a\",\"mode\":\"threads\",\"tasks\":0,"
			     "\"placement\":\"core\"}"), "");
}

static void wrong_records(void **state)
{
	(void)state;
	expect(0, PLAN(CELL), "{\"cell\":" CELL "," OK "}\n");
	expect(0, PLAN(CELL), "{\"cell\":" CELL "," OK "}");	/* whole, but for the newline */
	expect(0, PLAN(CELL), "{\"cell\":{\"id\":\"\xc3");	/* cut in a character */
	expect(0, PLAN(CELL), "{\"cell\":null,\"round\":0,\"aslr\":fa\n");
	expect(-EINVAL, PLAN(CELL), "nonsense\n");
	expect(-EINVAL, PLAN(CELL), "\n");
	expect(-EINVAL, PLAN(CELL), "{\"a\": nonsense, \"b\": 1}\n");
	expect(-EINVAL, PLAN(CELL), "[1,2]\n");
	expect(-EINVAL, PLAN(CELL), "{\"cell\":" CELL ",\"round\":0,\"status\":\"perfect\"}\n");
	expect(-EINVAL, PLAN(CELL), "{\"cell\":" CELL ",\"round\":-1,\"status\":\"ok\"}\n");
	expect(-EINVAL, PLAN(CELL), "{\"cell\":" CELL ",\"round\":0,\"status\":\"ok\"}\n");
	expect(-EINVAL, PLAN(CELL), "{\"cell\":7," OK "}\n");
	expect(-EINVAL, PLAN(CELL), "{\"cell\":" CELL "," OK ",\"flags\":[7]}\n");
}

static void a_level_that_is_a_number(void **state)
{
	struct run r;

	(void)state;
	assert_int_equal(load(&r, PLAN(CELL), ""), 0);
	assert_string_equal(r.cells[0].factors.list[0].value, "2");
	assert_null(r.cells[0].cpus);
	assert_true(isnan(r.duration_s));
	run_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_run),
		cmocka_unit_test(a_killed_run),
		cmocka_unit_test(what_the_plan_lacks),
		cmocka_unit_test(the_last_record_counts),
		cmocka_unit_test(settings),
		cmocka_unit_test(no_machine),
		cmocka_unit_test(no_run_directory),
		cmocka_unit_test(wrong_plans),
		cmocka_unit_test(wrong_records),
		cmocka_unit_test(a_level_that_is_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
