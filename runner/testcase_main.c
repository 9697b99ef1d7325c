/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main() of every testcase executable. Called as NAME_processes or NAME_threads it has
 * will-it-scale's interface; runtest adds plain values by the long options.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aslr.h"
#include "cell.h"
#include "counters.h"
#include "cpulist.h"
#include "facts.h"
#include "memcg_level.h"
#include "msg.h"
#include "opt.h"
#include "scratch.h"
#include "tasks.h"

/* A day is longer than any use of these; it keeps nanoseconds far from overflow. */
#define SECONDS_MAX 86400

struct options {
	uint64_t tasks;
	double duration, warmup, warmup_max;
	bool pu, unbound, verbose, describe, keep_aslr, man;
	const char *mode, *cpus, *bind_cpus, *partner_cpus, *membind, *memcg, *dir, *counters;
	struct opt_texts params;
	uint64_t report_fd, attend_fd;
};

#define AT(field) offsetof(struct options, field)

enum key {
	KEY_MODE = OPT_LONG, KEY_CPUS, KEY_BIND_CPUS, KEY_PARTNER_CPUS, KEY_MEMBIND, KEY_PARAM, KEY_MEMCG, KEY_DIR, KEY_WARMUP, KEY_WARMUP_MAX, KEY_DESCRIBE,
	KEY_REPORT_FD, KEY_KEEP_ASLR, KEY_COUNTERS, KEY_ATTEND_FD, KEY_MAN,
};

