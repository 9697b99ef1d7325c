/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char *make_path(const char *root, const char *fmt, va_list args)
{
	char *rest, *path;

	if (vasprintf(&rest, fmt, args) < 0)
		return NULL;
	if (asprintf(&path, "%s%s", root, rest) < 0)
		path = NULL;
	free(rest);
	return path;
}

/* Files in /proc have no size: read until the end. */
static int read_all(int fd, char **text)
{
	size_t room = 4096, len = 0;
	char *buf = malloc(room);

	while (buf) {
		ssize_t got = read(fd, buf + len, room - len - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int err = -errno;

			free(buf);
			return err;
		}
		if (got == 0) {
			if (len && buf[len - 1] == '\n')
				len--;
			buf[len] = '\0';
			*text = buf;
			return 0;
		}
		len += (size_t)got;
		if (room - len < 2) {
			char *bigger = realloc(buf, room *= 2);

			if (!bigger)
				free(buf);
			buf = bigger;
		}
	}
	return -ENOMEM;
}

static int read_path(char **text, const char *path)
{
	int fd, err;

	if (!path)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = read_all(fd, text);
	close(fd);
	return err;
}

int file_read(char **text, const char *root, const char *fmt, ...)
{
	va_list args;
	char *path;
	int err;

	va_start(args, fmt);
	path = make_path(root, fmt, args);
	va_end(args);
	err = read_path(text, path);
	free(path);
	return err;
}

/* The number at the beginning of @text, which a blank or the end follows. */
static int first_number(const char *text, uint64_t *value)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno)
		return -ERANGE;
	if (*end && !isspace((unsigned char)*end))
		return -EINVAL;
	*value = number;
	return 0;
}

int file_read_u64(uint64_t *value, const char *root, const char *fmt, ...)
{
	va_list args;
	char *path, *text = NULL;
	int err;

	va_start(args, fmt);
	path = make_path(root, fmt, args);
	va_end(args);
	err = read_path(&text, path);
	free(path);
	if (!err)
		err = first_number(text, value);
	free(text);
	return err;
}

int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t done;
	int err = 0;

	if (fd < 0)
		return -errno;
	done = write(fd, text, strlen(text));
	if (done < 0)
		err = -errno;
	else if ((size_t)done != strlen(text))
		err = -EIO;
	close(fd);
	return err;
}

int file_key_u64(const char *text, const char *key, uint64_t *value)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *rest;

		if (*line == '\n')
			line++;
		if (strncmp(line, key, len) != 0 || !strchr(" \t:", line[len]))
			continue;
		rest = line + len + strspn(line + len, " \t:");
		return first_number(rest, value);
	}
	return -ENOENT;
}

int file_above_stderr(int fd)
{
	int above;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return above;
}

static int remove_error;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (type == FTW_DNR)
		remove_error = remove_error ? remove_error : -EACCES;
	if (remove(path) != 0 && errno != ENOENT && !remove_error)
		remove_error = -errno;
	return 0;
}

int file_remove_tree(const char *path)
{
	remove_error = 0;
	if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0 && !remove_error)
		return errno == ENOENT ? 0 : -errno;
	return remove_error;
}

/* The kernel's number of the mount that directory @path is on, as seen from here. */
static int mount_id(const char *path, uint64_t *id)
{
	/* O_DIRECTORY lets the kernel mount what autofs waits to mount. */
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), err;
	char *text = NULL;

	if (fd < 0)
		return -errno;
	err = file_read(&text, "", "/proc/self/fdinfo/%d", fd);
	if (!err)
		err = file_key_u64(text, "mnt_id", id);
	free(text);
	close(fd);
	return err;
}

/* mountinfo: ID PARENT DEV ROOT MOUNTPOINT OPTIONS [FIELDS] - TYPE SOURCE SUPEROPTIONS. */
char *file_fstype(char buf[FILE_FSTYPE_MAX], const char *path)
{
	char *text, *rest, *line;
	uint64_t id, line_id;

	strcpy(buf, "?");
	if (mount_id(path, &id) != 0 || file_read(&text, "", "/proc/self/mountinfo") != 0)
		return buf;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		char *type = strstr(line, " - ");

		if (type && first_number(line, &line_id) == 0 && line_id == id)
			snprintf(buf, FILE_FSTYPE_MAX, "%.*s", (int)strcspn(type + 3, " "), type + 3);
	}
	free(text);
	return buf;
}
