/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "human.h"
#include "msg.h"

/* ---- texts ---------------------------------------------------------------------------------- */

static void put_quoted(FILE *out, const char *text, size_t len)
{
	fputc('\'', out);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\'')
			fputc('\'', out);
		fputc(text[i], out);
	}
	fputc('\'', out);
}

size_t gnuplot_put_wrapped(FILE *out, const char *text, size_t width)
{
	char *clean = human_clean(text);
	size_t lines = 0, len;

	for (const char *rest = clean ? clean : ""; *rest || !lines; lines++) {
		len = human_line(rest, width);
		if (lines)
			fputs(".\"\\n\".", out);
		put_quoted(out, rest, len);
		rest += len;
		rest += strspn(rest, " ");
	}
	free(clean);
	return lines;
}

void gnuplot_put_text(FILE *out, const char *text)
{
	char *clean = human_clean(text);

	if (clean)
		put_quoted(out, clean, strlen(clean));
	free(clean);
}

/* ---- running it ----------------------------------------------------------------------------- */

struct job {
	const char *dir;	/* where it runs, or NULL */
	int stdin_fd;		/* -1: /dev/null */
	int stdout_fd;
	char **argv;
};

/* In the child. Returns only if there is no gnuplot: errno. */
static int become(const struct job *job, int stderr_fd)
{
	int in = job->stdin_fd >= 0 ? job->stdin_fd : open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(stderr_fd, STDERR_FILENO) < 0 ||
	    dup2(job->stdout_fd, STDOUT_FILENO) < 0)
		return errno;
	if (job->dir && chdir(job->dir) != 0)
		return errno;
	execvp(job->argv[0], job->argv);
	return errno;
}

/* Every line is said; returns whether there was any. */
static bool say_lines(int fd)
{
	FILE *lines = fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	bool any = false;

	while (lines && getline(&line, &room, lines) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!line[strspn(line, " \t^")])
			continue;
		msg_error("gnuplot: %s", line);
		any = true;
	}
	free(line);
	if (lines)
		fclose(lines);
	return any;
}

static int say_status(int status, bool said)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFSIGNALED(status))
		msg_error("gnuplot was killed by signal %d", WTERMSIG(status));
	else if (!said)
		msg_error("gnuplot failed with status %d", WEXITSTATUS(status));
	return -EIO;
}

/* 0, or why gnuplot could not be started. The pipe closes when it could. */
static int start_error(int fd)
{
	int err = 0;
	ssize_t got;

	do
		got = read(fd, &err, sizeof(err));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(err) ? -err : 0;
}

static int parent(pid_t pid, int error_fd, int stderr_fd)
{
	int err = start_error(error_fd), status;
	bool said = say_lines(stderr_fd);

	close(error_fd);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (err == -ENOENT)
		msg_error("gnuplot, which draws the pictures, is not installed");
	else if (err)
		msg_error("gnuplot cannot be started: %s", strerror(-err));
	return err ? err : say_status(status, said);
}

static int run(const struct job *job)
{
	int errors[2], messages[2], err;
	pid_t pid;

	if (pipe2(errors, O_CLOEXEC) != 0)
		return -errno;
	if (pipe2(messages, O_CLOEXEC) != 0) {
		err = -errno;
		close(errors[0]);
		close(errors[1]);
		return err;
	}
	fflush(stdout);	/* the child must not print it once more */
	pid = fork();
	if (pid == 0) {
		err = become(job, messages[1]);
		if (write(errors[1], &err, sizeof(err)) < 0)
			err = errno;
		_exit(127);
	}
	close(errors[1]);
	close(messages[1]);
	if (pid > 0)
		return parent(pid, errors[0], messages[0]);
	err = -errno;
	close(errors[0]);
	close(messages[0]);
	return err;
}

/* Without -d it would read the user's gnuplotrc: the same data must make the same picture. */
static char **arguments(const char *const *scripts, size_t nr)
{
	char **argv = calloc(nr + 3, sizeof(*argv));

	if (!argv)
		return NULL;
	argv[0] = (char *)"gnuplot";
	argv[1] = (char *)"-d";
	for (size_t i = 0; i < nr; i++)
		argv[i + 2] = (char *)scripts[i];
	return argv;
}

static int run_scripts(struct job *job, const char *const *scripts, size_t nr)
{
	int err = -ENOMEM;

	job->argv = arguments(scripts, nr);
	if (job->argv)
		err = run(job);
	else
		msg_error("gnuplot: %s", strerror(-err));
	free(job->argv);
	return err;
}

int gnuplot_run(const char *dir, const char *const *scripts, size_t nr)
{
	struct job job = { .dir = dir, .stdin_fd = -1, .stdout_fd = STDOUT_FILENO };

	return run_scripts(&job, scripts, nr);
}

int gnuplot_run_fd(int script_fd, int output_fd)
{
	static const char *const script[] = { "-" };
	struct job job = { .stdin_fd = script_fd, .stdout_fd = output_fd };

	return run_scripts(&job, script, 1);
}
