/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "msg.h"

#define PREFIX "knee."
#define PREFIX_LEN (sizeof(PREFIX) - 1)

const char *scratch_default_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && dir[0] == '/' ? dir : "/tmp";
}

static bool is_in_memory(const char *type)
{
	return strcmp(type, "tmpfs") == 0 || strcmp(type, "ramfs") == 0;
}

/* Some filesystems have no O_DIRECT, and only opening a file tells. 0 or -errno. */
static int try_direct(const char *dir)
{
	char *path;
	int fd, err = 0;

	if (asprintf(&path, "%s/" PREFIX "direct.XXXXXX", dir) < 0)
		return -ENOMEM;
	fd = mkostemp(path, O_DIRECT | O_CLOEXEC);
	if (fd < 0)
		err = -errno;
	else
		close(fd);
	/* Where O_DIRECT is refused, the file may have been made all the same. */
	unlink(path);
	free(path);
	return err;
}

static int choose_disk(const char *dir, const char *type, char why[SCRATCH_TEXT_MAX])
{
	if (!is_in_memory(type))
		return 0;
	snprintf(why, SCRATCH_TEXT_MAX, "needs a filesystem on a disk, and %s is %s (--dir)", dir, type);
	return -ENOTSUP;
}

/* tmpfs takes the flag since Linux 6.6, and reads from memory as before. */
static int choose_direct(const char *dir, const char *type, char why[SCRATCH_TEXT_MAX])
{
	int err = choose_disk(dir, type, why);

	if (!err && try_direct(dir) == -EINVAL) {
		snprintf(why, SCRATCH_TEXT_MAX, "needs O_DIRECT, and %s, which is %s, has none (--dir)",
			 dir, type);
		err = -ENOTSUP;
	}
	return err;
}

static int choose_tmpfs(const char **dir, const char *type, char why[SCRATCH_TEXT_MAX])
{
	char shm[FILE_FSTYPE_MAX];

	if (strcmp(type, "tmpfs") == 0)
		return 0;
	if (strcmp(file_fstype(shm, "/dev/shm"), "tmpfs") != 0) {
		snprintf(why, SCRATCH_TEXT_MAX,
			 "needs a tmpfs, and neither %s nor /dev/shm is one (--dir)", *dir);
		return -ENOTSUP;
	}
	*dir = "/dev/shm";
	return 0;
}

int scratch_choose_dir(const char **dir, const char *fs, char why[SCRATCH_TEXT_MAX])
{
	char type[FILE_FSTYPE_MAX];

	if (!fs)
		return 0;
	file_fstype(type, *dir);
	if (strcmp(fs, "disk") == 0)
		return choose_disk(*dir, type, why);
	if (strcmp(fs, "direct") == 0)
		return choose_direct(*dir, type, why);
	if (strcmp(fs, "tmpfs") == 0)
		return choose_tmpfs(dir, type, why);
	snprintf(why, SCRATCH_TEXT_MAX, "needs a filesystem that this version does not know: %s", fs);
	return -ENOTSUP;
}

/* Whether @path still is the directory that @fd has open: a sweep may have been faster. */
static int same_directory(int fd, const char *path)
{
	struct stat by_fd, by_path;

	return fstat(fd, &by_fd) == 0 && lstat(path, &by_path) == 0 &&
	       by_fd.st_ino == by_path.st_ino && by_fd.st_dev == by_path.st_dev;
}

static int make_and_lock(struct scratch *s)
{
	if (!mkdtemp(s->path))
		return -errno;
	/* Not O_CLOEXEC: what a task executes belongs to the cell, too. */
	s->lock_fd = open(s->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (s->lock_fd < 0)
		return errno == ENOENT ? -ESTALE : -errno;
	if (flock(s->lock_fd, LOCK_SH) == 0 && same_directory(s->lock_fd, s->path))
		return 0;
	close(s->lock_fd);
	s->lock_fd = -1;
	return -ESTALE;
}

int scratch_create_as(struct scratch *s, const char *dir, int (*remove_tree)(const char *path))
{
	char *real = realpath(dir, NULL);
	int err = real ? -ESTALE : -errno;

	*s = (struct scratch){ .lock_fd = -1, .remove_tree = remove_tree };
	for (int try = 0; err == -ESTALE && try < 100; try++) {
		free(s->path);
		if (asprintf(&s->path, "%s/%sXXXXXX", real, PREFIX) < 0) {
			s->path = NULL;
			err = -ENOMEM;
			break;
		}
		err = make_and_lock(s);
	}
	free(real);
	if (err) {
		free(s->path);
		s->path = NULL;
	}
	return err;
}

int scratch_create(struct scratch *s, const char *dir)
{
	int err = scratch_create_as(s, dir, file_remove_tree);

	if (err)
		msg_error("cannot make a scratch directory in %s: %s (choose another with --dir)",
			  dir, strerror(-err));
	return err;
}

int scratch_remove(struct scratch *s)
{
	int err;

	if (!s->path)
		return 0;
	err = s->remove_tree(s->path);
	if (err)
		msg_error("cannot remove %s: %s", s->path, strerror(-err));
	close(s->lock_fd);
	free(s->path);
	*s = (struct scratch){ .lock_fd = -1 };
	return err;
}

static void remove_if_stale(const char *path, int (*remove_tree)(const char *))
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_tree(path);
	close(fd);
}

void scratch_sweep_as(const char *dir, int (*remove_tree)(const char *path))
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char *path;

	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, PREFIX, PREFIX_LEN) != 0 ||
		    strlen(e->d_name) != PREFIX_LEN + 6)
			continue;
		if (asprintf(&path, "%s/%s", dir, e->d_name) < 0)
			continue;
		remove_if_stale(path, remove_tree);
		free(path);
	}
	if (d)
		closedir(d);
}

void scratch_sweep(const char *dir)
{
	scratch_sweep_as(dir, file_remove_tree);
}
