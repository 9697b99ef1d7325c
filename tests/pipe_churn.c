/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pipe made, filled, drained and closed: an inode, a dentry, a pipe_inode_info, its ring of
 * buffers, two files, and one page for every 4 KiB written, all allocated, charged to the memory
 * cgroup and freed. The page allocator and that charging limit it, in threads also the common
 * descriptor table.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testcase.h"

#define SIZE_LIMIT (64 * 1024)

char *testcase_description = "Pipe made, filled, drained, closed";

const struct testcase_info testcase_info = {
	.unit = "pipe + fill + drain + 2 close",
	.tags = "ipc vfs memcg",
	.exercises = "pipe2 write read close create_pipe_files alloc_pipe_info pipe_write "
		     "alloc_pages pipe_read free_pipe_info __memcg_kmem_charge_page",
	.contends = "memcg_stock page_counter user->pipe_bufs zone->lock "
		    "files_struct->file_lock",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.syscalls = { { "pipe2", 1 }, { "write", 1 }, { "read", 1 }, { "close", 2 } },
	.needs = { .memory = "128K", .descriptors = "2" },
	.params = { { "size", "64K", "1", "64K", NULL, "bytes written, then read, in one call" } },
	.notes = "64K is all that a pipe holds by default where pages have 4 KiB, and the "
		 "same amount elsewhere; beyond pipe-user-pages-soft (1024 pipes of one "
		 "unprivileged user) pipes hold less, which fails the cell",
};

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const size_t size = param("size");
	char *data = aligned_alloc(4096, SIZE_LIMIT);
	int fd[2];

	must(data);
	memset(data, 0, SIZE_LIMIT);
	for (;;) {
		must(pipe2(fd, O_NONBLOCK) == 0);	/* a smaller pipe fails, not hangs */
		must(write(fd[1], data, size) == (ssize_t)size);
		must(read(fd[0], data, size) == (ssize_t)size);
		must(close(fd[0]) == 0);
		must(close(fd[1]) == 0);
		count(iterations);
	}
}
