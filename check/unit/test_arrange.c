/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What placements promise, over random machines, most of them with CPUs taken away. */
#include <errno.h>
#include <gsl/gsl_rng.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "affinity.h"
#include "arrange.h"
#include "cpulist.h"
#include "mem_nodes.h"
#include "plan.h"
#include "points.h"

#define MACHINES 120
#define TOPOLOGIES "check/fixtures/topologies/"

/* ---- random machines ------------------------------------------------------------------------ */

static gsl_rng *rng;

static unsigned long random_from(unsigned long min, unsigned long max)
{
	return min + gsl_rng_uniform_int(rng, max - min + 1);
}

/* hwloc's synthetic description; all shapes of objects that lie in one another. */
static void describe(char text[128])
{
	static const char *const shapes[] = {
		"pack:%lu numa:%lu l3:%lu core:%lu pu:%lu", "pack:%lu l3:%lu numa:%lu core:%lu pu:%lu",
		"numa:%lu pack:%lu l3:%lu core:%lu pu:%lu", "pack:%lu numa:%lu core:%lu pu:%lu",
		"pack:%lu l3:%lu core:%lu pu:%lu", "numa:%lu core:%lu pu:%lu", "core:%lu pu:%lu",
	};

	snprintf(text, 128, shapes[random_from(0, 6)], random_from(1, 3), random_from(1, 3),
		 random_from(1, 3), random_from(1, 3), random_from(1, 4));
}

struct lottery {
	unsigned int pct;
};

static bool wins(const struct topo_pu *pu, const void *arg)
{
	(void)pu;
	return random_from(1, 100) <= ((const struct lottery *)arg)->pct;
}

static void load_synthetic(struct topo *t, const char *description)
{
	setenv("HWLOC_SYNTHETIC", description, 1);
	assert_int_equal(topo_load(t, NULL), 0);
	unsetenv("HWLOC_SYNTHETIC");
	assert_false(t->this_system);
}

/* A machine of which each PU may be used with a probability of @pct per cent; at least one. */
static void load_random(struct topo *t, char text[128], unsigned int pct)
{
	const struct lottery lottery = { .pct = pct };
	struct topo whole;

	describe(text);
	load_synthetic(&whole, text);
	while (topo_select(&whole, wins, &lottery, t) != 0)
		;
	topo_free(&whole);
}

static void load_file(struct topo *t, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), TOPOLOGIES "%s.xml", name);
	assert_int_equal(topo_load(t, path), 0);
}

static void arrange(struct arrangement *a, const struct topo *t, const char *text)
{
	assert_int_equal(arrange_make(a, t, text), 0);
}

/* ---- properties ----------------------------------------------------------------------------- */

static int index_at(const struct topo_pu *pu, size_t offset)
{
	return *(const int *)((const char *)pu + offset);
}

#define FIELD(name) offsetof(struct topo_pu, name)

/* How many of the first @nr tasks are on @pu's object, and how many PUs that object has. */
static unsigned int load_of(const struct arrangement *a, size_t nr, const struct topo_pu *pu,
			    size_t offset, size_t within)
{
	unsigned int load = 0;

	for (size_t i = 0; i < nr; i++)
		load += index_at(a->order[i], offset) == index_at(pu, offset) &&
			index_at(a->order[i], within) == index_at(pu, within);
	return load;
}

static unsigned int size_of(const struct topo *t, const struct topo_pu *pu, size_t offset,
			    size_t within)
{
	unsigned int size = 0;

	for (size_t i = 0; i < t->nr_pus; i++)
		size += index_at(&t->pus[i], offset) == index_at(pu, offset) &&
			index_at(&t->pus[i], within) == index_at(pu, within);
	return size;
}

static void for_machines(void (*check)(const struct topo *t, const char *machine))
{
	char text[128];

	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, 20261130);
	for (int i = 0; i < MACHINES; i++) {
		struct topo t;

		load_random(&t, text, i % 3 ? 60 + (unsigned int)(i % 3) * 10 : 100);
		check(&t, text);
		topo_free(&t);
	}
	gsl_rng_free(rng);
}

static const char *const policies[] = { "core", "smt", "compact", "scatter" };

