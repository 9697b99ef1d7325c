/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes a figure doubtful. It is printed all the same, with the flag beside it. */
#ifndef KNEE_FLAGS_H
#define KNEE_FLAGS_H

#include <stddef.h>

enum flag {
	FLAG_LATE = 1 << 0,	 /* the sampler was stopped or starved: the window became longer */
	FLAG_STARVED = 1 << 1,	 /* some task completed no operation in the window */
	FLAG_UNSTEADY = 1 << 2,	 /* the rate still moved when the warm-up's bound was reached */
	FLAG_DRIFT = 1 << 3,	 /* the rate moved from the window's beginning to its end */
	FLAG_DISTURBED = 1 << 4, /* other work ran on the cell's CPUs */
	FLAG_STEAL = 1 << 5,	 /* the hypervisor took the cell's CPUs away */
	FLAG_SHARED_CPU = 1 << 6, /* another run of knee used the same CPUs */
	FLAG_MISPLACED = 1 << 7, /* memory lay elsewhere than --membind wants it */
	FLAG_DYING_GROUPS = 1 << 8, /* more removed memory cgroups are held than at the run's start */
};

/* The n-th flag's name and meaning, for records, tables and documents. NULL beyond the last. */
const char *flags_name(size_t n);
const char *flags_meaning(size_t n);

#endif
