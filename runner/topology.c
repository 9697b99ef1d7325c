/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topology.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <hwloc/distances.h>
#include <stdlib.h>
#include <string.h>

#include "affinity.h"
#include "cpulist.h"
#include "file.h"
#include "msg.h"

/* ---- what hwloc says ------------------------------------------------------------------------ */

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

static int add_pu(struct topo *t, const struct topo_pu *pu)
{
	struct topo_pu *pus = reallocarray(t->pus, t->nr_pus + 1, sizeof(*pus));

	if (!pus)
		return -ENOMEM;
	t->pus = pus;
	pus[t->nr_pus++] = *pu;
	return 0;
}

/* @mask: the affinity mask of this process; NULL: another machine's topology, all is taken. */
static int add_pus(struct topo *t, hwloc_topology_t topology, const struct cpulist *mask)
{
	hwloc_obj_t pu = NULL;
	int err = 0;

	while (!err && (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu))) {
		int node = node_index(topology, pu);
		const struct topo_pu found = {
			.cpu = (int)pu->os_index,
			.core = ancestor_index(topology, pu, HWLOC_OBJ_CORE),
			.l3 = ancestor_index(topology, pu, HWLOC_OBJ_L3CACHE),
			.node = node,
			.package = ancestor_index(topology, pu, HWLOC_OBJ_PACKAGE),
			.memory = node,
			.kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0),
		};

		if (!mask || cpulist_contains(mask, found.cpu))
			err = add_pu(t, &found);
	}
	return err;
}

/* CPUs on which the kernel lets us run though hwloc does not see them (a /sys that hides them). */
static int add_unseen(struct topo *t, const struct cpulist *mask)
{
	const struct topo_pu unknown = {
		.core = -1, .l3 = -1, .node = -1, .package = -1, .memory = -1, .kind = -1,
	};
	int err = 0;

	for (size_t i = 0; !err && i < mask->nr; i++) {
		struct topo_pu pu = unknown;

		pu.cpu = mask->cpus[i];
		if (!topo_find(t, pu.cpu))
			err = add_pu(t, &pu);
	}
	return err;
}

static void mark_isolated(struct topo *t)
{
	const char *root = getenv("HWLOC_FSROOT");	/* hwloc's own name for a recorded tree */
	struct cpulist isolated;
	char *text;

	if (file_read(&text, root ? root : "", "/sys/devices/system/cpu/isolated") != 0)
		return;
	if (text[0] && cpulist_parse(text, &isolated) == 0) {
		for (size_t i = 0; i < t->nr_pus; i++)
			t->pus[i].isolated = cpulist_contains(&isolated, t->pus[i].cpu);
		cpulist_free(&isolated);
	}
	free(text);
}

static int load_pus(struct topo *t, hwloc_topology_t topology)
{
	struct cpulist mask;
	int err;

	t->this_system = hwloc_topology_is_thissystem(topology);
	if (t->this_system) {
		err = affinity_get(&mask);
		if (err)
			return err;
		err = add_pus(t, topology, &mask);
		if (!err)
			err = add_unseen(t, &mask);
		cpulist_free(&mask);
	} else {
		err = add_pus(t, topology, NULL);
	}
	if (!err && (t->this_system || getenv("HWLOC_FSROOT")))
		mark_isolated(t);
	return err ? err : t->nr_pus ? 0 : -ENODEV;
}

static void load_kinds(struct topo *t, hwloc_topology_t topology)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	int nr = hwloc_cpukinds_get_nr(topology, 0), efficiency = -1;

	if (cpus && nr > 0) {
		t->nr_kinds = (size_t)nr;
		if (hwloc_cpukinds_get_info(topology, 0, cpus, &efficiency, NULL, NULL, 0) == 0)
			t->kinds_ranked = nr > 1 && efficiency >= 0;
	}
	hwloc_bitmap_free(cpus);
}

static int load_memory(struct topo *t, hwloc_topology_t topology)
{
	int nr = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
	hwloc_obj_t node = NULL;

	t->memory = calloc(nr > 0 ? (size_t)nr : 1, sizeof(*t->memory));
	if (!t->memory)
		return -ENOMEM;
	while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)))
		t->memory[t->nr_memory++] = (struct topo_memory){
			.node = (int)node->os_index,
			.bytes = node->attr->numanode.local_memory,
		};
	return 0;
}

/* What the kernel reports where the firmware says nothing (its include/linux/topology.h). */
static void assume_distances(struct topo *t)
{
	for (size_t i = 0; i < t->nr_memory; i++)
		for (size_t k = 0; k < t->nr_memory; k++)
			t->distances[i * t->nr_memory + k] = i == k ? 10 : 20;
}

