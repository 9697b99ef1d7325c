/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtest: sweeps testcases over task counts.
 *
 *	options -> plan -> cells, in shuffled rounds -> records in the run directory -> CSV
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "affinity.h"
#include "arrange.h"
#include "build_info.h"
#include "catalogue.h"
#include "counters.h"
#include "cpulock.h"
#include "csv.h"
#include "environment.h"
#include "execute.h"
#include "flags.h"
#include "json_text.h"
#include "mem_nodes.h"
#include "membind.h"
#include "msg.h"
#include "opt.h"
#include "plan.h"
#include "plan_text.h"
#include "points.h"
#include "priority.h"
#include "probe.h"
#include "progress.h"
#include "rundir.h"
#include "scratch.h"
#include "select.h"
#include "settings.h"
#include "tally.h"
#include "topo_json.h"
#include "topology.h"
#include "variants.h"
#include "words.h"

#define SECONDS_MAX 86400
#define ROUNDS_MAX 10000
#define ROUNDS 5
#define DURATION_S 1
/* @quick: within two minutes, and on a machine of hundreds of PUs too. */
#define QUICK_S 110
#define QUICK_TASKS "1,2,50%,all"
/* Rounds that --precision may add up to, unless --max-rounds says otherwise. */
#define PRECISION_ROUNDS 30

struct options {
	const char *tasks, *points, *modes, *placement, *cpus, *kind, *avoid, *bind, *partner;
	const char *membind, *topology_file, *dir, *out, *resume, *tests, *counters, *trace;
	uint64_t rounds, max_rounds, seed;
	double duration, warmup, warmup_max, timeout, budget, precision;
	struct opt_texts params, vary;
	struct selection select;
	bool profile, skip_isolated, claim, plan, topology, list, json, quiet, man, version;
};

#define AT(field) offsetof(struct options, field)

enum key {
	KEY_DURATION = OPT_LONG, KEY_WARMUP, KEY_WARMUP_MAX, KEY_TIMEOUT, KEY_BUDGET, KEY_PRECISION,
	KEY_MAX_ROUNDS, KEY_SEED, KEY_POINTS, KEY_PLACEMENT, KEY_CPUS, KEY_KIND, KEY_AVOID,
	KEY_SKIP_ISOLATED, KEY_BIND, KEY_PARTNER, KEY_MEMBIND, KEY_CLAIM, KEY_TOPOLOGY,
	KEY_TOPOLOGY_FILE, KEY_COUNTERS, KEY_PROFILE, KEY_TRACE, KEY_PARAM, KEY_VARY, KEY_DIR,
	KEY_RESUME, KEY_TESTS, KEY_PLAN, KEY_LIST, KEY_JSON, KEY_EXERCISES, KEY_CONTENDS, KEY_MAN, KEY_VERSION,
};

