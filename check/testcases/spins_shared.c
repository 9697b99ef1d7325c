/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One lock for all tasks, a variable that those who wait for it spin on, in spin_on_shared(). */
#include <sys/mman.h>

#include "hold.h"
#include "testcase.h"

char *testcase_description = "A shared variable that tasks spin on";

const struct testcase_info testcase_info = {
	.contends = "variable spin_on_shared",
	.sharing_processes = SHARING_SHARED,
	.sharing_threads = SHARING_SHARED,
};

static int *shared;

void spin_on_shared(void);

__attribute__((noinline)) void spin_on_shared(void)
{
	while (__atomic_exchange_n(shared, 1, __ATOMIC_ACQUIRE))
		while (__atomic_load_n(shared, __ATOMIC_RELAXED))
			;
}

void testcase_prepare(unsigned long nr_tasks)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(shared != MAP_FAILED);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	for (;;) {
		spin_on_shared();
		hold();
		__atomic_store_n(shared, 0, __ATOMIC_RELEASE);
		count(iterations);
	}
}
