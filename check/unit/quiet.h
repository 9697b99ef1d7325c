/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a test makes a module say: stderr is caught between quiet_begin() and quiet_end(), which
 * returns the number of lines; quiet_text holds them.
 */
#ifndef KNEE_CHECK_QUIET_H
#define KNEE_CHECK_QUIET_H

#include <stdio.h>
#include <unistd.h>

static char quiet_text[8192];
static int quiet_stderr, quiet_fd;

static inline void quiet_begin(void)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	fflush(stderr);
	quiet_stderr = dup(STDERR_FILENO);
	quiet_fd = dup(fileno(file));
	fclose(file);
	dup2(quiet_fd, STDERR_FILENO);
}

static inline size_t quiet_end(void)
{
	size_t lines = 0;
	ssize_t got;

	fflush(stderr);
	dup2(quiet_stderr, STDERR_FILENO);
	got = pread(quiet_fd, quiet_text, sizeof(quiet_text) - 1, 0);
	quiet_text[got > 0 ? got : 0] = '\0';
	close(quiet_fd);
	close(quiet_stderr);
	for (const char *at = quiet_text; *at; at++)
		lines += *at == '\n';
	return lines;
}

#endif
