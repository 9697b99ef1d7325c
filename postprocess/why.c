/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of a task per operation is time on a CPU, time that it waits for one, and sleep. What
 * grew most of these leads; then the profiles of the extra rounds say where.
 */
#include "why.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "words.h"

/* A cause is one if it makes this share of what grew, */
#define SHARE_MIN 0.3
/* and so many samples saw it; two standard deviations of a Poisson count, at least. */
#define SAMPLES_MIN 10.0
/* A growth of less is none; and so much of a task's time must have been its own. */
#define GROWTH_MIN 0.1

/* ---- what facts call things ----------------------------------------------------------------- */

/* Words of facts, and what functions on their way are named. */
static const struct {
	const char *word, *names;
} aliases[] = {
	{ "mmap_lock", "mmap_lock" },
	{ "vm_committed_as", "percpu_counter_add_batch __vm_enough_memory" },
	{ "mutex", "mutex pthread_mutex lll_lock" },
	{ "futex_hash_bucket->lock", "futex" },
	{ "rq->lock", "raw_spin_rq_lock try_to_wake_up __schedule" },
	{ "page_counter", "page_counter" },
	{ "memcg_stock", "obj_stock refill_stock consume_stock obj_cgroup try_charge_memcg" },
	{ "zone->lock", "rmqueue free_pcppages_bulk get_page_from_freelist free_one_page" },
	{ "lruvec->lru_lock",
	  "lru_lock folio_batch_move_lru folio_lruvec_lock shrink_inactive_list" },
	{ "files_struct->file_lock", "files_struct->file_lock alloc_fd close_fd fd_install" },
	{ "file_lock_context->flc_lock", "flc_lock posix_lock flock_lock" },
	{ "file_rwsem", "file_rwsem percpu_down_read" },
	{ "d_lockref", "lockref dput d_alloc" },
	{ "inode->i_rwsem", "i_rwsem" },
	{ "i_rwsem", "i_rwsem" },
	{ "smp_call_function", "smp_call_function" },
	{ "page_table_lock", "pte_offset __pte_alloc pmd_lock" },
	{ "journal", "jbd2 journal ext4_journal" },
	{ "folio->_refcount", "folio_ref filemap_get_read_batch filemap_get_entry folio_put" },
	{ "tasklist_lock", "queued_write_lock queued_read_lock tasklist" },
	{ "sighand->siglock", "siglock do_send_sig send_signal" },
	{ "variable", "testcase" },
};

static bool any_in(const char *names, const char *text)
{
	char *copy = strdup(names), *rest = copy, *name;
	bool found = false;

	while (copy && !found && (name = strsep(&rest, " ")))
		found = name[0] && strstr(text, name);
	free(copy);
	return found;
}

/* A word without an alias: its last part, without what only says that it is a lock. */
static bool stem_in(const char *word, const char *text)
{
	const char *arrow = strstr(word, "->");
	const char *stem = arrow ? arrow + 2 : word;

	return strlen(stem) > 3 && strstr(text, stem);
}

static bool word_in(const char *word, const char *text)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strcmp(aliases[i].word, word) == 0)
			return any_in(aliases[i].names, text);
	return stem_in(word, text);
}

bool why_expected(const char *contends, const char *name, const char *path)
{
	char *copy = strdup(contends), *rest = copy, *word;
	bool found = false;

	while (copy && !found && (word = strsep(&rest, " ")))
		found = word[0] && (word_in(word, name) || (path && word_in(word, path)));
	free(copy);
	return found;
}

/* ---- telling -------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3)))
static void add_evidence(struct why *w, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) >= 0) {
		json_array_append_new(w->evidence, json_string(text));
		free(text);
	}
	va_end(args);
}

/* "3.4 us": a time that an operation takes. */
static const char *time_text(char buf[HUMAN_MAX], double ns)
{
	if (ns >= 1e6)
		snprintf(buf, HUMAN_MAX, "%.3g ms", ns / 1e6);
	else if (ns >= 1e3)
		snprintf(buf, HUMAN_MAX, "%.3g us", ns / 1e3);
	else
		snprintf(buf, HUMAN_MAX, "%.3g ns", ns);
	return buf;
}

__attribute__((format(printf, 4, 5)))
static int conclude(struct why *w, enum why_verdict verdict, const char *cause,
		    const char *fmt, ...)
{
	va_list args;

	w->verdict = verdict;
	w->cause = cause ? strdup(cause) : NULL;
	va_start(args, fmt);
	if (vasprintf(&w->sentence, fmt, args) < 0)
		w->sentence = NULL;
	va_end(args);
	return w->sentence && (!cause || w->cause) ? 0 : -ENOMEM;
}

static void grew(struct why *w, const char *what, double a, double b)
{
	char from[HUMAN_MAX], to[HUMAN_MAX];

	if (isfinite(a) && isfinite(b) && b > 1.5 * a && b > 0.001)
		add_evidence(w, "%s per operation: %s -> %s", what, human_si(from, a),
			     human_si(to, b));
}

