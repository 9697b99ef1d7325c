/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A new file in $KNEE_X, whose pages keep the memory cgroup that they are charged to. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "moment.h"

char *testcase_description = "Page cache that stays";

void testcase_prepare(unsigned long nr_tasks)
{
	static const char page[4096];
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%d", getenv("KNEE_X"), (int)getpid());
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	must(write(fd, page, sizeof(page)) == sizeof(page));
	must(close(fd) == 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	count_for_ever(iterations);
}
