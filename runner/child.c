/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int spawn(char *const argv[], int out_fd, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return -error;
	error = posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -error;
}

static int read_all(int fd, char **out)
{
	size_t size;
	FILE *sink = open_memstream(out, &size);
	char buf[4096];
	ssize_t got;

	if (!sink)
		return -errno;
	while ((got = read(fd, buf, sizeof(buf))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			fwrite(buf, 1, (size_t)got, sink);
	return fclose(sink) == 0 && got == 0 ? 0 : -EIO;
}

int child_output(char *const argv[], char **out)
{
	int fds[2], err, status;
	pid_t pid;

	*out = NULL;
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -errno;
	err = spawn(argv, fds[1], &pid);
	close(fds[1]);
	if (err) {
		close(fds[0]);
		return err;
	}
	err = read_all(fds[0], out);
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (err)
		return err;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
