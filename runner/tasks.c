/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "file.h"
#include "rlimits.h"
#include "memcg.h"
#include "memcg_level.h"
#include "msg.h"
#include "priority.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102	/* Linux 6.13 */
#endif

#define COUNTERS_PER_PAGE (4096 / TASKS_COUNTER_BYTES)
#define CHECKED_MAX 1024
#define STACK_MAX (8UL << 20)
#define STACK_MIN (256UL << 10)

/* Why the first task failed: written once, by whoever claims it, then read by the supervisor. */
struct failure {
	uint32_t claimed, written;
	bool lacking;
	char text[900];
};

struct tasks_shared {
	volatile pid_t group;
	pid_t supervisor;
	uint32_t gate;
	uint32_t ready;
	struct failure failure;
};

/* Tasks that the same spawner makes: order[begin] to order[end - 1], all on one CPU. */
struct chunk {
	unsigned long begin, end;
};

/* The tasks, sorted by CPU, in chunks. Freed by nobody but the end of its process. */
struct layout {
	uint32_t *order;
	struct chunk *chunks;
	unsigned long nr_chunks;
};

/* Set before any task exists, read by the tasks. */
static struct tasks *self;
static struct layout layout;
static sigset_t inherited_mask;
static __thread long this_task = -1;
static __thread bool is_partner;

/* ---- what supervisor and tasks share -------------------------------------------------------- */