/* Each PU once, and none but those that may be used: then N tasks use each at most ceil(N/PUs) times. */
static void check_each_once(const struct topo *t, const char *machine)
{
	for (size_t p = 0; p < 4; p++) {
		struct arrangement a;

		arrange(&a, t, policies[p]);
		assert_int_equal(a.nr, t->nr_pus);
		for (size_t i = 0; i < t->nr_pus; i++) {
			unsigned int uses = 0;

			for (size_t k = 0; k < a.nr; k++)
				uses += a.order[k]->cpu == t->pus[i].cpu;
			if (uses != 1)
				fail_msg("%s on %s: CPU %d is used %u times", policies[p], machine,
					 t->pus[i].cpu, uses);
		}
		arrange_free(&a);
	}
}

static void each_pu_once(void **state)
{
	(void)state;
	for_machines(check_each_once);
}

static void check_wrap(const struct topo *t, const char *machine)
{
	size_t nr = 2 * t->nr_pus + 1;
	int *cpus = calloc(nr, sizeof(*cpus));

	for (size_t p = 0; p < 4; p++) {
		enum placement policy;

		assert_int_equal(placement_parse(policies[p], &policy), 0);
		assert_int_equal(placement_place(t, policy, cpus, nr), 0);
		for (size_t i = 0; i < t->nr_pus; i++) {
			unsigned int uses = 0;

			for (size_t k = 0; k < nr; k++)
				uses += cpus[k] == t->pus[i].cpu;
			if (uses < 2 || uses > 3)
				fail_msg("%s on %s: CPU %d has %u of %zu tasks", policies[p], machine,
					 t->pus[i].cpu, uses, nr);
		}
	}
	free(cpus);
}

static void more_tasks_than_pus_wrap(void **state)
{
	(void)state;
	for_machines(check_wrap);
}

static void check_core(const struct topo *t, const char *machine)
{
	struct arrangement a;

	arrange(&a, t, "core");
	for (size_t nr = 1; nr <= t->nr_cores; nr++)
		if (load_of(&a, nr, a.order[nr - 1], FIELD(core), FIELD(core)) != 1)
			fail_msg("%s: task %zu shares a core while another is empty", machine, nr - 1);
	arrange_free(&a);
}

static void core_fills_empty_cores_first(void **state)
{
	(void)state;
	for_machines(check_core);
}

/* Between any two objects inside the same outer one: at most one task more, unless the other is full. */
static void check_even(const struct arrangement *a, const char *machine, const char *what,
		       size_t offset, size_t within)
{
	const struct topo *t = &a->topology;

	for (size_t nr = 1; nr <= a->nr; nr++) {
		/* The newest task is on the fullest object, if anything is wrong. */
		const struct topo_pu *newest = a->order[nr - 1];
		unsigned int most = load_of(a, nr, newest, offset, within);

		for (size_t i = 0; i < t->nr_pus; i++) {
			const struct topo_pu *pu = &t->pus[i];
			unsigned int load;

			if (index_at(pu, within) != index_at(newest, within))
				continue;
			load = load_of(a, nr, pu, offset, within);
			if (load + 1 < most && load < size_of(t, pu, offset, within))
				fail_msg("%s: of %zu tasks one %s has %u, another has %u", machine, nr,
					 what, most, load);
		}
	}
}

/* What is the same for all PUs of these machines: hwloc knows no kinds of CPUs of them. */
#define ANYWHERE FIELD(kind)

/* In these machines objects lie in one another: the more there are of a kind, the further inside. */
static void check_scatter(const struct topo *t, const char *machine)
{
	struct { size_t offset, nr; const char *name; } levels[] = {
		{ FIELD(package), t->nr_packages, "package" }, { FIELD(node), t->nr_nodes, "node" },
		{ FIELD(l3), t->nr_l3s, "L3" }, { FIELD(core), t->nr_cores, "core" },
	};
	size_t within = ANYWHERE;
	struct arrangement a;

	arrange(&a, t, "scatter");
	for (size_t nr = 1; nr <= t->nr_pus; nr++) {
		for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
			if (levels[i].nr != nr)
				continue;
			check_even(&a, machine, levels[i].name, levels[i].offset, within);
			within = levels[i].offset;
		}
	}
	assert_int_equal(within, FIELD(core));
	arrange_free(&a);
}

static void scatter_is_even(void **state)
{
	(void)state;
	for_machines(check_scatter);
}

