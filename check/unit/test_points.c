/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task counts on machines that are made up: 2 packages of 2 L3s of 2 cores of 2 PUs. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "placement.h"
#include "points.h"
#include "quiet.h"

static void load(struct topo *t, const char *synthetic)
{
	setenv("HWLOC_SYNTHETIC", synthetic, 1);
	assert_int_equal(topo_load(t, NULL), 0);
}

/* Ends with 0. */
static void expect(const struct points *p, const uint64_t *tasks)
{
	size_t i;

	for (i = 0; i < p->nr && tasks[i]; i++)
		assert_int_equal(p->points[i].tasks, tasks[i]);
	assert_int_equal(i, p->nr);
	assert_int_equal(tasks[i], 0);
}

#define POINTS(...) ((const uint64_t[]){ __VA_ARGS__, 0 })

static struct topo machine;

static int load_machine(void **state)
{
	(void)state;
	load(&machine, "pack:2 l3:2 core:2 pu:2");
	return 0;
}

static int free_machine(void **state)
{
	(void)state;
	topo_free(&machine);
	return 0;
}

static void parsed(const char *text, const uint64_t *tasks)
{
	struct points p;

	assert_int_equal(points_parse("-t", text, machine.nr_pus, &p), 0);
	expect(&p, tasks);
	points_free(&p);
	assert_int_equal(p.nr, 0);
}

static void asked_for(void **state)
{
	(void)state;
	parsed("1", POINTS(1));
	parsed("1,2,50%,all", POINTS(1, 2, 8, 16));
	parsed("all", POINTS(16));
	parsed("4-8", POINTS(4, 5, 6, 7, 8));
	parsed("4-8:2", POINTS(4, 6, 8));
	parsed("4-9:2", POINTS(4, 6, 8));
	parsed("3-3", POINTS(3));
	parsed("1-4:100", POINTS(1));
	parsed("4194304", POINTS(4194304));
}

static void ascending_and_each_once(void **state)
{
	(void)state;
	parsed("all,2,1", POINTS(1, 2, 16));
	parsed("2,1,2,1-3,100%,16,all", POINTS(1, 2, 3, 16));
}

static void shares(void **state)
{
	(void)state;
	parsed("100%", POINTS(16));
	parsed("25%", POINTS(4));
	parsed("200%", POINTS(32));	/* more tasks than PUs wrap round */
	parsed("0.1%", POINTS(1));	/* at least one */
	parsed("9.3%", POINTS(1));
	parsed("9.4%", POINTS(2));	/* 1.504 */
}

static void refused_as(const char *text, int expected)
{
	struct points p;
	int err;

	quiet_begin();
	err = points_parse("-t", text, machine.nr_pus, &p);
	assert_int_equal(quiet_end(), 1);
	assert_int_equal(err, expected);
	assert_int_equal(p.nr, 0);
	assert_null(p.points);
}

static void refused(const char *text)
{
	refused_as(text, -EINVAL);
}

static void no_points(void **state)
{
	static const char *const texts[] = {
		"", ",", "1,", ",1", "1,,2", "0", "-1", "1-", "-", "2-1", "0-2", "1-2-3", "1-4:",
		"1-4:0", "1-4:x", "1-4:-1", "1:2", "%", "0%", "-5%", "50%%", "50 %", "10%-50%",
		"all%", "ALL", "alle", "1 ", " 1", "1.5", "1e3", "x", "4194305", "1-4194305",
		"30000000%", "18446744073709551616", "99999999999999999999999999999999%",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refused(texts[i]);
}

static void find_default(const struct topo *t, struct points *p)
{
	const struct topo_pu **order = calloc(t->nr_pus, sizeof(*order));

	assert_int_equal(placement_order(t, PLACEMENT_CORE, order), 0);
	assert_int_equal(points_by_topology(t, order, t->nr_pus, p), 0);
	free(order);
}

static void by_default(const char *synthetic, const uint64_t *tasks)
{
	struct topo t;
	struct points p;

	load(&t, synthetic);
	find_default(&t, &p);
	expect(&p, tasks);
	for (size_t i = 0; i < p.nr; i++)
		assert_non_null(p.points[i].why);
	points_free(&p);
	topo_free(&t);
}

static void defaults(void **state)
{
	(void)state;
	by_default("pu:1", POINTS(1));
	by_default("core:1 pu:2", POINTS(1, 2));
	by_default("core:3 pu:1", POINTS(1, 2, 3));
	by_default("pack:2 l3:2 core:2 pu:2", POINTS(1, 2, 4, 8, 16));
	by_default("pack:2 l3:3 core:6 pu:2", POINTS(1, 2, 4, 6, 8, 16, 18, 32, 36, 64, 72));
	by_default("pack:2 numa:2 core:12 pu:4", POINTS(1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 192));
}

/* The name of what a count fills, not of its being a power of two. */
static void why(void **state)
{
	struct points p;

	(void)state;
	find_default(&machine, &p);
	assert_string_equal(p.points[0].why, "one task");
	assert_string_equal(p.points[1].why, "fills one L3, a task a core");
	assert_string_equal(p.points[2].why, "fills one package, a task a core");
	assert_string_equal(p.points[3].why, "a task on each core");
	assert_string_equal(p.points[4].why, "all PUs");
	points_free(&p);
}

/* 1 + 18446744073709551615 is 0, which is a count that no testcase can have. */
static void a_step_beyond_all_counts(void **state)
{
	(void)state;
	refused("1-4:18446744073709551615");
	refused("2-4:18446744073709551614");
	refused("1-4:4194305");
	parsed("1-4:4194304", POINTS(1));
}

/* Compared with all others, each of many counts would take minutes. */
static void many(void **state)
{
	struct points p;

	(void)state;
	assert_int_equal(points_parse("-t", "1-50000,2-50001", machine.nr_pus, &p), 0);
	assert_int_equal(p.nr, 50001);
	points_free(&p);
	refused_as("1-50000,1-50000,1-2", -ERANGE);
	refused_as("1-4194304", -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asked_for),
		cmocka_unit_test(ascending_and_each_once),
		cmocka_unit_test(shares),
		cmocka_unit_test(no_points),
		cmocka_unit_test(defaults),
		cmocka_unit_test(why),
		cmocka_unit_test(a_step_beyond_all_counts),
		cmocka_unit_test(many),
	};

	return cmocka_run_group_tests(tests, load_machine, free_machine) != 0;
}