static size_t round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static int compare_cpus(const void *a, const void *b, void *cpus)
{
	const int *cpu = cpus;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (cpu[x] != cpu[y])
		return cpu[x] < cpu[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int sort_by_cpu(const struct tasks_config *c)
{
	layout.order = calloc(c->nr, sizeof(*layout.order));
	layout.chunks = calloc(c->nr, sizeof(*layout.chunks));
	if (!layout.order || !layout.chunks)
		return -ENOMEM;
	for (unsigned long i = 0; i < c->nr; i++)
		layout.order[i] = (uint32_t)i;
	qsort_r(layout.order, c->nr, sizeof(*layout.order), compare_cpus, (void *)c->cpus);
	return 0;
}

static bool same_cpu(const struct tasks_config *c, unsigned long a, unsigned long b)
{
	return c->cpus[layout.order[a]] == c->cpus[layout.order[b]];
}

/*
 * A page of counters belongs to the tasks of one CPU: it is local to them (they touch it first)
 * and no task of another NUMA node ever shares it. Returns the number of counters' places.
 */
static unsigned long place_counters(struct tasks *t)
{
	const struct tasks_config *c = t->config;
	unsigned long place = 0;

	for (unsigned long i = 0; i < c->nr; i++) {
		if (i && !same_cpu(c, i - 1, i))
			place = round_up(place, COUNTERS_PER_PAGE);
		t->places[layout.order[i]] = (uint32_t)place++;
	}
	return place;
}

/* Threads are created on the CPU where they belong; those that belong nowhere, on all. */
static unsigned long tasks_per_thread(const struct tasks_config *c)
{
	long cpus = c->cpus[0] < 0 ? sysconf(_SC_NPROCESSORS_ONLN) : 1;

	return cpus > 1 ? (c->nr + (unsigned long)cpus - 1) / (unsigned long)cpus : c->nr;
}

static void cut_into_chunks(const struct tasks_config *c)
{
	unsigned long most = c->mode == MODE_THREADS ? tasks_per_thread(c) : TASKS_PER_SPAWNER;
	struct chunk *chunk = layout.chunks;

	*chunk = (struct chunk){ 0, 1 };
	for (unsigned long i = 1; i < c->nr; i++) {
		if (!same_cpu(c, i - 1, i) || i - chunk->begin == most)
			*++chunk = (struct chunk){ i, i };
		chunk->end = i + 1;
	}
	layout.nr_chunks = (unsigned long)(chunk - layout.chunks) + 1;
}

static int map_shared(struct tasks *t, size_t nr_places)
{
	size_t control = round_up(sizeof(*t->shared), 64);
	size_t head = round_up(control + t->config->nr * sizeof(*t->slots), 4096);
	uint8_t *map;

	t->map_bytes = head + round_up(nr_places * TASKS_COUNTER_BYTES, 4096);
	map = mmap(NULL, t->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return -errno;
	/* A huge page would lie on one node, whoever uses it. EINVAL: no huge pages here at all. */
	madvise(map, t->map_bytes, MADV_NOHUGEPAGE);
	t->shared = (struct tasks_shared *)map;
	t->slots = (struct task_slot *)(map + control);
	t->counters = map + head;
	return 0;
}

int tasks_init(struct tasks *t, const struct tasks_config *config)
{
	int err;

	*t = (struct tasks){ .config = config, .signal_fd = -1, .ready_fd = -1 };
	t->places = calloc(config->nr, sizeof(*t->places));
	err = t->places ? sort_by_cpu(config) : -ENOMEM;
	if (!err) {
		cut_into_chunks(config);
		err = map_shared(t, place_counters(t));
	}
	if (err) {
		msg_error("no memory for the counters of %lu tasks: %s", config->nr, strerror(-err));
		tasks_free(t);
		return err;
	}
	t->shared->supervisor = getpid();
	self = t;
	return 0;
}

void tasks_free(struct tasks *t)
{
	if (t->signal_fd >= 0) {
		close(t->signal_fd);
		sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
	}
	if (t->ready_fd >= 0)
		close(t->ready_fd);
	if (t->shared)
		munmap(t->shared, t->map_bytes);
	free(t->places);
	free(layout.order);
	free(layout.chunks);
	layout = (struct layout){ 0 };
	*t = (struct tasks){ .signal_fd = -1, .ready_fd = -1 };
	self = NULL;
}

const volatile pid_t *tasks_group(const struct tasks *t)
{
	return &t->shared->group;
}

/* ---- in the tasks --------------------------------------------------------------------------- */

/*
 * Between fork and gate a task makes its calls by syscall(): the page of the C library that holds
 * it is the only one that each of thousands of tasks must fault in for them.
 */
static long futex(uint32_t *word, int op, uint32_t value)
{
	return syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

/*
 * fork() without the handlers of pthread_atfork(), which touch, and so copy, pages of the C
 * library. The spawner, forked a moment ago, has one thread, and no lock is held.
 */
static pid_t fork_task(void)
{
#if __GLIBC_PREREQ(2, 34)
	return _Fork();
#else
	return fork();
#endif
}

/* Whether the caller is the first to fail; the others need not say more. */
static bool claim_failure(void)
{
	return __atomic_exchange_n(&self->shared->failure.claimed, 1, __ATOMIC_ACQ_REL) == 0;
}

__attribute__((format(printf, 2, 3)))
static void fail(bool lacking, const char *fmt, ...)
{
	struct failure *f = &self->shared->failure;
	va_list args;

	if (!claim_failure())
		return;
	va_start(args, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, args);
	va_end(args);
	f->lacking = lacking;
	__atomic_store_n(&f->written, 1, __ATOMIC_RELEASE);
}

/*
 * Ends the calling task's process. In threads mode another thread may be writing down its own
 * failure, which came first: leave the end to it, but not for ever.
 */
static _Noreturn void end_process(void)
{
	const struct timespec pause = { .tv_nsec = NS_PER_MS };

	for (int i = 0; i < 1000; i++) {
		if (__atomic_load_n(&self->shared->failure.written, __ATOMIC_ACQUIRE))
			break;
		nanosleep(&pause, NULL);
	}
	_exit(EXIT_CELL_FAILED);
}

/* Errors that mean a limit of the machine, when they come up before the measurement. */
static bool is_limit(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOSPC || error == EDQUOT ||
	       error == ENOMEM;
}

void testcase_fail(const char *file, int line, const char *expr, int error)
{
	const char *who = is_partner ? "partner of task" : "task";

	if (this_task < 0) {
		msg_error("%s:%d: must(%s): %s", file, line, expr, strerror(error));
		_exit(is_limit(error) ? EXIT_LACKING : EXIT_CELL_FAILED);
	}
	fail(false, "%s %ld: %s:%d: must(%s): %s", who, this_task, file, line, expr, strerror(error));
	end_process();
}

void testcase_lacks(const char *why)
{
	if (this_task < 0) {
		msg_error("%s", why);
		_exit(EXIT_LACKING);
	}
	fail(true, "task %ld: %s", this_task, why);
	end_process();
}

/* A signal that kills the process must say which thread it hit. */
static void on_fatal_signal(int sig)
{
	if (this_task >= 0)
		fail(false, "%s %ld: killed by signal %d (%s)",
		     is_partner ? "partner of task" : "task",
		     this_task, sig, sigdescr_np(sig));
	/* SA_RESETHAND: the default action is back. */
	raise(sig);
}

static void name_fatal_signals(void)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS };
	struct sigaction action = { .sa_handler = on_fatal_signal, .sa_flags = SA_RESETHAND };

	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], &action, NULL);
}

