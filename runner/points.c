/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "points.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "num.h"
#include "tasks.h"

/* A range of more points is a slip of the pen. */
#define POINTS_MAX 100000

void points_free(struct points *p)
{
	free(p->points);
	*p = (struct points){ 0 };
}

static int add(struct points *p, uint64_t tasks, const char *why)
{
	if (p->nr == POINTS_MAX)
		return -ERANGE;
	/* The room doubles whenever the number of points reaches a power of two. */
	if ((p->nr & (p->nr - 1)) == 0) {
		size_t room = p->nr ? 2 * p->nr : 1;
		struct point *points = reallocarray(p->points, room, sizeof(*points));

		if (!points)
			return -ENOMEM;
		p->points = points;
	}
	p->points[p->nr++] = (struct point){ tasks, why };
	return 0;
}

/* Of several reasons for a count, the first stands. */
static int add_once(struct points *p, uint64_t tasks, const char *why)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->points[i].tasks == tasks)
			return 0;
	return add(p, tasks, why);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = ((const struct point *)a)->tasks, y = ((const struct point *)b)->tasks;

	return x < y ? -1 : x > y;
}

/* Ascending, each once. */
static void put_in_order(struct points *p)
{
	size_t kept = 0;

	qsort(p->points, p->nr, sizeof(*p->points), compare);
	for (size_t i = 0; i < p->nr; i++)
		if (i == 0 || p->points[i].tasks != p->points[kept - 1].tasks)
			p->points[kept++] = p->points[i];
	p->nr = kept;
}

/* A-B or A-B:STEP; @word is cut up. */
static int add_range(struct points *p, char *word)
{
	char *last = strchr(word, '-'), *by;
	uint64_t from, to, step = 1;
	int err = 0;

	*last++ = '\0';
	by = strchr(last, ':');
	if (by)
		*by++ = '\0';
	if (num_parse_u64(word, &from) || num_parse_u64(last, &to) ||
	    (by && num_parse_u64(by, &step)) || from < 1 || to < from || step < 1 || to > TASKS_MAX ||
	    step > TASKS_MAX)
		return -EINVAL;
	for (uint64_t n = from; !err && n <= to; n += step)
		err = add(p, n, "asked for");
	return err;
}

/* N% of the PUs, rounded, at least 1. */
static int add_share(struct points *p, char *word, size_t nr_pus)
{
	double pct, tasks;

	word[strlen(word) - 1] = '\0';
	if (num_parse_decimal(word, &pct) != 0 || pct <= 0)
		return -EINVAL;
	tasks = pct / 100 * (double)nr_pus + 0.5;
	if (tasks > TASKS_MAX)
		return -EINVAL;
	return add(p, tasks < 1 ? 1 : (uint64_t)tasks, "asked for");
}

static int add_word(struct points *p, char *word, size_t nr_pus)
{
	uint64_t tasks;
	size_t len = strlen(word);

	if (strcmp(word, "all") == 0)
		return add(p, nr_pus, "asked for");
	if (strchr(word, '-'))
		return add_range(p, word);
	if (len && word[len - 1] == '%')
		return add_share(p, word, nr_pus);
	if (num_parse_u64(word, &tasks) != 0 || tasks < 1 || tasks > TASKS_MAX)
		return -EINVAL;
	return add(p, tasks, "asked for");
}

static int finish(struct points *p, int err)
{
	if (err)
		points_free(p);
	else
		put_in_order(p);
	return err;
}

int points_parse(const char *option, const char *text, size_t nr_pus, struct points *p)
{
	char *copy = strdup(text), *rest = copy, *word;
	int err = copy ? 0 : -ENOMEM;

	*p = (struct points){ 0 };
	while (!err && (word = strsep(&rest, ",")))
		err = add_word(p, word, nr_pus);
	free(copy);
	if (err) {
		if (err == -ENOMEM)
			msg_error("%s: %s", option, strerror(ENOMEM));
		else if (err == -ERANGE)
			msg_error("%s %s: more than %d task counts", option, text, POINTS_MAX);
		else
			msg_error("%s %s: must be task counts from 1 to %lu such as "
				  "1,2,4-16:4,50%%,all", option, text, TASKS_MAX);
	}
	return finish(p, err);
}

/* ---- by the topology ------------------------------------------------------------------------ */

