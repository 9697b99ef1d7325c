/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run that is written and read again: by --resume, and by the summaries. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quiet.h"
#include "run.h"
#include "rundir.h"
#include "tree.h"

static struct catalogue_entry entry = { .name = (char *)"map", .path = (char *)"/t/map" };
static const struct catalogue catalogue = { .entries = &entry, .nr = 1 };

static struct plan_cell cell = {
	.id = (char *)"map/threads/2/core/size=4K", .testcase = "map", .mode = MODE_THREADS,
	.tasks = 2, .placement = (char *)"core", .cpus = (char *)"0,1", .expected_s = 1.28,
};

static struct plan plan = {
	.block = 1,
	.catalogue = &catalogue, .run = (char *)"20261130-135220-map",
	.time = (char *)"2026-11-30T13:52:20Z", .seed = 4294967295, .rounds = 3, .max_rounds = 3,
	.duration_s = 1, .warmup_s = 0.25, .warmup_max_s = 1, .placement = (char *)"core",
	.dir = (char *)"/tmp", .cells = &cell, .nr_cells = 1,
};

static struct rundir dir;
static char path[128];

static int begin(void **state)
{
	json_t *machine = json_pack("{s{ss} s{ss}}", "kernel", "hostname", "alpha",
				    "cpu", "model", "Example CPU");
	int err = tree_make(state);

	entry.facts = json_loads("{\"name\":\"map\",\"description\":\"Maps\",\"unit\":\"mmap\"}", 0, NULL);
	cell.params = json_loads("{\"size\":\"4K\"}", 0, NULL);
	cell.factors = json_object();
	plan.options = json_object();
	snprintf(path, sizeof(path), "%s/deep/er/run", tree_root);
	if (!err)
		err = rundir_create(&dir, path, &plan, machine);
	json_decref(machine);
	return err;
}

static int end(void **state)
{
	rundir_close(&dir);
	json_decref(entry.facts);
	json_decref(cell.params);
	json_decref(cell.factors);
	json_decref(plan.options);
	return tree_remove(state);
}

static json_t *record(int round, double ops_hz)
{
	return json_pack("{ss ss so si si ss sI ss sn si sI sI sf sI sI si s[[II]] s[s] s{sf sn}}",
			 "schema", "knee-record/1", "run", plan.run,
			 "cell", plan_cell_json(&cell), "round", round, "position", 0,
			 "time", "2026-11-30T13:52:31Z", "wall_ns", (json_int_t)1412345678,
			 "status", "ok", "reason", "exit_status", 0,
			 "elapsed_ns", (json_int_t)1000123456, "ops", (json_int_t)9007199254740993,
			 "ops_per_s", ops_hz, "min_task_ops", (json_int_t)61000,
			 "max_task_ops", (json_int_t)62456, "starved_tasks", 0,
			 "slices", (json_int_t)1000123456, (json_int_t)9007199254740993,
			 "flags", "late", "window", "idle_pct", 49.9, "steal_pct");
}

/* What rundir_records() gave. */
static json_t *taken;

static void take(void *arg, const json_t *object)
{
	assert_ptr_equal(arg, &taken);
	json_array_append(taken, (json_t *)object);
}

static size_t take_all(void)
{
	json_decref(taken);
	taken = json_array();
	assert_int_equal(rundir_records(path, NULL, take, &taken), 0);
	return json_array_size(taken);
}

static void records_come_back_as_they_were(void **state)
{
	json_t *a = record(0, 123440.76), *b = record(1, 0.25);

	(void)state;
	json_incref(a);
	json_incref(b);
	assert_int_equal(rundir_append(&dir, a), 0);
	assert_int_equal(take_all(), 1);	/* at once: a run may be killed */
	assert_int_equal(rundir_append(&dir, b), 0);
	assert_int_equal(take_all(), 2);
	assert_true(json_equal(json_array_get(taken, 0), a));
	assert_true(json_equal(json_array_get(taken, 1), b));
	json_decref(a);
	json_decref(b);
	json_decref(taken);
	taken = NULL;
}

