/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flags.h"

static const struct {
	const char *name, *meaning;
} flags[] = {
	{ "late", "the sampler was stopped or starved, so a sample is longer than planned" },
	{ "starved", "some task completed no operation in the window" },
	{ "unsteady", "the rate still moved when the warm-up ended at its bound" },
	{ "drift", "the rate moved from the beginning of the window to its end" },
	{ "disturbed", "other work ran on the CPUs of the cell" },
	{ "steal", "the hypervisor took the CPUs of the cell away" },
	{ "shared_cpu", "another run used the CPUs of the cell" },
	{ "misplaced", "memory lay elsewhere than --membind wants it" },
	{ "dying_groups", "more memory cgroups that were removed are still held than at the run's start" },
};

#define NR_FLAGS (sizeof(flags) / sizeof(flags[0]))

const char *flags_name(size_t n)
{
	return n < NR_FLAGS ? flags[n].name : NULL;
}

const char *flags_meaning(size_t n)
{
	return n < NR_FLAGS ? flags[n].meaning : NULL;
}
