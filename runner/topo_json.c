/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topo_json.h"

static json_t *index_json(int index)
{
	return index < 0 ? json_null() : json_integer(index);
}

static json_t *map_json(const struct topo *t)
{
	json_t *map = json_array();

	for (size_t i = 0; i < t->nr_pus; i++) {
		const struct topo_pu *pu = &t->pus[i];

		json_array_append_new(map, json_pack("[i i o o o o]", pu->cpu, pu->core,
			index_json(pu->l3),
			index_json(pu->memory < 0 ? -1 : t->memory[pu->memory].node),
			index_json(pu->package), index_json(pu->kind)));
	}
	return map;
}

static json_t *memory_json(const struct topo *t)
{
	json_t *memory = json_array();

	for (size_t i = 0; i < t->nr_memory; i++) {
		json_t *distances = json_array();

		for (size_t k = 0; k < t->nr_memory; k++)
			json_array_append_new(distances, json_integer(
				(json_int_t)t->distances[i * t->nr_memory + k]));
		json_array_append_new(memory, json_pack("{si sI so}", "node", t->memory[i].node,
			"bytes", (json_int_t)t->memory[i].bytes, "distances", distances));
	}
	return memory;
}

json_t *topo_json(const struct topo *t)
{
	if (!t)
		return json_null();
	return json_pack("{sb sI sI sI sI sI so so}", "this_system", t->this_system,
			 "packages", (json_int_t)t->nr_packages, "nodes", (json_int_t)t->nr_nodes,
			 "l3s", (json_int_t)t->nr_l3s, "cores", (json_int_t)t->nr_cores,
			 "pus", (json_int_t)t->nr_pus, "memory", memory_json(t), "map", map_json(t));
}
