/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each task, and a partner of each, fills 2 MiB, and then sleeps most of the time: check/placed.py
 * looks where they are.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "testcase.h"

#define BYTES (2UL << 20)

char *testcase_description = "Sleeping beside 2 MiB of memory";

const struct testcase_info testcase_info = { .prepares = 1 };

/* Between holes, so that the kernel does not merge it with other mappings. */
static void hold(void)
{
	char *room = mmap(NULL, 3 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(room != MAP_FAILED);
	must(madvise(room, 3 * BYTES, MADV_NOHUGEPAGE) == 0 || errno == EINVAL);
	must(mprotect(room + BYTES, BYTES, PROT_READ | PROT_WRITE) == 0);
	memset(room + BYTES, 1, BYTES);
}

static void nap(void)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	nanosleep(&pause, NULL);
}

static void *partner(void *filled)
{
	must(prctl(PR_SET_NAME, "partner") == 0);
	hold();
	*(volatile int *)filled = 1;
	for (;;)
		nap();
	return filled;
}

/* Counts when both have filled their memory: until then the window does not begin. */
void testcase(unsigned long long *iterations, unsigned long nr)
{
	volatile int *filled = mmap(NULL, sizeof(*filled), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	must(filled != MAP_FAILED);
	must(prctl(PR_SET_NAME, "task") == 0);
	hold();
	new_task(partner, (void *)filled);
	while (!*filled)
		nap();
	for (;;) {
		nap();
		count(iterations);
	}
}
