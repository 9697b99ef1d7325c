/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "figures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "msg.h"
#include "testcase.h"

#define NR_FIGURES (sizeof(testcase_info.figures) / sizeof(testcase_info.figures[0]))

struct value {
	uint64_t time_ns;
	double value;
};

/* One figure of one task, written by the task alone. */
struct series {
	uint64_t given;
	struct value values[FIGURES_KEPT];
};

/* A process runs one cell. The series of task i are at series + i * figures_nr(). */
static struct series *series;
static unsigned long nr_tasks;

unsigned int figures_nr(void)
{
	unsigned int nr = 0;

	while (nr < NR_FIGURES && testcase_info.figures[nr].name)
		nr++;
	return nr;
}

int figures_prepare(unsigned long nr)
{
	if (!figures_nr())
		return 0;
	nr_tasks = nr;
	/* Only what is written takes memory. */
	series = mmap(NULL, nr * figures_nr() * sizeof(*series), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (series != MAP_FAILED)
		return 0;
	series = NULL;
	msg_error("no memory for the figures of %lu tasks", nr);
	return -ENOMEM;
}

static unsigned int index_of(const char *name)
{
	unsigned int i = 0;

	while (i < figures_nr() && strcmp(testcase_info.figures[i].name, name) != 0)
		i++;
	if (i == figures_nr())
		testcase_fail(__FILE__, __LINE__, name, ENOENT);
	return i;
}

void figure_add(unsigned long nr, const char *name, double value)
{
	struct series *s = &series[nr * figures_nr() + index_of(name)];

	s->values[s->given % FIGURES_KEPT] = (struct value){ clock_ns(), value };
	s->given++;
}

unsigned long long time_ns(void)
{
	return clock_ns();
}

/* ---- summary -------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double nearest_rank(const double *sorted, uint64_t nr, unsigned int pct)
{
	return sorted[(nr * pct + 99) / 100 - 1];
}

static void take_series(const struct series *s, uint64_t from_ns, uint64_t to_ns, double *values,
			struct figures_summary *summary)
{
	uint64_t kept = s->given < FIGURES_KEPT ? s->given : FIGURES_KEPT;

	summary->lost += s->given - kept;
	for (uint64_t i = 0; i < kept; i++) {
		const struct value *v = &s->values[i];

		if (v->time_ns <= from_ns || v->time_ns > to_ns)
			continue;
		values[summary->nr++] = v->value;
		summary->sum += v->value;
	}
}

int figures_summarise(unsigned int index, uint64_t from_ns, uint64_t to_ns,
		      struct figures_summary *summary)
{
	uint64_t all = 0;
	double *values;

	*summary = (struct figures_summary){ 0 };
	for (unsigned long i = 0; i < nr_tasks; i++)
		all += series[i * figures_nr() + index].given;
	values = calloc(all + 1, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (unsigned long i = 0; i < nr_tasks; i++)
		take_series(&series[i * figures_nr() + index], from_ns, to_ns, values, summary);
	qsort(values, summary->nr, sizeof(*values), by_value);
	if (summary->nr) {
		summary->min = values[0];
		summary->median = nearest_rank(values, summary->nr, 50);
		summary->p99 = nearest_rank(values, summary->nr, 99);
		summary->max = values[summary->nr - 1];
	}
	free(values);
	return 0;
}
