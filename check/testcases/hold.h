/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For locks that a task holds while it sleeps: however busy the machine is, two tasks do no more
 * than one, and the one that waits does nothing else.
 */
#ifndef CHECK_HOLD_H
#define CHECK_HOLD_H

#include <time.h>

static inline void hold(void)
{
	const struct timespec time = { .tv_nsec = 1000000 };

	nanosleep(&time, NULL);
}

#endif
