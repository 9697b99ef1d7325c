/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One byte through a pipe by one task: write copies it into a page of the pipe, read copies it
 * out and gives the page back to the pipe's own small cache. Every task has its own pipe and
 * takes only that pipe's mutex.
 */
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "Pipe, one byte written and read";

const struct testcase_info testcase_info = {
	.unit = "write of 1 byte + read of 1 byte",
	.tags = "ipc vfs",
	.suites = "will-it-scale",
	.exercises = "write read vfs_write pipe_write vfs_read pipe_read",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_PRIVATE,
	.syscalls = { { "write", 1 }, { "read", 1 } },
	.needs = { .descriptors = "2" },
	.notes = "writer and reader are the same task: nobody sleeps and nobody is woken",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char byte = 0;
	int fd[2];

	must(pipe(fd) == 0);
	for (;;) {
		must(write(fd[1], &byte, 1) == 1);
		must(read(fd[0], &byte, 1) == 1);
		count(iterations);
	}
}