static const struct opt table[] = {
	{ .type = OPT_HEADING, .doc = "What is measured:" },
	{ .key = 't', .name = "tasks", .arg = "LIST", .type = OPT_TEXT, .offset = AT(tasks),
	  .doc = "Task counts: N, A-B, A-B:STEP, N% of the usable PUs, all; separated by commas" },
	{ .key = KEY_POINTS, .name = "points", .arg = "POINTS", .type = OPT_TEXT,
	  .offset = AT(points),
	  .doc = "Which task counts: topology, 1, 2, powers of two and what fills a core, an L3, a "
		 "node, a package, the machine; powers, of two, and all PUs; all, every count; or a "
		 "LIST as for -t (topology)" },
	{ .key = 'm', .name = "modes", .arg = "MODES", .type = OPT_TEXT, .offset = AT(modes),
	  .choices = "processes threads both", .doc = "processes, threads or both (both)" },
	{ .key = KEY_EXERCISES, .name = "exercises", .arg = "WORD", .type = OPT_TEXTS,
	  .offset = AT(select.exercises),
	  .doc = "Only testcases on whose path this syscall or kernel function is, or one that the "
		 "glob matches" },
	{ .key = KEY_CONTENDS, .name = "contends", .arg = "WORD", .type = OPT_TEXTS,
	  .offset = AT(select.contends),
	  .doc = "Only testcases that this lock or counter is expected to limit: mmap_lock, i_rwsem" },
	{ .type = OPT_HEADING, .doc = "Where:" },
	{ .key = KEY_PLACEMENT, .name = "placement", .arg = "POLICY", .type = OPT_TEXT,
	  .offset = AT(placement),
	  .doc = "Where tasks go, each to one PU: core, one on each core, then the siblings; smt, every "
		 "PU in order; compact, fill a core, an L3, a node, a package before the next; scatter, "
		 "evenly over packages, nodes, L3s, cores; none, not bound (core)" },
	{ .key = KEY_CPUS, .name = "cpus", .arg = "LIST", .type = OPT_TEXT, .offset = AT(cpus),
	  .doc = "Task i goes to the i-th CPU of LIST, wrapping round" },
	{ .key = KEY_KIND, .name = "kind", .arg = "KIND", .type = OPT_TEXT, .offset = AT(kind),
	  .doc = "Only CPUs of one kind: performance, efficiency, or its number (see --topology)" },
	{ .key = KEY_AVOID, .name = "avoid", .arg = "LIST", .type = OPT_TEXT, .offset = AT(avoid),
	  .doc = "Not the CPUs of LIST" },
	{ .key = KEY_SKIP_ISOLATED, .name = "skip-isolated", .type = OPT_FLAG,
	  .offset = AT(skip_isolated), .doc = "Not the CPUs that isolcpus= isolates" },
	{ .key = KEY_BIND, .name = "bind", .arg = "WIDTH", .type = OPT_TEXT, .offset = AT(bind),
	  .choices = "pu core",
	  .doc = "pu; or core: each task may run on all PUs of its core, as will-it-scale has it (pu)" },
	{ .key = KEY_PARTNER, .name = "partner", .arg = "WHERE", .type = OPT_TEXT,
	  .offset = AT(partner), .choices = PARTNER_NAMES,
	  .doc = "Where the partners of tasks go: same CPU; sibling, of the same core; l3, another core "
		 "of the L3; node, behind another L3 of the node; far, the most distant node (same)" },
	{ .key = KEY_MEMBIND, .name = "membind", .arg = "POLICY", .type = OPT_TEXT,
	  .offset = AT(membind),
	  .doc = "Where memory comes from: local, interleave, node=N, or far, the node most distant "
		 "from the task (local)" },
	{ .key = KEY_CLAIM, .name = "claim", .type = OPT_FLAG, .offset = AT(claim),
	  .doc = "Only cores that no other run of knee uses" },
	{ .type = OPT_HEADING, .doc = "How:" },
	{ .key = KEY_PARAM, .name = "param", .arg = "NAME=VALUE", .type = OPT_TEXTS,
	  .offset = AT(params), .doc = "Give a parameter of the testcases a value" },
	{ .key = KEY_VARY, .name = "vary", .arg = "NAME=LEVEL,LEVEL...", .type = OPT_TEXTS,
	  .offset = AT(vary),
	  .doc = "Compare the levels of a factor, one after another in every round; several make all "
		 "combinations: memcg=root,child,depthN,childN; sysctl:NAME=...; thp=always,madvise,never; "
		 "aslr=on,off; placement=...; membind=...; scratch=DIR,...; env:NAME=...; param:NAME=..." },
	{ .key = KEY_DIR, .name = "dir", .arg = "DIR", .type = OPT_TEXT, .offset = AT(dir),
	  .doc = "Make scratch directories in DIR ($TMPDIR or /tmp)" },
	{ .type = OPT_HEADING, .doc = "How long:" },
	{ .key = 'r', .name = "rounds", .arg = "N", .type = OPT_COUNT, .offset = AT(rounds),
	  .min = 1, .max = ROUNDS_MAX, .doc = "Rounds: each runs every cell once, in new processes (5)" },
	{ .key = KEY_DURATION, .name = "duration", .arg = "S", .type = OPT_SECONDS,
	  .offset = AT(duration), .min = 0.01, .max = SECONDS_MAX,
	  .doc = "Measured window of a round, in seconds (1)" },
	{ .key = KEY_WARMUP, .name = "warmup", .arg = "S", .type = OPT_SECONDS, .offset = AT(warmup),
	  .min = 0.01, .max = SECONDS_MAX, .doc = "Warm-up before the window, in seconds (0.25)" },
	{ .key = KEY_WARMUP_MAX, .name = "warmup-max", .arg = "S", .type = OPT_SECONDS,
	  .offset = AT(warmup_max), .min = 0.01, .max = SECONDS_MAX,
	  .doc = "Bound of the warm-up while the rate still moves (4 x warmup)" },
	{ .key = KEY_PRECISION, .name = "precision", .arg = "PCT", .type = OPT_DECIMAL,
	  .offset = AT(precision), .min = 0.01, .max = 100,
	  .doc = "Add rounds until the 95 % interval of each mean is within +-PCT per cent" },
	{ .key = KEY_MAX_ROUNDS, .name = "max-rounds", .arg = "N", .type = OPT_COUNT,
	  .offset = AT(max_rounds), .min = 1, .max = ROUNDS_MAX,
	  .doc = "Bound of the rounds that --precision adds (30)" },
	{ .key = KEY_BUDGET, .name = "budget", .arg = "TIME", .type = OPT_SECONDS,
	  .offset = AT(budget), .min = 0.1, .max = 31 * SECONDS_MAX,
	  .doc = "Fit the run into TIME (90, 10m, 1h30m): shorter windows, fewer rounds" },
	{ .key = KEY_TIMEOUT, .name = "timeout", .arg = "S", .type = OPT_SECONDS,
	  .offset = AT(timeout), .min = 0.1, .max = SECONDS_MAX,
	  .doc = "A cell that takes longer fails (90 s and four times what is expected)" },
	{ .key = KEY_SEED, .name = "seed", .arg = "N", .type = OPT_COUNT, .offset = AT(seed),
	  .min = 1, .max = 4294967295.0, .doc = "Of the shuffling (random)" },
	{ .type = OPT_HEADING, .doc = "Why it is so:" },
	{ .key = KEY_COUNTERS, .name = "counters", .arg = "LIST", .type = OPT_TEXT,
	  .offset = AT(counters), .bare = COUNTERS_DEFAULT,
	  .doc = "Count what perf stat counts in each window, or LIST: names of perf list, rNNN, "
		 "GROUP:TRACEPOINT (knee counters RUN prints them)" },
	{ .key = KEY_PROFILE, .name = "profile", .type = OPT_FLAG, .offset = AT(profile),
	  .doc = "An extra round with the fewest and the most tasks under perf record: call stacks of CPU "
		 "time and of sleeps (knee profile RUN; knee why RUN)" },
	{ .key = KEY_TRACE, .name = "trace", .arg = "FUNCTIONS", .type = OPT_TEXT, .offset = AT(trace),
	  .doc = "An extra round likewise, in which these kernel functions are timed, separated by commas; "
		 "or reclaim: those of reclaim (knee trace RUN)" },
	{ .type = OPT_HEADING, .doc = "What comes out:" },
	{ .key = 'o', .name = "output", .arg = "DIR", .type = OPT_TEXT, .offset = AT(out),
	  .doc = "The run directory (runs/TIME-NAME)" },
	{ .key = KEY_RESUME, .name = "resume", .arg = "RUN", .type = OPT_TEXT, .offset = AT(resume),
	  .doc = "Run what is missing in run directory RUN" },
	{ .key = 'q', .name = "quiet", .type = OPT_FLAG, .offset = AT(quiet),
	  .doc = "No progress line" },
	{ .type = OPT_HEADING, .doc = "Without measuring:" },
	{ .key = KEY_PLAN, .name = "plan", .type = OPT_FLAG, .offset = AT(plan),
	  .doc = "Print cells, CPUs and expected time" },
	{ .key = KEY_TOPOLOGY, .name = "topology", .type = OPT_FLAG, .offset = AT(topology),
	  .doc = "Print the machine, and what each placement does with it" },
	{ .key = KEY_TOPOLOGY_FILE, .name = "topology-file", .arg = "FILE", .type = OPT_TEXT,
	  .offset = AT(topology_file),
	  .doc = "--plan and --topology for another machine: hwloc's XML, as lstopo writes it" },
	{ .key = KEY_LIST, .name = "list", .type = OPT_FLAG, .offset = AT(list),
	  .doc = "List the testcases, or those selected" },
	{ .key = KEY_JSON, .name = "json", .type = OPT_FLAG, .offset = AT(json),
	  .doc = "--list, --plan and --topology as JSON" },
	{ .key = KEY_TESTS, .name = "tests", .arg = "DIR", .type = OPT_TEXT, .offset = AT(tests),
	  .doc = "Where the testcases are (beside this program)" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Print this help" },
	{ .key = KEY_VERSION, .name = "version", .type = OPT_FLAG, .offset = AT(version),
	  .doc = "Print the version" },
	{ .key = KEY_MAN, .name = "man", .type = OPT_FLAG, .offset = AT(man),
	  .doc = "Print the OPTIONS of the manual page" },
	{ .doc = NULL },
};

static const struct opt_program program = {
	.table = table,
	.operands = "TESTCASE...",
	.operands_offset = AT(select.names),
	.doc = "Measures how testcases scale from one task to every CPU, in processes and in threads; "
	       "prints CSV as will-it-scale's runtest.py does, and keeps everything in a run directory. "
	       "TESTCASE is a name, a glob ('page_fault*'), a tag (@mm @vfs @ipc @net @sched @memcg "
	       "@lock @user) or a suite: @will-it-scale, its 60; @quick, a dozen for the kernel's main "
	       "scalability locks, in two minutes; @all.",
};

/* A run that goes on. */
struct sweep {
	const struct plan *plan;
	struct rundir dir;
	struct cpulock *locks;
	struct tally tally;
	struct progress progress;
	const struct plan_cell *current;
	json_t *looked;		/* "KIND CELL": extra rounds that were run */
	json_t *noted;		/* what was said to the user once */
	bool failed, lacking;
	int signal;
};

/* ---- plan ----------------------------------------------------------------------------------- */

static char *now_text(const char *format)
{
	char buf[64];
	time_t now = time(NULL);
	struct tm tm;

	strftime(buf, sizeof(buf), format, gmtime_r(&now, &tm));
	return strdup(buf);
}

static char *run_name(const struct catalogue *c)
{
	char *when = now_text("%Y%m%d-%H%M%S"), *name = NULL;

	if (when && c->nr == 1 && asprintf(&name, "%s-%s", when, c->entries[0].name) < 0)
		name = NULL;
	else if (when && c->nr != 1 && asprintf(&name, "%s-%zu-testcases", when, c->nr) < 0)
		name = NULL;
	free(when);
	return name;
}

/* 32 bits: what gsl_rng_set() keeps on every machine. */
static uint64_t random_seed(void)
{
	uint32_t seed = 0;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = (uint32_t)time(NULL);
	return seed;
}

static struct plan empty_plan(const struct options *o, const struct catalogue *c)
{
	bool precise = o->precision > 0;

	return (struct plan){
		.run = run_name(c),
		.time = now_text("%Y-%m-%dT%H:%M:%SZ"),
		.seed = o->seed ? o->seed : random_seed(),
		.rounds = o->rounds,
		.max_rounds = !precise ? o->rounds : o->max_rounds > o->rounds ? o->max_rounds
									       : o->rounds,
		.precision_pct = o->precision,
		.warmup_s = o->warmup,
		.warmup_max_s = o->warmup_max,
		.warmup_follows = o->warmup <= 0,
		.warmup_max_follows = o->warmup_max <= 0,
		.timeout_s = o->timeout,
		.dir = realpath(o->dir, NULL),
		.counters = o->counters ? strdup(o->counters) : NULL,
		.profile = o->profile,
		.trace = o->trace ? strdup(o->trace) : NULL,
		.options = opt_json(&program, o),
	};
}

/* The default task counts, or those of a rule. */
static int rule_points(const char *rule, const struct arrangement *a, struct points *points)
{
	if (!rule || strcmp(rule, "topology") == 0)
		return points_by_topology(&a->topology, a->order, a->nr, points);
	if (strcmp(rule, "powers") == 0)
		return points_powers(a->nr, points);
	if (strcmp(rule, "all") == 0)
		return points_every(a->nr, points);
	return points_parse("--points", rule, a->nr, points);
}

static int find_points(const struct options *o, const struct arrangement *a, struct points *points)
{
	if (o->tasks)
		return points_parse("-t", o->tasks, a->nr, points);
	return rule_points(o->points, a, points);
}

/* The options of placement as one text (arrange.h). NULL: no memory. */
static char *placement_text(const struct options *o, const char *policy)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (o->cpus)
		fprintf(out, "cpus=%s", o->cpus);
	else
		fputs(policy, out);
	if (o->kind)
		fprintf(out, "+kind=%s", o->kind);
	if (o->avoid)
		fprintf(out, "+avoid=%s", o->avoid);
	if (o->skip_isolated)
		fputs("+skip-isolated", out);
	if (strcmp(o->bind, "pu") != 0)
		fprintf(out, "+bind=%s", o->bind);
	if (strcmp(o->partner, "same") != 0)
		fprintf(out, "+partner=%s", o->partner);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* What went wrong, as exit status: wrong usage, or the machine lacks it. Said before. */
static int placement_status(int err)
{
	return err == -EINVAL ? EXIT_USAGE : EXIT_LACKING;
}

/* 0 or an exit status. */
static int arrange(const struct options *o, const struct topo *topology, const char *policy,
		   struct arrangement *a)
{
	char *text = placement_text(o, policy);
	int err = text ? arrange_make(a, topology, text) : -ENOMEM;

	free(text);
	return err ? placement_status(err) : 0;
}

/* Options that exclude each other. */
static int check_options(const struct options *o)
{
	if (o->tasks && o->points)
		msg_error("-t and --points exclude each other");
	else if (o->cpus && o->placement)
		msg_error("--cpus and --placement exclude each other");
	else if (o->cpus && o->claim)
		msg_error("--cpus and --claim exclude each other");
	else if (o->topology_file && o->claim)
		msg_error("--topology-file and --claim exclude each other");
	else if (o->topology_file && !o->plan && !o->topology)
		msg_error("--topology-file is for --plan and --topology: nothing can be run there");
	else
		return o->membind && mem_nodes_check(o->membind) ? -EINVAL :
		       o->counters ? counters_choose(o->counters) : 0;
	return -EINVAL;
}

static const char *policy_of(const struct options *o)
{
	return o->placement ? o->placement : "core";
}

/* 0 or an exit status. */
static int make_plan(const struct options *o, const struct catalogue *c, const struct variants *v,
		     struct plan *p)
{
	struct points points;
	struct plan_input in = {
		.catalogue = c,
		.points = &points,
		.modes = o->modes,
		.variants = v->list,
		.nr_variants = v->nr,
	};
	int err;

	*p = empty_plan(o, c);
	plan_set_duration(p, o->duration);
	if (!p->dir) {
		msg_error("--dir %s: %s", o->dir, strerror(errno));
		return EXIT_USAGE;
	}
	/* The plan is JSON, and must say which directory it is. */
	if (!json_text_is_utf8(p->dir)) {
		msg_error("--dir %s: a name in UTF-8 is needed", o->dir);
		return EXIT_USAGE;
	}
	if (find_points(o, v->list[0].arrangement, &points) != 0)
		return EXIT_USAGE;
	err = plan_make(p, &in);
	if (!err && o->budget > 0)
		err = plan_fit(p, o->budget);
	points_free(&points);
	return err ? EXIT_USAGE : 0;
}

/* ---- run ------------------------------------------------------------------------------------ */

static json_t *record_head(const struct sweep *s, const struct plan_cell *cell, uint64_t round,
			   size_t position)
{
	char *when = now_text("%Y-%m-%dT%H:%M:%SZ");
	json_t *record = json_pack("{ss ss so sI sI ss}", "schema", "knee-record/1",
				   "run", s->plan->run, "cell", plan_cell_json(cell),
				   "round", (json_int_t)round, "position", (json_int_t)position,
				   "time", when ? when : "");

	free(when);
	return record;
}

static int keep_record(struct sweep *s, json_t *record)
{
	int err = tally_add(&s->tally, record);

	/* The record is given away in any case. */
	return rundir_append(&s->dir, record) ? -EIO : err;
}

/* What the executable itself cannot know of its figure. */
static void mark(json_t *record, unsigned int flag)
{
	json_array_append_new(json_object_get(record, "flags"),
			      json_string(flags_name((size_t)__builtin_ctz(flag))));
}

static void add_dying(json_t *record, const struct execution *e)
{
	if (e->dying_known)
		json_object_set_new(record, "dying_groups", json_pack("{sI sI}",
				    "before", (json_int_t)e->dying_before,
				    "after", (json_int_t)e->dying_after));
	else
		json_object_set_new(record, "dying_groups", json_null());
}

static void add_result(json_t *record, const struct execution *e)
{
	json_object_update(record, e->result);
	json_object_del(record, "event");
	json_object_del(record, "lifetime_ops");
	for (size_t i = 0; e->started && i < 3; i++) {
		static const char *const kept[] = { "start_ns", "compiler", "aslr" };

		json_object_set(record, kept[i], json_object_get(e->started, kept[i]));
	}
}

/* Said once for each reason: it is the same in every cell. */
static void note_once(struct sweep *s, const char *reason)
{
	if (!reason || json_object_get(s->noted, reason))
		return;
	json_object_set_new(s->noted, reason, json_true());
	progress_clear(&s->progress);
	msg_note("%s", reason);
}

static int record_execution(struct sweep *s, const struct plan_cell *cell, uint64_t round,
			    size_t position, const struct execution *e, bool shared)
{
	json_t *record = record_head(s, cell, round, position);
	char *heading;
	int err = 0;

	json_object_set_new(record, "wall_ns", json_integer((json_int_t)e->wall_ns));
	json_object_set_new(record, "status", json_string(execute_status_name(e->status)));
	json_object_set_new(record, "reason", json_text(e->reason));
	json_object_set_new(record, "exit_status", json_integer(e->exit_status));
	if (e->status == EXECUTE_OK) {
		add_result(record, e);
		note_once(s, json_string_value(json_object_get(json_object_get(record, "counters"),
							       "reason")));
	}
	add_dying(record, e);
	if (e->status == EXECUTE_OK && shared)
		mark(record, FLAG_SHARED_CPU);
	if (e->status == EXECUTE_OK && e->dying_known && e->dying_grown)
		mark(record, FLAG_DYING_GROUPS);
	if (e->stderr_text && e->stderr_text[0] &&
	    asprintf(&heading, "%s round %" PRIu64, cell->id, round) >= 0) {
		err = rundir_log(&s->dir, heading, e->stderr_text);
		free(heading);
	}
	return keep_record(s, record) ? -EIO : err;
}

static int record_skip(struct sweep *s, size_t index)
{
	const struct plan_cell *cell = &s->plan->cells[index];
	json_t *record;

	progress_clear(&s->progress);
	msg_note("%s: skipped: %s", cell->id, cell->skip);
	s->lacking |= cell->named;
	if (tally_done(&s->tally, index, 0))
		return 0;
	record = record_head(s, cell, 0, 0);
	json_object_set_new(record, "status", json_string("skipped"));
	json_object_set_new(record, "reason", json_text(cell->skip));
	return keep_record(s, record);
}

static void on_slice(void *arg, uint64_t ops, uint64_t elapsed_ns)
{
	struct sweep *s = arg;
	size_t index = (size_t)(s->current - s->plan->cells);

	if (elapsed_ns)
		progress_show(&s->progress, s->current->id, (double)ops * 1e9 / (double)elapsed_ns,
			      tally_interval_pct(&s->tally.cells[index]));
}

static void say_failure(struct sweep *s, const struct plan_cell *cell, const struct execution *e)
{
	if (e->status == EXECUTE_OK || e->status == EXECUTE_KILLED)
		return;
	progress_clear(&s->progress);
	msg_error("%s: %s: %s", cell->id, execute_status_name(e->status),
		  e->reason ? e->reason : "for no reason known");
	if (e->status == EXECUTE_LACKING)
		s->lacking |= cell->named;
	else
		s->failed = true;
}

/* Those of the cell; tasks that are not bound may use all that are allowed. */
static int used_cpus(const struct plan_cell *cell, struct cpulist *cpus)
{
	int err = plan_cell_cpus(cell, cpus);

	return err || cpus->nr ? err : affinity_get(cpus);
}

/* Those of all cells that will be run. */
static void lock_cpus(struct sweep *s)
{
	struct cpulist all = { 0 };

	for (size_t i = 0; i < s->plan->nr_cells; i++) {
		struct cpulist cpus;

		if (s->plan->cells[i].skip || used_cpus(&s->plan->cells[i], &cpus) != 0)
			continue;
		for (size_t k = 0; k < cpus.nr; k++)
			if (!cpulist_contains(&all, cpus.cpus[k]))
				cpulist_add(&all, cpus.cpus[k]);
		cpulist_free(&cpus);
	}
	cpulock_take(s->locks, &all);
	cpulist_free(&all);
}

/* 0, or an error that ends the run: the record could not be kept. */
static int run_cell(struct sweep *s, size_t index, uint64_t round, size_t position)
{
	const struct execute_listener listener = { .slice = on_slice, .arg = s };
	struct execution e;
	struct cpulist cpus;
	bool shared;
	int err;

	s->current = &s->plan->cells[index];
	err = used_cpus(s->current, &cpus);
	if (err)
		return err;
	cpulock_begin(s->locks, &cpus);
	err = execute_cell(s->plan, s->current, &listener, &e);
	shared = cpulock_end(s->locks, &cpus);
	cpulist_free(&cpus);
	if (!err)
		err = record_execution(s, s->current, round, position, &e, shared);
	say_failure(s, s->current, &e);
	if (e.signal)
		s->signal = e.signal;
	execute_free(&e);
	progress_done(&s->progress, s->current->expected_s);
	return err;
}

static bool ended(struct sweep *s)
{
	if (!s->signal)
		s->signal = execute_pending_signal();
	return s->signal != 0;
}

/* ---- extra rounds --------------------------------------------------------------------------- */

/* A cell that is looked into. */
struct look {
	struct sweep *sweep;
	const struct probe_kind *kind;
	void *state;
};

static void on_attend(void *arg, const char *point, const json_t *ids)
{
	struct look *l = arg;

	l->kind->attend(l->state, point, ids);
}

static void on_look_slice(void *arg, uint64_t ops, uint64_t elapsed_ns)
{
	struct look *l = arg;

	if (elapsed_ns)
		progress_show(&l->sweep->progress, l->sweep->current->id,
			      (double)ops * 1e9 / (double)elapsed_ns, NAN);
}

static json_t *extra_head(const struct sweep *s, const struct probe_kind *kind,
			  const struct plan_cell *cell)
{
	char *when = now_text("%Y-%m-%dT%H:%M:%SZ");
	json_t *record = json_pack("{ss ss ss so ss}", "schema", "knee-extra/1", "run", s->plan->run,
				   "kind", kind->name, "cell", plan_cell_json(cell),
				   "time", when ? when : "");

	free(when);
	return record;
}

/* What the cell did meanwhile says how much it was disturbed. */
static void add_figures(json_t *record, const struct execution *e)
{
	static const char *const kept[] = { "ops", "elapsed_ns", "ops_per_s", "window" };

	for (size_t i = 0; e->result && i < sizeof(kept) / sizeof(kept[0]); i++)
		json_object_set(record, kept[i], json_object_get(e->result, kept[i]));
}

/* A probe that fails is no failure of the run: the cell has been measured. */
static int record_look(struct sweep *s, const struct look *l, const struct execution *e,
		       const char *name)
{
	json_t *record = extra_head(s, l->kind, s->current), *seen = NULL;
	const char *why = e->reason;

	if (e->status == EXECUTE_OK)
		seen = l->kind->result(l->state, name, &why);
	if (e->status != EXECUTE_KILLED && !seen) {
		progress_clear(&s->progress);
		msg_note("%s: no %s: %s", s->current->id, l->kind->name, why ? why : "no reason known");
	}
	json_object_set_new(record, "status", json_string(e->status != EXECUTE_OK ?
		execute_status_name(e->status) : seen ? "ok" : "failed"));
	json_object_set_new(record, "reason", !seen && why ? json_string(why) : json_null());
	add_figures(record, e);
	if (seen) {
		note_once(s, json_string_value(json_object_get(seen, "hidden")));
		json_object_set_new(record, l->kind->name, seen);
	}
	return rundir_append_to(&s->dir, "extra.jsonl", record);
}

/* "extra/3-mmap1_processes_2_core": a file of its own for each cell. NULL: no memory. */
static char *look_name(const struct sweep *s)
{
	char *name;

	if (asprintf(&name, "extra/%zu-%s", (size_t)(s->current - s->plan->cells), s->current->id) < 0)
		return NULL;
	for (char *c = name + strlen("extra/"); *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+=-", *c))
			*c = '_';
	return name;
}

static int look_into(struct sweep *s, const struct probe_kind *kind, size_t index)
{
	struct look l = { .sweep = s, .kind = kind };
	const struct execute_listener listener = {
		.slice = on_look_slice, .attend = on_attend, .arg = &l,
	};
	char *name, *path = NULL;
	struct execution e;
	int err = -ENOMEM;

	s->current = &s->plan->cells[index];
	name = look_name(s);
	if (name && asprintf(&path, "%s/%s", s->dir.path, name) >= 0)
		l.state = kind->open(s->plan, path);
	if (l.state) {
		err = execute_cell(s->plan, s->current, &listener, &e);
		if (!err)
			err = record_look(s, &l, &e, name);
		if (e.signal)
			s->signal = e.signal;
		execute_free(&e);
		kind->close(l.state);
	}
	progress_done(&s->progress, s->current->expected_s);
	free(path);
	free(name);
	return err;
}

static bool was_looked_into(const struct sweep *s, const struct probe_kind *kind, size_t index)
{
	char key[512];

	snprintf(key, sizeof(key), "%s %s", kind->name, s->plan->cells[index].id);
	return json_object_get(s->looked, key);
}

/* After all rounds: what they measured is not touched by it. */
static int run_probe(struct sweep *s, const struct probe_kind *kind)
{
	const char *lacks = kind->lacks(s->plan);
	int err = 0;

	if (lacks) {
		progress_clear(&s->progress);
		msg_note("no %s: %s", kind->name, lacks);
		return 0;
	}
	err = rundir_make(&s->dir, "extra");
	for (size_t i = 0; !err && i < s->plan->nr_cells && !ended(s); i++) {
		if (!probe_wants(s->plan, i) || was_looked_into(s, kind, i) ||
		    s->tally.cells[i].lacking || !s->tally.cells[i].nr)
			continue;
		progress_more(&s->progress, 1, s->plan->cells[i].expected_s);
		err = look_into(s, kind, i);
	}
	return err;
}

static int run_probes(struct sweep *s)
{
	int err = 0;

	if (s->plan->profile)
		err = run_probe(s, &probe_profile);
	if (!err && s->plan->trace)
		err = run_probe(s, &probe_trace);
	progress_clear(&s->progress);
	return err;
}

/* ---- rounds --------------------------------------------------------------------------------- */

/* Whether the cell is to be run in @round: the planned ones, then what --precision asks for. */
static bool wanted(const struct sweep *s, size_t index, uint64_t round)
{
	const struct tally_cell *c = &s->tally.cells[index];
	double pct = tally_interval_pct(c);

	if (s->plan->cells[index].skip || c->lacking || tally_done(&s->tally, index, round))
		return false;
	if (round < s->plan->rounds)
		return true;
	/* A cell that fails does not become precise. */
	return s->plan->precision_pct > 0 && !c->not_ok && c->nr > 0 &&
	       !(pct <= s->plan->precision_pct);
}

/* Levels are compared within a round: where --precision asks for one more, all have it. */
static bool wanted_by_block(const struct sweep *s, size_t index, uint64_t round)
{
	const struct tally_cell *c = &s->tally.cells[index];
	size_t first = index - index % s->plan->block;

	if (s->plan->cells[index].skip || c->not_ok || tally_done(&s->tally, index, round))
		return false;
	for (size_t i = first; i < first + s->plan->block; i++)
		if (wanted(s, i, round))
			return true;
	return false;
}

static int run_round(struct sweep *s, uint64_t round, size_t *order)
{
	bool *run = calloc(s->plan->nr_cells + 1, sizeof(*run));
	int err = run ? 0 : -ENOMEM;

	/* Decided at its beginning: what a round brings must not decide about the same round. */
	for (size_t i = 0; !err && i < s->plan->nr_cells; i++) {
		run[i] = wanted(s, i, round);
		if (round < s->plan->rounds)
			continue;
		run[i] = wanted_by_block(s, i, round);
		if (run[i])
			progress_more(&s->progress, 1, s->plan->cells[i].expected_s);
	}
	plan_order(s->plan, round, order);
	for (size_t k = 0; !err && k < s->plan->nr_cells && !ended(s); k++)
		if (run[order[k]])
			err = run_cell(s, order[k], round, k);
	free(run);
	return err;
}

static int run_rounds(struct sweep *s)
{
	size_t *order = calloc(s->plan->nr_cells + 1, sizeof(*order));
	int err = order ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < s->plan->nr_cells; i++)
		if (s->plan->cells[i].skip)
			err = record_skip(s, i);
	for (uint64_t r = 0; !err && r < s->plan->max_rounds && !s->signal; r++)
		err = run_round(s, r, order);
	free(order);
	progress_clear(&s->progress);
	return err;
}

/* ---- what comes out ------------------------------------------------------------------------- */

/* A table's file: its name without blanks and slashes. */
static char *csv_file(const char *name)
{
	char *file;

	if (asprintf(&file, "%s.csv", name) < 0)
		return NULL;
	for (char *c = file; *c; c++)
		if (*c == ' ' || *c == '/')
			*c = *c == ' ' ? ',' : '_';
	return file;
}

static int write_csv(struct sweep *s, const char *testcase, size_t variant, const char *name)
{
	char *text = NULL, *file = csv_file(name);
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err = -ENOMEM;

	if (out) {
		csv_print(&s->tally, testcase, variant, out);
		if (fclose(out) == 0 && file)
			err = rundir_write(&s->dir, file, text);
	}
	free(file);
	free(text);
	return err;
}

static int write_title(struct sweep *s, const struct catalogue_entry *e)
{
	const char *title = json_string_value(json_object_get(e->facts, "description"));
	char *name, *line;
	int err = -ENOMEM;

	if (asprintf(&name, "%s.title", e->name) < 0)
		return err;
	if (asprintf(&line, "%s\n", title ? title : e->name) >= 0) {
		err = rundir_write(&s->dir, name, line);
		free(line);
	}
	free(name);
	return err;
}

/* One testcase: its CSV alone, as clients expect. Several, or variants: each headed by its name. */
static int print_variant(struct sweep *s, size_t entry, size_t variant)
{
	const struct catalogue *c = s->plan->catalogue;
	const char *testcase = c->entries[entry].name;
	char *name = csv_name(s->plan, testcase, variant);
	int err;

	if (!name)
		return -ENOMEM;
	if (c->nr * s->plan->block > 1)
		printf("%s%s\n", entry + variant ? "\n" : "", name);
	csv_print(&s->tally, testcase, variant, stdout);
	err = write_csv(s, testcase, variant, name);
	free(name);
	return err;
}

static int print_csv(struct sweep *s)
{
	const struct catalogue *c = s->plan->catalogue;
	int err = 0;

	for (size_t i = 0; !err && i < c->nr; i++) {
		for (size_t v = 0; !err && v < s->plan->block; v++)
			err = print_variant(s, i, v);
		if (!err)
			err = write_title(s, &c->entries[i]);
	}
	if (fflush(stdout) != 0 || ferror(stdout)) {
		msg_error("cannot write to stdout: %s", strerror(errno));
		err = -EIO;
	}
	return err;
}

static int exit_status(const struct sweep *s, int err)
{
	if (s->signal)
		return 128 + s->signal;
	if (err || s->failed)
		return EXIT_CELL_FAILED;
	return s->lacking ? EXIT_LACKING : EXIT_MEASURED;
}

static size_t count_runs(const struct sweep *s, double *expected_s)
{
	size_t nr = 0;

	*expected_s = 0;
	for (size_t i = 0; i < s->plan->nr_cells; i++) {
		for (uint64_t r = 0; r < s->plan->rounds; r++) {
			if (!wanted(s, i, r))
				continue;
			nr++;
			*expected_s += s->plan->cells[i].expected_s;
		}
	}
	return nr;
}

static bool has_default_memory(const struct plan *p)
{
	for (size_t i = 0; i < p->nr_cells; i++)
		if (!p->cells[i].skip && !p->cells[i].membind)
			return true;
	return false;
}

static bool varies_settings(const struct plan *p)
{
	const char *name;
	json_t *level;

	for (size_t i = 0; i < p->nr_cells; i++)
		json_object_foreach(p->cells[i].factors, name, level)
			if (settings_is(name))
				return true;
	return false;
}

static int run(const struct options *o, struct sweep *s)
{
	double expected_s;
	size_t nr = count_runs(s, &expected_s);
	int err;

	s->noted = json_object();
	if (execute_init() != 0)
		return EXIT_LACKING;
	lock_cpus(s);
	if (has_default_memory(s->plan))
		membind_note_default();
	if (varies_settings(s->plan) && settings_open() != 0)
		return EXIT_LACKING;
	priority_raise();
	progress_init(&s->progress, o->quiet, nr, expected_s);
	err = run_rounds(s);
	if (!err && !s->signal)
		err = run_probes(s);
	if (settings_close() != 0)
		err = -EIO;
	json_decref(s->noted);
	if (print_csv(s) != 0)
		err = -EIO;
	if (s->progress.on)
		fprintf(stderr, "run directory: %s\n", s->dir.path);
	return exit_status(s, err);
}

/* ---- the three uses ------------------------------------------------------------------------- */

static int list(const struct options *o, struct catalogue *c)
{
	if (selection_given(&o->select) && selection_apply(&o->select, c) != 0)
		return EXIT_USAGE;
	if (catalogue_describe(c, &o->params) != 0)
		return EXIT_CELL_FAILED;
	if (o->json)
		fputs("[\n", stdout);
	for (size_t i = 0; i < c->nr; i++) {
		if (!o->json) {
			printf("%-24s %s\n", c->entries[i].name, json_string_value(
			       json_object_get(c->entries[i].facts, "description")));
			continue;
		}
		json_dumpf(c->entries[i].facts, stdout, JSON_REAL_PRECISION(12));
		fputs(i + 1 < c->nr ? ",\n" : "\n", stdout);
	}
	if (o->json)
		fputs("]\n", stdout);
	return msg_close_stdout();
}

static int print_plan(const struct options *o, const struct plan *p, const struct arrangement *a)
{
	json_t *json;

	if (!o->json) {
		plan_text_print(p, a, stdout);
	} else {
		json = plan_json(p);
		json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		fputc('\n', stdout);
		json_decref(json);
	}
	return msg_close_stdout();
}

/* Text, or, with @json, an entry in it. 0 or an exit status. */
static int show_policy(const struct options *o, const struct topo *topology, const char *policy,
		       json_t *json)
{
	struct arrangement a;
	struct points points;
	int status = arrange(o, topology, policy, &a);

	if (status)
		return status;
	if (json) {
		const struct arranged *all = arrange_tasks(&a, a.nr);

		json_object_set_new(json, a.text, all && all->cpus ? json_string(all->cpus) : json_null());
	} else if (rule_points(o->points, &a, &points) == 0) {
		plan_text_policy(&a, &points, stdout);
		points_free(&points);
	}
	arrange_free(&a);
	return 0;
}

/* What was asked for, else all that there are. */
static int show_policies(const struct options *o, const struct topo *topology, json_t *json)
{
	static const char *const policies[] = { "core", "smt", "compact", "scatter" };
	int status = 0;

	if (o->placement || o->cpus)
		return show_policy(o, topology, policy_of(o), json);
	for (size_t i = 0; !status && i < sizeof(policies) / sizeof(policies[0]); i++)
		status = show_policy(o, topology, policies[i], json);
	return status;
}

static int print_topology(const struct options *o)
{
	json_t *json = o->json ? json_object() : NULL, *all;
	struct topo topology;
	int status;

	if (topo_load(&topology, o->topology_file) != 0)
		return EXIT_LACKING;
	if (!o->json)
		plan_text_machine(&topology, stdout);
	status = show_policies(o, &topology, json);
	if (o->json && !status) {
		all = json_pack("{ss so sO}", "schema", "knee-topology/1", "topology",
				topo_json(&topology), "placements", json);
		json_dumpf(all, stdout, JSON_COMPACT);
		fputc('\n', stdout);
		json_decref(all);
	}
	json_decref(json);
	topo_free(&topology);
	return status ? status : msg_close_stdout();
}

static int create_and_run(const struct options *o, struct plan *p, const struct topo *topology,
			  struct cpulock *locks)
{
	struct sweep s = { .plan = p, .locks = locks };
	char *path = o->out ? strdup(o->out) : rundir_reserve("runs", &p->run);
	int status = EXIT_USAGE;
	json_t *machine;

	settings_recover();
	machine = environment_json("", topology, p->dir);
	if (path && rundir_create(&s.dir, path, p, machine) == 0 && tally_init(&s.tally, p) == 0)
		status = run(o, &s);
	tally_free(&s.tally);
	rundir_close(&s.dir);
	json_decref(machine);
	free(path);
	return status;
}

/* Another machine can be planned for; tasks cannot be bound to it. */
static const char *bindable_policy(const struct options *o, const struct topo *topology)
{
	const char *policy = policy_of(o);

	if (o->plan || topology->this_system || strcmp(policy, "none") == 0)
		return policy;
	msg_note("the topology is not this machine's: tasks are not bound");
	return "none";
}

static int plan_and_run(const struct options *o, const struct catalogue *c,
			const struct topo *topology, struct cpulock *locks)
{
	struct arrangement a;
	const struct variants_base base = {
		.catalogue = c,
		.arrangement = &a,
		.topology = topology,
		.params = &o->params,
		.membind = o->membind,
	};
	struct variants variants;
	struct factors factors;
	struct plan p;
	int status = arrange(o, topology, bindable_policy(o, topology), &a);

	if (status)
		return status;
	if (factors_parse(&factors, &o->vary) != 0 || variants_make(&variants, &base, &factors) != 0) {
		arrange_free(&a);
		return EXIT_USAGE;
	}
	status = make_plan(o, c, &variants, &p);
	if (status == 0)
		status = o->plan ? print_plan(o, &p, &a) : create_and_run(o, &p, topology, locks);
	plan_free(&p);
	variants_free(&variants);
	factors_free(&factors);
	arrange_free(&a);
	return status;
}

/* The CPUs that it gets are this run's until it ends. */
static int claim_and_run(const struct options *o, const struct catalogue *c,
			 const struct topo *topology, struct cpulock *locks)
{
	struct topo claimed;
	int status;

	if (cpulock_claim(locks, topology, &claimed) != 0)
		return EXIT_LACKING;
	status = plan_and_run(o, c, &claimed, locks);
	topo_free(&claimed);
	return status;
}

static int start_new(const struct options *o, struct catalogue *c)
{
	struct cpulock locks = CPULOCK_NONE;
	struct topo topology;
	int status;

	if (!selection_given(&o->select)) {
		msg_error("which testcase? (runtest --list shows all)");
		return EXIT_USAGE;
	}
	if (check_options(o) != 0)
		return EXIT_USAGE;
	if (selection_apply(&o->select, c) != 0 || catalogue_describe(c, &o->params) != 0)
		return EXIT_USAGE;
	if (topo_load(&topology, o->topology_file) != 0)
		return EXIT_LACKING;
	if (!o->plan || o->claim)
		cpulock_open(&locks);
	status = o->claim ? claim_and_run(o, c, &topology, &locks)
			  : plan_and_run(o, c, &topology, &locks);
	cpulock_close(&locks);
	topo_free(&topology);
	return status;
}

static void take_in(void *arg, const json_t *record)
{
	tally_add(arg, record);
}

/* One that was ended by a signal is run again. */
static void take_look(void *arg, const json_t *extra)
{
	const char *kind, *id, *status;
	char key[512];

	if (json_unpack((json_t *)extra, "{ss s{ss} ss}", "kind", &kind, "cell", "id", &id,
			"status", &status) != 0 || strcmp(status, "killed") == 0)
		return;
	snprintf(key, sizeof(key), "%s %s", kind, id);
	json_object_set_new(arg, key, json_true());
}

/* Half a run on one kernel and half on another is none. */
static int check_kernel(const char *run)
{
	char *path;
	json_t *machine = NULL;
	const char *release = NULL, *version = NULL;
	struct utsname uts;
	int err = 0;

	if (asprintf(&path, "%s/machine.json", run) < 0)
		return -ENOMEM;
	machine = json_load_file(path, 0, NULL);
	free(path);
	if (json_unpack(machine, "{s{ss ss}}", "kernel", "release", &release, "version", &version) ||
	    uname(&uts) != 0) {
		msg_error("%s: machine.json does not tell the kernel", run);
		err = -EINVAL;
	} else if (strcmp(release, uts.release) != 0 || strcmp(version, uts.version) != 0) {
		msg_error("%s was measured on Linux %s %s, this is %s %s", run, release, version,
			  uts.release, uts.version);
		err = -EXDEV;
	}
	json_decref(machine);
	return err;
}

/* Keeps the catalogue's entries that the plan uses. */
static int keep_used(struct catalogue *c, const struct plan *p)
{
	struct selection used = {
		.names.texts = calloc(p->nr_cells + 1, sizeof(*used.names.texts)),
	};
	const struct opt_texts no_params = { 0 };
	int err = used.names.texts ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < p->nr_cells; i++)
		used.names.texts[used.names.nr++] = p->cells[i].testcase;
	if (!err)
		err = selection_apply(&used, c);
	free(used.names.texts);
	return err ? err : catalogue_describe(c, &no_params);
}

