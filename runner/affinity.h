/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU affinity of the calling thread, for CPU numbers of any size. */
#ifndef KNEE_AFFINITY_H
#define KNEE_AFFINITY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cpulist.h"

/*
 * Binds to exactly these CPUs. 0, or -errno: the kernel would silently drop CPUs that are offline
 * or outside the cpuset cgroup, so what it made of the request is read back, and -EINVAL returned
 * if it differs.
 */
int affinity_bind(const int *cpus, size_t nr);

/*
 * Whether that thread may run on none but these CPUs: the kernel widens the mask of a thread whose
 * last CPU goes offline. True also if it cannot be found out.
 */
bool affinity_is_within(pid_t id, const int *cpus, size_t nr);

/* The CPUs on which the thread may run, ascending. 0 or -errno. */
int affinity_get(struct cpulist *list);

#endif
