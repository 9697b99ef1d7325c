/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds for any machine and any number of tasks, on machines that are made up by a seed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "placement.h"
#include "words.h"

#define SEED 4711
#define MACHINES 60
#define CPU_MAX 4096

/* Numerical Recipes' generator, as good as needed here and the same everywhere: 0 to n - 1. */
static uint32_t seed;

static unsigned int pick(unsigned int n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static void load(struct topo *t, const char *synthetic)
{
	setenv("HWLOC_SYNTHETIC", synthetic, 1);
	assert_int_equal(topo_load(t, NULL), 0);
}

static void load_random(struct topo *t)
{
	char text[128];

	snprintf(text, sizeof(text), "pack:%u %s l3:%u core:%u pu:%u", 1 + pick(4),
		 pick(2) ? "[numa]" : "numa:2", 1 + pick(3), 1 + pick(6), 1 + pick(4));
	load(t, text);
}

/* A mask or a cpuset took some PUs away: cores of different sizes, and some that are gone. */
static void take_some_away(struct topo *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->nr_pus; i++)
		if (pick(3) || (i + 1 == t->nr_pus && !kept))
			t->pus[kept++] = t->pus[i];
	t->nr_pus = kept;
	for (size_t i = 0; i < kept; i++) {
		t->pus[i].rank = 0;
		for (size_t k = 0; k < i; k++)
			t->pus[i].rank += t->pus[k].core == t->pus[i].core;
	}
}

static const struct topo_pu *pu_of(const struct topo *t, int cpu)
{
	for (size_t i = 0; i < t->nr_pus; i++)
		if (t->pus[i].cpu == cpu)
			return &t->pus[i];
	fail_msg("CPU %d may not be used", cpu);
	return NULL;
}

/* Each PU gets as many tasks as any other, or one more. */
static void evenly(const struct topo *t, const int *cpus, size_t nr)
{
	size_t used[CPU_MAX] = { 0 };

	for (size_t i = 0; i < nr; i++)
		used[pu_of(t, cpus[i])->cpu]++;
	for (size_t i = 0; i < t->nr_pus; i++) {
		assert_true(used[t->pus[i].cpu] <= (nr + t->nr_pus - 1) / t->nr_pus);
		assert_true(used[t->pus[i].cpu] >= nr / t->nr_pus);
	}
}

/* No core has two tasks more than another one that still has a PU without a task. */
static void cores_first(const struct topo *t, const int *cpus, size_t nr)
{
	size_t tasks[CPU_MAX] = { 0 }, pus[CPU_MAX] = { 0 }, most = 0;

	if (nr > t->nr_pus)
		nr = t->nr_pus;	/* beyond, it wraps round: evenly() */
	for (size_t i = 0; i < t->nr_pus; i++)
		pus[t->pus[i].core]++;
	for (size_t i = 0; i < nr; i++) {
		size_t here = ++tasks[pu_of(t, cpus[i])->core];

		most = here > most ? here : most;
	}
	for (size_t i = 0; i < t->nr_pus; i++) {
		int core = t->pus[i].core;

		assert_true(tasks[core] == pus[core] || tasks[core] + 1 >= most);
	}
}

static void check(const struct topo *t, size_t nr)
{
	int *cpus = calloc(nr, sizeof(*cpus)), *more = calloc(nr + 1, sizeof(*more));

	assert_int_equal(placement_place(t, PLACEMENT_CORE, cpus, nr), 0);
	evenly(t, cpus, nr);
	cores_first(t, cpus, nr);
	/* One task more leaves the others where they are: a curve adds, it does not move. */
	assert_int_equal(placement_place(t, PLACEMENT_CORE, more, nr + 1), 0);
	assert_memory_equal(more, cpus, nr * sizeof(*cpus));

	assert_int_equal(placement_place(t, PLACEMENT_SMT, cpus, nr), 0);
	evenly(t, cpus, nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(cpus[i], t->pus[i % t->nr_pus].cpu);

	assert_int_equal(placement_place(t, PLACEMENT_NONE, cpus, nr), 0);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(cpus[i], -1);
	free(cpus);
	free(more);
}

static void on_any_machine(void **state)
{
	(void)state;
	print_message("seed %d\n", SEED);
	seed = SEED;
	for (int i = 0; i < MACHINES; i++) {
		struct topo t;

		load_random(&t);
		if (i % 2)
			take_some_away(&t);
		check(&t, 1);
		check(&t, t.nr_cores);
		check(&t, t.nr_pus);
		check(&t, t.nr_pus + 1);
		check(&t, 1 + pick((unsigned int)(3 * t.nr_pus)));
		topo_free(&t);
	}
}

static void placed(const struct topo *t, enum placement policy, const int *expected, size_t nr)
{
	int cpus[16];

	assert_int_equal(placement_place(t, policy, cpus, nr), 0);
	assert_memory_equal(cpus, expected, nr * sizeof(*cpus));
}

#define PLACED(t, policy, ...) \
	placed(t, policy, (const int[]){ __VA_ARGS__ }, \
	       sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static void on_this_machine_exactly(void **state)
{
	struct topo t;

	(void)state;
	load(&t, "pack:2 core:2 pu:2");
	PLACED(&t, PLACEMENT_CORE, 0, 2, 4, 6, 1, 3, 5, 7, 0, 2);
	PLACED(&t, PLACEMENT_SMT, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1);
	PLACED(&t, PLACEMENT_NONE, -1, -1, -1);
	topo_free(&t);
	/* The kernel's numbers, siblings last. */
	load(&t, "core:2 pu:2(indexes=0,2,1,3)");
	PLACED(&t, PLACEMENT_CORE, 0, 1, 2, 3);
	PLACED(&t, PLACEMENT_SMT, 0, 2, 1, 3);
	topo_free(&t);
}

/* A core that has no sibling is not waited for. */
static void cores_of_different_sizes(void **state)
{
	struct topo_pu pus[] = {
		{ .cpu = 0, .core = 0, .rank = 0 }, { .cpu = 1, .core = 0, .rank = 1 },
		{ .cpu = 2, .core = 1, .rank = 0 }, { .cpu = 3, .core = 2, .rank = 0 },
		{ .cpu = 4095, .core = 2, .rank = 1 },
	};
	const struct topo t = { .pus = pus, .nr_pus = 5, .nr_cores = 3 };

	(void)state;
	PLACED(&t, PLACEMENT_CORE, 0, 2, 3, 1, 4095, 0);
}

static void names(void **state)
{
	enum placement policy;

	(void)state;
	for (enum placement p = PLACEMENT_CORE; p <= PLACEMENT_NONE; p++) {
		assert_int_equal(placement_parse(placement_name(p), &policy), 0);
		assert_int_equal(policy, p);
		assert_true(words_have(PLACEMENT_NAMES, placement_name(p)));
	}
	assert_int_equal(placement_parse("", &policy), -EINVAL);
	assert_int_equal(placement_parse("cores", &policy), -EINVAL);
	assert_int_equal(placement_parse("core smt", &policy), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_any_machine),
		cmocka_unit_test(on_this_machine_exactly),
		cmocka_unit_test(cores_of_different_sizes),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