static void add_times(struct why *w)
{
	char cpu_a[HUMAN_MAX], cpu_b[HUMAN_MAX], delay_a[HUMAN_MAX], delay_b[HUMAN_MAX];
	char sleep_a[HUMAN_MAX], sleep_b[HUMAN_MAX];

	add_evidence(w,
		     "of a task's time per operation, on a CPU %s -> %s, waiting for one %s -> %s, "
		     "asleep %s -> %s",
		     time_text(cpu_a, w->few.cpu_ns), time_text(cpu_b, w->many.cpu_ns),
		     time_text(delay_a, w->few.delay_ns), time_text(delay_b, w->many.delay_ns),
		     time_text(sleep_a, w->few.sleep_ns), time_text(sleep_b, w->many.sleep_ns));
}

static void add_circumstances(struct why *w)
{
	grew(w, "page faults", w->few.faults, w->many.faults);
	grew(w, "voluntary context switches", w->few.voluntary, w->many.voluntary);
	grew(w, "involuntary context switches", w->few.involuntary, w->many.involuntary);
	grew(w, "instructions", w->few.instructions, w->many.instructions);
	grew(w, "cycles", w->few.cycles, w->many.cycles);
	grew(w, "misses of the last-level cache", w->few.misses, w->many.misses);
	if (w->many.fairness < 0.9 && w->few.cell->tasks < w->many.cell->tasks)
		add_evidence(w, "tasks are unequal: Jain's index %.2f", w->many.fairness);
	if (w->many.steal_pct > 5)
		add_evidence(w, "the hypervisor took %.0f %% of the CPUs", w->many.steal_pct);
	if (w->many.other_pct > 5)
		add_evidence(w, "other processes took %.0f %% of the CPUs", w->many.other_pct);
	if (w->many.rounds < 2)
		add_evidence(w, "one round: its noise is not known");
}

/* ---- judging -------------------------------------------------------------------------------- */

static bool is_strong(const struct cause *c, double all)
{
	double sd = sqrt(c->samples_b > 0 ? c->samples_b : 1);
	/* As many samples as it would have at few tasks' cost. */
	double expected = c->b > 0 ? c->samples_b * c->a / c->b : 0;

	return all > 0 && c->b - c->a >= SHARE_MIN * all && c->samples_b >= SAMPLES_MIN &&
	       c->samples_b - expected >= 2 * sd;
}

static const char *const phrases[] = {
	[CAUSE_LOCK] = "waits for a lock",
	[CAUSE_RECLAIM] = "reclaims memory",
	[CAUSE_KERNEL] = "spends more time in one kernel function: a cache line that tasks share, "
			 "or more work",
	[CAUSE_USER] = "spends more time in one function of its own: a cache line that tasks "
		       "share, or more work",
};

static void add_causes(struct why *w, const struct growth *g, double all, const char *what)
{
	for (size_t i = 0; i < g->nr && i < 3; i++) {
		const struct cause *c = &g->causes[i];

		if (c->b <= c->a || c->b - c->a < 0.05 * all)
			break;
		add_evidence(w, "%.0f %% of the %s that grew: %s (%s), %.0f samples",
			     100 * (c->b - c->a) / all, what, c->name, c->path ? c->path : "",
			     c->samples_b);
	}
}

static int compare_facts(struct why *w, const struct cause *c)
{
	if (w->expects)
		w->as_expected = why_expected(w->expects, c->name, c->path);
	return 0;
}

/* perf and tracepoints cost what they look at: then the profile is of a slower testcase. */
static void add_cost(struct why *w, const struct look *few, const struct look *many)
{
	double a = few->ops_per_s / w->few.ops_per_s, b = many->ops_per_s / w->many.ops_per_s;

	if (few->seen && many->seen && (a < 0.7 || b < 0.7))
		add_evidence(w,
			     "while it was profiled, its rates were %.2f and %.2f of the rounds'",
			     a, b);
}

/*
 * Sleeps are counted, not timed: most of them are where most of the sleep is, unless that says
 * otherwise.
 */
