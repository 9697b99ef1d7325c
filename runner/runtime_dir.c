/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime_dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

#define DEFAULT_DIR "/run/lock/knee"

/* Everybody may use the directory; nobody may remove another's files. */
static int open_dir(const char *path)
{
	int fd;

	if (mkdir(path, 0777) == 0)
		chmod(path, 01777);
	fd = file_above_stderr(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (fd >= 0 && faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_default_dir(void)
{
	const char *user_dir = getenv("XDG_RUNTIME_DIR");
	char *path;
	int fd = open_dir(DEFAULT_DIR);

	if (fd >= 0 || !user_dir || asprintf(&path, "%s/knee", user_dir) < 0)
		return fd;
	fd = open_dir(path);
	free(path);
	return fd;
}

int runtime_dir_open(void)
{
	const char *dir = getenv("KNEE_RUNTIME_DIR");

	return dir ? open_dir(dir) : open_default_dir();
}

const char *runtime_dir_name(void)
{
	const char *dir = getenv("KNEE_RUNTIME_DIR");

	return dir ? dir : DEFAULT_DIR;
}
