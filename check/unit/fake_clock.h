/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A clock that a test sets, in the place of the C library's for this program: CLOCK_MONOTONIC is
 * fake_now_ns, and the CPU time of any process fake_cpu_ns.
 */
#ifndef KNEE_CHECK_FAKE_CLOCK_H
#define KNEE_CHECK_FAKE_CLOCK_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t fake_now_ns, fake_cpu_ns;

int clock_gettime(clockid_t clock, struct timespec *t)
{
	/* Clocks of processes have negative numbers. */
	uint64_t ns = clock < 0 ? fake_cpu_ns : fake_now_ns;

	if (clock >= 0 && clock != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, clock, t);
	t->tv_sec = (time_t)(ns / 1000000000);
	t->tv_nsec = (long)(ns % 1000000000);
	return 0;
}

#endif
