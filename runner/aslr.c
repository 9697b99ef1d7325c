/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aslr.h"

#include <limits.h>
#include <stdint.h>
#include <sys/personality.h>
#include <unistd.h>

#include "file.h"

#define QUERY 0xffffffffUL

bool aslr_is_on(void)
{
	uint64_t level;

	if (file_read_u64(&level, "", "/proc/sys/kernel/randomize_va_space") == 0 && level == 0)
		return false;
	return !(personality(QUERY) & ADDR_NO_RANDOMIZE);
}

void aslr_turn_off(char **argv)
{
	int current = personality(QUERY);
	char path[PATH_MAX];
	ssize_t len;

	if (current < 0 || (current & ADDR_NO_RANDOMIZE))
		return;
	if (personality((unsigned long)current | ADDR_NO_RANDOMIZE) < 0)
		return;
	/* A kernel that accepts and forgets must not make this a loop. */
	if (!(personality(QUERY) & ADDR_NO_RANDOMIZE))
		return;
	/* By its path: the process is named after it in ps(1) and to pkill(1). */
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (len > 0) {
		path[len] = '\0';
		execv(path, argv);
	}
	execv("/proc/self/exe", argv);
}
