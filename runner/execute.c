/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "execute.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cell.h"
#include "clock.h"
#include "factors.h"
#include "memcg_level.h"
#include "msg.h"
#include "settings.h"
#include "words.h"

/* Between SIGTERM and SIGKILL; and what a cell may take beyond what was expected of it. */
#define GRACE_NS (5 * NS_PER_S)
#define TIMEOUT_FACTOR 4
#define TIMEOUT_S (CELL_PREPARE_MAX_S + 30)

#define REPORT_FD 3
#define ATTEND_FD 4
#define ARGS_MAX 64

static int signal_fd = -1;
static sigset_t inherited_mask;

/* What comes from one descriptor of the child, until its end. */
struct stream {
	int fd;
	char *text;
	size_t len, room;
	size_t seen;	/* report: what has been taken as events */
};

struct running {
	pid_t pid;
	struct stream report, errors;
	const struct execute_listener *listener;
	struct execution *e;
	uint64_t deadline_ns;
	int attend_fd;		/* answers to the child; -1: it waits for none */
	unsigned int kills;	/* SIGTERM, then SIGKILL */
};

const char *execute_status_name(enum execute_status status)
{
	static const char *const names[] = {
		[EXECUTE_OK] = "ok", [EXECUTE_FAILED] = "failed", [EXECUTE_TIMEOUT] = "timeout",
		[EXECUTE_LACKING] = "lacking", [EXECUTE_KILLED] = "killed",
	};

	return names[status];
}

int execute_init(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &inherited_mask);
	signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd < 0) {
		msg_error("signalfd: %s", strerror(errno));
		return -errno;
	}
	return 0;
}