static const struct object {
	size_t offset;		/* in struct topo_pu */
	const char *filled, *filled_by_cores, *one_each;
} objects[] = {
	{ offsetof(struct topo_pu, package), "fills one package",
	  "fills one package, a task a core", "a task on each package" },
	{ offsetof(struct topo_pu, node), "fills one node", "fills one node, a task a core",
	  "a task on each node" },
	{ offsetof(struct topo_pu, l3), "fills one L3", "fills one L3, a task a core",
	  "a task on each L3" },
	{ offsetof(struct topo_pu, core), "fills one core", NULL, "a task on each core" },
};

static int index_of(const struct topo_pu *pu, const struct object *o)
{
	return *(const int *)((const char *)pu + o->offset);
}

/* The PUs of object @index, or only the first of each of its cores. */
static size_t size_of(const struct topo *t, const struct object *o, int index, bool cores)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_pus; i++)
		nr += index_of(&t->pus[i], o) == index && (!cores || t->pus[i].rank == 0);
	return nr;
}

/* Whether the first @nr of the order are the object's, and with @cores one on each core. */
static bool begins_with(const struct topo_pu *const *order, size_t nr, const struct object *o,
			bool cores)
{
	for (size_t i = 0; i < nr; i++)
		if (index_of(order[i], o) != index_of(order[0], o) || (cores && order[i]->rank != 0))
			return false;
	return true;
}

static size_t count_objects(const struct topo *t, const struct object *o)
{
	int max = -1;

	for (size_t i = 0; i < t->nr_pus; i++)
		max = index_of(&t->pus[i], o) > max ? index_of(&t->pus[i], o) : max;
	return (size_t)(max + 1);
}

/* Whether the first @nr of the order, as many as there are objects, are on one each. */
static bool spreads(const struct topo_pu *const *order, size_t nr, const struct object *o)
{
	bool *seen = calloc(nr + 1, sizeof(*seen));
	bool does = seen;

	for (size_t i = 0; does && i < nr; i++) {
		int index = index_of(order[i], o);

		does = index >= 0 && !seen[index];
		if (does)
			seen[index] = true;
	}
	free(seen);
	return does;
}

static int add_object(const struct topo *t, const struct topo_pu *const *order, size_t nr_pus,
		      const struct object *o, struct points *p)
{
	int first = index_of(order[0], o), err = 0;
	size_t all = size_of(t, o, first, false), cores = size_of(t, o, first, true);
	size_t objects_of_kind = count_objects(t, o);

	if (first < 0)
		return 0;
	if (all <= nr_pus && begins_with(order, all, o, false))
		err = add_once(p, all, o->filled);
	if (!err && o->filled_by_cores && cores <= nr_pus && begins_with(order, cores, o, true))
		err = add_once(p, cores, o->filled_by_cores);
	if (!err && objects_of_kind <= nr_pus && spreads(order, objects_of_kind, o))
		err = add_once(p, objects_of_kind, o->one_each);
	return err;
}

int points_by_topology(const struct topo *t, const struct topo_pu *const *order, size_t nr_pus,
		       struct points *p)
{
	int err;

	*p = (struct points){ 0 };
	err = add_once(p, nr_pus, "all PUs");
	/* All cores of a machine of one package are better called so. */
	if (!err && t->nr_cores <= nr_pus && spreads(order, t->nr_cores, &objects[3]))
		err = add_once(p, t->nr_cores, "a task on each core");
	if (!err)
		err = add_once(p, 1, "one task");
	for (size_t i = 0; !err && i < sizeof(objects) / sizeof(objects[0]); i++)
		err = add_object(t, order, nr_pus, &objects[i], p);
	if (!err && nr_pus > 2)
		err = add_once(p, 2, "two tasks");
	for (uint64_t n = 4; !err && n < nr_pus; n *= 2)
		err = add_once(p, n, "a power of two");
	return finish(p, err);
}

int points_powers(size_t nr_pus, struct points *p)
{
	int err;

	*p = (struct points){ 0 };
	err = add_once(p, nr_pus, "all PUs");
	for (uint64_t n = 1; !err && n < nr_pus; n *= 2)
		err = add_once(p, n, "a power of two");
	return finish(p, err);
}

int points_every(size_t nr_pus, struct points *p)
{
	int err = 0;

	*p = (struct points){ 0 };
	for (uint64_t n = 1; !err && n <= nr_pus; n++)
		err = add(p, n, "every count");
	return finish(p, err);
}
