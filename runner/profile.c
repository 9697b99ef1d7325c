/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "tracefs_dir.h"

/* perf on a busy machine takes seconds to start, and some to write its end. */
#define ANSWER_MAX_S 30
/*
 * Of the states a task is left in, those but running, preempted and idle (include/linux/sched.h).
 */
#define SLEEPS_ONLY "prev_state & 127"
#define CONTROL_FD 10
#define ANSWER_FD 11

__attribute__((format(printf, 2, 3)))
static void failed(struct profile *p, const char *fmt, ...)
{
	va_list args;

	if (p->why[0])
		return;
	va_start(args, fmt);
	vsnprintf(p->why, sizeof(p->why), fmt, args);
	va_end(args);
}

/* ---- starting perf -------------------------------------------------------------------------- */

/* In a child: its own signal mask, none of our descriptors but 0 to 2 and @keep. */
static _Noreturn void become_perf(const char *const argv[], const int keep[2], int out, int errors,
				  pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* A Ctrl-C is for us: we end perf when the cell has ended. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	setenv("LC_ALL", "C", 1);
	dup2(null, STDIN_FILENO);
	dup2(out >= 0 ? out : null, STDOUT_FILENO);
	dup2(errors >= 0 ? errors : null, STDERR_FILENO);
	if (keep) {
		int control = fcntl(keep[0], F_DUPFD, ANSWER_FD + 1);
		int answer = fcntl(keep[1], F_DUPFD, ANSWER_FD + 1);

		dup2(control, CONTROL_FD);
		dup2(answer, ANSWER_FD);
		close(control);
		close(answer);
	}
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	dprintf(STDERR_FILENO, "Error: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static pid_t start_perf(const char *const argv[], const int keep[2], int out, int errors)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		become_perf(argv, keep, out, errors, parent);
	return pid;
}

static bool in_path(const char *program)
{
	char *copy = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin"), *rest = copy, *dir,
	     *path;
	bool found = false;

	while (!found && (dir = strsep(&rest, ":"))) {
		if (asprintf(&path, "%s/%s", dir[0] ? dir : ".", program) < 0)
			break;
		found = access(path, X_OK) == 0;
		free(path);
	}
	free(copy);
	return found;
}

const char *profile_lacks(void)
{
	return in_path("perf") ? NULL : "the program perf is not installed (Debian: linux-perf)";
}

/* Tracepoints are readable for those who may use them. */
static bool may_trace(void)
{
	const char *dir = tracefs_dir();
	uint64_t id;

	return geteuid() == 0 && dir &&
	       file_read_u64(&id, dir, "/events/sched/sched_switch/id") == 0;
}

static unsigned int frequency(void)
{
	uint64_t max;

	if (file_read_u64(&max, "", "/proc/sys/kernel/perf_event_max_sample_rate") != 0)
		return PROFILE_HZ;
	return max < PROFILE_HZ ? (unsigned int)max : PROFILE_HZ;
}

/* "17,18,19". NULL: no memory. */
static char *task_list(const json_t *ids, size_t *nr)
{
	size_t all = json_array_size(ids), i, size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	*nr = all < PROFILE_TASKS_MAX ? all : PROFILE_TASKS_MAX;
	for (i = 0; out && i < *nr; i++)
		fprintf(out, "%s%lld", i ? "," : "",
			(long long)json_integer_value(json_array_get(ids, i * all / *nr)));
	return out && fclose(out) == 0 ? text : NULL;
}

static pid_t record(struct profile *p, const char *tasks, const int fds[2])
{
	char hz[32], control[64];
	const char *argv[32] = { "perf", "record", "-q", "-N", "-D", "-1", "-g" };
	size_t nr = 7;
	int errors = open(p->messages, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	pid_t pid;

	snprintf(hz, sizeof(hz), "%u", frequency());
	snprintf(control, sizeof(control), "fd:%d,%d", CONTROL_FD, ANSWER_FD);
	argv[nr++] = "--control";
	argv[nr++] = control;
	argv[nr++] = "-F";
	argv[nr++] = hz;
	argv[nr++] = "-e";
	argv[nr++] = "cpu-clock";
	if (p->sleeps) {
		argv[nr++] = "-e";
		argv[nr++] = "sched:sched_switch";
		argv[nr++] = "--filter";
		argv[nr++] = SLEEPS_ONLY;
	}
	argv[nr++] = "-o";
	argv[nr++] = p->data;
	argv[nr++] = "-t";
	argv[nr++] = tasks;
	pid = start_perf(argv, fds, errors, errors);
	if (errors >= 0)
		close(errors);
	return pid;
}

/* ---- talking to it -------------------------------------------------------------------------- */

/* The first line that says something; without it, the status. */
static void take_message(struct profile *p, int status)
{
	char *text, *rest, *line;

	if (file_read(&text, "", "%s", p->messages) == 0) {
		for (rest = text; !p->why[0] && (line = strsep(&rest, "\n"));)
			if (strlen(line) > 8 && strspn(line, " -\\_^") < strlen(line) &&
			    strcmp(line, "Error:") != 0)
				failed(p, "perf record: %.200s", line);
		free(text);
	}
	failed(p, "perf record ended with status %d",
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Whether it has ended; said then. */
static bool ended(struct profile *p)
{
	int status;

	if (waitpid(p->perf, &status, WNOHANG) != p->perf)
		return false;
	p->perf = 0;
	take_message(p, status);
	return true;
}

static bool answered(struct profile *p, uint64_t deadline_ns)
{
	struct pollfd fd = { .fd = p->answer, .events = POLLIN };
	char text[16];

	while (clock_ns() < deadline_ns) {
		/* At its end, poll() does not wait. */
		int event = poll(&fd, 1, 20) > 0 ? fd.revents : 0;

		if (event & POLLIN)
			return read(p->answer, text, sizeof(text)) > 0;
		if (ended(p))
			return false;
		if (event)
			poll(NULL, 0, 10);
	}
	failed(p, "perf record does not answer");
	return false;
}

static bool ask(struct profile *p, const char *command)
{
	if (!p->perf || p->why[0])
		return false;
	/* Where it cannot be written to, perf has ended, or will in a moment: that says why. */
	if (write(p->control, command, strlen(command)) != (ssize_t)strlen(command) &&
	    errno != EPIPE) {
		failed(p, "perf record: %s", strerror(errno));
		return false;
	}
	return answered(p, clock_ns() + ANSWER_MAX_S * NS_PER_S);
}

static void close_control(struct profile *p)
{
	if (p->control >= 0)
		close(p->control);
	if (p->answer >= 0)
		close(p->answer);
	p->control = p->answer = -1;
}

static void attach(struct profile *p, const char *tasks)
{
	int control[2], answer[2] = { -1, -1 };

	if (pipe2(control, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0) {
		failed(p, "pipe: %s", strerror(errno));
		return;
	}
	p->perf = record(p, tasks, (int[2]){ control[0], answer[1] });
	close(control[0]);
	close(answer[1]);
	p->control = control[1];
	p->answer = answer[0];
	if (p->perf < 0) {
		p->perf = 0;
		failed(p, "cannot start perf: %s", strerror(errno));
	}
	/* An answer means that all events are open. */
	ask(p, "ping\n");
}

void profile_attach(struct profile *p, const json_t *ids)
{
	char *tasks = task_list(ids, &p->tasks);

	if (!tasks) {
		failed(p, "%s", strerror(ENOMEM));
		return;
	}
	p->sleeps = may_trace();
	if (!p->sleeps)
		strcpy(p->no_sleeps,
		       "this user may not see tracepoints, or tracefs is not mounted");
	attach(p, tasks);
	if (p->why[0] && p->sleeps && !p->perf) {
		close_control(p);
		memcpy(p->no_sleeps, p->why, sizeof(p->no_sleeps));
		p->why[0] = '\0';
		p->sleeps = false;
		attach(p, tasks);
	}
	free(tasks);
}

void profile_begin(struct profile *p)
{
	ask(p, "enable\n");
}

void profile_stop(struct profile *p)
{
	/* When it has said that it is off, the tasks may die; it needs not be waited for to end. */
	if (ask(p, "disable\n") && write(p->control, "stop\n", 5) != 5)
		failed(p, "perf record: %s", strerror(errno));
}

/* ---- its end -------------------------------------------------------------------------------- */

/* Waits for perf to end by itself, then asks, then forces it. */
static void end_perf(struct profile *p)
{
	static const int signals[] = { 0, SIGINT, SIGKILL };

	for (size_t i = 0; p->perf && i < sizeof(signals) / sizeof(signals[0]); i++) {
		uint64_t deadline_ns = clock_ns() + ANSWER_MAX_S * NS_PER_S;

		if (signals[i])
			kill(p->perf, signals[i]);
		while (p->perf && clock_ns() < deadline_ns) {
			int status;

			if (waitpid(p->perf, &status, WNOHANG) != p->perf) {
				poll(NULL, 0, 10);
				continue;
			}
			p->perf = 0;
			if (status)
				take_message(p, status);
		}
	}
}

static int read_script(struct profile *p, struct stacks *cpu, struct stacks *sleeps)
{
	const char *const argv[] = {
		"perf", "script", "-f", "-i", p->data, "-F", "event,period,ip,sym,dso", NULL
	};
	int fds[2], err, status = 0;
	FILE *script;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -errno;
	pid = start_perf(argv, NULL, fds[1], -1);
	close(fds[1]);
	script = fdopen(fds[0], "r");
	err = script ? stacks_read_script(script, cpu, sleeps) : -ENOMEM;
	if (script)
		fclose(script);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!err && (pid < 0 || status))
		failed(p, "perf script ended with status %d",
		       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return err;
}

int profile_read(struct profile *p, struct stacks *cpu, struct stacks *sleeps)
{
	int err = 0;

	end_perf(p);
	if (!p->why[0])
		err = read_script(p, cpu, sleeps);
	if (!err && !p->why[0] && !cpu->samples)
		failed(p, "perf took no sample: no task ran");
	return err ? err : p->why[0] ? -ENODATA : 0;
}

int profile_init(struct profile *p, const char *path)
{
	*p = (struct profile){ .control = -1, .answer = -1 };
	if (asprintf(&p->data, "%s.perf", path) < 0)
		p->data = NULL;
	if (asprintf(&p->messages, "%s.messages", path) < 0)
		p->messages = NULL;
	return p->data && p->messages ? 0 : -ENOMEM;
}

void profile_free(struct profile *p)
{
	if (p->perf)
		kill(p->perf, SIGKILL);
	end_perf(p);
	close_control(p);
	if (p->data)
		unlink(p->data);
	if (p->messages)
		unlink(p->messages);
	free(p->data);
	free(p->messages);
}

const char *profile_hidden(const struct stacks *cpu)
{
	static char text[160];
	uint64_t level = 0;

	if (cpu->nameless && cpu->kernel > 0 && 2 * cpu->nameless > cpu->samples) {
		if (file_read_u64(&level, "", "/proc/sys/kernel/kptr_restrict") != 0)
			level = 0;
		snprintf(text, sizeof(text), "the kernel's functions have no names for this user "
			 "(kernel.kptr_restrict is %d)", (int)level);
		return text;
	}
	if (cpu->kernel > 0 || geteuid() == 0 ||
	    file_read_u64(&level, "", "/proc/sys/kernel/perf_event_paranoid") != 0 || level < 2)
		return NULL;
	snprintf(text, sizeof(text), "this user may not see the kernel's part "
		 "(kernel.perf_event_paranoid is %d)", (int)level);
	return text;
}