static int resume(const struct options *o, struct catalogue *c)
{
	struct cpulock locks;
	struct sweep s = { .locks = &locks, .looked = json_object() };
	struct plan p;
	char *path;
	int err, status = EXIT_USAGE;

	if (asprintf(&path, "%s/plan.json", o->resume) < 0)
		return EXIT_LACKING;
	err = plan_read(&p, path, c);
	free(path);
	s.plan = &p;
	cpulock_open(&locks);
	if (!err)
		err = check_kernel(o->resume);
	if (!err)
		err = keep_used(c, &p);
	if (!err)
		err = tally_init(&s.tally, &p);
	if (!err)
		err = rundir_records(o->resume, NULL, take_in, &s.tally);
	if (!err)
		err = rundir_records(o->resume, "extra.jsonl", take_look, s.looked);
	if (!err)
		err = rundir_reopen(&s.dir, o->resume);
	settings_recover();
	if (!err)
		status = run(o, &s);
	tally_free(&s.tally);
	json_decref(s.looked);
	rundir_close(&s.dir);
	cpulock_close(&locks);
	plan_free(&p);
	return status;
}

/* A suite that promises how long it takes, unless something else is asked for. */
static bool is_quick(const struct options *o)
{
	bool timed = o->rounds || o->duration > 0 || o->budget > 0 || o->precision > 0;

	return !timed && o->select.names.nr == 1 && strcmp(o->select.names.texts[0], "@quick") == 0;
}