static const struct opt table[] = {
	{ .key = 't', .name = "tasks", .arg = "N", .type = OPT_COUNT, .offset = AT(tasks),
	  .min = 1, .max = TASKS_MAX, .doc = "Number of tasks (1)" },
	{ .key = 's', .name = "seconds", .arg = "S", .type = OPT_SECONDS, .offset = AT(duration),
	  .min = 0.001, .max = SECONDS_MAX,
	  .doc = "Measure for S seconds, a line each (until killed)" },
	{ .key = 'm', .name = "pu", .type = OPT_FLAG, .offset = AT(pu),
	  .doc = "Use every PU in order, not one PU on each core first" },
	{ .key = 'n', .name = "no-affinity", .type = OPT_FLAG, .offset = AT(unbound),
	  .doc = "Do not bind the tasks" },
	{ .key = 'v', .name = "verbose", .type = OPT_FLAG, .offset = AT(verbose),
	  .doc = "Print each task's rate" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .type = OPT_HEADING, .doc = "Beyond will-it-scale:" },
	{ .key = KEY_MODE, .name = "mode", .arg = "MODE", .type = OPT_TEXT, .offset = AT(mode),
	  .choices = "processes threads",
	  .doc = "processes or threads (as the program is called; processes)" },
	{ .key = KEY_CPUS, .name = "cpus", .arg = "LIST", .type = OPT_TEXT, .offset = AT(cpus),
	  .doc = "Bind task i to the i-th CPU of LIST, wrapping round" },
	{ .key = KEY_BIND_CPUS, .name = "bind-cpus", .arg = "LISTS", .type = OPT_TEXT,
	  .offset = AT(bind_cpus),
	  .doc = "With --cpus: let task i run on all CPUs of the i-th list; '/' separates them" },
	{ .key = KEY_PARTNER_CPUS, .name = "partner-cpus", .arg = "LIST", .type = OPT_TEXT,
	  .offset = AT(partner_cpus),
	  .doc = "Bind the partners of task i to the i-th CPU of LIST (to the task's own)" },
	{ .key = KEY_MEMBIND, .name = "membind", .arg = "POLICY", .type = OPT_TEXT,
	  .offset = AT(membind),
	  .doc = "Where memory comes from: local, interleave, nodes=LIST, the i-th node for task i" },
	{ .key = KEY_PARAM, .name = "param", .arg = "NAME=VALUE", .type = OPT_TEXTS,
	  .offset = AT(params), .doc = "Give a parameter of the testcase a value" },
	{ .key = KEY_MEMCG, .name = "memcg", .arg = "LEVEL", .type = OPT_TEXT, .offset = AT(memcg),
	  .doc = "Run in the root memory cgroup (root), in a new one (child), in the innermost of N "
		 "(depthN), or in N beside each other (childN)" },
	{ .key = KEY_DIR, .name = "dir", .arg = "DIR", .type = OPT_TEXT, .offset = AT(dir),
	  .doc = "Make the scratch directory in DIR ($TMPDIR or /tmp)" },
	{ .key = KEY_WARMUP, .name = "warmup", .arg = "S", .type = OPT_SECONDS,
	  .offset = AT(warmup), .min = 0.001, .max = SECONDS_MAX, .doc = "Warm up for S seconds (1)" },
	{ .key = KEY_WARMUP_MAX, .name = "warmup-max", .arg = "S", .type = OPT_SECONDS,
	  .offset = AT(warmup_max), .min = 0.001, .max = SECONDS_MAX,
	  .doc = "Warm up for S seconds at most while the rate still moves (2 x warmup)" },
	{ .key = KEY_DESCRIBE, .name = "describe", .type = OPT_FLAG, .offset = AT(describe),
	  .doc = "Print the facts about the testcase as JSON" },
	{ .key = KEY_KEEP_ASLR, .name = "keep-aslr", .type = OPT_FLAG, .offset = AT(keep_aslr),
	  .doc = "Leave address-space randomisation as it is" },
	{ .key = KEY_REPORT_FD, .name = "report-fd", .arg = "N", .type = OPT_COUNT,
	  .offset = AT(report_fd), .min = 3, .max = 1 << 20,
	  .doc = "Write JSON lines to descriptor N instead of will-it-scale's lines to stdout" },
	{ .key = KEY_COUNTERS, .name = "counters", .arg = "LIST", .type = OPT_TEXT,
	  .offset = AT(counters), .bare = COUNTERS_DEFAULT,
	  .doc = "With --report-fd: count LIST in the window, as perf stat does" },
	{ .key = KEY_ATTEND_FD, .name = "attend-fd", .arg = "N", .type = OPT_COUNT,
	  .offset = AT(attend_fd), .min = 3, .max = 1 << 20,
	  .doc = "With --report-fd: wait for a byte on descriptor N at the gate and around the window" },
	{ .key = KEY_MAN, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table,
	.doc = "Runs one testcase of knee in N tasks and prints operations per second.",
};

/* Cuts will-it-scale's suffix off the program's name. */
static char *testcase_name(const char **mode)
{
	static const char *const modes[] = { "processes", "threads" };
	char *name = strdup(msg_program());

	for (size_t i = 0; name && i < sizeof(modes) / sizeof(modes[0]); i++) {
		size_t len = strlen(name), tail = strlen(modes[i]);

		if (len > tail + 1 && strcmp(name + len - tail, modes[i]) == 0 &&
		    name[len - tail - 1] == '_') {
			name[len - tail - 1] = '\0';
			*mode = modes[i];
			break;
		}
	}
	return name;
}

static enum testcase_mode mode_of(const struct options *o)
{
	return strcmp(o->mode, "threads") == 0 ? MODE_THREADS : MODE_PROCESSES;
}

static int check_list(const char *option, const char *text)
{
	struct cpulist list = { 0 };
	int err = text ? cpulist_parse(text, &list) : 0;

	if (err)
		msg_error("--%s %s: not a list of CPUs such as 0-3,8", option, text);
	cpulist_free(&list);
	return err;
}

static int check_bind_cpus(const struct options *o)
{
	char *copy = o->bind_cpus ? strdup(o->bind_cpus) : NULL, *rest = copy, *word;
	int err = 0;

	if (o->bind_cpus && !o->cpus) {
		msg_error("--bind-cpus needs --cpus");
		return -EINVAL;
	}
	while (!err && (word = strsep(&rest, "/")))
		err = check_list("bind-cpus", word);
	free(copy);
	return err;
}

static int check(const struct options *o, enum testcase_mode mode)
{
	if (o->pu && o->unbound) {
		msg_error("-m and -n exclude each other");
		return -EINVAL;
	}
	if (o->cpus && (o->pu || o->unbound)) {
		msg_error("--cpus and -%c exclude each other", o->pu ? 'm' : 'n');
		return -EINVAL;
	}
	if (o->report_fd && o->duration <= 0) {
		msg_error("--report-fd needs -s: a run without an end has no result");
		return -EINVAL;
	}
	if (check_list("cpus", o->cpus) || check_list("partner-cpus", o->partner_cpus) ||
	    check_bind_cpus(o))
		return -EINVAL;
	if (o->memcg && !memcg_level_is_valid(o->memcg)) {
		msg_error("--memcg %s: must be root, child, depthN or childN", o->memcg);
		return -EINVAL;
	}
	if (testcase_info.modes && !(testcase_info.modes & mode)) {
		msg_error("this testcase has no %s mode", o->mode);
		return -EINVAL;
	}
	if (o->counters && counters_choose(o->counters) != 0)
		return -EINVAL;
	for (size_t i = 0; i < o->params.nr; i++)
		if (facts_set_param(o->params.texts[i]) != 0)
			return -EINVAL;
	return 0;
}

static struct cell_options cell_options(const struct options *o, const char *name)
{
	struct cell_options c = {
		.name = name,
		.mode = mode_of(o),
		.tasks = o->tasks,
		.memcg = o->memcg,
		.duration_s = o->duration,
		.warmup_s = o->warmup,
		.warmup_max_s = o->warmup_max > 0 ? o->warmup_max : 2 * o->warmup,
		.placement = o->unbound ? PLACEMENT_NONE : o->pu ? PLACEMENT_SMT : PLACEMENT_CORE,
		.cpus = o->cpus,
		.bind_cpus = o->bind_cpus,
		.partner_cpus = o->partner_cpus,
		.dir = o->dir,
		.verbose = o->verbose,
		.report_fd = o->report_fd ? (int)o->report_fd : -1,
		.attend_fd = o->attend_fd ? (int)o->attend_fd : -1,
	};

	facts_needs(&c.need);
	c.need.tasks = o->tasks;
	c.need.threads = c.mode == MODE_THREADS;
	return c;
}

int main(int argc, char **argv)
{
	struct options o = { .tasks = 1, .warmup = 1, .mode = "processes" };
	struct cell_options c;
	char *name;
	int err;

	msg_init(argv[0]);
	name = testcase_name(&o.mode);
	o.dir = scratch_default_dir();
	err = opt_parse(&program, argc, argv, &o);
	if (err)
		return err > 0 ? msg_close_stdout() : EXIT_USAGE;
	if (check(&o, mode_of(&o)) != 0)
		return EXIT_USAGE;
	c = cell_options(&o, name);
	if (o.membind && membind_parse(o.membind, &c.membind) != 0)
		return EXIT_USAGE;
	if (o.man) {
		opt_print_man(&program, stdout);
		return EXIT_MEASURED;
	}
	if (o.describe)
		return facts_describe(name, stdout) == 0 ? msg_close_stdout() : EXIT_CELL_FAILED;
	if (!o.keep_aslr)
		aslr_turn_off(argv);
	return cell_run(&c);
}
