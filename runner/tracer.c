/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#include "file.h"
#include "msg.h"
#include "nest.h"
#include "tracefs_dir.h"
#include "words.h"

/* For all CPUs together, and at most so much for each. */
#define BUFFER_KB 262144L
#define CPU_BUFFER_KB 8192L

/* The way of reclaim, under the names that kernels since 4.19 give it. */
#define RECLAIM \
	"try_to_free_mem_cgroup_pages,try_to_free_pages,do_try_to_free_pages,shrink_node," \
	"shrink_node_memcgs,shrink_node_memcg,shrink_lruvec,try_to_shrink_lruvec,evict_folios," \
	"shrink_inactive_list,shrink_active_list,shrink_folio_list,shrink_page_list," \
	"shrink_slab,shrink_slab_memcg,do_shrink_slab,drain_all_stock,lru_add_drain_all"

/* What vmscan's tracepoints say of the functions that they stand in. */
static const struct point {
	const char *event, *function;
	enum { BEGINS, ENDS, HAPPENS } what;
} points[] = {
	{ "mm_vmscan_memcg_reclaim_begin", "try_to_free_mem_cgroup_pages", BEGINS },
	{ "mm_vmscan_memcg_reclaim_end", "try_to_free_mem_cgroup_pages", ENDS },
	{ "mm_vmscan_direct_reclaim_begin", "try_to_free_pages", BEGINS },
	{ "mm_vmscan_direct_reclaim_end", "try_to_free_pages", ENDS },
	{ "mm_vmscan_node_reclaim_begin", "node_reclaim", BEGINS },
	{ "mm_vmscan_node_reclaim_end", "node_reclaim", ENDS },
	{ "mm_shrink_slab_start", "do_shrink_slab", BEGINS },
	{ "mm_shrink_slab_end", "do_shrink_slab", ENDS },
	{ "mm_vmscan_lru_shrink_inactive", "shrink_inactive_list", HAPPENS },
	{ "mm_vmscan_lru_shrink_active", "shrink_active_list", HAPPENS },
};

#define NR_POINTS (sizeof(points) / sizeof(points[0]))

struct tracer {
	const char *what;
	struct tracefs_instance *instance;	/* NULL: the top-level one, or none yet */
	char name[64];				/* of the instance */
	bool graph, top, attached;
	int keeper_fd;
	pid_t keeper;
	struct nest *nest;
	struct tep_handle *tep;
	json_t *missing;			/* functions that this kernel cannot trace */
	int err;				/* of the nest */
	char why[256];
};

__attribute__((format(printf, 2, 3)))
static void failed(struct tracer *t, const char *fmt, ...)
{
	va_list args;

	if (t->why[0])
		return;
	va_start(args, fmt);
	vsnprintf(t->why, sizeof(t->why), fmt, args);
	va_end(args);
}

/* ---- what there is -------------------------------------------------------------------------- */

static bool offers(const char *dir, const char *tracer)
{
	char *text;
	bool found;

	if (file_read(&text, dir, "/available_tracers") != 0)
		return false;
	found = words_have(text, tracer);
	free(text);
	return found;
}

static bool is_reclaim(const char *what)
{
	return strcmp(what, "reclaim") == 0;
}

const char *tracer_lacks(const char *what)
{
	static char text[256];
	const char *dir = tracefs_dir();
	char *path;
	bool may;

	if (!dir)
		return "tracefs is not mounted (mount -t tracefs tracefs /sys/kernel/tracing)";
	if (asprintf(&path, "%s/instances", dir) < 0)
		return strerror(ENOMEM);
	may = access(path, W_OK | X_OK) == 0;
	free(path);
	if (!may) {
		snprintf(text, sizeof(text), "this user may not use %.200s", dir);
		return text;
	}
	if (offers(dir, "function_graph"))
		return NULL;
	if (!is_reclaim(what))
		return "this kernel has no function_graph tracer (only reclaim has tracepoints)";
	snprintf(text, sizeof(text), "%s/events/vmscan", dir);
	return access(text, X_OK) == 0 ? NULL : "this kernel has neither function_graph nor vmscan "
						"tracepoints";
}

