/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "file.h"

/* Frequencies are read one file a CPU: enough of them for a mean. */
#define FREQUENCIES_MAX 16

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

/* The CPUs that the tasks are bound to; those that unbound tasks may use. */
static int cell_cpus(struct cpulist *list, const struct tasks_config *c)
{
	size_t kept = 0;
	int err = 0;

	*list = (struct cpulist){ 0 };
	if (c->cpus[0] < 0)
		return affinity_get(list);
	for (unsigned long i = 0; !err && i < c->nr; i++)
		err = cpulist_add(list, c->cpus[i]);
	if (err) {
		cpulist_free(list);
		return err;
	}
	qsort(list->cpus, list->nr, sizeof(*list->cpus), compare_ints);
	for (size_t i = 0; i < list->nr; i++)
		if (i == 0 || list->cpus[i] != list->cpus[kept - 1])
			list->cpus[kept++] = list->cpus[i];
	list->nr = kept;
	return 0;
}

/* "ksoftirqd/3", "rcuc/3": a thread that finishes on CPU 3 what was begun there. */
static bool is_helper(const char *comm, const struct cpulist *cpus)
{
	int cpu;

	return (sscanf(comm, "ksoftirqd/%d", &cpu) == 1 || sscanf(comm, "rcuc/%d", &cpu) == 1) &&
	       bsearch(&cpu, cpus->cpus, cpus->nr, sizeof(cpu), compare_ints);
}

/* Kernel threads are the children of kthreadd, process 2. */
static void find_helpers(struct window *w)
{
	char *children, *rest, *word, *comm;

	w->helpers = (struct cpulist){ 0 };
	if (file_read(&children, w->root, "/proc/2/task/2/children") != 0)
		return;
	for (rest = children; (word = strsep(&rest, " "));) {
		if (!word[0] || file_read(&comm, w->root, "/proc/%s/comm", word) != 0)
			continue;
		if (is_helper(comm, &w->cpus))
			cpulist_add(&w->helpers, atoi(word));
		free(comm);
	}
	free(children);
}

/* ---- /proc/stat ----------------------------------------------------------------------------- */

/* proc(5): cpuN user nice system idle iowait irq softirq steal guest guest_nice. */
static void read_cpu_line(const char *line, const struct cpulist *cpus, struct window_edge *e)
{
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
	int cpu;

	if (sscanf(line, "cpu%d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64, &cpu, &user, &nice, &system, &idle, &iowait, &irq,
		   &softirq, &steal) != 9)
		return;
	e->nr_cpus++;
	e->all_idle += idle + iowait;
	if (!bsearch(&cpu, cpus->cpus, cpus->nr, sizeof(cpu), compare_ints))
		return;
	e->idle += idle + iowait;
	e->steal += steal;
	e->busy += user + nice + system + irq + softirq;
}

static void read_stat(const struct window *w, struct window_edge *e)
{
	char *text, *rest, *line;

	if (file_read(&text, w->root, "/proc/stat") != 0)
		return;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		if (strncmp(line, "cpu", 3) == 0 && line[3] != ' ')
			read_cpu_line(line, &w->cpus, e);
		else if (strncmp(line, "ctxt ", 5) == 0)
			e->context_switches = strtoull(line + 5, NULL, 10);
	}
	free(text);
}

/* ---- the tasks ------------------------------------------------------------------------------ */