static int judge_profile(struct why *w, const struct looks *l, const char *what, const char *verb,
			 double share)
{
	const struct look *few = looks_find(l, w->few.cell, "profile");
	const struct look *many = looks_find(l, w->many.cell, "profile");
	const char *reason = few && few->reason	    ? few->reason
			     : many && many->reason ? many->reason
						    : NULL;
	const char *hidden = many ? json_string_value(json_object_get(many->seen, "hidden")) : NULL;
	bool sleeps = strcmp(what, "sleeps") == 0;
	struct growth g;
	const struct cause *c;
	double all;
	int err;

	if (sleeps && many && !reason)
		reason = json_string_value(json_object_get(many->seen, "no_sleeps"));
	err = few && many && !(sleeps && reason) ? growth_make(&g, l, few, many, what) : -ENODATA;
	if (err == -ENODATA)
		return conclude(w, WHY_UNKNOWN, NULL,
				"unknown: %.0f %% of what grew is time that tasks %s; "
				"where, no profile says (%s)",
				100 * share, verb, reason ? reason : "runtest --profile");
	if (err)
		return err;
	all = g.b - g.a;
	add_cost(w, few, many);
	add_causes(w, &g, all, sleeps ? "sleeps" : "CPU time");
	if (hidden)
		add_evidence(w, "%s", hidden);
	c = g.causes;
	if (!g.nr || !is_strong(c, all)) {
		err = conclude(w, WHY_UNKNOWN, NULL,
			       "unknown: %.0f %% of what grew is time that tasks %s, "
			       "but no function makes %.0f %% of it in %.0f samples",
			       100 * share, verb, 100 * SHARE_MIN, g.samples_b);
	} else {
		err = conclude(
			w, WHY_KNOWN, c->name, "each task %s: %s (%.0f %% of the %s that grew; %s)",
			sleeps && c->kind == CAUSE_KERNEL ? "goes to sleep" : phrases[c->kind],
			c->name, 100 * fmin(1, (c->b - c->a) / all), sleeps ? "sleeps" : "CPU time",
			c->path ? c->path : "");
		compare_facts(w, c);
	}
	growth_free(&g);
	return err;
}

static int judge_delay(struct why *w)
{
	if ((double)w->many.cell->tasks > w->many.cpus)
		return conclude(w, WHY_KNOWN, "CPUs",
				"tasks wait for a CPU: there are %llu of them on %.0f CPUs",
				(unsigned long long)w->many.cell->tasks, w->many.cpus);
	return conclude(w, WHY_UNKNOWN, NULL,
			"unknown: tasks wait for CPUs that other work or the hypervisor "
			"took (%.0f %%, %.0f %%); measure on a quieter machine",
			w->many.other_pct, w->many.steal_pct);
}

static int judge_loss(struct why *w, const struct looks *l)
{
	double cpu = w->many.cpu_ns - w->few.cpu_ns, sleep = w->many.sleep_ns - w->few.sleep_ns;
	double own = w->few.cpu_ns + w->few.sleep_ns, grown = fmax(cpu, 0) + fmax(sleep, 0);

	if (!isfinite(cpu) || !isfinite(sleep))
		return conclude(w, WHY_UNKNOWN, NULL,
				"unknown: this kernel does not tell the times of tasks "
				"(/proc/PID/schedstat)");
	add_times(w);
	add_circumstances(w);
	/*
	 * What other work takes is noise, not the testcase's: it is the cause only if nothing
	 * else is.
	 */
	if (grown < GROWTH_MIN * own)
		return judge_delay(w);
	if (cpu >= sleep)
		return judge_profile(w, l, "cpu", "spend on a CPU", cpu / grown);
	return judge_profile(w, l, "sleeps", "sleep", sleep / grown);
}

static double efficiency_of(const struct why_side *few, const struct why_side *many)
{
	return many->ops_per_s / few->ops_per_s * (few->cpus / many->cpus);
}

static const char *contends_of(const struct run *run, const char *testcase)
{
	const json_t *facts = json_object_get(run->plan_json, "testcases"), *one, *list;
	static char text[512];
	size_t i, k, used = 0;

	json_array_foreach(facts, i, one) {
		const char *name = json_string_value(json_object_get(one, "name"));

		if (!name || strcmp(name, testcase) != 0)
			continue;
		list = json_object_get(one, "contends");
		text[0] = '\0';
		for (k = 0; k < json_array_size(list) && used < sizeof(text); k++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
						 k ? " " : "",
						 json_string_value(json_array_get(list, k)));
		return text[0] ? text : NULL;
	}
	return NULL;
}

int why_make(struct why *w, const struct run *run, const struct looks *l,
	     const struct why_side *few, const struct why_side *many)
{
	double half;

	*w = (struct why){
		.few = *few, .many = *many, .evidence = json_array(), .as_expected = -1
	};
	w->expects = contends_of(run, many->cell->testcase);
	w->efficiency = efficiency_of(few, many);
	half = sqrt(few->ci95_pct * few->ci95_pct + many->ci95_pct * many->ci95_pct) / 100;
	w->low = w->efficiency * (1 - half);
	w->high = w->efficiency * (1 + half);
	if (w->efficiency >= WHY_EFFICIENCY)
		return conclude(w, WHY_SCALES, NULL, "it scales");
	if (w->high >= 1)
		return conclude(w, WHY_UNKNOWN, NULL,
				"unknown: the loss is within the noise of the rounds "
				"(efficiency %.2f to %.2f)",
				w->low, w->high);
	return judge_loss(w, l);
}

void why_free(struct why *w)
{
	free(w->sentence);
	free(w->cause);
	json_decref(w->evidence);
}
