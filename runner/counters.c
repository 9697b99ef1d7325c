/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file.h"
#include "msg.h"
#include "near.h"
#include "tracefs_dir.h"

#define COUNTERS_MAX 64

#define CACHE(cache, op, result) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Happens in the kernel alone: without its part there is nothing to count. */
#define KERNEL_ONLY true

static const struct known {
	const char *name, *alias;
	uint32_t type;
	uint64_t config;
	bool kernel_only;
} known[] = {
	{ "task-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false },
	{ "cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false },
	{ "context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, KERNEL_ONLY },
	{ "cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, KERNEL_ONLY },
	{ "page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false },
	{ "minor-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, false },
	{ "major-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, false },
	{ "alignment-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS, false },
	{ "emulation-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, false },
	{ "cycles", "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false },
	{ "instructions", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false },
	{ "cache-references", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, false },
	{ "cache-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, false },
	{ "branches", "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, false },
	{ "branch-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, false },
	{ "bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, false },
	{ "stalled-cycles-frontend", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, false },
	{ "stalled-cycles-backend", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, false },
	{ "ref-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, false },
	{ "L1-dcache-loads", NULL, PERF_TYPE_HW_CACHE, CACHE(L1D, READ, ACCESS), false },
	{ "L1-dcache-load-misses", NULL, PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS), false },
	{ "LLC-loads", NULL, PERF_TYPE_HW_CACHE, CACHE(LL, READ, ACCESS), false },
	{ "LLC-load-misses", NULL, PERF_TYPE_HW_CACHE, CACHE(LL, READ, MISS), false },
	{ "LLC-stores", NULL, PERF_TYPE_HW_CACHE, CACHE(LL, WRITE, ACCESS), false },
	{ "dTLB-loads", NULL, PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, ACCESS), false },
	{ "dTLB-load-misses", NULL, PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS), false },
	{ "iTLB-load-misses", NULL, PERF_TYPE_HW_CACHE, CACHE(ITLB, READ, MISS), false },
	{ "node-load-misses", NULL, PERF_TYPE_HW_CACHE, CACHE(NODE, READ, MISS), false },
};

#define NR_KNOWN (sizeof(known) / sizeof(known[0]))

struct counter {
	struct known event;
	int fd;			/* -1: not open */
	int error;		/* why, as errno */
	bool user_only;		/* the kernel's part is not counted: the user may not */
	uint64_t count, enabled_ns, running_ns;
};

static struct counter counters[COUNTERS_MAX];
static size_t nr_counters;

/* ---- names ---------------------------------------------------------------------------------- */

static bool find_known(const char *name, struct known *event)
{
	for (size_t i = 0; i < NR_KNOWN; i++) {
		if (strcmp(known[i].name, name) != 0 &&
		    (!known[i].alias || strcmp(known[i].alias, name) != 0))
			continue;
		*event = known[i];
		return true;
	}
	return false;
}

/* "r1a8": the processor's own number. */
static bool find_raw(const char *name, struct known *event)
{
	char *end;

	if (name[0] != 'r' || !name[1])
		return false;
	*event = (struct known){ name, NULL, PERF_TYPE_RAW, strtoull(name + 1, &end, 16), false };
	return !*end;
}

/* "sched:sched_switch". Its number is asked for when it is opened: the list is of any machine. */
static bool find_tracepoint(const char *name, struct known *event)
{
	const char *colon = strchr(name, ':');

	*event = (struct known){ name, NULL, PERF_TYPE_TRACEPOINT, 0, KERNEL_ONLY };
	return colon && colon > name && colon[1] && !strchr(colon + 1, ':') && !strchr(name, '/');
}

static int say_unknown(const char *name)
{
	const char *names[NR_KNOWN];
	char near[NEAR_TEXT_MAX];

	for (size_t i = 0; i < NR_KNOWN; i++)
		names[i] = known[i].name;
	near_names(near, name, names, NR_KNOWN);
	msg_error("--counters: there is no counter '%s'%s%s", name, near[0] ? "; near it: " : "",
		  near);
	return -EINVAL;
}

static int choose(const char *name)
{
	struct counter *c = &counters[nr_counters];

	if (nr_counters == COUNTERS_MAX) {
		msg_error("--counters: more than %d", COUNTERS_MAX);
		return -EINVAL;
	}
	*c = (struct counter){ .fd = -1 };
	if (!find_known(name, &c->event) && !find_raw(name, &c->event) &&
	    !find_tracepoint(name, &c->event))
		return say_unknown(name);
	for (size_t i = 0; i < nr_counters; i++)
		if (strcmp(counters[i].event.name, c->event.name) == 0)
			return 0;
	nr_counters++;
	return 0;
}

int counters_choose(const char *list)
{
	char *copy = strdup(list), *rest = copy, *word;
	int err = copy ? 0 : -ENOMEM;

	nr_counters = 0;
	/* The names point into the copy, which stays. */
	while (!err && (word = strsep(&rest, ",")))
		err = choose(word);
	return err;
}

bool counters_chosen(void)
{
	return nr_counters > 0;
}

/* ---- counting ------------------------------------------------------------------------------- */

static int open_event(const struct counter *c, pid_t pid, bool user_only)
{
	struct perf_event_attr attr = {
		.type = c->event.type,
		.size = sizeof(attr),
		.config = c->event.config,
		.disabled = 1,
		.inherit = 1,
		.exclude_kernel = user_only,
		.exclude_hv = user_only,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool is_refused(int error)
{
	return error == EACCES || error == EPERM;
}

static int tracepoint_id(struct counter *c)
{
	const char *dir = tracefs_dir();
	char *name = strdup(c->event.name), *colon = name ? strchr(name, ':') : NULL;
	int err = -ENOENT;

	if (colon)
		*colon = '\0';
	if (colon && dir)
		err = file_read_u64(&c->event.config, dir, "/events/%s/%s/id", name, colon + 1);
	free(name);
	return err;
}

/* As perf does: who may not count the kernel's part counts the rest, if that means anything. */
static void attach(struct counter *c, pid_t pid)
{
	int err = c->event.type == PERF_TYPE_TRACEPOINT ? tracepoint_id(c) : 0;

	if (err) {
		c->error = -err;
		return;
	}
	c->fd = open_event(c, pid, false);
	c->error = c->fd < 0 ? errno : 0;
	if (!is_refused(c->error) || c->event.kernel_only)
		return;
	c->fd = open_event(c, pid, true);
	c->error = c->fd < 0 ? errno : 0;
	c->user_only = c->fd >= 0;
}

void counters_attach(pid_t pid)
{
	for (size_t i = 0; i < nr_counters; i++)
		attach(&counters[i], pid);
}

void counters_begin(void)
{
	for (size_t i = 0; i < nr_counters; i++)
		if (counters[i].fd >= 0)
			ioctl(counters[i].fd, PERF_EVENT_IOC_ENABLE, 0);
}

static void read_counter(struct counter *c)
{
	uint64_t values[3];
	ssize_t got = read(c->fd, values, sizeof(values));

	if (got == (ssize_t)sizeof(values)) {
		c->count = values[0];
		c->enabled_ns = values[1];
		c->running_ns = values[2];
	}
	close(c->fd);
	c->fd = -1;
}

void counters_end(void)
{
	for (size_t i = 0; i < nr_counters; i++)
		if (counters[i].fd >= 0)
			ioctl(counters[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < nr_counters; i++)
		if (counters[i].fd >= 0)
			read_counter(&counters[i]);
}

/* ---- telling -------------------------------------------------------------------------------- */

static const char *status(const struct counter *c)
{
	if (is_refused(c->error))
		return "not permitted";
	if (c->error)
		return "not supported";
	return c->running_ns ? "counted" : "not counted";
}

/*
 * With more events than the processor counts at once, each had its turn: what it would have been.
 */
static double scaled(const struct counter *c)
{
	return (double)c->count * ((double)c->enabled_ns / (double)c->running_ns);
}

static json_t *counter_json(const struct counter *c)
{
	bool counted = strcmp(status(c), "counted") == 0;

	return json_pack("{ss ss so sI sI sb}", "event", c->event.name, "status", status(c),
			 "value", counted ? json_real(scaled(c)) : json_null(),
			 "enabled_ns", (json_int_t)c->enabled_ns,
			 "running_ns", (json_int_t)c->running_ns, "user_only", c->user_only);
}

/* What the user may not count, in a line; NULL: nothing. Freed by the caller. */
static char *reason(void)
{
	bool refused = false, user_only = false;
	char *level, *text;

	for (size_t i = 0; i < nr_counters; i++) {
		refused |= is_refused(counters[i].error);
		user_only |= counters[i].user_only;
	}
	if (!refused && !user_only)
		return NULL;
	if (file_read(&level, "", "/proc/sys/kernel/perf_event_paranoid") != 0)
		level = NULL;
	if (asprintf(&text, "this user may not count %s%s%s (kernel.perf_event_paranoid is %s)",
		     user_only ? "the kernel's part" : "", user_only && refused ? ", nor " : "",
		     refused ? "what happens in the kernel alone" : "", level ? level : "?") < 0)
		text = NULL;
	free(level);
	return text;
}

json_t *counters_json(void)
{
	json_t *events;
	char *why;

	if (!nr_counters)
		return json_null();
	events = json_array();
	for (size_t i = 0; i < nr_counters; i++)
		json_array_append_new(events, counter_json(&counters[i]));
	why = reason();
	events = json_pack("{so so}", "reason", why ? json_string(why) : json_null(), "events",
			   events);
	free(why);
	return events;
}