/* A machine of equal parts: packages, and the nodes and L3s of a package, differ by one at most. */
static void check_spread(const struct arrangement *a, size_t nr, size_t offset, size_t within,
			 const char *what)
{
	unsigned int max = 0, min = ~0u;
	int package = index_at(a->order[nr - 1], within);

	for (size_t i = 0; i < a->topology.nr_pus; i++) {
		const struct topo_pu *pu = &a->topology.pus[i];
		unsigned int load = 0;

		if (index_at(pu, within) != package)
			continue;
		for (size_t k = 0; k < nr; k++)
			load += index_at(a->order[k], offset) == index_at(pu, offset);
		max = load > max ? load : max;
		min = load < min ? load : min;
	}
	if (max - min > 1)
		fail_msg("%zu tasks: %u on one %s, %u on another", nr, max, what, min);
}

static void scatter_on_whole_machines(void **state)
{
	static const char *const machines[] = {
		"pack:2 numa:2 l3:3 core:4 pu:2", "pack:3 numa:1 l3:2 core:3 pu:1",
		"pack:2 l3:2 numa:2 core:2 pu:4", "pack:4 core:3 pu:8", "pack:1 numa:4 l3:2 core:2 pu:2",
		"numa:2 pack:3 l3:2 core:2 pu:2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct arrangement a;
		struct topo t;

		load_synthetic(&t, machines[i]);
		arrange(&a, &t, "scatter");
		for (size_t nr = 1; nr <= a.nr; nr++) {
			check_spread(&a, nr, FIELD(package), ANYWHERE, "package");
			check_spread(&a, nr, FIELD(node), FIELD(package), "node");
			check_spread(&a, nr, FIELD(l3), FIELD(package), "L3");
		}
		arrange_free(&a);
		topo_free(&t);
	}
}

/* Whoever opens a new object finds the last one full. */
static void check_filled(const struct arrangement *a, const char *machine, const char *what,
			 size_t offset)
{
	for (size_t i = 1; i < a->nr; i++) {
		const struct topo_pu *last = a->order[i - 1];

		if (index_at(a->order[i], offset) == index_at(last, offset))
			continue;
		if (load_of(a, i, last, offset, offset) != size_of(&a->topology, last, offset, offset))
			fail_msg("%s: task %zu opens a new %s while the last has a free PU", machine, i,
				 what);
	}
}

static void check_compact(const struct topo *t, const char *machine)
{
	struct arrangement a;

	arrange(&a, t, "compact");
	check_filled(&a, machine, "core", FIELD(core));
	check_filled(&a, machine, "L3", FIELD(l3));
	check_filled(&a, machine, "node", FIELD(node));
	check_filled(&a, machine, "package", FIELD(package));
	arrange_free(&a);
}

static void compact_fills_before_it_opens(void **state)
{
	(void)state;
	for_machines(check_compact);
}

/* ---- what is not usable --------------------------------------------------------------------- */

static bool is_even(const struct topo_pu *pu, const void *arg)
{
	(void)arg;
	return pu->cpu % 2 == 0;
}

static void assert_order(const struct arrangement *a, const char *expected)
{
	int *cpus = calloc(a->nr, sizeof(*cpus));
	char *text;

	for (size_t i = 0; i < a->nr; i++)
		cpus[i] = a->order[i]->cpu;
	text = cpulist_format(cpus, a->nr);
	assert_string_equal(text, expected);
	free(text);
	free(cpus);
}

static void assert_arranged(const struct topo *t, const char *text, const char *expected)
{
	struct arrangement a;

	arrange(&a, t, text);
	assert_order(&a, expected);
	arrange_free(&a);
}

static void assert_refused(const struct topo *t, const char *text, int err)
{
	struct arrangement a;

	assert_int_equal(arrange_make(&a, t, text), err);
}

static void lists_and_avoided_cpus(void **state)
{
	struct topo t, even;

	(void)state;
	load_synthetic(&t, "pack:2 core:4 pu:2");
	assert_arranged(&t, "cpus=5,3,3,0-1", "5,3,3,0,1");
	assert_arranged(&t, "core+avoid=0,4-15", "1-3");
	assert_arranged(&t, "compact+avoid=1", "0,2-15");
	assert_refused(&t, "cpus=16", -ENODEV);
	assert_refused(&t, "core+avoid=0-15", -ENODEV);
	assert_refused(&t, "cpus=3,", -EINVAL);
	assert_refused(&t, "cpus=1+avoid=2", -EINVAL);
	assert_refused(&t, "none+bind=core", -EINVAL);
	assert_refused(&t, "core+avid=3", -EINVAL);
	assert_refused(&t, "kore", -EINVAL);
	assert_refused(&t, "core+bind=node", -EINVAL);
	assert_refused(&t, "", -EINVAL);
	assert_int_equal(topo_select(&t, is_even, NULL, &even), 0);
	assert_refused(&even, "cpus=3", -ENODEV);
	assert_arranged(&even, "core", "0,2,4,6,8,10,12,14");
	topo_free(&even);
	topo_free(&t);
}

