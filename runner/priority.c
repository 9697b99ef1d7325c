/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "priority.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* sched_setattr(2); the C library has neither the call nor the structure. */
struct sched_attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

#define FLAG_RESET_ON_FORK 1
#define SHORTEST_SLICE_NS 100000

static bool set(struct sched_attr attr)
{
	attr.size = sizeof(attr);
	attr.flags = FLAG_RESET_ON_FORK;
	return syscall(SYS_sched_setattr, 0, &attr, 0) == 0;
}

bool priority_raise(void)
{
	if (set((struct sched_attr){ .policy = SCHED_FIFO, .priority = 1 }))
		return true;
	priority_drop();
	return false;
}

void priority_drop(void)
{
	set((struct sched_attr){ .policy = SCHED_OTHER, .runtime = SHORTEST_SLICE_NS });
}
