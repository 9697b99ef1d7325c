/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of the kernel's CPU numbers, in the kernel's notation (0-3,8), with a step as taskset(1)
 * has it (10-14:2; not the kernel's 10-14:1/2), in order: the n-th entry is where the n-th task
 * goes. CPU numbers have no upper limit but CPULIST_CPU_MAX.
 */
#ifndef KNEE_CPULIST_H
#define KNEE_CPULIST_H

#include <stddef.h>

#define CPULIST_CPU_MAX 65535

struct cpulist {
	int *cpus;
	size_t nr;
};

/* Parses @text into @list (freed by cpulist_free()). 0, -EINVAL, -ERANGE, -ENOMEM. */
int cpulist_parse(const char *text, struct cpulist *list);
void cpulist_free(struct cpulist *list);

/* Appends one CPU. 0 or -ENOMEM. */
int cpulist_add(struct cpulist *list, int cpu);

/*
 * The list as text, runs of consecutive CPUs as A-B; order and repetitions are kept. To be freed
 * by the caller; NULL if there is no memory.
 */
char *cpulist_format(const int *cpus, size_t nr);

/* Whether @cpu is in the list. */
int cpulist_contains(const struct cpulist *list, int cpu);

#endif