static void isolated_cpus(void **state)
{
	struct topo t;

	(void)state;
	load_synthetic(&t, "core:4 pu:2");
	t.pus[2].isolated = t.pus[3].isolated = true;
	assert_arranged(&t, "core", "0,2,4,6,1,3,5,7");
	assert_arranged(&t, "core+skip-isolated", "0,4,6,1,5,7");
	topo_free(&t);
}

static void kinds_of_cpus(void **state)
{
	struct topo hybrid, uniform, unranked;

	(void)state;
	load_file(&hybrid, "Intel-RaptorLake-Corei7-1370P");
	assert_arranged(&hybrid, "core+kind=efficiency", "12-19");
	assert_arranged(&hybrid, "core+kind=performance", "0,2,4,6,8,10,1,3,5,7,9,11");
	assert_arranged(&hybrid, "core+kind=1+avoid=0-3", "4,6,8,10,5,7,9,11");
	assert_refused(&hybrid, "core+kind=2", -ENODEV);
	assert_refused(&hybrid, "core+kind=fast", -EINVAL);
	topo_free(&hybrid);
	load_file(&unranked, "fakeheterocpunuma");
	assert_arranged(&unranked, "smt+kind=2", "8-11");
	assert_refused(&unranked, "core+kind=performance", -ENODEV);
	topo_free(&unranked);
	load_file(&uniform, "AMD-17h-Zen-2xEpyc-7451");
	assert_refused(&uniform, "core+kind=efficiency", -ENODEV);
	topo_free(&uniform);
}

/* Nodes of several packages, sparse node numbers, a node that is offline with its memory. */
static void nodes_of_odd_machines(void **state)
{
	struct topo t;

	(void)state;
	load_file(&t, "96em64t-4no4pa3ca2co");
	assert_int_equal(t.nr_nodes, 4);
	assert_int_equal(t.nr_packages, 16);
	assert_int_equal(topo_find(&t, 95)->node, 3);
	topo_free(&t);
	load_file(&t, "48amd64-4pa2n6c-sparse");
	assert_int_equal(t.nr_nodes, 8);
	assert_int_equal(t.memory[topo_find(&t, 47)->memory].node, 73);
	topo_free(&t);
	load_file(&t, "offline-cpu0-node0");
	assert_int_equal(t.nr_packages, 2);
	assert_int_equal(topo_find(&t, 4)->node, -1);
	assert_null(topo_find(&t, 0));
	assert_arranged(&t, "scatter+avoid=8-20", "4-7");
	topo_free(&t);
}

/* A mask, a list, a topology: CPUs have no upper limit of 1024. */
static void cpu_4095(void **state)
{
	const int cpu = 4095;
	const struct arranged *r;
	struct arrangement a;
	struct cpulist before, after;
	struct topo t;

	(void)state;
	load_synthetic(&t, "pack:16 numa:1 core:256 pu:1");
	assert_int_equal(t.nr_pus, 4096);
	arrange(&a, &t, "core+avoid=0-4093");
	r = arrange_tasks(&a, 3);
	assert_string_equal(r->cpus, "4094,4095");
	arrange_free(&a);
	arrange(&a, &t, "scatter");
	assert_int_equal(a.order[4095]->cpu, 4095);
	arrange_free(&a);
	topo_free(&t);
	assert_int_equal(affinity_get(&before), 0);
	assert_int_equal(affinity_bind(&cpu, 1), -EINVAL);
	assert_int_equal(affinity_get(&after), 0);
	assert_int_equal(before.nr, after.nr);
	cpulist_free(&before);
	cpulist_free(&after);
}

/* ---- partners, memory, span ----------------------------------------------------------------- */

static void assert_partners(const struct topo *t, const char *text, uint64_t tasks,
			    const char *expected)
{
	const struct arranged *r;
	struct arrangement a;

	arrange(&a, t, text);
	r = arrange_tasks(&a, tasks);
	assert_non_null(r);
	if (expected) {
		assert_null(r->lacking);
		assert_string_equal(r->partner_cpus, expected);
	} else {
		assert_non_null(r->lacking);
	}
	arrange_free(&a);
}

