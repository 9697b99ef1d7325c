/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Factors, their combinations, what they make of plans, and which settings there are. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "factors.h"
#include "memcg_level.h"
#include "plan.h"
#include "settings.h"
#include "topology.h"
#include "variants.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int parse(struct factors *f, const char **texts, size_t nr)
{
	const struct opt_texts list = { .texts = texts, .nr = nr };

	return factors_parse(f, &list);
}

static void full_cross(void **state)
{
	static const char *const expected[][2] = {
		{ "root", "1" }, { "root", "2" }, { "root", "3" },
		{ "depth4", "1" }, { "depth4", "2" }, { "depth4", "3" },
	};
	const char *texts[] = { "memcg=root,depth4", "sysctl:vm.nr=1,2,3" };
	struct factors f;

	(void)state;
	assert_int_equal(parse(&f, texts, 2), 0);
	assert_int_equal(f.combinations, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		json_t *levels = factors_combination(&f, i);

		assert_int_equal(json_object_size(levels), 2);
		assert_string_equal(factors_level(levels, "memcg"), expected[i][0]);
		assert_string_equal(factors_level(levels, "sysctl:vm.nr"), expected[i][1]);
		assert_null(factors_level(levels, "thp"));
		json_decref(levels);
	}
	factors_free(&f);
}

static void none(void **state)
{
	struct factors f;
	json_t *levels;

	(void)state;
	assert_int_equal(parse(&f, NULL, 0), 0);
	assert_int_equal(f.combinations, 1);
	levels = factors_combination(&f, 0);
	assert_int_equal(json_object_size(levels), 0);
	json_decref(levels);
	factors_free(&f);
}

/* A level may hold anything but a comma. */
static void levels(void **state)
{
	const char *texts[] = { "env:A=x=y, z" };
	struct factors f;

	(void)state;
	assert_int_equal(parse(&f, texts, 1), 0);
	assert_string_equal(f.list[0].name, "env:A");
	assert_int_equal(f.list[0].nr, 2);
	assert_string_equal(f.list[0].levels[0], "x=y");
	assert_string_equal(f.list[0].levels[1], " z");
	factors_free(&f);
}

static void wrong(void **state)
{
	static const char *const texts[] = {
		"", "thp", "thp=", "=1", "thp=on", "thp=always,always", "aslr=off,yes", "memcg=",
		"memcg=kid", "memcg=root,depth65", "memcg=child65537", "memcg=depth-1", "memcg=depth1x",
		"memcg=ROOT", "sysctl=1", "sysctl:=1", "env:=1", "param:=1", "env:A=1,", "env:A=,1",
		"membind=near", "colour=red",
	};
	struct factors f;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *text = texts[i];

		if (parse(&f, &text, 1) != -EINVAL)
			fail_msg("\"%s\" is taken", text);
	}
}

static void memcg_levels(void **state)
{
	static const char *const valid[] = { "root", "child", "depth1", "depth64", "child1",
					     "child65536" };
	static const char *const invalid[] = { "", "roots", "depth", "depth0", "depth65", "child0",
					       "child65537", "child 2", "depth+1" };

	(void)state;
	for (size_t i = 0; i < COUNT(valid); i++)
		assert_true(memcg_level_is_valid(valid[i]));
	for (size_t i = 0; i < COUNT(invalid); i++)
		assert_false(memcg_level_is_valid(invalid[i]));
}

static void childN_is_for_processes(void **state)
{
	char why[MEMCG_TEXT_MAX] = "";

	(void)state;
	assert_int_equal(memcg_level_check("child2", MODE_THREADS, why), -ENOTSUP);
	assert_non_null(strstr(why, "threads share"));
}

static void settings_names(void **state)
{
	char why[SETTINGS_TEXT_MAX];

	(void)state;
	assert_true(settings_is("thp"));
	assert_true(settings_is("sysctl:vm.overcommit_memory"));
	assert_false(settings_is("sysctl:"));
	assert_false(settings_is("thp2"));
	assert_false(settings_is("env:thp"));
	assert_int_equal(settings_check("sysctl:vm.no_such_thing", "1", why), -ENOENT);
	assert_non_null(strstr(why, "sysctl:vm.no_such_thing cannot be set to 1"));
	/* Nothing outside of /proc/sys. */
	assert_int_equal(settings_check("sysctl:../self/oom_score_adj", "1", why), -EINVAL);
	assert_int_equal(settings_check("sysctl:vm/../../self/comm", "1", why), -EINVAL);
	/* Nothing that takes more than a line to put back: a directory, a list. */
	assert_true(settings_check("sysctl:vm", "1", why) < 0);
}

/* ---- plans ---------------------------------------------------------------------------------- */

