/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "topology.h"

static void counts(const char *synthetic, size_t packages, size_t nodes, size_t l3s, size_t cores,
		   size_t pus)
{
	struct topo t;

	setenv("HWLOC_SYNTHETIC", synthetic, 1);
	assert_int_equal(topo_load(&t, NULL), 0);
	assert_false(t.this_system);
	assert_int_equal(t.nr_packages, packages);
	assert_int_equal(t.nr_nodes, nodes);
	assert_int_equal(t.nr_l3s, l3s);
	assert_int_equal(t.nr_cores, cores);
	assert_int_equal(t.nr_pus, pus);
	topo_free(&t);
	assert_int_equal(t.nr_pus, 0);
}

static void objects_are_counted(void **state)
{
	(void)state;
	counts("pu:1", 0, 1, 0, 1, 1);
	counts("core:3 pu:2", 0, 1, 0, 3, 6);
	counts("pack:2 l3:2 core:4 pu:2", 2, 1, 4, 16, 32);
	counts("pack:2 [numa] core:4 pu:1", 2, 2, 0, 8, 8);
	counts("numa:4 pack:1 core:2 pu:1", 4, 4, 0, 8, 8);
}

/* Sub-NUMA clustering, nodes per socket: the commonest large machines. */
static void several_nodes_in_a_package(void **state)
{
	(void)state;
	counts("pack:2 numa:2 core:12 pu:4", 2, 4, 0, 48, 192);
	counts("pack:2 numa:4 l3:2 core:4 pu:2", 2, 8, 16, 64, 128);
}

static void every_pu_stands_where_it_is(void **state)
{
	struct topo t;

	(void)state;
	setenv("HWLOC_SYNTHETIC", "pack:2 numa:2 l3:2 core:3 pu:2", 1);
	assert_int_equal(topo_load(&t, NULL), 0);
	for (int i = 0; i < 48; i++) {
		assert_int_equal(t.pus[i].cpu, i);
		assert_int_equal(t.pus[i].rank, i % 2);
		assert_int_equal(t.pus[i].core, i / 2);
		assert_int_equal(t.pus[i].l3, i / 6);
		assert_int_equal(t.pus[i].node, i / 12);
		assert_int_equal(t.pus[i].package, i / 24);
	}
	topo_free(&t);
}

/* Siblings far apart, as most kernels number them. */
static void the_kernel_numbers_cpus_as_it_likes(void **state)
{
	struct topo t;

	(void)state;
	setenv("HWLOC_SYNTHETIC", "core:2 pu:2(indexes=0,2,1,3)", 1);
	assert_int_equal(topo_load(&t, NULL), 0);
	assert_int_equal(t.pus[1].cpu, 2);
	assert_int_equal(t.pus[1].core, 0);
	assert_int_equal(t.pus[1].rank, 1);
	assert_int_equal(t.pus[2].cpu, 1);
	assert_int_equal(t.pus[2].core, 1);
	topo_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_counted),
		cmocka_unit_test(several_nodes_in_a_package),
		cmocka_unit_test(every_pu_stands_where_it_is),
		cmocka_unit_test(the_kernel_numbers_cpus_as_it_likes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
