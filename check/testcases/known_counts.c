/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does nothing but known work, once, a second after the gate opened, and sleeps before and after
 * it: so many page faults and so many sleeps, and what the kernel counted itself of both
 * (getrusage), as figures. All that it touches it has touched before.
 */
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "testcase.h"

#define PAGE 4096UL

char *testcase_description = "Known numbers of page faults and sleeps";

const struct testcase_info testcase_info = {
	.params = { { "faults", "1000", "1", NULL, NULL, "page faults" },
		    { "sleeps", "200", "1", NULL, NULL, "sleeps" } },
	.figures = { { "faults", "page faults that the task has had" },
		     { "switches", "context switches that it has had" } },
};

static void work(char *pages, unsigned long faults, unsigned long sleeps)
{
	const struct timespec moment = { .tv_nsec = 50000 };

	must(madvise(pages, faults * PAGE, MADV_DONTNEED) == 0);
	for (unsigned long i = 0; i < faults; i++)
		((volatile char *)pages)[i * PAGE] = 1;
	for (unsigned long i = 0; i < sleeps; i++)
		nanosleep(&moment, NULL);
}

static void tell(unsigned long nr, const struct rusage *a, const struct rusage *b)
{
	figure_add(nr, "faults",
		   (double)(b->ru_minflt + b->ru_majflt - a->ru_minflt - a->ru_majflt));
	/* The sleep that follows is one more. */
	figure_add(nr, "switches",
		   (double)(b->ru_nvcsw + b->ru_nivcsw - a->ru_nvcsw - a->ru_nivcsw + 1));
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	unsigned long faults = param("faults"), sleeps = param("sleeps");
	char *pages = mmap(NULL, faults * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct timespec second = { .tv_sec = 1 }, long_time = { .tv_sec = 1000 };
	struct rusage before, after;

	must(pages != MAP_FAILED);
	must(madvise(pages, faults * PAGE, MADV_NOHUGEPAGE) == 0);
	must(getrusage(RUSAGE_THREAD, &before) == 0);
	work(pages, faults, 1);
	must(getrusage(RUSAGE_THREAD, &after) == 0);
	tell(nr, &before, &after);
	count(iterations);
	nanosleep(&second, NULL);
	must(getrusage(RUSAGE_THREAD, &before) == 0);
	work(pages, faults, sleeps);
	must(getrusage(RUSAGE_THREAD, &after) == 0);
	tell(nr, &before, &after);
	count(iterations);
	nanosleep(&long_time, NULL);
}