/* Dies with the supervisor. Only possible once the supervisor is the parent. */
static void die_with_supervisor(void)
{
	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
	if (syscall(SYS_getppid) != self->shared->supervisor)
		_exit(EXIT_CELL_FAILED);
}

static void wait_at_gate(void)
{
	struct tasks_shared *shared = self->shared;

	if (__atomic_add_fetch(&shared->ready, 1, __ATOMIC_ACQ_REL) == self->config->nr)
		eventfd_write(self->ready_fd, 1);
	while (!__atomic_load_n(&shared->gate, __ATOMIC_ACQUIRE))
		futex(&shared->gate, FUTEX_WAIT, 0);
}

/* The first touch of a counter, on the task's node. */
static unsigned long long *touch_counter(unsigned long task)
{
	uint8_t *place = self->counters + self->places[task] * TASKS_COUNTER_BYTES;

	*(volatile unsigned long long *)place = 0;
	return (unsigned long long *)place;
}

static void set_memory_policy(unsigned long task)
{
	int err = self->config->membind ? membind_apply(self->config->membind, task) : 0;

	if (!err)
		return;
	fail(true, "cannot set the memory policy of task %lu: %s", task, strerror(-err));
	_exit(EXIT_LACKING);
}

static void enter_group(unsigned long task)
{
	int err = memcg_level_enter_task(task);

	if (!err)
		return;
	fail(true, "cannot move task %lu into its memory cgroup: %s", task, strerror(-err));
	_exit(EXIT_LACKING);
}

static _Noreturn void run_task(unsigned long task, pid_t id)
{
	unsigned long long *iterations = touch_counter(task);

	this_task = (long)task;
	self->slots[task].id = id;
	set_memory_policy(task);
	enter_group(task);
	wait_at_gate();
	if (self->config->mode == MODE_PROCESSES)
		die_with_supervisor();
	testcase(iterations, task);
	fail(false, "task %lu returned from testcase(), which must loop for ever", task);
	end_process();
}

/* affinity_bind() has asked for CPUs that the kernel did not give: EINVAL. */
static const char *bind_error(int err)
{
	return err == -EINVAL ? "it is offline, or not allowed here" : strerror(-err);
}

static _Noreturn void fail_bind(const char *who, unsigned long task, const int *cpus, size_t nr,
				int err)
{
	char *list = cpulist_format(cpus, nr);

	fail(true, "cannot bind %s %lu to CPU%s %s: %s", who, task, nr > 1 ? "s" : "",
	     list ? list : "?", bind_error(err));
	_exit(EXIT_LACKING);
}

/* The CPUs that a task may use: how many, and which; 0: it is not bound. */
static size_t cpus_of(const struct tasks_config *c, unsigned long task, const int **cpus)
{
	*cpus = &c->cpus[task];
	if (**cpus < 0)
		return 0;
	if (!c->bind_cpus)
		return 1;
	*cpus = c->bind_cpus[task % c->nr_bind_cpus].cpus;
	return c->bind_cpus[task % c->nr_bind_cpus].nr;
}


/*
 * What the chunk's tasks inherit: the CPU, and the memory policy, so that it already holds for their
 * stacks. Their counters are touched before that.
 */
static void settle_chunk(const struct chunk *chunk)
{
	unsigned long task = layout.order[chunk->begin];
	const int *cpus;
	size_t nr = cpus_of(self->config, task, &cpus);
	int err = nr ? affinity_bind(cpus, nr) : 0;

	if (err)
		fail_bind("task", task, cpus, nr, err);
	if (!self->config->membind)
		return;
	for (unsigned long i = chunk->begin; i < chunk->end; i++)
		touch_counter(layout.order[i]);
	set_memory_policy(task);
}

static void fail_start(unsigned long task, int error)
{
	char limits[RLIMITS_TEXT_MAX];

	fail(true, "cannot start task %lu of %lu: %s (%s)", task, self->config->nr,
	     strerror(error), rlimits_text_processes(limits));
}