/* ---- files of the instance ------------------------------------------------------------------ */

/* Appends: to a filter, a name is added to those before. */
static int put(struct tracer *t, const char *file, const char *text)
{
	return tracefs_instance_file_append(t->instance, file, text) < 0 ? -errno : 0;
}

static int set(struct tracer *t, const char *file, const char *text)
{
	return tracefs_instance_file_write(t->instance, file, text) < 0 ? -errno : 0;
}

static void must_set(struct tracer *t, const char *file, const char *text)
{
	int err = t->why[0] ? 0 : set(t, file, text);

	if (err)
		failed(t, "%s: %s: %s", file, text, strerror(-err));
}

static bool file_starts(const char *file, const char *begin)
{
	char *text = tracefs_instance_file_read(NULL, file, NULL);
	bool starts = text && strncmp(text, begin, strlen(begin)) == 0;

	free(text);
	return starts;
}

/*
 * The top-level instance is one for all: it is used if nothing of it is set, and nothing lies in
 * it.
 */
static bool top_is_free(void)
{
	char *trace = tracefs_instance_file_read(NULL, "trace", NULL);
	bool empty = trace && (strstr(trace, "entries-in-buffer/entries-written: 0/0 ") ||
			       !strstr(trace, "entries-in-buffer"));

	free(trace);
	return empty && file_starts("current_tracer", "nop") && file_starts("events/enable", "0") &&
	       file_starts("set_ftrace_filter", "#### all functions enabled ####") &&
	       file_starts("set_ftrace_pid", "no pid");
}

/* ---- the keeper ----------------------------------------------------------------------------- */

static void put_back_top(void)
{
	tracefs_instance_file_write(NULL, "current_tracer", "nop");
	tracefs_instance_file_clear(NULL, "set_ftrace_filter");
	tracefs_instance_file_clear(NULL, "set_ftrace_pid");
	tracefs_instance_file_write(NULL, "options/function-fork", "0");
	tracefs_instance_file_write(NULL, "trace_clock", "local");
	tracefs_instance_file_clear(NULL, "trace");
	tracefs_instance_file_write(NULL, "tracing_on", "1");
}

/*
 * Waits for the end of its parent, however it comes, or for its leave; then undoes what was done.
 */
static _Noreturn void keep(const struct tracer *t, int fd)
{
	char *dir;
	char byte;

	setsid();
	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	if (t->top)
		put_back_top();
	dir = tracefs_get_tracing_file("instances");
	if (!t->top && dir && chdir(dir) == 0)
		rmdir(t->name);
	_exit(0);
}

static void start_keeper(struct tracer *t)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0) {
		failed(t, "pipe: %s", strerror(errno));
		return;
	}
	fflush(NULL);
	t->keeper = fork();
	if (t->keeper == 0) {
		close(fds[1]);
		keep(t, fds[0]);
	}
	close(fds[0]);
	t->keeper_fd = fds[1];
	if (t->keeper < 0) {
		t->keeper = 0;
		failed(t, "cannot start a process: %s", strerror(errno));
	}
}

/* ---- setting up ----------------------------------------------------------------------------- */

static bool instance_offers(struct tracer *t, const char *tracer)
{
	char *text = tracefs_instance_file_read(t->instance, "available_tracers", NULL);
	bool found;

	if (text)
		text[strcspn(text, "\n")] = '\0';
	found = text && words_have(text, tracer);
	free(text);
	return found;
}

/* Its own instance; or, for a tracer that instances do not have, the top-level one. */
static void choose_instance(struct tracer *t)
{
	start_keeper(t);
	if (t->why[0])
		return;
	t->instance = tracefs_instance_create(t->name);
	if (!t->instance) {
		failed(t, "cannot make a trace instance: %s", strerror(errno));
		return;
	}
	if (!t->graph || instance_offers(t, "function_graph"))
		return;
	tracefs_instance_free(t->instance);
	t->instance = NULL;
	close(t->keeper_fd);
	waitpid(t->keeper, NULL, 0);
	t->keeper = 0;
	if (!top_is_free()) {
		failed(t, "the tracer is in use by somebody else");
		return;
	}
	t->top = true;
	start_keeper(t);
}