static int64_t process_ns(pid_t pid)
{
	clockid_t clock;
	struct timespec t;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return -1;
	return t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

/* CPU time of all tasks and partners, so far; -1 if it cannot be known. */
static int64_t tasks_ns(const struct tasks *t)
{
	int64_t sum = 0, ns;

	if (t->worker)
		return process_ns(t->worker);
	for (unsigned long i = 0; i < t->config->nr; i++) {
		const struct task_slot *slot = &t->slots[i];

		if (slot->nr_partners > 1)
			return -1;	/* only the first one's ID is known */
		ns = process_ns(slot->id);
		if (ns >= 0 && slot->partner) {
			int64_t partner = process_ns(slot->partner);

			ns = partner < 0 ? -1 : ns + partner;
		}
		if (ns < 0)
			return -1;
		sum += ns;
	}
	return sum;
}

static int64_t own_ns(const struct window *w, const struct tasks *t)
{
	int64_t sum = tasks_ns(t);

	for (size_t i = 0; sum >= 0 && i < w->helpers.nr; i++) {
		int64_t ns = process_ns(w->helpers.cpus[i]);

		sum = ns < 0 ? -1 : sum + ns;
	}
	return sum;
}

/*
 * proc(5), stat: (10) minflt, (12) majflt, (16) cutime, (17) cstime; the command (2) may hold
 * blanks and parentheses. Children that a testcase forks and reaps are its own CPU time, too.
 */
static int read_task_stat(const char *dir, uint64_t *faults, uint64_t *children_ticks)
{
	uint64_t minor, major, cutime, cstime;
	char *text, *rest;
	int got = 0;

	if (file_read(&text, dir, "/stat") != 0)
		return -ENOENT;
	rest = strrchr(text, ')');
	if (rest)
		got = sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %" SCNu64 " %*u %" SCNu64
			     " %*u %*u %*u %" SCNu64 " %" SCNu64, &minor, &major, &cutime, &cstime);
	free(text);
	if (got != 4)
		return -EINVAL;
	*faults = minor + major;
	*children_ticks = cutime + cstime;
	return 0;
}

static int read_task_status(const char *dir, uint64_t *voluntary, uint64_t *involuntary)
{
	char *text;
	int err;

	if (file_read(&text, dir, "/status") != 0)
		return -ENOENT;
	err = file_key_u64(text, "voluntary_ctxt_switches", voluntary);
	if (!err)
		err = file_key_u64(text, "nonvoluntary_ctxt_switches", involuntary);
	free(text);
	return err;
}

/* Time on a CPU, then time that it waited for one while it could run. Some kernels have no such file. */
static void read_schedstat(const char *dir, struct window_edge *e)
{
	uint64_t cpu_ns, delay_ns;
	char *text;

	if (file_read(&text, dir, "/schedstat") != 0)
		return;
	if (sscanf(text, "%" SCNu64 " %" SCNu64, &cpu_ns, &delay_ns) == 2) {
		e->cpu_ns += cpu_ns;
		e->delay_ns += delay_ns;
		e->scheduled++;
	}
	free(text);
}