/* ---- processes mode: ancestor, spawners --------------------------------------------------------------- */

/*
 * Where the kernel groups sessions for scheduling (autogroup), a session of their own makes the
 * tasks one competitor of the supervisor's instead of thousands. It must weigh less: under Linux
 * 6.18 a group of equal weight whose tasks keep waking each other starves all others for seconds.
 */
static void go_apart(void)
{
	setsid();
	file_write("/proc/self/autogroup", "5");
}

/* The ancestor of all tasks leads a process group: one to kill. */
static void enter_cell(void)
{
	die_with_supervisor();
	if (self->config->apart)
		go_apart();
	else
		setpgid(0, 0);
	/* Should memory run out, the kernel kills a task, not the supervisor that can tell. */
	file_write("/proc/self/oom_score_adj", "500");
	name_fatal_signals();
	sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
}

static _Noreturn void run_spawner(const struct chunk *chunk)
{
	settle_chunk(chunk);
	/* A task alone on its spawner needs no process between. */
	if (chunk->end - chunk->begin == 1)
		run_task(layout.order[chunk->begin], getpid());
	for (unsigned long i = chunk->begin; i < chunk->end; i++) {
		pid_t pid = fork_task();

		if (pid == 0)
			run_task(layout.order[i], (pid_t)syscall(SYS_getpid));
		if (pid < 0) {
			fail_start(layout.order[i], errno);
			_exit(EXIT_LACKING);
		}
	}
	_exit(0);
}

/* The spawners become the supervisor's children when this one exits; their tasks likewise. */
static _Noreturn void run_ancestor(void)
{
	enter_cell();
	for (unsigned long i = 0; i < layout.nr_chunks; i++) {
		pid_t pid = fork_task();

		if (pid == 0)
			run_spawner(&layout.chunks[i]);
		if (pid < 0) {
			fail_start(layout.order[layout.chunks[i].begin], errno);
			_exit(EXIT_LACKING);
		}
	}
	_exit(0);
}

/* ---- threads mode --------------------------------------------------------------------------- */

static uint8_t *stacks;
static size_t stack_bytes;

/* One mapping for all stacks: a mapping each would cost more than the thread itself. */
static int map_stacks(unsigned long nr)
{
	struct rlimit limit;

	stack_bytes = STACK_MAX;
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_MAX)
		stack_bytes = limit.rlim_cur > STACK_MAX / 4 ? limit.rlim_cur : STACK_MAX / 4;
	for (; stack_bytes >= STACK_MIN; stack_bytes /= 2) {
		stack_bytes &= ~4095UL;
		stacks = mmap(NULL, nr * stack_bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
		if (stacks != MAP_FAILED) {
			madvise(stacks, nr * stack_bytes, MADV_NOHUGEPAGE);
			return 0;
		}
	}
	return -errno;
}

/* A task that overruns its stack must fault, not write into its neighbour's. */
static int guard_stack(uint8_t *stack)
{
	if (madvise(stack, 4096, MADV_GUARD_INSTALL) == 0)
		return 0;
	return mprotect(stack, 4096, PROT_NONE) == 0 ? 0 : errno;
}

static void *task_thread(void *arg)
{
	run_task((unsigned long)(uintptr_t)arg, gettid());
}

/* Returns an error number. */
static int create_task(unsigned long task)
{
	uint8_t *stack = stacks + task * stack_bytes;
	pthread_attr_t attr;
	pthread_t thread;
	int error = guard_stack(stack);

	if (error)
		return error;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, stack_bytes);
	error = pthread_create(&thread, &attr, task_thread, (void *)(uintptr_t)task);
	pthread_attr_destroy(&attr);
	return error;
}

/* Binds itself, then creates its CPU's tasks, which inherit the binding. */
static void *spawner_thread(void *arg)
{
	const struct chunk *chunk = arg;

	settle_chunk(chunk);
	for (unsigned long i = chunk->begin; i < chunk->end; i++) {
		int error = create_task(layout.order[i]);

		if (error) {
			fail_start(layout.order[i], error);
			_exit(EXIT_LACKING);
		}
	}
	return NULL;
}

