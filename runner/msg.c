/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "msg.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *program = "knee";

/*
 * Where stdin, stdout or stderr is closed, the next file that is opened would get its number, and
 * what is printed would go there. This descriptor fails as the closed one does: EBADF.
 */
static void fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void msg_init(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	program = slash ? slash + 1 : argv0;
	fill_standard_streams();
}

const char *msg_program(void)
{
	return program;
}

/* One write(2), so that lines of several processes never mix; no stdio state is touched. */
static void write_line(const char *kind, const char *fmt, va_list args)
{
	char line[2048];
	int head = snprintf(line, sizeof(line), "%s: %s", program, kind);
	size_t len;
	ssize_t done;

	if (head < 0 || (size_t)head >= sizeof(line) - 1)
		head = 0;
	vsnprintf(line + head, sizeof(line) - 1 - (size_t)head, fmt, args);
	len = strlen(line);
	for (size_t i = 0; i < len; i++)
		if (iscntrl((unsigned char)line[i]))
			line[i] = '?';
	line[len++] = '\n';
	done = write(STDERR_FILENO, line, len);
	(void)done;	/* there is nowhere left to complain to */
}

void msg_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write_line("", fmt, args);
	va_end(args);
}

void msg_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write_line("note: ", fmt, args);
	va_end(args);
}

int msg_close_stdout(void)
{
	int failed = ferror(stdout);

	/* A write that failed long ago has left no errno; one more fails for the same reason. */
	if (failed)
		putchar('\n');
	errno = 0;
	if (fclose(stdout) == 0 && !failed)
		return EXIT_MEASURED;
	msg_error("cannot write to stdout: %s", strerror(errno ? errno : EIO));
	return EXIT_CELL_FAILED;
}