static void the_summaries_read_what_was_written(void **state)
{
	struct run r;

	(void)state;
	assert_int_equal(rundir_append(&dir, record(0, 123440.76)), 0);
	assert_int_equal(rundir_append(&dir, record(2, 1000)), 0);
	assert_int_equal(run_load(&r, path), 0);
	assert_string_equal(r.name, plan.run);
	assert_int_equal(r.rounds, 3);
	assert_int_equal(r.nr_cells, 1);
	assert_string_equal(r.cells[0].id, cell.id);
	assert_int_equal(r.cells[0].mode, RUN_THREADS);
	assert_int_equal(r.cells[0].tasks, 2);
	assert_string_equal(r.cells[0].unit, "mmap");
	assert_string_equal(r.cells[0].params.list[0].value, "4K");
	assert_int_equal(r.nr_records, 2);
	assert_true(r.records[0].ops_per_s == 123440.76);
	assert_true(r.records[0].idle_pct == 49.9);
	assert_true(r.records[0].flags != 0);
	assert_int_equal(r.records[1].round, 2);
	run_free(&r);
}

/* A killed run leaves half a line: it ends when the run goes on, and is left out. */
static void half_a_line(void **state)
{
	(void)state;
	assert_int_equal(rundir_append(&dir, record(0, 1)), 0);
	fputs("{\"cell\":{\"id\":\"map/thr", dir.records);
	rundir_close(&dir);
	assert_int_equal(take_all(), 1);
	assert_int_equal(rundir_reopen(&dir, path), 0);
	assert_int_equal(rundir_append(&dir, record(1, 2)), 0);
	assert_int_equal(take_all(), 2);
	rundir_close(&dir);
	assert_int_equal(rundir_reopen(&dir, path), 0);	/* nothing to end */
	assert_int_equal(rundir_append(&dir, record(2, 3)), 0);
	assert_int_equal(take_all(), 3);
	json_decref(taken);
	taken = NULL;
}

static void a_directory_that_holds_a_run(void **state)
{
	struct rundir second;
	json_t *machine = json_object();

	(void)state;
	quiet_begin();
	assert_int_equal(rundir_create(&second, path, &plan, machine), -EEXIST);
	assert_int_equal(quiet_end(), 1);
	assert_null(second.path);
	json_decref(machine);
}

static void no_run(void **state)
{
	struct rundir d;

	(void)state;
	quiet_begin();
	assert_int_equal(rundir_reopen(&d, "/nowhere"), -ENOENT);
	assert_int_equal(rundir_records("/nowhere", NULL, take, &taken), -ENOENT);
	assert_int_equal(quiet_end(), 2);
}

static void texts(void **state)
{
	char *text;

	(void)state;
	assert_int_equal(rundir_log(&dir, "a round 0", "one\ntwo"), 0);
	assert_int_equal(rundir_log(&dir, "b round 1", "three\n"), 0);
	assert_int_equal(file_read(&text, path, "/stderr.log"), 0);
	assert_string_equal(text, "== a round 0\none\ntwo\n== b round 1\nthree");
	free(text);
	assert_int_equal(rundir_write(&dir, "map.csv", "first and long\n"), 0);
	assert_int_equal(rundir_write(&dir, "map.csv", "anew\n"), 0);
	assert_int_equal(file_read(&text, path, "/map.csv"), 0);
	assert_string_equal(text, "anew");
	free(text);
}

static void a_full_disk(void **state)
{
	FILE *full = fopen("/dev/full", "a"), *kept = dir.records;

	(void)state;
	assert_non_null(full);
	dir.records = full;
	quiet_begin();
	assert_int_equal(rundir_append(&dir, record(0, 1)), -ENOSPC);
	assert_int_equal(rundir_append(&dir, NULL), -EIO);
	assert_int_equal(quiet_end(), 2);
	dir.records = kept;
	fclose(full);
}

int main(void)
{
#define WITH_RUN(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		WITH_RUN(records_come_back_as_they_were),
		WITH_RUN(the_summaries_read_what_was_written),
		WITH_RUN(half_a_line),
		WITH_RUN(a_directory_that_holds_a_run),
		WITH_RUN(no_run),
		WITH_RUN(texts),
		WITH_RUN(a_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
