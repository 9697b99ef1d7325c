/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The message queues that tasks make (testcase.h, task_sysv_queue()): they belong to no process and
 * lie in no directory, so what is to be removed is written down in shared memory before it exists.
 */
#ifndef KNEE_QUEUES_H
#define KNEE_QUEUES_H

/*
 * Room for a queue of each kind for each of @nr tasks; @scratch, the path of the cell's scratch
 * directory, gives POSIX queues their name. 0 or -ENOMEM, said once.
 */
int queues_prepare(unsigned long nr, const char *scratch);

/* Removes those that were made. Also from a child of the process that prepared, as the guardian. */
void queues_remove(void);

#endif