/* Each task's own counter is read beside its kernel counts: both are from the same moment. */
static void read_kernel_counts(const struct window *w, const struct tasks *t, struct window_edge *e)
{
	unsigned long nr = t->config->nr;
	unsigned long sample = nr < WINDOW_TASKS_MAX ? nr : WINDOW_TASKS_MAX;
	uint64_t children_ticks = 0;

	for (unsigned long k = 0; k < sample; k++) {
		unsigned long task = k * nr / sample;
		uint64_t faults, ticks, voluntary, involuntary;
		char dir[256];

		snprintf(dir, sizeof(dir), "%s/proc/%d/task/%d", w->root,
			 t->worker ? t->worker : t->slots[task].id, t->slots[task].id);
		e->ops += tasks_count(t, task);
		if (read_task_stat(dir, &faults, &ticks) != 0 ||
		    read_task_status(dir, &voluntary, &involuntary) != 0)
			continue;
		e->page_faults += faults;
		e->voluntary += voluntary;
		e->involuntary += involuntary;
		children_ticks += ticks;
		read_schedstat(dir, e);
		e->kernel_tasks++;
	}
	if (e->own_ns >= 0 && !t->worker)
		e->own_ns += (int64_t)(children_ticks * nr / sample *
				       (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
}

static void read_edge(const struct window *w, const struct tasks *t, struct window_edge *e)
{
	*e = (struct window_edge){ 0 };
	e->own_ns = own_ns(w, t);
	read_kernel_counts(w, t, e);
	e->time_ns = clock_ns();
	read_stat(w, e);
}

static double mean_mhz(const struct window *w)
{
	const struct cpulist *cpus = &w->cpus;
	size_t sample = cpus->nr < FREQUENCIES_MAX ? cpus->nr : FREQUENCIES_MAX, got = 0;
	uint64_t sum = 0, khz;

	for (size_t k = 0; k < sample; k++) {
		int cpu = cpus->cpus[k * cpus->nr / sample];

		if (file_read_u64(&khz, w->root, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq",
				  cpu) == 0) {
			sum += khz;
			got++;
		}
	}
	return got ? (double)sum / 1000.0 / (double)got : -1;
}

/* ---- the figures ---------------------------------------------------------------------------- */

/* proc(5): iowait may decrease. What went backwards by some ticks did not go on. */
static uint64_t grown(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

static double share_pct(uint64_t ticks, double tick_ns, double available_ns)
{
	double pct = 100.0 * (double)ticks * tick_ns / available_ns;

	return pct > 100 ? 100 : pct;
}

static void machine_figures(const struct window *w, const struct window_edge *end,
			    struct window_figures *f)
{
	const struct window_edge *begin = &w->begin;
	double tick_ns = 1e9 / (double)sysconf(_SC_CLK_TCK);
	double elapsed_ns = (double)(end->time_ns - begin->time_ns);
	double cell_ns = elapsed_ns * (double)w->cpus.nr;

	*f = (struct window_figures){ -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1 };
	f->cell_mhz = mean_mhz(w);
	/* The sums of a CPU that came or went would be taken for differences. */
	if (!end->nr_cpus || end->nr_cpus != begin->nr_cpus || elapsed_ns <= 0)
		return;
	f->idle_pct = share_pct(grown(begin->all_idle, end->all_idle), tick_ns,
				elapsed_ns * (double)end->nr_cpus);
	f->cell_idle_pct = share_pct(grown(begin->idle, end->idle), tick_ns, cell_ns);
	f->steal_pct = share_pct(grown(begin->steal, end->steal), tick_ns, cell_ns);
	f->resolution_pct = share_pct(1, tick_ns, elapsed_ns);
	f->context_switches_hz = (double)grown(begin->context_switches, end->context_switches) *
				 1e9 / elapsed_ns;
	if (begin->own_ns < 0 || end->own_ns < 0)
		return;
	f->other_pct = 100.0 * ((double)grown(begin->busy, end->busy) * tick_ns -
				(double)(end->own_ns - begin->own_ns)) / cell_ns;
	if (f->other_pct < 0)
		f->other_pct = 0;
}

static void kernel_figures(const struct window_edge *begin, const struct window_edge *end,
			   struct window_figures *f)
{
	double ops = (double)(end->ops - begin->ops);

	/* A task that came or went would make the difference one between different sets. */
	if (!end->kernel_tasks || end->kernel_tasks != begin->kernel_tasks || ops <= 0)
		return;
	f->kernel_tasks = end->kernel_tasks;
	f->page_faults_per_op = (double)(end->page_faults - begin->page_faults) / ops;
	f->voluntary_switches_per_op = (double)(end->voluntary - begin->voluntary) / ops;
	f->involuntary_switches_per_op = (double)(end->involuntary - begin->involuntary) / ops;
	if (end->scheduled != end->kernel_tasks || begin->scheduled != end->scheduled)
		return;
	f->cpu_ns_per_op = (double)(end->cpu_ns - begin->cpu_ns) / ops;
	f->delay_ns_per_op = (double)(end->delay_ns - begin->delay_ns) / ops;
	f->sleep_ns_per_op = (double)(end->time_ns - begin->time_ns) * (double)end->scheduled / ops -
			     f->cpu_ns_per_op - f->delay_ns_per_op;
	/* Both are brought up to date at the scheduler's ticks: as little as nothing may come out below 0. */
	if (f->sleep_ns_per_op < 0)
		f->sleep_ns_per_op = 0;
}

int window_begin(struct window *w, const char *root, const struct tasks *t)
{
	int err = cell_cpus(&w->cpus, t->config);

	w->root = root;
	if (err)
		return err;
	find_helpers(w);
	read_edge(w, t, &w->begin);
	return 0;
}

void window_end(struct window *w, const struct tasks *t, struct window_figures *f)
{
	struct window_edge end;

	read_edge(w, t, &end);
	machine_figures(w, &end, f);
	kernel_figures(&w->begin, &end, f);
	cpulist_free(&w->helpers);
	cpulist_free(&w->cpus);
}