static void check_order(size_t nr, size_t block, uint64_t seed)
{
	const struct plan p = { .seed = seed, .nr_cells = nr, .block = block };
	size_t order[60], first[60];
	int moved = 0;

	plan_order(&p, 0, first);
	for (uint64_t round = 0; round < 8; round++) {
		int seen[60] = { 0 };

		plan_order(&p, round, order);
		for (size_t i = 0; i < nr; i++) {
			assert_in_range(order[i], 0, nr - 1);
			assert_int_equal(seen[order[i]]++, 0);
			/* Cells of a block stand together, at a multiple of its size. */
			assert_int_equal(order[i] / block, order[i - i % block] / block);
		}
		moved += memcmp(order, first, nr * sizeof(*order)) != 0;
	}
	assert_true(moved >= 6);
}

static void blocks_stay_together(void **state)
{
	(void)state;
	check_order(60, 1, 1);
	check_order(60, 4, 2);
	check_order(30, 5, 3);
	check_order(12, 12, 4);
}

/* Which cell of a block comes first is a toss: no level is always the one that warms the caches. */
static void no_level_comes_first(void **state)
{
	const struct plan p = { .seed = 9, .nr_cells = 20, .block = 2 };
	size_t order[20], nr = 0;

	(void)state;
	for (uint64_t round = 0; round < 100; round++) {
		plan_order(&p, round, order);
		for (size_t i = 0; i < 20; i += 2)
			nr += order[i] % 2 == 0;
	}
	/* 500 of 1000, and five standard deviations. */
	assert_in_range(nr, 421, 579);
}

/* ---- variants ------------------------------------------------------------------------------- */

static void with_topology(void (*check)(struct variants_base *base, struct arrangement *a))
{
	const struct opt_texts no_params = { 0 };
	struct catalogue catalogue = { 0 };
	struct arrangement a;
	struct topo topology;
	struct variants_base base = {
		.catalogue = &catalogue, .arrangement = &a, .topology = &topology,
		.params = &no_params, .membind = "local",
	};

	assert_int_equal(topo_load(&topology, "check/fixtures/topologies/16em64t-4s2c2t-offlines.xml"), 0);
	check(&base, &a);
	topo_free(&topology);
}

/* A level of the placement takes the policy's place, and leaves what else was asked for. */
static void check_variants(struct variants_base *base, struct arrangement *a)
{
	const char *texts[] = { "placement=core,scatter", "membind=interleave,local" };
	struct variants v;
	struct factors f;

	assert_int_equal(arrange_make(a, base->topology, "compact+avoid=0"), 0);
	assert_int_equal(parse(&f, texts, 2), 0);
	assert_int_equal(variants_make(&v, base, &f), 0);
	assert_int_equal(v.nr, 4);
	assert_string_equal(v.list[0].arrangement->text, "core+avoid=0");
	assert_string_equal(v.list[0].membind, "interleave");
	assert_string_equal(v.list[3].arrangement->text, "scatter+avoid=0");
	assert_string_equal(v.list[3].membind, "local");
	assert_ptr_equal(v.list[0].catalogue, base->catalogue);
	variants_free(&v);
	factors_free(&f);
	arrange_free(a);
}

static void check_no_factors(struct variants_base *base, struct arrangement *a)
{
	struct variants v;
	struct factors f;

	assert_int_equal(arrange_make(a, base->topology, "compact"), 0);
	assert_int_equal(parse(&f, NULL, 0), 0);
	assert_int_equal(variants_make(&v, base, &f), 0);
	assert_int_equal(v.nr, 1);
	assert_ptr_equal(v.list[0].arrangement, a);
	assert_string_equal(v.list[0].membind, "local");
	assert_null(v.list[0].dir);
	variants_free(&v);
	factors_free(&f);
	arrange_free(a);
}

static void check_cpus(struct variants_base *base, struct arrangement *a)
{
	const char *texts[] = { "placement=core" };
	struct variants v;
	struct factors f;

	assert_int_equal(arrange_make(a, base->topology, "cpus=0"), 0);
	assert_int_equal(parse(&f, texts, 1), 0);
	assert_int_equal(variants_make(&v, base, &f), -EINVAL);
	factors_free(&f);
	arrange_free(a);
}

static void variants(void **state)
{
	(void)state;
	with_topology(check_variants);
	with_topology(check_no_factors);
	with_topology(check_cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_cross),
		cmocka_unit_test(none),
		cmocka_unit_test(levels),
		cmocka_unit_test(wrong),
		cmocka_unit_test(memcg_levels),
		cmocka_unit_test(childN_is_for_processes),
		cmocka_unit_test(settings_names),
		cmocka_unit_test(blocks_stay_together),
		cmocka_unit_test(no_level_comes_first),
		cmocka_unit_test(variants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
