/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one clock of all measurements: CLOCK_MONOTONIC, in nanoseconds. */
#ifndef KNEE_CLOCK_H
#define KNEE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S 1000000000ULL
#define NS_PER_MS 1000000ULL

static inline uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Seconds as nanoseconds; @seconds is at least 0 and small enough. */
static inline uint64_t clock_from_seconds(double seconds)
{
	return (uint64_t)(seconds * 1e9 + 0.5);
}

#endif
