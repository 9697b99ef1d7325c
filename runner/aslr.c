/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aslr.h"

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

	if (current < 0 || (current & ADDR_NO_RANDOMIZE))
		return;
	if (personality((unsigned long)current | ADDR_NO_RANDOMIZE) < 0)
		return;
	/* A kernel that accepts and forgets must not make this a loop. */
	if (personality(QUERY) & ADDR_NO_RANDOMIZE)
		execv("/proc/self/exe", argv);
}
