/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "aslr.h"
#include "build_info.h"
#include "clock.h"
#include "counters.h"
#include "figures.h"
#include "file.h"
#include "flags.h"
#include "json_text.h"
#include "memcg_level.h"
#include "msg.h"

/* ---- JSON ----------------------------------------------------------------------------------- */

static void write_json(struct report *r, json_t *object)
{
	if (object && json_dumpf(object, r->json, JSON_COMPACT | JSON_REAL_PRECISION(12)) == 0)
		fputc('\n', r->json);
	json_decref(object);
}

/* Integers beyond 2^53 lose digits in many readers; counts of operations stay below for years. */
static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

/* A figure that could not be had is null. */
static json_t *figure(double value)
{
	return value < 0 || !isfinite(value) ? json_null() : json_real(value);
}

static json_t *flags_json(unsigned int flags)
{
	json_t *array = json_array();

	for (size_t i = 0; flags_name(i); i++)
		if (flags & 1U << i)
			json_array_append_new(array, json_string(flags_name(i)));
	return array;
}

static json_t *slices_json(const struct measure_result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->nr_slices; i++)
		json_array_append_new(array, json_pack("[o o]", integer(result->slices[i].elapsed_ns),
						       integer(result->slices[i].ops)));
	return array;
}

static json_t *task_ops_json(const struct tasks *t, const struct measure_result *result)
{
	json_t *array = json_array();

	for (unsigned long i = 0; i < t->config->nr; i++)
		json_array_append_new(array,
				      integer(result->to.counts[i] - result->from.counts[i]));
	return array;
}

/* From the opening of the gate to the end of the tasks, which are dead by now. */
static json_t *lifetime_ops_json(const struct tasks *t)
{
	json_t *array = json_array();

	for (unsigned long i = 0; i < t->config->nr; i++)
		json_array_append_new(array, integer(tasks_count(t, i)));
	return array;
}

static json_t *window_json(const struct window_figures *w)
{
	return json_pack("{so so so so so so so so so so so so so so}",
		"idle_pct", figure(w->idle_pct),
		"cell_idle_pct", figure(w->cell_idle_pct),
		"steal_pct", figure(w->steal_pct),
		"other_pct", figure(w->other_pct),
		"resolution_pct", figure(w->resolution_pct),
		"context_switches_hz", figure(w->context_switches_hz),
		"cell_mhz", figure(w->cell_mhz),
		"kernel_tasks", integer(w->kernel_tasks),
		"page_faults_per_op", figure(w->page_faults_per_op),
		"voluntary_switches_per_op", figure(w->voluntary_switches_per_op),
		"involuntary_switches_per_op", figure(w->involuntary_switches_per_op),
		"cpu_ns_per_op", figure(w->cpu_ns_per_op),
		"delay_ns_per_op", figure(w->delay_ns_per_op),
		"sleep_ns_per_op", figure(w->sleep_ns_per_op));
}

static json_t *figure_json(const struct figures_summary *s)
{
	bool any = s->nr > 0;

	return json_pack("{so so sf so so so so}",
		"nr", integer(s->nr), "lost", integer(s->lost), "sum", s->sum,
		"min", any ? json_real(s->min) : json_null(),
		"median", any ? json_real(s->median) : json_null(),
		"p99", any ? json_real(s->p99) : json_null(),
		"max", any ? json_real(s->max) : json_null());
}

/* Those that the testcase gave in the measured window. */
static json_t *figures_json(const struct measure_result *result)
{
	json_t *object = json_object();
	struct figures_summary summary;

	for (unsigned int i = 0; i < figures_nr(); i++)
		json_object_set_new(object, testcase_info.figures[i].name,
			figures_summarise(i, result->from.time_ns, result->to.time_ns,
					  &summary) == 0 ? figure_json(&summary) : json_null());
	return object;
}

static json_t *result_json(const struct tasks *t,
			   const struct measure_result *result)
{
	char fs[FILE_FSTYPE_MAX];

	return json_pack("{ss so so so so so so so so so so so so so sf so so so so ss}",
		"event", "result",
		"elapsed_ns", integer(result->total.elapsed_ns),
		"ops", integer(result->total.ops),
		"ops_per_s", json_real(sampler_rate(result->total.ops, result->total.elapsed_ns)),
		"min_task_ops", integer(result->total.min_ops),
		"max_task_ops", integer(result->total.max_ops),
		"starved_tasks", integer(result->total.starved),
		"flags", flags_json(result->flags),
		"prepare_ns", integer(result->prepare_ns),
		"warmup_ns", integer(result->warmup_ns),
		"slices", slices_json(result),
		"task_ops", task_ops_json(t, result),
		"lifetime_ops", lifetime_ops_json(t),
		"figures", figures_json(result),
		"late_s", result->late_s,
		"window", window_json(&result->window),
		"counters", counters_json(),
		"memcg", memcg_level_json(),
		"membind_verified_pct", figure(result->membind_verified_pct),
		"scratch_fs", file_fstype(fs, "."));
}

static void json_slice(void *arg, const struct sampler_span *span)
{
	write_json(arg, json_pack("{ss so so}", "event", "slice",
				  "elapsed_ns", integer(span->elapsed_ns),
				  "ops", integer(span->ops)));
}