int execute_pending_signal(void)
{
	struct signalfd_siginfo info;

	return read(signal_fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

/* ---- the child ------------------------------------------------------------------------------ */

/* The texts that a command line is made of; all are freed together. */
struct args {
	char *argv[ARGS_MAX + 1];
	size_t nr;
};

__attribute__((format(printf, 2, 3)))
static void add_arg(struct args *a, const char *fmt, ...)
{
	va_list list;

	if (a->nr == ARGS_MAX)
		return;
	va_start(list, fmt);
	if (vasprintf(&a->argv[a->nr], fmt, list) < 0)
		a->argv[a->nr] = NULL;
	else
		a->nr++;
	va_end(list);
}

static void free_args(struct args *a)
{
	for (size_t i = 0; i < a->nr; i++)
		free(a->argv[i]);
}

static bool keeps_aslr(const struct plan_cell *cell)
{
	const char *aslr = factors_level(cell->factors, "aslr");

	return aslr && strcmp(aslr, "on") == 0;
}

static void make_args(struct args *a, const struct plan *p, const struct plan_cell *cell,
		      bool attended)
{
	const char *name;
	json_t *value;

	*a = (struct args){ 0 };
	add_arg(a, "%s", cell->path);
	add_arg(a, "--mode=%s", cell->mode == MODE_THREADS ? "threads" : "processes");
	add_arg(a, "--tasks=%" PRIu64, cell->tasks);
	add_arg(a, "--seconds=%.6f", p->duration_s);
	add_arg(a, "--warmup=%.6f", p->warmup_s);
	add_arg(a, "--warmup-max=%.6f", p->warmup_max_s);
	add_arg(a, "--dir=%s", cell->dir ? cell->dir : p->dir);
	if (factors_level(cell->factors, "memcg"))
		add_arg(a, "--memcg=%s", factors_level(cell->factors, "memcg"));
	if (keeps_aslr(cell))
		add_arg(a, "--keep-aslr");
	add_arg(a, "--report-fd=%d", REPORT_FD);
	if (attended)
		add_arg(a, "--attend-fd=%d", ATTEND_FD);
	if (cell->cpus)
		add_arg(a, "--cpus=%s", cell->cpus);
	else
		add_arg(a, "--no-affinity");
	if (p->counters)
		add_arg(a, "--counters=%s", p->counters);
	if (cell->bind_cpus)
		add_arg(a, "--bind-cpus=%s", cell->bind_cpus);
	if (cell->partner_cpus)
		add_arg(a, "--partner-cpus=%s", cell->partner_cpus);
	if (cell->mem_nodes)
		add_arg(a, "--membind=nodes=%s", cell->mem_nodes);
	else if (cell->membind)
		add_arg(a, "--membind=%s", cell->membind);
	json_object_foreach(cell->params, name, value)
		add_arg(a, "--param=%s=%s", name, json_string_value(value));
}

static void set_environment(const struct plan_cell *cell)
{
	const char *name, *variable;
	json_t *level;

	json_object_foreach(cell->factors, name, level) {
		variable = words_after(name, "env:");
		if (variable)
			setenv(variable, json_string_value(level), 1);
	}
}

/* @fd as @number, which the program at its other end expects. */
static void give(int fd, int number)
{
	if (fd == number)
		fcntl(fd, F_SETFD, 0);
	else if (fd >= 0)
		dup2(fd, number);
}

static _Noreturn void exec_child(const struct plan_cell *cell, char *const argv[], int report_fd,
				 int error_fd, int attend_fd, pid_t parent)
{
	const unsigned long persona = (unsigned long)personality(0xffffffff);
	int null = open("/dev/null", O_RDWR);

	sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
	/* It cleans up on SIGTERM, and so does when this program is killed. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_CELL_FAILED);
	set_environment(cell);
	/* Spares the executable to turn it off and start anew. */
	personality(keeps_aslr(cell) ? persona & ~(unsigned long)ADDR_NO_RANDOMIZE
				     : persona | ADDR_NO_RANDOMIZE);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(error_fd, STDERR_FILENO);
	/* Out of the way of the number that the report gets. */
	if (attend_fd >= 0)
		attend_fd = fcntl(attend_fd, F_DUPFD_CLOEXEC, ATTEND_FD + 1);
	give(report_fd, REPORT_FD);
	give(attend_fd, ATTEND_FD);
	execv(argv[0], argv);
	msg_error("%s: %s", argv[0], strerror(errno));
	_exit(EXIT_CELL_FAILED);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static int start(struct running *r, const struct plan *p, const struct plan_cell *cell)
{
	bool attended = r->listener && r->listener->attend;
	int report[2] = { -1, -1 }, errors[2] = { -1, -1 }, attend[2] = { -1, -1 }, err = 0;
	pid_t parent = getpid();
	struct args args;

	if (pipe2(report, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0 ||
	    (attended && pipe2(attend, O_CLOEXEC) != 0))
		err = -errno;
	if (!err) {
		make_args(&args, p, cell, attended);
		fflush(NULL);
		r->pid = fork();
		if (r->pid == 0)
			exec_child(cell, args.argv, report[1], errors[1], attend[0], parent);
		err = r->pid < 0 ? -errno : 0;
		free_args(&args);
	}
	close_fd(report[1]);
	close_fd(errors[1]);
	close_fd(attend[0]);
	r->report.fd = report[0];
	r->errors.fd = errors[0];
	r->attend_fd = attend[1];
	return err;
}

/* ---- what it says --------------------------------------------------------------------------- */

/* The child may have died meanwhile: SIGPIPE is ignored then. */
static void attend(struct running *r, const json_t *event)
{
	const char *point = json_string_value(json_object_get(event, "point"));
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);

	r->listener->attend(r->listener->arg, point ? point : "", json_object_get(event, "ids"));
	if (write(r->attend_fd, "", 1) != 1) {
		close(r->attend_fd);
		r->attend_fd = -1;
	}
	signal(SIGPIPE, before);
}

static void on_event(struct running *r, json_t *event)
{
	const char *kind = json_string_value(json_object_get(event, "event"));
	struct execution *e = r->e;

	if (!kind)
		return;
	if (strcmp(kind, "slice") == 0 && r->listener)
		r->listener->slice(r->listener->arg,
			(uint64_t)json_integer_value(json_object_get(event, "ops")),
			(uint64_t)json_integer_value(json_object_get(event, "elapsed_ns")));
	else if (strcmp(kind, "attend") == 0 && r->attend_fd >= 0)
		attend(r, event);
	else if (strcmp(kind, "started") == 0 && !e->started)
		e->started = json_incref(event);
	else if (strcmp(kind, "result") == 0 && !e->result)
		e->result = json_incref(event);
	else if (strcmp(kind, "failed") == 0 && !e->reason)
		e->reason = strdup(json_string_value(json_object_get(event, "reason")));
}

static void take_events(struct running *r)
{
	struct stream *s = &r->report;
	char *end;

	while ((end = memchr(s->text + s->seen, '\n', s->len - s->seen))) {
		json_t *event = json_loadb(s->text + s->seen,
					   (size_t)(end - s->text) - s->seen, 0, NULL);

		on_event(r, event);
		json_decref(event);
		s->seen = (size_t)(end - s->text) + 1;
	}
}

/* Reads what there is; closes the descriptor at its end. The text stays a string. */
static int read_stream(struct stream *s)
{
	ssize_t got;

	if (s->room - s->len < 4096) {
		char *text = realloc(s->text, s->room = 2 * s->room + 8192);

		if (!text)
			return -ENOMEM;
		s->text = text;
	}
	got = read(s->fd, s->text + s->len, s->room - s->len - 1);
	if (got > 0)
		s->len += (size_t)got;
	s->text[s->len] = '\0';
	if (got == 0 || (got < 0 && errno != EINTR)) {
		close(s->fd);
		s->fd = -1;
	}
	return 0;
}

/* ---- its end -------------------------------------------------------------------------------- */

/* First kindly, so that it cleans up; then by force, which its guardian cleans up after. */
static void terminate(struct running *r)
{
	kill(r->pid, r->kills++ ? SIGKILL : SIGTERM);
	r->deadline_ns = clock_ns() + GRACE_NS;
}

static void on_timeout(struct running *r)
{
	if (!r->kills && r->e->status == EXECUTE_OK) {
		r->e->status = EXECUTE_TIMEOUT;
		free(r->e->reason);
		r->e->reason = strdup("not done at its timeout (--timeout)");
	}
	terminate(r);
}

static void on_signal(struct running *r)
{
	int sig = execute_pending_signal();

	if (!sig)
		return;
	r->e->signal = sig;
	r->e->status = EXECUTE_KILLED;
	terminate(r);
}

/* Until both streams have ended: then no process of the cell is left that could write to them. */
static int follow(struct running *r)
{
	/* A process that even SIGKILL does not end, as it waits for a device, is left behind. */
	while ((r->report.fd >= 0 || r->errors.fd >= 0) && r->kills < 4) {
		struct pollfd fds[] = {
			{ .fd = r->report.fd, .events = POLLIN },
			{ .fd = r->errors.fd, .events = POLLIN },
			{ .fd = signal_fd, .events = POLLIN },
		};
		uint64_t now = clock_ns();
		int err = 0, ms = now < r->deadline_ns ?
				  (int)((r->deadline_ns - now) / NS_PER_MS) + 1 : 0;

		if (poll(fds, 3, ms) == 0)
			on_timeout(r);
		if (fds[0].revents)
			err = read_stream(&r->report);
		if (!err && fds[1].revents)
			err = read_stream(&r->errors);
		if (err)
			return err;
		if (fds[0].revents)
			take_events(r);
		if (fds[2].revents)
			on_signal(r);
	}
	return 0;
}

/* The last line that it wrote, without the program's name: why, if it did not report it. */
static char *last_line(const char *text)
{
	size_t end = text ? strlen(text) : 0, begin;
	const char *colon;

	while (end && text[end - 1] == '\n')
		end--;
	for (begin = end; begin && text[begin - 1] != '\n'; begin--)
		;
	if (begin == end)
		return NULL;
	colon = memmem(text + begin, end - begin, ": ", 2);
	if (colon)
		begin = (size_t)(colon - text) + 2;
	return strndup(text + begin, end - begin);
}

static void judge(struct execution *e, int status)
{
	e->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (e->status != EXECUTE_OK)
		return;
	if (e->exit_status == 0 && e->result)
		return;
	e->status = e->exit_status == EXIT_LACKING ? EXECUTE_LACKING : EXECUTE_FAILED;
	if (!e->reason)
		e->reason = last_line(e->stderr_text);
	if (!e->reason && asprintf(&e->reason, "ended with status %d", e->exit_status) < 0)
		e->reason = NULL;
}

/* The kernel frees groups later than it removes them, by a grace period for each level. */
#define FREEING_NS (2 * NS_PER_S)
#define CELLS_REMEMBERED 64

static struct {
	uint64_t time_ns, groups;
} made[CELLS_REMEMBERED];	/* by the last cells, a ring */
static size_t nr_made;

static void remember_groups(const char *level)
{
	made[nr_made % CELLS_REMEMBERED].time_ns = clock_ns();
	made[nr_made++ % CELLS_REMEMBERED].groups = memcg_level_groups(level);
}

/* Groups of cells that ended so shortly ago that it is no wonder that they are still there. */
static uint64_t recent_groups(void)
{
	uint64_t nr = 0, now = clock_ns();

	for (size_t i = 0; i < CELLS_REMEMBERED; i++)
		if (made[i].time_ns + FREEING_NS > now)
			nr += made[i].groups;
	return nr;
}

static void count_dying_before(const struct plan_cell *cell, struct execution *e)
{
	static uint64_t least = UINT64_MAX;
	const char *level = factors_level(cell->factors, "memcg");

	e->dying_known = level && memcg_level_dying(&e->dying_before) == 0;
	if (!e->dying_known)
		return;
	if (e->dying_before < least)
		least = e->dying_before;
	e->dying_grown = e->dying_before > least + recent_groups();
}

static void count_dying_after(const struct plan_cell *cell, struct execution *e)
{
	if (!e->dying_known)
		return;
	remember_groups(factors_level(cell->factors, "memcg"));
	e->dying_known = memcg_level_dying(&e->dying_after) == 0;
}

static double timeout_s(const struct plan *p, const struct plan_cell *cell)
{
	if (p->timeout_s > 0)
		return p->timeout_s;
	return TIMEOUT_S + TIMEOUT_FACTOR * cell->expected_s + p->warmup_max_s;
}

int execute_cell(const struct plan *p, const struct plan_cell *cell,
		 const struct execute_listener *listener, struct execution *e)
{
	struct running r = { .listener = listener, .e = e, .report.fd = -1, .errors.fd = -1,
			     .attend_fd = -1 };
	uint64_t begin_ns;
	char why[SETTINGS_TEXT_MAX];
	int err, status = 0;

	*e = (struct execution){ .status = EXECUTE_OK };
	if (settings_apply(cell->factors, why) != 0) {
		e->status = EXECUTE_LACKING;
		e->exit_status = EXIT_LACKING;
		e->reason = strdup(why);
		return settings_restore();
	}
	count_dying_before(cell, e);
	begin_ns = clock_ns();
	err = start(&r, p, cell);
	if (err) {
		/* Perhaps by a level of a factor, vm.overcommit_memory say: others can be measured. */
		e->status = EXECUTE_FAILED;
		e->exit_status = EXIT_CELL_FAILED;
		if (asprintf(&e->reason, "cannot start a process: %s", strerror(-err)) < 0)
			e->reason = NULL;
		err = 0;
		goto out;
	}
	r.deadline_ns = begin_ns + clock_from_seconds(timeout_s(p, cell));
	err = follow(&r);
	if (err)
		kill(r.pid, SIGKILL);
	while (waitpid(r.pid, &status, r.kills < 4 ? 0 : WNOHANG) < 0 && errno == EINTR)
		;
	e->wall_ns = clock_ns() - begin_ns;
	count_dying_after(cell, e);
	e->stderr_text = r.errors.text;
	r.errors.text = NULL;
	judge(e, status);
out:
	close_fd(r.report.fd);
	close_fd(r.errors.fd);
	close_fd(r.attend_fd);
	free(r.report.text);
	free(r.errors.text);
	return settings_restore() ? -EIO : err;
}

void execute_free(struct execution *e)
{
	free(e->reason);
	free(e->stderr_text);
	json_decref(e->started);
	json_decref(e->result);
}
