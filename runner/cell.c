/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cell.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "counters.h"
#include "cpulist.h"
#include "figures.h"
#include "file.h"
#include "flags.h"
#include "groups.h"
#include "guardian.h"
#include "lacks.h"
#include "measure.h"
#include "membind.h"
#include "membind_verify.h"
#include "memcg.h"
#include "memcg_level.h"
#include "msg.h"
#include "priority.h"
#include "queues.h"
#include "report.h"
#include "scratch.h"
#include "tasks.h"

#define SLICES_PER_LINE 5	/* will-it-scale's lines last a second */
#define SLICES_PER_ROUND 10	/* a round is short, and all of it is one line */
#define TASKS_PER_CPU_CROWD 16
#define MISPLACED_PCT 95	/* verified less than this: a page or two may be the C library's */

struct cell {
	const struct cell_options *o;
	int *cpus;			/* one a task */
	struct cpulist *bind_cpus;	/* config.nr_bind_cpus */
	struct tasks_config config;
	struct tasks tasks;
	struct scratch scratch;
	struct guardian_duty duty;
	struct guardian guardian;
	struct report report;
	uint64_t begin_ns;
};

/* ---- placement ------------------------------------------------------------------------------ */

static int place_on_list(struct cell *c)
{
	struct cpulist list;
	int err = cpulist_parse(c->o->cpus, &list);

	if (err)
		return err;
	for (uint64_t i = 0; i < c->o->tasks; i++)
		c->cpus[i] = list.cpus[i % list.nr];
	cpulist_free(&list);
	return 0;
}

static _Noreturn void place_and_tell(const struct cell *c, int fd)
{
	size_t bytes = c->o->tasks * sizeof(*c->cpus);
	const char *at = (const char *)c->cpus;
	struct topo topology;

	if (topo_load(&topology, NULL) != 0)
		_exit(EXIT_LACKING);
	if (!topology.this_system)
		msg_note("the topology is not this machine's: tasks are not bound");
	if (placement_place(&topology, topology.this_system ? c->o->placement : PLACEMENT_NONE,
			    c->cpus, c->o->tasks) != 0)
		_exit(EXIT_LACKING);
	while (bytes) {
		ssize_t done = write(fd, at, bytes);

		if (done < 0)
			_exit(EXIT_LACKING);
		at += done;
		bytes -= (size_t)done;
	}
	_exit(0);
}

