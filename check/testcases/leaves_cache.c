/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file outside of the scratch directory, whose pages keep the memory cgroup that they are charged to. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "moment.h"

char *testcase_description = "Page cache that stays";

void testcase_prepare(unsigned long nr_tasks)
{
	static const char page[4096];
	int fd = open(getenv("KNEE_X"), O_CREAT | O_WRONLY, 0600);

	must(write(fd, page, sizeof(page)) == sizeof(page));
	must(close(fd) == 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