/* With a newline: else the kernel looks at the name when the file is closed, and tells nobody. */
static int add_function(struct tracer *t, const char *name)
{
	char *line;
	int err = asprintf(&line, "%s\n", name) < 0 ? -ENOMEM : 0;

	if (err)
		return err;
	err = put(t, "set_ftrace_filter", line);
	free(line);
	return err;
}

static void set_functions(struct tracer *t)
{
	char *copy = strdup(is_reclaim(t->what) ? RECLAIM : t->what), *rest = copy, *name;
	size_t set_nr = 0;

	while (!t->why[0] && copy && (name = strsep(&rest, ","))) {
		if (!name[0] || strpbrk(name, " \n:|!*?"))
			failed(t, "'%s' is no name of a function", name);
		else if (add_function(t, name) == 0)
			set_nr++;
		else if (!is_reclaim(t->what))
			json_array_append_new(t->missing, json_string(name));
	}
	free(copy);
	if (!set_nr)
		failed(t, "this kernel can trace none of the functions");
}

static void set_points(struct tracer *t)
{
	for (size_t i = 0; i < NR_POINTS; i++)
		if (tracefs_event_enable(t->instance, "vmscan", points[i].event) < 0 &&
		    strcmp(points[i].event, "mm_shrink_slab_start") == 0)
			failed(t, "the tracepoint %s cannot be enabled: %s", points[i].event,
			       strerror(errno));
}

static void set_buffer(struct tracer *t)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF), kb = BUFFER_KB / (cpus > 0 ? cpus : 1);
	char text[32];

	snprintf(text, sizeof(text), "%ld", kb < CPU_BUFFER_KB ? kb : CPU_BUFFER_KB);
	must_set(t, "buffer_size_kb", text);
}

static void set_tasks(struct tracer *t, const json_t *ids)
{
	const char *file = t->graph ? "set_ftrace_pid" : "set_event_pid";
	size_t i;
	json_t *id;
	char text[32];

	must_set(t, t->graph ? "options/function-fork" : "options/event-fork", "1");
	json_array_foreach(ids, i, id) {
		int err;

		snprintf(text, sizeof(text), "%lld", (long long)json_integer_value(id));
		err = t->why[0] ? 0 : put(t, file, text);
		if (err)
			failed(t, "%s: %s", file, strerror(-err));
	}
}

void tracer_attach(struct tracer *t, const json_t *ids)
{
	const char *dir = tracefs_dir();
	const char *lacks = tracer_lacks(t->what);

	if (lacks || !dir) {
		failed(t, "%s", lacks ? lacks : "tracefs is not mounted");
		return;
	}
	tracefs_set_tracing_dir((char *)(uintptr_t)dir);
	t->graph = offers(dir, "function_graph");
	choose_instance(t);
	if (t->why[0])
		return;
	t->attached = true;
	must_set(t, "tracing_on", "0");
	must_set(t, "trace_clock", "mono");
	if (!t->top)
		set_buffer(t);
	if (t->graph)
		set_functions(t);
	set_tasks(t, ids);
	if (t->graph)
		must_set(t, "current_tracer", "function_graph");
	else if (!t->why[0])
		set_points(t);
}

void tracer_begin(struct tracer *t)
{
	if (t->attached)
		must_set(t, "tracing_on", "1");
}

void tracer_stop(struct tracer *t)
{
	if (t->attached)
		must_set(t, "tracing_on", "0");
}

/* ---- reading -------------------------------------------------------------------------------- */

