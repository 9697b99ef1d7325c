/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpulist.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void cpulist_free(struct cpulist *list)
{
	free(list->cpus);
	list->cpus = NULL;
	list->nr = 0;
}

int cpulist_add(struct cpulist *list, int cpu)
{
	/* The room doubles whenever the number of entries reaches a power of two. */
	if ((list->nr & (list->nr - 1)) == 0) {
		size_t room = list->nr ? 2 * list->nr : 1;
		int *cpus = reallocarray(list->cpus, room, sizeof(*cpus));

		if (!cpus)
			return -ENOMEM;
		list->cpus = cpus;
	}
	list->cpus[list->nr++] = cpu;
	return 0;
}

static int number(const char **text, int *out)
{
	char *end;
	long value;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	value = strtol(*text, &end, 10);
	if (errno || value > CPULIST_CPU_MAX)
		return -ERANGE;
	*text = end;
	*out = (int)value;
	return 0;
}

/* A, A-B or A-B:STEP. */
static int range(const char **text, struct cpulist *list)
{
	int first, last, step = 1;
	int err = number(text, &first);

	if (err)
		return err;
	last = first;
	if (**text == '-') {
		++*text;
		err = number(text, &last);
		if (err)
			return err;
		if (**text == ':') {
			++*text;
			err = number(text, &step);
			if (err)
				return err;
		}
	}
	if (last < first || step < 1)
		return -EINVAL;
	for (int cpu = first; cpu <= last; cpu += step) {
		err = cpulist_add(list, cpu);
		if (err)
			return err;
	}
	return 0;
}

int cpulist_parse(const char *text, struct cpulist *list)
{
	int err;

	*list = (struct cpulist){ 0 };
	for (;;) {
		err = range(&text, list);
		if (!err && *text == '\0')
			return 0;
		if (!err && *text != ',')
			err = -EINVAL;
		if (err)
			break;
		text++;
	}
	cpulist_free(list);
	return err;
}

char *cpulist_format(const int *cpus, size_t nr)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && cpus[end] == cpus[end - 1] + 1; end++)
			;
		fprintf(out, "%s%d", i ? "," : "", cpus[i]);
		if (end - i > 1)
			fprintf(out, "%c%d", end - i > 2 ? '-' : ',', cpus[end - 1]);
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

int cpulist_contains(const struct cpulist *list, int cpu)
{
	for (size_t i = 0; i < list->nr; i++)
		if (list->cpus[i] == cpu)
			return 1;
	return 0;
}
