/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "span.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct level {
	size_t offset;		/* in struct topo_pu */
	const char *one, *many, *member;
} levels[] = {
	{ offsetof(struct topo_pu, cpu), "PU", "PUs", "pus" },
	{ offsetof(struct topo_pu, core), "core", "cores", "cores" },
	{ offsetof(struct topo_pu, l3), "L3", "L3s", "l3s" },
	{ offsetof(struct topo_pu, node), "node", "nodes", "nodes" },
	{ offsetof(struct topo_pu, package), "package", "packages", "packages" },
};

#define NR_LEVELS (sizeof(levels) / sizeof(levels[0]))

static int index_on(const struct topo_pu *pu, const struct level *level)
{
	return *(const int *)((const char *)pu + level->offset);
}

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

/* How many different objects hold the first @nr; unknown ones are not counted. */
static size_t count_objects(const struct topo_pu *const *order, size_t nr, const struct level *level,
			    int *room)
{
	size_t found = 0;

	for (size_t i = 0; i < nr; i++)
		room[i] = index_on(order[i], level);
	qsort(room, nr, sizeof(*room), compare);
	for (size_t i = 0; i < nr; i++)
		found += room[i] >= 0 && (i == 0 || room[i] != room[i - 1]);
	return found;
}

/* How many of the first @nr are, without a gap, where the very first one is; 0: not known. */
static size_t leading(const struct topo_pu *const *order, size_t nr, const struct level *level)
{
	int first = index_on(order[0], level);
	size_t run = 1;

	if (first < 0)
		return 0;
	while (run < nr && index_on(order[run], level) == first)
		run++;
	return run;
}

/* The innermost object that several tasks, from the first on, have in common. */
static void put_shared(FILE *out, const struct topo_pu *const *order, size_t nr, uint64_t tasks)
{
	for (size_t i = 0; i < NR_LEVELS; i++) {
		size_t run = leading(order, nr, &levels[i]);

		if (run == nr && tasks > 1) {
			fprintf(out, "%" PRIu64 " tasks share one %s; ", tasks, levels[i].one);
			return;
		}
		if (run > 1) {
			fprintf(out, "tasks 0-%zu of %" PRIu64 " share one %s; ", run - 1, tasks,
				levels[i].one);
			return;
		}
	}
}

static void put_counts(FILE *out, const size_t counts[NR_LEVELS])
{
	const char *separator = "";

	for (size_t i = 1; i < NR_LEVELS; i++) {
		if (!counts[i])
			continue;
		fprintf(out, "%s%zu %s", separator, counts[i],
			counts[i] == 1 ? levels[i].one : levels[i].many);
		separator = ", ";
	}
}

static char *span_text(const struct topo_pu *const *order, size_t nr, uint64_t tasks,
		       const size_t counts[NR_LEVELS])
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_shared(out, order, nr, tasks);
	put_counts(out, counts);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

json_t *span_json(const struct topo_pu *const *order, size_t nr, uint64_t tasks)
{
	size_t used = tasks < nr ? tasks : nr, counts[NR_LEVELS];
	int *room = calloc(used + 1, sizeof(*room));
	json_t *span = room ? json_object() : NULL;
	char *text = NULL;

	for (size_t i = 0; span && i < NR_LEVELS; i++) {
		counts[i] = count_objects(order, used, &levels[i], room);
		json_object_set_new(span, levels[i].member, json_integer((json_int_t)counts[i]));
	}
	if (span)
		text = span_text(order, used, tasks, counts);
	if (span)
		json_object_set_new(span, "text", text ? json_string(text) : json_null());
	free(text);
	free(room);
	return span;
}