static int take_point(struct tracer *t, const char *event, int thread, uint64_t ns)
{
	for (size_t i = 0; i < NR_POINTS; i++) {
		if (strcmp(points[i].event, event) != 0)
			continue;
		if (points[i].what == HAPPENS)
			return nest_mark(t->nest, thread, points[i].function);
		return points[i].what == BEGINS
			       ? nest_enter(t->nest, thread, points[i].function, ns)
			       : nest_leave(t->nest, thread, points[i].function, ns);
	}
	return 0;
}

static int take_event(struct tep_event *event, struct tep_record *record, int cpu, void *arg)
{
	struct tracer *t = arg;
	int thread = tep_data_pid(t->tep, record);
	unsigned long long address;
	const char *name;

	(void)cpu;
	if (strcmp(event->system, "vmscan") == 0) {
		t->err = take_point(t, event->name, thread, record->ts);
		return t->err;
	}
	if (tep_get_field_val(NULL, event, "func", record, &address, 0) != 0)
		return 0;
	name = tep_find_function(t->tep, address);
	if (!name)
		return 0;
	if (strcmp(event->name, "funcgraph_entry") == 0)
		t->err = nest_enter(t->nest, thread, name, record->ts);
	else if (strcmp(event->name, "funcgraph_exit") == 0)
		t->err = nest_leave(t->nest, thread, name, record->ts);
	return t->err;
}

/* Of all CPUs: events that were overwritten before they were read. */
static uint64_t lost_events(struct tracer *t)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t lost = 0, value;
	char file[64], *text;

	for (long cpu = 0; cpu < cpus; cpu++) {
		snprintf(file, sizeof(file), "per_cpu/cpu%ld/stats", cpu);
		text = tracefs_instance_file_read(t->instance, file, NULL);
		if (text && file_key_u64(text, "overrun", &value) == 0)
			lost += value;
		free(text);
	}
	return lost;
}

/* The formats of the events, and the names of the functions. */
static struct tep_handle *load_formats(bool names)
{
	const char *const systems[] = { "ftrace", "vmscan", NULL };
	struct tep_handle *tep = tracefs_local_events_system(tracefs_dir(), systems);
	char *symbols;

	if (tep && names && file_read(&symbols, "", "/proc/kallsyms") == 0) {
		tep_parse_kallsyms(tep, symbols);
		free(symbols);
	}
	return tep;
}

json_t *tracer_result(struct tracer *t)
{
	uint64_t lost;

	if (!t->attached || t->why[0])
		return NULL;
	tep_set_loglevel(TEP_LOG_NONE);
	t->tep = load_formats(t->graph);
	if (!t->tep) {
		failed(t, "the formats of the events cannot be read");
		return NULL;
	}
	lost = lost_events(t);
	if (tracefs_iterate_raw_events(t->tep, t->instance, NULL, 0, take_event, t) < 0 && !t->err)
		failed(t, "the trace cannot be read: %s", strerror(errno));
	if (t->err)
		failed(t, "%s", strerror(-t->err));
	return t->why[0] ? NULL : json_pack("{ss ss sI sO so}", "what", t->what, "by",
					    t->graph ? "function_graph" : "tracepoints",
					    "lost", (json_int_t)lost, "missing", t->missing,
					    "calls", nest_json(t->nest));
}

const char *tracer_why(const struct tracer *t)
{
	return t->why;
}

struct tracer *tracer_new(const char *what)
{
	struct tracer *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->what = what;
	t->missing = json_array();
	t->nest = nest_new();
	snprintf(t->name, sizeof(t->name), "knee-%d", getpid());
	if (t->nest && t->missing)
		return t;
	tracer_free(t);
	return NULL;
}

void tracer_free(struct tracer *t)
{
	if (t->tep)
		tep_free(t->tep);
	if (t->instance)
		tracefs_instance_free(t->instance);
	if (t->keeper > 0) {
		close(t->keeper_fd);
		while (waitpid(t->keeper, NULL, 0) < 0 && errno == EINTR)
			;
	}
	nest_free(t->nest);
	json_decref(t->missing);
	free(t);
}