static void partners(void **state)
{
	struct topo t;

	(void)state;
	load_synthetic(&t, "pack:2 numa:1 l3:2 core:2 pu:2");
	assert_partners(&t, "core+partner=sibling", 3, "1,3,5");
	assert_partners(&t, "core+partner=l3", 1, "2");
	/* Both cores have a task: the siblings are free. */
	assert_partners(&t, "core+partner=l3", 2, "3,1");
	assert_partners(&t, "core+partner=node", 2, "4,6");
	assert_partners(&t, "core+partner=far", 2, "8,10");
	assert_partners(&t, "cpus=0,8+partner=far", 2, "10,2");
	topo_free(&t);
	load_synthetic(&t, "pack:1 numa:1 l3:1 core:1 pu:1");
	assert_partners(&t, "core+partner=sibling", 1, NULL);
	assert_partners(&t, "core+partner=l3", 1, NULL);
	assert_partners(&t, "core+partner=node", 1, NULL);
	assert_partners(&t, "core+partner=far", 1, NULL);
	topo_free(&t);
}

static void whole_cores(void **state)
{
	const struct arranged *r;
	struct arrangement a;
	struct topo t;

	(void)state;
	load_synthetic(&t, "core:3 pu:2");
	arrange(&a, &t, "core+avoid=3+bind=core");
	r = arrange_tasks(&a, 4);
	assert_string_equal(r->cpus, "0,2,4,1");
	assert_string_equal(r->bind_cpus, "0,1/2/4,5/0,1");
	arrange_free(&a);
	arrange(&a, &t, "core");
	assert_null(arrange_tasks(&a, 4)->bind_cpus);
	arrange_free(&a);
	topo_free(&t);
}

static void assert_nodes(const struct topo *t, const char *placement, const char *membind,
			 uint64_t tasks, const char *expected)
{
	struct arrangement a;
	char *nodes, *lacking;

	arrange(&a, t, placement);
	assert_int_equal(mem_nodes_find(&a, membind, tasks, &nodes, &lacking), 0);
	if (expected) {
		assert_null(lacking);
		assert_string_equal(nodes, expected);
	} else {
		assert_non_null(lacking);
	}
	free(nodes);
	free(lacking);
	arrange_free(&a);
}

static void memory_nodes(void **state)
{
	struct topo t;

	(void)state;
	load_file(&t, "48amd64-4pa2n6c-sparse");
	/* By the SLIT node 0 is 22 from nodes 33, 45 and 73, node 1 from 2, 45 and 72. */
	assert_nodes(&t, "cpus=0,6", "far", 2, "33,2");
	assert_nodes(&t, "core", "node=73", 2, "73");
	assert_nodes(&t, "core", "node=3", 2, NULL);
	assert_nodes(&t, "none", "far", 2, NULL);
	topo_free(&t);
	load_file(&t, "nvidia-dgx-gb10");
	assert_nodes(&t, "core", "far", 1, NULL);
	topo_free(&t);
	assert_int_equal(mem_nodes_check("node=x"), -EINVAL);
	assert_int_equal(mem_nodes_check("near"), -EINVAL);
	assert_int_equal(mem_nodes_check("interleave"), 0);
}

static void assert_span(const struct topo *t, const char *text, uint64_t tasks, const char *expected)
{
	struct arrangement a;
	json_t *span;

	arrange(&a, t, text);
	span = arrange_tasks(&a, tasks)->span;
	assert_string_equal(json_string_value(json_object_get(span, "text")), expected);
	arrange_free(&a);
}

static void spans(void **state)
{
	struct topo t;

	(void)state;
	load_synthetic(&t, "pack:2 numa:1 l3:2 core:8 pu:2");
	assert_span(&t, "compact", 32, "tasks 0-1 of 32 share one core; 16 cores, 2 L3s, 1 node, 1 package");
	assert_span(&t, "core", 1, "1 core, 1 L3, 1 node, 1 package");
	assert_span(&t, "core", 8, "8 tasks share one L3; 8 cores, 1 L3, 1 node, 1 package");
	assert_span(&t, "core", 16, "tasks 0-7 of 16 share one L3; 16 cores, 2 L3s, 1 node, 1 package");
	assert_span(&t, "scatter", 4, "4 cores, 4 L3s, 2 nodes, 2 packages");
	assert_span(&t, "cpus=7", 5, "5 tasks share one PU; 1 core, 1 L3, 1 node, 1 package");
	topo_free(&t);
}

