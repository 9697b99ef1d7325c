/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topology.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "affinity.h"
#include "msg.h"

/* Whether the affinity mask of this process has the PU; on another machine's topology, always. */
static bool in_mask(const struct topo *t, const struct cpulist *mask, int cpu)
{
	return !t->this_system || cpulist_contains(mask, cpu);
}

/* The smallest node whose CPUs include the PU: nodes that only hold memory have no CPU. */
static int node_index(hwloc_topology_t topology, hwloc_obj_t pu)
{
	hwloc_obj_t node = NULL, best = NULL;

	while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node))) {
		if (!hwloc_bitmap_isset(node->cpuset, pu->os_index))
			continue;
		if (!best || hwloc_bitmap_weight(node->cpuset) < hwloc_bitmap_weight(best->cpuset))
			best = node;
	}
	return best ? (int)best->logical_index : -1;
}

static int ancestor_index(hwloc_topology_t topology, hwloc_obj_t pu, hwloc_obj_type_t type)
{
	hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(topology, type, pu);

	return above ? (int)above->logical_index : -1;
}

/*
 * hwloc's indices count objects that hold no usable PU, too. Afterwards they are 0 to n - 1 in
 * order of appearance, and with @own each PU that lacked such an object has one of its own.
 * @offset: the field in struct topo_pu. 0 or -ENOMEM.
 */
static int make_dense(struct topo *t, size_t offset, bool own, size_t *nr)
{
	int max = -1, *map;

	*nr = 0;
	for (size_t i = 0; i < t->nr_pus; i++) {
		const int *index = (const int *)((const char *)&t->pus[i] + offset);

		max = *index > max ? *index : max;
	}
	map = malloc(((size_t)max + 2) * sizeof(*map));
	if (!map)
		return -ENOMEM;
	for (int i = 0; i <= max; i++)
		map[i] = -1;
	for (size_t i = 0; i < t->nr_pus; i++) {
		int *index = (int *)((char *)&t->pus[i] + offset);

		if (*index >= 0 && map[*index] < 0)
			map[*index] = (int)(*nr)++;
		if (*index >= 0)
			*index = map[*index];
		else if (own)
			*index = (int)(*nr)++;
	}
	free(map);
	return 0;
}

static void rank_in_core(struct topo *t)
{
	for (size_t i = 0; i < t->nr_pus; i++)
		for (size_t k = 0; k < i; k++)
			t->pus[i].rank += t->pus[k].core == t->pus[i].core;
}

static int flatten(struct topo *t, hwloc_topology_t topology)
{
	int nr = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
	struct cpulist mask;
	hwloc_obj_t pu = NULL;
	int err;

	t->this_system = hwloc_topology_is_thissystem(topology);
	t->pus = calloc(nr > 0 ? (size_t)nr : 1, sizeof(*t->pus));
	if (!t->pus)
		return -ENOMEM;
	err = affinity_get(&mask);
	if (err)
		return err;
	while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu))) {
		if (!in_mask(t, &mask, (int)pu->os_index))
			continue;
		t->pus[t->nr_pus++] = (struct topo_pu){
			.cpu = (int)pu->os_index,
			.core = ancestor_index(topology, pu, HWLOC_OBJ_CORE),
			.l3 = ancestor_index(topology, pu, HWLOC_OBJ_L3CACHE),
			.node = node_index(topology, pu),
			.package = ancestor_index(topology, pu, HWLOC_OBJ_PACKAGE),
		};
	}
	cpulist_free(&mask);
	return t->nr_pus ? 0 : -ENODEV;
}

static int number_objects(struct topo *t)
{
	int err = make_dense(t, offsetof(struct topo_pu, core), true, &t->nr_cores);

	if (!err)
		err = make_dense(t, offsetof(struct topo_pu, l3), false, &t->nr_l3s);
	if (!err)
		err = make_dense(t, offsetof(struct topo_pu, node), false, &t->nr_nodes);
	if (!err)
		err = make_dense(t, offsetof(struct topo_pu, package), false, &t->nr_packages);
	if (!err)
		rank_in_core(t);
	return err;
}

static int load(hwloc_topology_t topology)
{
	static const hwloc_obj_type_t kept[] = {
		HWLOC_OBJ_CORE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_PACKAGE,
	};

	hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		hwloc_topology_set_type_filter(topology, kept[i], HWLOC_TYPE_FILTER_KEEP_ALL);
	/* Several NUMA nodes in a package hang on groups: without those, hwloc merges the nodes. */
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
	return hwloc_topology_load(topology) == 0 ? 0 : -(errno ? errno : EINVAL);
}

int topo_load(struct topo *t)
{
	hwloc_topology_t topology;
	int err;

	*t = (struct topo){ 0 };
	/* Plugins find devices, of which none is wanted here, and take time to look for. */
	setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
	if (hwloc_topology_init(&topology) != 0) {
		err = -ENOMEM;
		goto out;
	}
	err = load(topology);
	if (!err)
		err = flatten(t, topology);
	if (!err)
		err = number_objects(t);
	hwloc_topology_destroy(topology);
out:
	if (err) {
		msg_error("hwloc cannot find this machine's CPUs: %s", strerror(-err));
		topo_free(t);
	}
	return err;
}

void topo_free(struct topo *t)
{
	free(t->pus);
	*t = (struct topo){ 0 };
}