static void take_distances(struct topo *t, const struct hwloc_distances_s *d)
{
	for (unsigned int i = 0; i < d->nbobjs; i++)
		for (unsigned int k = 0; k < d->nbobjs; k++)
			if (d->objs[i] && d->objs[k])
				t->distances[d->objs[i]->logical_index * t->nr_memory +
					     d->objs[k]->logical_index] =
					d->values[i * d->nbobjs + k];
}

static int load_distances(struct topo *t, hwloc_topology_t topology)
{
	struct hwloc_distances_s *found[1];
	unsigned int nr = 1;

	t->distances = calloc(t->nr_memory * t->nr_memory + 1, sizeof(*t->distances));
	if (!t->distances)
		return -ENOMEM;
	assume_distances(t);
	if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &nr, found,
					HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) == 0 && nr > 0) {
		take_distances(t, found[0]);
		hwloc_distances_release(topology, found[0]);
	}
	return 0;
}

/* ---- numbering ------------------------------------------------------------------------------ */

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

static int rank_in_core(struct topo *t)
{
	int *seen = calloc(t->nr_cores + 1, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i < t->nr_pus; i++)
		t->pus[i].rank = seen[t->pus[i].core]++;
	free(seen);
	return 0;
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
	return err ? err : rank_in_core(t);
}

/* ---- loading -------------------------------------------------------------------------------- */

static int load(hwloc_topology_t topology, const char *file)
{
	static const hwloc_obj_type_t kept[] = {
		HWLOC_OBJ_CORE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_PACKAGE,
	};

	errno = 0;
	if (file && hwloc_topology_set_xml(topology, file) != 0)
		return -(errno ? errno : EINVAL);
	hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		hwloc_topology_set_type_filter(topology, kept[i], HWLOC_TYPE_FILTER_KEEP_ALL);
	/* Several NUMA nodes in a package hang on groups: without those, hwloc merges the nodes. */
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
	return hwloc_topology_load(topology) == 0 ? 0 : -(errno ? errno : EINVAL);
}

static int flatten(struct topo *t, hwloc_topology_t topology)
{
	int err = load_pus(t, topology);

	if (!err)
		err = load_memory(t, topology);
	if (!err)
		err = load_distances(t, topology);
	load_kinds(t, topology);
	return err ? err : number_objects(t);
}

int topo_load(struct topo *t, const char *file)
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
	err = load(topology, file);
	if (!err)
		err = flatten(t, topology);
	hwloc_topology_destroy(topology);
out:
	if (err && file)
		msg_error("%s: hwloc finds no machine in it: %s", file, strerror(-err));
	else if (err)
		msg_error("hwloc cannot find this machine's CPUs: %s", strerror(-err));
	if (err)
		topo_free(t);
	return err;
}

void topo_free(struct topo *t)
{
	free(t->pus);
	free(t->memory);
	free(t->distances);
	*t = (struct topo){ 0 };
}

/* ---- questions ------------------------------------------------------------------------------ */

static int copy_memory(const struct topo *from, struct topo *to)
{
	size_t nr = from->nr_memory;

	to->memory = calloc(nr + 1, sizeof(*to->memory));
	to->distances = calloc(nr * nr + 1, sizeof(*to->distances));
	if (!to->memory || !to->distances)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		to->memory[i] = from->memory[i];
	for (size_t i = 0; i < nr * nr; i++)
		to->distances[i] = from->distances[i];
	return 0;
}

int topo_select(const struct topo *from, bool (*keep)(const struct topo_pu *pu, const void *arg),
		const void *arg, struct topo *to)
{
	int err;

	*to = *from;
	to->pus = calloc(from->nr_pus + 1, sizeof(*to->pus));
	to->nr_pus = 0;
	err = copy_memory(from, to);
	if (!to->pus)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < from->nr_pus; i++)
		if (keep(&from->pus[i], arg))
			to->pus[to->nr_pus++] = from->pus[i];
	if (!err)
		err = to->nr_pus ? number_objects(to) : -ENODEV;
	if (err)
		topo_free(to);
	return err;
}

const struct topo_pu *topo_find(const struct topo *t, int cpu)
{
	for (size_t i = 0; i < t->nr_pus; i++)
		if (t->pus[i].cpu == cpu)
			return &t->pus[i];
	return NULL;
}

int topo_farthest(const struct topo *t, const struct topo_pu *pu)
{
	uint64_t most = 0;
	int best = -1;

	if (pu->memory < 0)
		return -1;
	for (size_t n = 1; n < t->nr_memory; n++) {
		size_t i = ((size_t)pu->memory + n) % t->nr_memory;
		uint64_t distance = t->distances[(size_t)pu->memory * t->nr_memory + i];

		if (t->memory[i].bytes && distance > most) {
			most = distance;
			best = (int)i;
		}
	}
	return best;
}