static _Noreturn void run_thread_process(void)
{
	int error;

	enter_cell();
	error = -map_stacks(self->config->nr);
	for (unsigned long i = 0; !error && i < layout.nr_chunks; i++) {
		pthread_attr_t attr;
		pthread_t thread;

		pthread_attr_init(&attr);
		pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
		error = pthread_create(&thread, &attr, spawner_thread, &layout.chunks[i]);
		pthread_attr_destroy(&attr);
		if (error)
			fail_start(layout.order[layout.chunks[i].begin], error);
	}
	if (error) {
		fail(true, "no memory for the stacks of %lu threads: %s", self->config->nr,
		     strerror(error));
		_exit(EXIT_LACKING);
	}
	for (;;)
		pause();
}

/* ---- partners ------------------------------------------------------------------------------- */

struct partner {
	void *(*func)(void *);
	void *arg;
	long task;
	uint32_t started;
};

static void bind_partner(unsigned long task)
{
	const struct cpulist *cpus = &self->config->partner_cpus;
	int cpu, err;

	if (!cpus->nr)
		return;
	cpu = cpus->cpus[task % cpus->nr];
	err = affinity_bind(&cpu, 1);
	if (err)
		fail_bind("the partner of task", task, &cpu, 1, err);
}

static _Noreturn void run_partner(struct partner p, pid_t id)
{
	struct task_slot *slot = &self->slots[p.task];

	this_task = p.task;
	is_partner = true;
	if (__atomic_fetch_add(&slot->nr_partners, 1, __ATOMIC_RELAXED) == 0)
		slot->partner = id;
	bind_partner((unsigned long)p.task);
	p.func(p.arg);
	fail(false, "partner of task %ld returned, which must loop for ever", p.task);
	end_process();
}

static void *partner_thread(void *arg)
{
	struct partner *p = arg, copy = *p;

	free(p);
	run_partner(copy, gettid());
}

static void new_thread(const struct partner *p)
{
	struct partner *copy = malloc(sizeof(*copy));
	pthread_t thread;
	int error;

	if (!copy)
		testcase_fail(__FILE__, __LINE__, "new_task()", ENOMEM);
	*copy = *p;
	error = pthread_create(&thread, NULL, partner_thread, copy);
	if (error)
		testcase_fail(__FILE__, __LINE__, "new_task()", error);
}

/* The supervisor shall be the parent: it hears of a partner's death, and the task does not. */
static _Noreturn void adopt_partner(const struct partner *p)
{
	pid_t parent = getpid(), pid = fork();

	if (pid != 0)
		_exit(pid < 0 ? errno : 0);
	while (getppid() == parent)
		sched_yield();
	die_with_supervisor();
	run_partner(*p, getpid());
}

static void new_process(const struct partner *p)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		adopt_partner(p);
	if (pid < 0)
		testcase_fail(__FILE__, __LINE__, "new_task()", errno);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			testcase_fail(__FILE__, __LINE__, "new_task()", errno);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		testcase_fail(__FILE__, __LINE__, "new_task()",
			      WIFEXITED(status) ? WEXITSTATUS(status) : EIO);
}

void new_task(void *(func)(void *), void *arg)
{
	const struct partner p = { .func = func, .arg = arg, .task = this_task };

	if (this_task < 0 || is_partner)
		testcase_fail(__FILE__, __LINE__, "new_task() is called by a task", EINVAL);
	if (self->config->mode == MODE_THREADS)
		new_thread(&p);
	else
		new_process(&p);
}

/* ---- in the supervisor ---------------------------------------------------------------------- */

static int open_fds(struct tasks *t)
{
	static const int signals[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, &inherited_mask);
	t->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	t->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return t->signal_fd < 0 || t->ready_fd < 0 ? -errno : 0;
}

/* What a failure means: the exit status of the supervisor, and one line. */
__attribute__((format(printf, 3, 4)))
static int failed(struct tasks *t, int status, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(t->failure, sizeof(t->failure), fmt, args);
	va_end(args);
	t->failure_status = status;
	return -ECHILD;
}

