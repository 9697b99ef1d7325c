/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files, as /proc, /sys and cgroups have them, and trees. */
#ifndef KNEE_FILE_H
#define KNEE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The whole file as a string without its last newline; *@text is freed by the caller. 0 or
 * -errno; nothing is said. The path is @root followed by a printf-style rest.
 */
int file_read(char **text, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The first number in the file; a blank or the end follows it. 0, -errno, -EINVAL if it does not
 * start with one ("max"), or -ERANGE; *@value is then unchanged.
 */
int file_read_u64(uint64_t *value, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * @fd (or -1) under a number above those of the standard streams: where one of these was closed, what
 * is printed must not go into a file that was opened for something else. The old number is closed.
 */
int file_above_stderr(int fd);

/* Writes @text with one write(2), as control files want it. 0 or -errno. */
int file_write(const char *path, const char *text);

/*
 * The first line of @text that starts with @key followed by a blank, tab or ':': its number. 0,
 * -ENOENT if there is no such line, -EINVAL, -ERANGE; *@value is then unchanged.
 */
int file_key_u64(const char *text, const char *key, uint64_t *value);

/*
 * Removes @path and everything below it, never following a symbolic link, never leaving its
 * filesystem; entries that vanish meanwhile are no error. 0 or -errno of the first failure.
 */
int file_remove_tree(const char *path);

/*
 * Type of the filesystem that directory @path is on, as mount(8) names it, e.g. "ext4"; "?" if
 * unknown.
 */
#define FILE_FSTYPE_MAX 32
char *file_fstype(char buf[FILE_FSTYPE_MAX], const char *path);

#endif
