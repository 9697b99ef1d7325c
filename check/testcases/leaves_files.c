/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each task leaves files of every kind in its directory. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "moment.h"

char *testcase_description = "A task that leaves files";

void testcase_prepare(unsigned long nr_tasks)
{
	must(open("from-prepare", O_WRONLY | O_CREAT, 0) >= 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char name[TASK_PATH_MAX], path[TASK_PATH_MAX + 8];

	must(mkdir(task_path(name, "dir", nr), 0700) == 0);
	snprintf(path, sizeof(path), "%s/deep", name);
	must(mkdir(path, 0700) == 0);
	snprintf(path, sizeof(path), "%s/file", name);
	must(open(path, O_WRONLY | O_CREAT, 0400) >= 0);
	must(mkfifo(task_path(name, "fifo", nr), 0600) == 0);
	/* Nothing may be removed through it. */
	must(symlink("../outside", task_path(name, "link", nr)) == 0);
	count_for_ever(iterations);
}
