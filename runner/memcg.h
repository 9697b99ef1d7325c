/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory cgroup of this process. */
#ifndef KNEE_MEMCG_H
#define KNEE_MEMCG_H

#include <stdint.h>

/* OOM kills in this process's memory cgroup so far; 0 if there is none. */
uint64_t memcg_oom_kills(void);

/* From here on memcg_oom_text() counts. */
void memcg_oom_mark(void);

/*
 * For a task killed by SIGKILL: ": memory cgroup DIR: 1 OOM kill, limit 64 MiB", or "" if no OOM
 * kill came since memcg_oom_mark().
 */
#define MEMCG_TEXT_MAX 400
char *memcg_oom_text(char buf[MEMCG_TEXT_MAX]);

#endif
