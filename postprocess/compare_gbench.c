/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON for google/benchmark's tools/compare.py: each round is a repetition. Of one run, to be
 * compared with another's file (compare.py benchmarks BASE HEAD); of several, in one file, told by
 * what heads their names (compare.py filters FILE base/ head/).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_print.h"
#include "cpulist.h"
#include "lkp.h"
#include "print.h"
#include "table.h"

/* CPUs that the cell's tasks have; 0: not bound. */
static size_t cpus_of(const struct run_cell *cell)
{
	struct cpulist list;
	size_t nr;

	if (!cell || !cell->cpus || cpulist_parse(cell->cpus, &list) != 0)
		return 0;
	nr = list.nr < cell->tasks ? list.nr : (size_t)cell->tasks;
	cpulist_free(&list);
	return nr;
}

/* Nanoseconds of CPU time an operation: 0 where it is not known. */
static double cpu_time_ns(const struct run_cell *cell, const struct run_record *rec)
{
	if (!rec || isnan(rec->cell_idle_pct) || !(rec->ops_per_s > 0))
		return 0;
	return (double)cpus_of(cell) * (1 - rec->cell_idle_pct / 100) * 1e9 / rec->ops_per_s;
}

struct repetition {
	const char *name;
	size_t family, index, nr;
	double ops, cpu_ns, window_s;
};

static json_t *benchmark(const struct repetition *r)
{
	return json_pack("{ss sI si ss ss sI sI si sI so so ss so}", "name", r->name,
			 "family_index", (json_int_t)r->family, "per_family_instance_index", 0,
			 "run_name", r->name, "run_type", "iteration",
			 "repetitions", (json_int_t)r->nr, "repetition_index", (json_int_t)r->index,
			 "threads", 1,
			 "iterations", (json_int_t)(r->ops * r->window_s),
			 "real_time", print_json(1e9 / r->ops), "cpu_time", print_json(r->cpu_ns),
			 "time_unit", "ns", "items_per_second", print_json(r->ops));
}

/* Rates of 0 have no time an operation, and are left out. */
static int add_sample(json_t *list, const struct side *s, const struct side_sample *x,
		      const char *head, size_t family)
{
	const struct run_record *rec = x->cell ? s->run.records + x->cell->first_record : NULL;
	char *name;
	size_t ok = 0;

	if (!x->cell && lkp_direction(x->key) == 0)
		return 0;
	if (asprintf(&name, "%s%s", head, compare_id(x)) < 0)
		return -ENOMEM;
	for (size_t i = 0; ok < x->nr; i++) {
		if (rec && rec[i].status != RUN_OK)
			continue;
		if (x->values[ok] > 0) {
			struct repetition r = {
				.name = name, .family = family, .index = ok, .nr = x->nr,
				.ops = x->values[ok],
				.cpu_ns = rec ? cpu_time_ns(x->cell, &rec[i]) : 0,
				.window_s = rec ? rec[i].elapsed_ns / 1e9 : 1,
			};

			json_array_append_new(list, benchmark(&r));
		}
		ok++;
	}
	free(name);
	return 0;
}

static json_t *context(const struct side *s)
{
	const json_t *machine = s->run.machine_json;
	const json_t *host = json_object_get(json_object_get(machine, "kernel"), "hostname");
	const json_t *pus = json_object_get(json_object_get(machine, "topology"), "pus");

	return json_pack("{ss ss sI so so ss}", "date", s->is_run && s->run.time ? s->run.time : "",
			 "host_name", json_is_string(host) ? json_string_value(host) : "",
			 "num_cpus", json_integer_value(pus), "mhz_per_cpu", json_null(),
			 "caches", json_array(), "executable", s->name);
}

int compare_gbench(const struct side *sides, size_t nr_sides, FILE *out)
{
	json_t *list = json_array();
	int err = 0;

	for (size_t i = 0; i < nr_sides; i++) {
		char head[32] = "";

		if (nr_sides > 1)
			snprintf(head, sizeof(head), i ? "head%.0zu/" : "base/", i > 1 ? i : 0);
		for (size_t j = 0; !err && j < sides[i].nr; j++)
			err = add_sample(list, &sides[i], &sides[i].samples[j], head, j);
	}
	return err ? err : print_json_root(json_pack("{so so}", "context", context(&sides[0]),
						     "benchmarks", list), out);
}
