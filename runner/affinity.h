/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU affinity of the calling thread, for CPU numbers of any size. */
#ifndef KNEE_AFFINITY_H
#define KNEE_AFFINITY_H

#include <stddef.h>

#include "cpulist.h"

/*
 * Binds to exactly these CPUs. 0, or -errno: the kernel would silently drop CPUs that are offline
 * or outside the cpuset cgroup, so what it made of the request is read back, and -EINVAL returned
 * if it differs.
 */
int affinity_bind(const int *cpus, size_t nr);

/* The CPUs on which the thread may run, ascending. 0 or -errno. */
int affinity_get(struct cpulist *list);

#endif