static void set_defaults(struct options *o)
{
	if (is_quick(o)) {
		o->budget = QUICK_S;
		o->tasks = o->tasks ? o->tasks : QUICK_TASKS;
	}
	o->rounds = o->rounds ? o->rounds : ROUNDS;
	o->duration = o->duration > 0 ? o->duration : DURATION_S;
}

static const struct options defaults = {
	.modes = "both", .bind = "pu", .partner = "same", .max_rounds = PRECISION_ROUNDS,
};

/* A run that goes on does so by its plan: what would change that is an error, not ignored. */
static int check_resume(const struct options *o)
{
	struct options none = defaults;
	json_t *given, *unset, *value;
	const char *name;
	int err = 0;

	none.dir = o->dir ? scratch_default_dir() : NULL;
	set_defaults(&none);
	given = opt_json(&program, o);
	unset = opt_json(&program, &none);
	json_object_foreach(given, name, value) {
		if (err || words_have("resume quiet tests", name) ||
		    json_equal(value, json_object_get(unset, name)))
			continue;
		msg_error("--resume %s: it goes on by its plan; %s%s cannot be given", o->resume,
			  strcmp(name, "operands") == 0 ? "" : strlen(name) > 1 ? "--" : "-",
			  strcmp(name, "operands") == 0 ? "testcases" : name);
		err = -EINVAL;
	}
	json_decref(given);
	json_decref(unset);
	return err;
}

int main(int argc, char **argv)
{
	struct options o = defaults;
	struct catalogue c;
	char *dir;
	int err, status;

	msg_init(argv[0]);
	o.dir = scratch_default_dir();
	err = opt_parse(&program, argc, argv, &o);
	if (err)
		return err > 0 ? msg_close_stdout() : EXIT_USAGE;
	set_defaults(&o);
	if (o.version || o.man) {
		if (o.man)
			opt_print_man(&program, stdout);
		else
			printf("knee %s\n", build_version);
		return msg_close_stdout();
	}
	if (o.resume && check_resume(&o) != 0)
		return EXIT_USAGE;
	if (o.topology)
		return check_options(&o) != 0 ? EXIT_USAGE : print_topology(&o);
	dir = o.tests ? strdup(o.tests) : catalogue_default_dir();
	if (!dir || catalogue_open(&c, dir) != 0)
		return EXIT_LACKING;
	if (o.list)
		status = list(&o, &c);
	else if (o.resume)
		status = resume(&o, &c);
	else
		status = start_new(&o, &c);
	catalogue_free(&c);
	free(dir);
	return status;
}