/* ---- will-it-scale's lines ------------------------------------------------------------------ */

static uint64_t rounded_rate(uint64_t ops, uint64_t elapsed_ns)
{
	return (uint64_t)(sampler_rate(ops, elapsed_ns) + 0.5);
}

static void print_tasks(const struct sampler_span *span, const struct sampler_reading *from,
			const struct sampler_reading *to, uint64_t nr)
{
	for (uint64_t i = 0; i < nr; i++)
		printf("%4" PRIu64 " -> %" PRIu64 "\n", i,
		       rounded_rate(to->counts[i] - from->counts[i], span->elapsed_ns));
}

/* After the warm-up's last line comes the heading of the measurement. */
static void print_line(void *arg, bool warmup, const struct sampler_span *span,
		       const struct sampler_reading *from, const struct sampler_reading *to)
{
	struct report *r = arg;
	uint64_t total = rounded_rate(span->ops, span->elapsed_ns);

	if (r->options->verbose)
		print_tasks(span, from, to, r->options->tasks);
	printf("min:%" PRIu64 " max:%" PRIu64 " total:%" PRIu64 "\n",
	       rounded_rate(span->min_ops, span->elapsed_ns),
	       rounded_rate(span->max_ops, span->elapsed_ns), total);
	r->lines++;
	if (!warmup)
		r->sum += total;
	else if (r->lines == MEASURE_WARMUP_LINES) {
		puts("measurement");
		r->lines = 0;
	}
}

/* What would be a flag in a record is a line on stderr here, unless it is usual in this use. */
static void print_flags(const struct report *r, const struct measure_result *result)
{
	if (result->flags & FLAG_LATE)
		msg_note("late: a sample came %.1f s late (the supervisor was stopped or starved)",
			 result->late_s);
	if (result->flags & FLAG_STARVED)
		msg_note("starved: %lu of %" PRIu64 " tasks completed no operation in the window",
			 result->total.starved, r->options->tasks);
}

/* ---- either --------------------------------------------------------------------------------- */

int report_open(struct report *r, const struct cell_options *o)
{
	*r = (struct report){ .options = o };
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	if (o->report_fd < 0)
		return 0;
	r->json = fdopen(o->report_fd, "w");
	if (!r->json) {
		int err = -errno;

		msg_error("--report-fd %d: %s", o->report_fd, strerror(errno));
		return err;
	}
	setvbuf(r->json, NULL, _IOLBF, BUFSIZ);
	return 0;
}

static void await_answer(const struct report *r)
{
	char byte;

	while (read(r->options->attend_fd, &byte, 1) < 0 && errno == EINTR)
		;
}

/* Evenly spread over all tasks. */
static json_t *attended_ids(const struct tasks *t)
{
	unsigned long nr = t->config->nr < REPORT_ATTENDED_MAX ? t->config->nr : REPORT_ATTENDED_MAX;
	json_t *ids = json_array();

	for (unsigned long k = 0; k < nr; k++)
		json_array_append_new(ids, integer((uint64_t)t->slots[k * t->config->nr / nr].id));
	return ids;
}

void report_ready(struct report *r, const struct tasks *t)
{
	if (!r->json || r->options->attend_fd < 0)
		return;
	write_json(r, json_pack("{ss ss so}", "event", "attend", "point", "ready",
				"ids", attended_ids(t)));
	await_answer(r);
}

static void attend_window(void *arg, bool begins)
{
	write_json(arg, json_pack("{ss ss}", "event", "attend", "point", begins ? "begin" : "end"));
	await_answer(arg);
}

void report_started(struct report *r, uint64_t begin_ns)
{
	if (r->json)
		write_json(r, json_pack("{ss so so ss sb}", "event", "started",
					"start_ns", integer(clock_ns() - begin_ns),
					"gate_ns", integer(clock_ns()),
					"compiler", build_compiler, "aslr", aslr_is_on()));
	else
		printf("testcase:%s\nwarmup\n", testcase_description);
}

struct measure_listener report_listener(struct report *r)
{
	return (struct measure_listener){
		.line = r->json ? NULL : print_line,
		.slice = r->json ? json_slice : NULL,
		.window = r->json && r->options->attend_fd >= 0 ? attend_window : NULL,
		.arg = r,
	};
}

/* All that was printed must have arrived. */
static int check_output(FILE *out)
{
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	msg_error("cannot write the result: %s", strerror(errno));
	return -EIO;
}

int report_result(struct report *r, const struct tasks *t, const struct measure_result *result)
{
	if (r->json) {
		write_json(r, result_json(t, result));
		return check_output(r->json);
	}
	printf("average:%" PRIu64 "\n", r->lines ? r->sum / r->lines : 0);
	print_flags(r, result);
	return check_output(stdout);
}

int report_failure(struct report *r, int status, const char *reason)
{
	if (r->json) {
		write_json(r, json_pack("{ss si so}", "event", "failed", "status", status,
					"reason", json_text(reason)));
		return check_output(r->json);
	}
	msg_error("%s", reason);
	return check_output(stdout);
}