/* ---- points --------------------------------------------------------------------------------- */

static const char *why(const struct points *p, uint64_t tasks)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->points[i].tasks == tasks)
			return p->points[i].why;
	return "";
}

static void default_points(void **state)
{
	struct topo t;

	(void)state;
	load_file(&t, "AMD-19h-Zen4-2xEpyc-9654");
	for (size_t i = 0; i < 4; i++) {
		struct arrangement a;
		struct points p;

		arrange(&a, &t, policies[i]);
		assert_int_equal(points_by_topology(&a.topology, a.order, a.nr, &p), 0);
		assert_in_range(p.nr, 10, 16);
		assert_string_equal(why(&p, 384), "all PUs");
		if (i == 0)
			assert_string_equal(why(&p, 8), "fills one L3, a task a core");
		if (i == 2)
			assert_string_equal(why(&p, 16), "fills one L3");
		if (i == 3)
			assert_string_equal(why(&p, 24), "a task on each L3");
		points_free(&p);
		arrange_free(&a);
	}
	topo_free(&t);
}

static void points_by_rule(void **state)
{
	struct points p;

	(void)state;
	assert_int_equal(points_powers(12, &p), 0);
	assert_int_equal(p.nr, 5);
	assert_int_equal(p.points[4].tasks, 12);
	points_free(&p);
	assert_int_equal(points_every(12, &p), 0);
	assert_int_equal(p.nr, 12);
	points_free(&p);
	assert_int_equal(points_parse("--points", "4,2-3,50%", 12, &p), 0);
	assert_int_equal(p.nr, 4);
	points_free(&p);
	assert_int_equal(points_parse("--points", "some", 12, &p), -EINVAL);
}

/* ---- the time it takes ---------------------------------------------------------------------- */

/* All its time on a CPU, in ms, to place one testcase in both modes on 384 PUs at each point. */
static double planning_ms(const struct topo *t, const struct catalogue *c, const char *placement)
{
	struct timespec begin, end;
	struct plan p = { .dir = strdup("/"), .rounds = 5, .duration_s = 1 };
	struct arrangement a;
	struct points points;
	const struct plan_variant variant = {
		.arrangement = &a, .catalogue = c, .membind = "local", .factors = json_object(),
	};
	struct plan_input in = {
		.catalogue = c, .variants = &variant, .nr_variants = 1, .points = &points,
		.modes = "both",
	};

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	arrange(&a, t, placement);
	assert_int_equal(points_by_topology(&a.topology, a.order, a.nr, &points), 0);
	assert_int_equal(plan_make(&p, &in), 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	assert_int_equal(p.nr_cells, 2 * points.nr);
	plan_free(&p);
	json_decref((json_t *)variant.factors);
	points_free(&points);
	arrange_free(&a);
	return (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6;
}

static void planning_384_pus_takes_no_time(void **state)
{
	struct catalogue_entry entry = {
		.name = (char *)"x", .path = (char *)"x",
		.facts = json_pack("{s[ss] s[] s{}}", "modes", "processes", "threads", "params", "needs"),
	};
	const struct catalogue c = { .entries = &entry, .nr = 1 };
	struct topo t;

	(void)state;
	load_file(&t, "AMD-19h-Zen4-2xEpyc-9654");
	for (size_t i = 0; i < 4; i++) {
		double ms = planning_ms(&t, &c, policies[i]);

		print_message("%s: %.2f ms\n", policies[i], ms);
		assert_true(ms < 50);
	}
	topo_free(&t);
	json_decref(entry.facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pu_once),
		cmocka_unit_test(more_tasks_than_pus_wrap),
		cmocka_unit_test(core_fills_empty_cores_first),
		cmocka_unit_test(scatter_is_even),
		cmocka_unit_test(scatter_on_whole_machines),
		cmocka_unit_test(compact_fills_before_it_opens),
		cmocka_unit_test(lists_and_avoided_cpus),
		cmocka_unit_test(isolated_cpus),
		cmocka_unit_test(kinds_of_cpus),
		cmocka_unit_test(nodes_of_odd_machines),
		cmocka_unit_test(cpu_4095),
		cmocka_unit_test(partners),
		cmocka_unit_test(whole_cores),
		cmocka_unit_test(memory_nodes),
		cmocka_unit_test(spans),
		cmocka_unit_test(default_points),
		cmocka_unit_test(points_by_rule),
		cmocka_unit_test(planning_384_pus_takes_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