static int read_fully(int fd, void *buf, size_t bytes)
{
	while (bytes) {
		ssize_t got = read(fd, buf, bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -EIO;
		buf = (char *)buf + got;
		bytes -= (size_t)got;
	}
	return 0;
}

/*
 * In a child: the pages and mappings that hwloc leaves behind would be copied for every task. The
 * child has said what went wrong.
 */
static int place_by_topology(struct cell *c)
{
	int fds[2], err, status = 0;
	pid_t pid;

	if (pipe(fds) != 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		place_and_tell(c, fds[1]);
	close(fds[1]);
	err = pid < 0 ? -errno : read_fully(fds[0], c->cpus, c->o->tasks * sizeof(*c->cpus));
	close(fds[0]);
	if (pid < 0)
		msg_error("cannot start a process: %s", strerror(-err));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return err || status ? -ENODEV : 0;
}

static int place(struct cell *c)
{
	c->cpus = calloc(c->o->tasks, sizeof(*c->cpus));
	if (!c->cpus) {
		msg_error("no memory for %" PRIu64 " tasks", c->o->tasks);
		return -ENOMEM;
	}
	if (c->o->cpus)
		return place_on_list(c);
	if (c->o->placement == PLACEMENT_NONE)
		return placement_place(&(struct topo){ 0 }, PLACEMENT_NONE, c->cpus, c->o->tasks);
	return place_by_topology(c);
}

/* The lists of --bind-cpus; testcase_main has looked at the text. 0 or -ENOMEM. */
static int place_bind_cpus(struct cell *c)
{
	char *copy = c->o->bind_cpus ? strdup(c->o->bind_cpus) : NULL, *rest = copy, *word;
	size_t most = 1;
	int err = 0;

	if (!c->o->bind_cpus)
		return 0;
	for (const char *at = c->o->bind_cpus; *at; at++)
		most += *at == '/';
	c->bind_cpus = calloc(most, sizeof(*c->bind_cpus));
	if (!copy || !c->bind_cpus)
		err = -ENOMEM;
	while (!err && (word = strsep(&rest, "/")))
		err = cpulist_parse(word, &c->bind_cpus[c->config.nr_bind_cpus++]);
	c->config.bind_cpus = c->bind_cpus;
	free(copy);
	return err;
}

static int place_partners(struct cell *c)
{
	return c->o->partner_cpus ? cpulist_parse(c->o->partner_cpus, &c->config.partner_cpus) : 0;
}

static void free_places(struct cell *c)
{
	for (size_t i = 0; i < c->config.nr_bind_cpus; i++)
		cpulist_free(&c->bind_cpus[i]);
	free(c->bind_cpus);
	cpulist_free(&c->config.partner_cpus);
	free(c->cpus);
}

/* Whether a task or its partner may run there. */
static bool is_used(const struct cell *c, int cpu)
{
	const struct cpulist tasks = { .cpus = c->cpus, .nr = c->o->tasks };

	for (size_t i = 0; i < c->config.nr_bind_cpus; i++)
		if (cpulist_contains(&c->bind_cpus[i], cpu))
			return true;
	return cpulist_contains(&tasks, cpu) || cpulist_contains(&c->config.partner_cpus, cpu);
}

/* The sampler goes where it takes no time from a task, if there is such a CPU. */
static void leave_task_cpus(const struct cell *c)
{
	struct cpulist mask, free_cpus = { 0 };
	int err = 0;

	if (c->cpus[0] < 0 || affinity_get(&mask) != 0)
		return;
	for (size_t i = 0; !err && i < mask.nr; i++)
		if (!is_used(c, mask.cpus[i]))
			err = cpulist_add(&free_cpus, mask.cpus[i]);
	if (!err && free_cpus.nr)
		affinity_bind(free_cpus.cpus, free_cpus.nr);
	cpulist_free(&free_cpus);
	cpulist_free(&mask);
}

/* ---- scratch directory ---------------------------------------------------------------------- */

static int enter_scratch(struct cell *c)
{
	char why[SCRATCH_TEXT_MAX];
	const char *dir = c->o->dir;
	int err = scratch_choose_dir(&dir, testcase_info.needs.fs, why);

	if (err) {
		msg_error("%s", why);
		return err;
	}
	scratch_sweep(dir);
	err = scratch_create(&c->scratch, dir);
	if (!err && chdir(c->scratch.path) != 0) {
		err = -errno;
		msg_error("cannot enter %s: %s", c->scratch.path, strerror(errno));
	}
	return err;
}

/* ---- the course of the cell ----------------------------------------------------------------- */

static struct measure_config measure_config(const struct cell_options *o)
{
	struct measure_config m = {
		.warmup_s = o->warmup_s,
		.warmup_max_s = o->warmup_max_s,
		.line_s = 1,
		.slices = SLICES_PER_LINE,
		.prepare_max_s = testcase_info.prepares ? CELL_PREPARE_MAX_S : 0,
	};

	if (o->report_fd >= 0) {
		m.lines = 1;
		m.line_s = o->duration_s;
		m.slices = SLICES_PER_ROUND;
	} else if (o->duration_s > 0) {
		m.lines = (uint64_t)o->duration_s;
		m.lines += (double)m.lines < o->duration_s;
		m.line_s = o->duration_s / (double)m.lines;
	}
	return m;
}

/* Exit status for an event that ended the measurement: a signal, or a failed task. */
static int report_event(struct cell *c, int event)
{
	if (event > 0)
		return 128 + event;
	if (event == -ECHILD) {
		report_failure(&c->report, c->tasks.failure_status, c->tasks.failure);
		return c->tasks.failure_status;
	}
	if (event == -ETIME) {
		report_failure(&c->report, EXIT_CELL_FAILED,
			       "after a minute, some task had not counted an operation");
		return EXIT_CELL_FAILED;
	}
	report_failure(&c->report, EXIT_LACKING, strerror(-event));
	return EXIT_LACKING;
}

/* So many tasks share a CPU that one more that wakes would wait for long. */
static bool is_crowded(const struct cell *c)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return c->o->tasks > TASKS_PER_CPU_CROWD * (uint64_t)(cpus > 0 ? cpus : 1);
}

static void verify_memory(const struct cell *c, const struct membind_verifier *v,
			  struct measure_result *result)
{
	double pct = membind_verify(v, &c->o->membind, &c->tasks);

	result->membind_verified_pct = pct;
	if (c->o->membind.policy != MEMBIND_UNASKED && pct >= 0 && pct < MISPLACED_PCT)
		result->flags |= FLAG_MISPLACED;
}

static int measure(struct cell *c)
{
	const struct measure_config config = measure_config(c->o);
	const struct measure_listener listener = report_listener(&c->report);
	struct membind_verifier verifier = { 0 };
	struct measure_result result;
	int event, status = EXIT_MEASURED;

	c->config.apart = !priority_raise() && is_crowded(c);
	if (c->report.json)
		membind_verify_prepare(&verifier, &c->o->membind);
	memcg_level_begin();
	event = tasks_start(&c->tasks);
	if (event) {
		membind_verify_free(&verifier);
		return report_event(c, event);
	}
	leave_task_cpus(c);
	report_ready(&c->report, &c->tasks);
	report_started(&c->report, c->begin_ns);
	event = measure_run(&c->tasks, &config, &listener, &result);
	if (!event)
		event = tasks_check_bound(&c->tasks);
	if (!event && c->report.json)
		verify_memory(c, &verifier, &result);
	memcg_level_end();
	tasks_kill(&c->tasks);
	membind_verify_free(&verifier);
	if (event)
		status = report_event(c, event);
	else if (report_result(&c->report, &c->tasks, &result) != 0)
		status = EXIT_CELL_FAILED;
	measure_free(&result);
	return status;
}

/* ---- what a testcase makes outside of its scratch directory --------------------------------- */

static int make_outside(struct cell *c)
{
	const struct rlimits_need *need = &c->o->need;
	int err = 0;

	if (need->sysv_queues || need->posix_queues)
		err = queues_prepare(c->o->tasks, c->scratch.path);
	if (!err && need->groups)
		err = groups_prepare(testcase_info.needs.control);
	if (!err && need->groups && c->o->memcg) {
		msg_error("makes memory cgroups of its own: it cannot be run in one by --memcg");
		err = -ENOTSUP;
	}
	if (!err)
		err = memcg_level_prepare(c->o->memcg);
	return err;
}

static void remove_outside(void)
{
	queues_remove();
	groups_remove();
	memcg_level_remove();
}

static int start_guardian(struct cell *c)
{
	int err;

	c->duty = (struct guardian_duty){
		.group = tasks_group(&c->tasks),
		.scratch = c->scratch.path,
		.lock_fd = c->scratch.lock_fd,
		.remove_rest = remove_outside,
	};
	err = guardian_start(&c->guardian, &c->duty);
	c->config.guardian = c->guardian.pid;
	return err;
}

static int check_limits(const struct cell *c)
{
	char why[RLIMITS_TEXT_MAX];
	int err = rlimits_check(&c->o->need, c->scratch.path, why);

	if (err)
		msg_error("%s", why);
	return err;
}

static int check_lacks(void)
{
	const struct testcase_needs *n = &testcase_info.needs;
	char why[RLIMITS_TEXT_MAX];
	int err = lacks_kernel(n->kernel, why);

	if (!err)
		err = lacks_controller(n->controller, why);
	if (!err)
		err = lacks_capability(n->capability, why);
	if (err)
		msg_error("%s", why);
	return err;
}

/* From the making of the scratch directory until somebody watches over it, no signal may end us. */
static int make_scratch(struct cell *c)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	err = enter_scratch(c);
	if (!err)
		err = make_outside(c);
	if (!err)
		err = start_guardian(c);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int prepare(struct cell *c)
{
	int err = check_lacks();

	if (!err)
		err = place(c);
	c->config = (struct tasks_config){
		.nr = c->o->tasks,
		.mode = c->o->mode,
		.cpus = c->cpus,
		.attach = counters_chosen() ? counters_attach : NULL,
	};
	/* Tasks inherit the kernel's own policy, which local memory is. */
	if (c->o->membind.policy > MEMBIND_LOCAL)
		c->config.membind = &c->o->membind;
	if (!err)
		err = place_bind_cpus(c);
	if (!err)
		err = place_partners(c);
	if (!err)
		err = tasks_init(&c->tasks, &c->config);
	if (!err)
		err = figures_prepare(c->o->tasks);
	if (!err)
		err = make_scratch(c);
	if (!err)
		err = check_limits(c);
	return err ? err : memcg_level_enter();
}

int cell_run(const struct cell_options *o)
{
	struct cell c = { .o = o, .begin_ns = clock_ns(), .scratch.lock_fd = -1 };
	int status = EXIT_LACKING;

	if (report_open(&c.report, o) != 0)
		return EXIT_USAGE;
	if (prepare(&c) == 0 && membind_apply_first(&o->membind) == 0) {
		memcg_oom_mark();
		testcase_prepare(o->tasks);
		if (c.config.membind)
			membind_reset();
		status = measure(&c);
		tasks_kill(&c.tasks);
		testcase_cleanup();
	}
	queues_remove();
	if (groups_remove() != 0 && status == EXIT_MEASURED)
		status = EXIT_CELL_FAILED;
	memcg_level_leave();
	if (memcg_level_remove() != 0 && status == EXIT_MEASURED)
		status = EXIT_CELL_FAILED;
	if (scratch_remove(&c.scratch) != 0 && status == EXIT_MEASURED)
		status = EXIT_CELL_FAILED;
	guardian_stop(&c.guardian);
	if (c.tasks.shared)
		tasks_free(&c.tasks);
	free_places(&c);
	return status;
}
