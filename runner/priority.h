/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Precedence for the process that watches: thousands of tasks may share its CPU. */
#ifndef KNEE_PRIORITY_H
#define KNEE_PRIORITY_H

/*
 * Lets the calling thread run soon after it wakes, however many tasks compete: SCHED_FIFO where
 * that is allowed, else the shortest slice that EEVDF grants to anybody (Linux 6.12). Not
 * inherited by children. Without either nothing changes.
 */
void priority_raise(void);

#endif
