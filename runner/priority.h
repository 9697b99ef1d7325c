/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Precedence for the process that watches: thousands of tasks may share its CPU. */
#ifndef KNEE_PRIORITY_H
#define KNEE_PRIORITY_H

#include <stdbool.h>

/*
 * Lets the calling thread run soon after it wakes, however many tasks compete: SCHED_FIFO where
 * that is allowed, else the shortest slice that EEVDF grants to anybody (Linux 6.12), which helps
 * against a few. Not inherited by children. Whether it is SCHED_FIFO.
 */
bool priority_raise(void);

/*
 * Ends that, before a wait for tasks that die: wait4 frees a task's /proc entries, and until those
 * who also free some have finished it spins. A real-time task spins for ever against one that it has
 * preempted, that is until the kernel throttles it: nearly a second.
 */
void priority_drop(void);

#endif
