/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "affinity.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SET_BYTES CPU_ALLOC_SIZE(CPULIST_CPU_MAX + 1)

int affinity_bind(const int *cpus, size_t nr)
{
	cpu_set_t *want, *got;
	size_t bytes;
	int max = 0, err = 0;

	for (size_t i = 0; i < nr; i++)
		max = cpus[i] > max ? cpus[i] : max;
	bytes = CPU_ALLOC_SIZE(max + 1);
	want = CPU_ALLOC(max + 1);
	got = CPU_ALLOC(CPULIST_CPU_MAX + 1);
	if (!want || !got) {
		err = -ENOMEM;
		goto out;
	}
	CPU_ZERO_S(bytes, want);
	for (size_t i = 0; i < nr; i++)
		CPU_SET_S((size_t)cpus[i], bytes, want);
	if (sched_setaffinity(0, bytes, want) != 0) {
		err = -errno;
		goto out;
	}
	CPU_ZERO_S(SET_BYTES, got);
	if (sched_getaffinity(0, SET_BYTES, got) != 0)
		err = -errno;
	else if (CPU_COUNT_S(SET_BYTES, got) != CPU_COUNT_S(bytes, want))
		err = -EINVAL;
out:
	CPU_FREE(want);
	CPU_FREE(got);
	return err;
}

/* The system call tells how much of the mask it wrote: most of it is never looked at. */
bool affinity_is_within(pid_t id, const int *cpus, size_t nr)
{
	unsigned long mask[SET_BYTES / sizeof(long)];
	long bytes = syscall(SYS_sched_getaffinity, id, sizeof(mask), mask);
	const unsigned char *byte = (const unsigned char *)mask;

	if (bytes < 0)
		return true;
	for (size_t i = 0; i < nr; i++)
		if (cpus[i] / 8 < bytes)
			CPU_CLR_S((size_t)cpus[i], (size_t)bytes, (cpu_set_t *)(void *)mask);
	for (long i = 0; i < bytes; i++)
		if (byte[i])
			return false;
	return true;
}

int affinity_get(struct cpulist *list)
{
	cpu_set_t *set = CPU_ALLOC(CPULIST_CPU_MAX + 1);
	int err = 0;

	*list = (struct cpulist){ 0 };
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(SET_BYTES, set);
	if (sched_getaffinity(0, SET_BYTES, set) != 0)
		err = -errno;
	for (int cpu = 0; !err && cpu <= CPULIST_CPU_MAX; cpu++)
		if (CPU_ISSET_S((size_t)cpu, SET_BYTES, set))
			err = cpulist_add(list, cpu);
	if (err)
		cpulist_free(list);
	CPU_FREE(set);
	return err;
}
