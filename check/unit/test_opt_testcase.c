/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of a testcase executable: its own table, and so its own file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define main program_main
int program_main(int argc, char **argv);
#include "testcase_main.c"
#undef main

#include "grammar.h"

char *testcase_description = (char *)"Something that is not run";

const struct testcase_info testcase_info = {
	.modes = MODE_PROCESSES,
	.params = { { .name = "size", .value = "4K" } },
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	(void)iterations;
	(void)nr;
}

static void every_option(void **state)
{
	(void)state;
	assert_true(sizeof(struct options) <= GRAMMAR_VALUES_MAX);
	grammar_every_option(&program);
}

static void what_is_no_option(void **state)
{
	(void)state;
	grammar_what_is_no_option(&program);
}

static void as_json(void **state)
{
	(void)state;
	grammar_as_json(&program);
}

/* will-it-scale's command lines. */
static void will_it_scales(void **state)
{
	static const char *const argv[] = { "mmap1_threads", "-t", "4", "-s", "2.0", "-mv", NULL };
	struct options o = { .tasks = 1, .mode = "processes" };
	struct cell_options c;

	(void)state;
	assert_int_equal(opt_parse(&program, 6, (char **)argv, &o), 0);
	c = cell_options(&o, "mmap1");
	assert_int_equal(c.tasks, 4);
	assert_true(c.duration_s == 2);
	assert_int_equal(c.placement, PLACEMENT_SMT);
	assert_true(c.verbose);
	assert_int_equal(c.report_fd, -1);
	o.pu = false;
	assert_int_equal(cell_options(&o, "mmap1").placement, PLACEMENT_CORE);
	o.unbound = true;
	assert_int_equal(cell_options(&o, "mmap1").placement, PLACEMENT_NONE);
}

static void called(const char *as, const char *expected_name, const char *expected_mode)
{
	const char *mode = "as before";
	char *name;

	msg_init(as);
	name = testcase_name(&mode);
	assert_string_equal(name, expected_name);
	assert_string_equal(mode, expected_mode);
	free(name);
}

static void names(void **state)
{
	(void)state;
	called("mmap1", "mmap1", "as before");
	called("./mmap1_processes", "mmap1", "processes");
	called("/a/b_threads/mmap1_threads", "mmap1", "threads");
	called("_threads", "_threads", "as before");
	called("threads", "threads", "as before");
	called("mmap1_threads_processes", "mmap1_threads", "processes");
	msg_init("test");
}

static void refused(struct options o, enum testcase_mode mode, const char *says)
{
	int err;

	if (!o.mode)
		o.mode = mode == MODE_THREADS ? "threads" : "processes";
	quiet_begin();
	err = check(&o, mode);
	assert_int_equal(quiet_end(), 1);
	assert_int_equal(err, -EINVAL);
	if (!strstr(quiet_text, says))
		fail_msg("%s is not in: %s", says, quiet_text);
}

static void what_does_not_go_together(void **state)
{
	const char *unknown[] = { "size=4K", "shape=round" };

	(void)state;
	refused((struct options){ .pu = true, .unbound = true }, MODE_PROCESSES, "-m and -n");
	refused((struct options){ .pu = true, .cpus = "0" }, MODE_PROCESSES, "--cpus and -m");
	refused((struct options){ .unbound = true, .cpus = "0" }, MODE_PROCESSES, "--cpus and -n");
	refused((struct options){ .report_fd = 3 }, MODE_PROCESSES, "--report-fd needs -s");
	refused((struct options){ .cpus = "3-1" }, MODE_PROCESSES, "--cpus 3-1");
	refused((struct options){ .cpus = "70000" }, MODE_PROCESSES, "--cpus 70000");
	refused((struct options){ .tasks = 1 }, MODE_THREADS, "no threads mode");
	refused((struct options){ .params = { unknown, 2 } }, MODE_PROCESSES, "shape=round");
	assert_int_equal(check(&(struct options){ .mode = "processes", .cpus = "0-3,4095",
						  .params = { unknown, 1 }, .report_fd = 3,
						  .duration = 1 }, MODE_PROCESSES), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option),
		cmocka_unit_test(what_is_no_option),
		cmocka_unit_test(as_json),
		cmocka_unit_test(will_it_scales),
		cmocka_unit_test(names),
		cmocka_unit_test(what_does_not_go_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
