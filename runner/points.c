/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "points.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
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

static int add_word(struct points *p, char *word, const struct topo *t)
{
	uint64_t tasks;
	size_t len = strlen(word);

	if (strcmp(word, "all") == 0)
		return add(p, t->nr_pus, "asked for");
	if (strchr(word, '-'))
		return add_range(p, word);
	if (len && word[len - 1] == '%')
		return add_share(p, word, t->nr_pus);
	if (num_parse_u64(word, &tasks) != 0 || tasks < 1 || tasks > TASKS_MAX)
		return -EINVAL;
	return add(p, tasks, "asked for");
}

int points_parse(const char *text, const struct topo *t, struct points *p)
{
	char *copy = strdup(text), *rest = copy, *word;
	int err = copy ? 0 : -ENOMEM;

	*p = (struct points){ 0 };
	while (!err && (word = strsep(&rest, ",")))
		err = add_word(p, word, t);
	free(copy);
	if (err) {
		if (err == -ENOMEM)
			msg_error("-t: %s", strerror(ENOMEM));
		else if (err == -ERANGE)
			msg_error("-t %s: more than %d task counts", text, POINTS_MAX);
		else
			msg_error("-t %s: must be task counts from 1 to %lu such as 1,2,4-16:4,50%%,all",
				  text, TASKS_MAX);
		points_free(p);
		return err;
	}
	put_in_order(p);
	return 0;
}

/* The number of cores, or of PUs, that have index 0 of the object at @offset; 0: none has. */
static size_t first_holds(const struct topo *t, size_t offset, bool cores)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_pus; i++) {
		const int *index = (const int *)((const char *)&t->pus[i] + offset);

		nr += *index == 0 && (!cores || t->pus[i].rank == 0);
	}
	return nr;
}

/* Of several reasons for a count, the first stands. */
static int add_once(struct points *p, const struct point *point)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->points[i].tasks == point->tasks)
			return 0;
	return add(p, point->tasks, point->why);
}

int points_default(const struct topo *t, struct points *p)
{
	const struct point fills[] = {
		{ t->nr_pus, "all PUs" },
		{ t->nr_cores, "all cores" },
		{ first_holds(t, offsetof(struct topo_pu, package), true), "fills one package" },
		{ first_holds(t, offsetof(struct topo_pu, node), true), "fills one node" },
		{ first_holds(t, offsetof(struct topo_pu, l3), true), "fills one L3" },
		{ first_holds(t, offsetof(struct topo_pu, core), false), "fills one core" },
		{ 1, "one task" },
		{ 2, "two tasks" },
	};
	int err = 0;

	*p = (struct points){ 0 };
	for (size_t i = 0; !err && i < sizeof(fills) / sizeof(fills[0]); i++)
		if (fills[i].tasks >= 1 && fills[i].tasks <= t->nr_pus)
			err = add_once(p, &fills[i]);
	for (uint64_t n = 4; !err && n < t->nr_pus; n *= 2)
		err = add_once(p, &(struct point){ n, "a power of two" });
	if (err) {
		points_free(p);
		return err;
	}
	put_in_order(p);
	return 0;
}