/* The failing task may still be writing when a death that it caused is heard of. */
static bool failure_written(const struct failure *f)
{
	const struct timespec pause = { .tv_nsec = NS_PER_MS };

	for (int i = 0; i < 200 && __atomic_load_n(&f->claimed, __ATOMIC_ACQUIRE); i++) {
		if (__atomic_load_n(&f->written, __ATOMIC_ACQUIRE))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static int failed_as_written(struct tasks *t)
{
	const struct failure *f = &t->shared->failure;

	return failed(t, f->lacking ? EXIT_LACKING : EXIT_CELL_FAILED, "%s", f->text);
}

/* Which task process @pid is: "task 3", "partner of task 3", "all 8 tasks"; "" if none. */
static void name_process(const struct tasks *t, pid_t pid, char *name, size_t size)
{
	name[0] = '\0';
	if (pid == t->worker) {
		snprintf(name, size, t->config->nr == 1 ? "task 0" : "tasks 0 to %lu",
			 t->config->nr - 1);
		return;
	}
	for (unsigned long i = 0; i < t->config->nr; i++) {
		if (t->slots[i].id == pid)
			snprintf(name, size, "task %lu", i);
		else if (t->slots[i].partner == pid)
			snprintf(name, size, "partner of task %lu", i);
	}
}

static int failed_by_death(struct tasks *t, const char *name, pid_t pid, int status)
{
	char oom[MEMCG_TEXT_MAX];

	if (failure_written(&t->shared->failure))
		return failed_as_written(t);
	if (WIFSIGNALED(status))
		return failed(t, EXIT_CELL_FAILED, "%s (process %d): killed by signal %d (%s)%s",
			      name, pid, WTERMSIG(status), sigdescr_np(WTERMSIG(status)),
			      WTERMSIG(status) == SIGKILL ? memcg_oom_text(oom) : "");
	return failed(t, EXIT_CELL_FAILED, "%s (process %d): exited with status %d", name, pid,
		      WEXITSTATUS(status));
}

static int judge_death(struct tasks *t, pid_t pid, int status)
{
	char name[64];

	if (pid == t->config->guardian)
		return 0;
	name_process(t, pid, name, sizeof(name));
	if (name[0])
		return failed_by_death(t, name, pid, status);
	/* A later partner of a task has no slot, but has written why it ends. */
	if (t->shared->gate && __atomic_load_n(&t->shared->failure.claimed, __ATOMIC_ACQUIRE))
		return failed_by_death(t, "a partner", pid, status);
	if (t->shared->gate)
		return 0;	/* an orphan of a testcase's own */
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return failed_by_death(t, "a task that was being started", pid, status);
	t->spawners--;
	return 0;
}

static int reap(struct tasks *t)
{
	pid_t pid;
	int status, err = 0;

	while (!err && (pid = waitpid(-1, &status, WNOHANG)) > 0)
		err = judge_death(t, pid, status);
	return err;
}

/* 0, a signal number, or -ECHILD. */
static int read_signals(struct tasks *t)
{
	struct signalfd_siginfo info;

	while (read(t->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		int err = 0;

		if (info.ssi_signo != SIGCHLD)
			return (int)info.ssi_signo;
		err = reap(t);
		if (err)
			return err;
	}
	return 0;
}

/* Waits for signals, and for readiness if @ready, until the deadline. */
static int wait_event(struct tasks *t, uint64_t deadline_ns, bool ready)
{
	struct pollfd fds[] = {
		{ .fd = t->signal_fd, .events = POLLIN },
		{ .fd = ready ? t->ready_fd : -1, .events = POLLIN },
	};
	uint64_t now = clock_ns();
	uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
	struct timespec timeout = {
		.tv_sec = (time_t)(left / NS_PER_S),
		.tv_nsec = (long)(left % NS_PER_S),
	};

	if (ppoll(fds, 2, &timeout, NULL) < 0 && errno != EINTR)
		return failed(t, EXIT_CELL_FAILED, "ppoll: %s", strerror(errno));
	return fds[0].revents ? read_signals(t) : 0;
}

/* Processes that make others and exit: the ancestor, and the spawners of several tasks. */
static unsigned long count_spawners(void)
{
	unsigned long nr = 1;

	for (unsigned long i = 0; i < layout.nr_chunks; i++)
		nr += layout.chunks[i].end - layout.chunks[i].begin > 1;
	return nr;
}

/* The ancestor, in which whoever attaches to it is waited for: the end of the pipe. */
static pid_t fork_ancestor(const struct tasks *t)
{
	int fds[2];
	pid_t pid;
	char none;

	if (!t->config->attach)
		return fork();
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(fds[1]);
		while (read(fds[0], &none, 1) < 0 && errno == EINTR)
			;
	} else if (pid > 0) {
		t->config->attach(pid);
		close(fds[1]);
	}
	close(fds[0]);
	if (pid < 0)
		close(fds[1]);
	return pid;
}

static int start_cell(struct tasks *t)
{
	bool threads = t->config->mode == MODE_THREADS;
	pid_t pid = fork_ancestor(t);

	if (pid == 0) {
		if (threads)
			run_thread_process();
		run_ancestor();
	}
	if (pid < 0) {
		fail_start(0, errno);
		return failed_as_written(t);
	}
	t->shared->group = pid;
	if (threads)
		t->worker = pid;
	else
		t->spawners = count_spawners();
	return 0;
}

static bool all_ready(const struct tasks *t)
{
	return __atomic_load_n(&t->shared->ready, __ATOMIC_ACQUIRE) == t->config->nr &&
	       t->spawners == 0;
}

int tasks_start(struct tasks *t)
{
	int err;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	err = open_fds(t);
	if (err)
		return failed(t, EXIT_LACKING, "signalfd, eventfd: %s", strerror(-err));
	fflush(NULL);
	err = start_cell(t);
	while (!err && !all_ready(t)) {
		eventfd_t value;

		err = wait_event(t, clock_ns() + NS_PER_S, true);
		eventfd_read(t->ready_fd, &value);
	}
	return err;
}

void tasks_release(struct tasks *t)
{
	__atomic_store_n(&t->shared->gate, 1, __ATOMIC_RELEASE);
	futex(&t->shared->gate, FUTEX_WAKE, INT32_MAX);
}

int tasks_wait(struct tasks *t, uint64_t deadline_ns)
{
	int event = 0;

	while (!event && clock_ns() < deadline_ns)
		event = wait_event(t, deadline_ns, false);
	return event;
}

static int failed_loose(struct tasks *t, unsigned long task, const int *cpus, size_t nr)
{
	char *online = NULL, *text = cpulist_format(cpus, nr);
	struct cpulist list;
	bool offline = false;

	if (file_read(&online, "", "/sys/devices/system/cpu/online") == 0 &&
	    cpulist_parse(online, &list) == 0) {
		offline = !cpulist_contains(&list, cpus[0]);
		cpulist_free(&list);
	}
	failed(t, EXIT_CELL_FAILED, "task %lu is no longer bound to CPU%s %s: %s", task,
	       nr > 1 ? "s" : "", text ? text : "?",
	       offline ? "it went offline" : "its affinity was changed meanwhile");
	free(text);
	free(online);
	return -ECHILD;
}

int tasks_check_bound(struct tasks *t)
{
	unsigned long step = t->config->nr / CHECKED_MAX + 1;

	for (unsigned long i = 0; i < t->config->nr; i += step) {
		const int *cpus;
		size_t nr = cpus_of(t->config, i, &cpus);

		if (nr && !affinity_is_within(t->slots[i].id, cpus, nr))
			return failed_loose(t, i, cpus, nr);
	}
	return 0;
}

/* Whether there were any. */
static bool kill_children(pid_t guardian)
{
	char *children, *rest, *word;
	bool found = false;

	if (file_read(&children, "", "/proc/self/task/%d/children", gettid()) != 0)
		return false;
	for (rest = children; (word = strsep(&rest, " "));) {
		pid_t pid = (pid_t)strtol(word, NULL, 10);

		if (pid <= 0 || pid == guardian || kill(pid, SIGKILL) != 0)
			continue;
		waitpid(pid, NULL, 0);
		found = true;
	}
	free(children);
	return found;
}

/*
 * Descendants that left the process group have become the supervisor's children all the same; so do
 * their own children when they die.
 */
static void kill_strays(pid_t guardian)
{
	while (kill_children(guardian))
		;
}

void tasks_kill(struct tasks *t)
{
	pid_t group = t->shared->group;

	if (group <= 0)
		return;
	kill(-group, SIGKILL);
	priority_drop();
	/* Those that a dying process leaves behind come to us while we wait: until there are none. */
	while (waitpid(-group, NULL, 0) > 0 || errno == EINTR)
		;
	kill_strays(t->config->guardian);
	t->shared->group = 0;
}
