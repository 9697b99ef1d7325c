/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "counters.h"
#include "flags.h"

/* A sample that is so much longer than planned was not taken in time. */
#define LATE_NS(planned_ns) (2 * (planned_ns) + 100 * NS_PER_MS)

/* Two groups of samples differ if they do not overlap and their means differ by so much. */
#define MOVED_PCT 5.0
#define STEADY_GROUP 3	/* samples a group, during warm-up */
#define WARMUP_SLICES \
	(MEASURE_WARMUP_LINES > 2 * STEADY_GROUP ? MEASURE_WARMUP_LINES : 2 * STEADY_GROUP)
#define DRIFT_GROUP 4	/* and at the two ends of the window: by chance 1 in 35 is called */

#define DISTURBED_PCT 5.0
#define DISTURBED_TICKS 3.0	/* /proc/stat counts by ticks: so many may be wrong on each CPU */
#define STEAL_PCT 5.0

/* The state of one measurement: the readings that the next sample is compared with. */
struct course {
	struct tasks *tasks;
	const struct measure_listener *listener;
	struct measure_result *result;
	unsigned long nr;
	struct sampler_reading line, last, now;
	uint64_t deadline_ns;
	bool warmup;
};

static int append_slice(struct measure_result *r, const struct sampler_span *span)
{
	struct measure_slice *slices = reallocarray(r->slices, r->nr_slices + 1, sizeof(*slices));

	if (!slices)
		return -ENOMEM;
	r->slices = slices;
	slices[r->nr_slices++] = (struct measure_slice){ span->elapsed_ns, span->ops };
	return 0;
}

/* A late sample moves all later ones: each keeps its planned length. */
static void judge_lateness(struct course *c, const struct sampler_span *span, uint64_t planned_ns)
{
	double late_s = ((double)span->elapsed_ns - (double)planned_ns) / 1e9;

	if (span->elapsed_ns <= LATE_NS(planned_ns))
		return;
	c->deadline_ns = c->now.time_ns;
	if (c->warmup)
		return;
	c->result->flags |= FLAG_LATE;
	if (late_s > c->result->late_s)
		c->result->late_s = late_s;
}

/* Sleeps for one sample of @planned_ns, takes it. */
static int take_slice(struct course *c, uint64_t planned_ns, struct sampler_span *span)
{
	int event;

	c->deadline_ns += planned_ns;
	event = tasks_wait(c->tasks, c->deadline_ns);
	if (event)
		return event;
	sampler_read(&c->now, c->tasks);
	*span = sampler_since(&c->last, &c->now, c->nr);
	sampler_copy(&c->last, &c->now, c->nr);
	judge_lateness(c, span, planned_ns);
	if (c->listener->slice)
		c->listener->slice(c->listener->arg, span);
	return 0;
}

static void end_line(struct course *c)
{
	struct sampler_span span = sampler_since(&c->line, &c->now, c->nr);

	if (c->listener->line)
		c->listener->line(c->listener->arg, c->warmup, &span, &c->line, &c->now);
	sampler_copy(&c->line, &c->now, c->nr);
}

/* Whether two groups of rates are apart, in either direction. */
static bool moved(const double *a, const double *b, size_t group)
{
	double min_a = a[0], max_a = a[0], min_b = b[0], max_b = b[0], sum_a = 0, sum_b = 0;

	for (size_t i = 0; i < group; i++) {
		min_a = a[i] < min_a ? a[i] : min_a;
		max_a = a[i] > max_a ? a[i] : max_a;
		min_b = b[i] < min_b ? b[i] : min_b;
		max_b = b[i] > max_b ? b[i] : max_b;
		sum_a += a[i];
		sum_b += b[i];
	}
	if (max_a >= min_b && max_b >= min_a)
		return false;
	return __builtin_fabs(sum_b - sum_a) > MOVED_PCT / 100 * (sum_a > sum_b ? sum_a : sum_b);
}

/* Whether every task has completed something since @from. */
static bool all_run(const struct course *c, const struct sampler_reading *from)
{
	return sampler_since(from, &c->now, c->nr).starved == 0;
}

/* What a testcase makes before it counts is no part of the warm-up, whose time is short. */
static int await_all(struct course *c, double max_s)
{
	uint64_t begin_ns = c->last.time_ns;
	int event = 0;

	sampler_read(&c->now, c->tasks);
	while (!event && max_s > 0 && !all_run(c, &c->last)) {
		if (c->now.time_ns - begin_ns > clock_from_seconds(max_s))
			return -ETIME;
		event = tasks_wait(c->tasks, clock_ns() + 10 * NS_PER_MS);
		sampler_read(&c->now, c->tasks);
	}
	c->result->prepare_ns = c->now.time_ns - begin_ns;
	sampler_copy(&c->last, &c->now, c->nr);
	sampler_copy(&c->line, &c->now, c->nr);
	c->deadline_ns = c->now.time_ns;
	return event;
}

/*
 * The lines share the warm-up, a sample each. The last one goes on, sample by sample, as long as the rate moves
 * or a task has not begun, up to the bound.
 */
static int warm_up(struct course *c, const struct measure_config *config)
{
	uint64_t slice_ns = clock_from_seconds(config->warmup_s / WARMUP_SLICES);
	uint64_t end_ns = c->last.time_ns + clock_from_seconds(config->warmup_max_s);
	uint64_t begin_ns = c->last.time_ns;
	double rates[2 * STEADY_GROUP] = { 0 };
	struct sampler_reading begin;
	bool steady = false;
	int event = sampler_alloc(&begin, c->nr);

	if (!event)
		sampler_copy(&begin, &c->last, c->nr);
	for (unsigned int i = 1; !event; i++) {
		struct sampler_span span;

		event = take_slice(c, slice_ns, &span);
		if (event)
			break;
		memmove(rates, rates + 1, sizeof(rates) - sizeof(rates[0]));
		rates[2 * STEADY_GROUP - 1] = sampler_rate(span.ops, span.elapsed_ns);
		if (i < MEASURE_WARMUP_LINES)
			end_line(c);
		if (i < WARMUP_SLICES)
			continue;
		steady = !moved(rates, rates + STEADY_GROUP, STEADY_GROUP) && all_run(c, &begin);
		if (steady || c->now.time_ns + slice_ns > end_ns)
			break;
	}
	if (!event)
		end_line(c);
	if (!event && !steady)
		c->result->flags |= FLAG_UNSTEADY;
	c->result->warmup_ns = c->now.time_ns - begin_ns;
	sampler_free(&begin);
	return event;
}

static int measure_lines(struct course *c, const struct measure_config *config)
{
	uint64_t slice_ns = clock_from_seconds(config->line_s / config->slices);
	struct sampler_span span;
	int event;

	for (uint64_t line = 0; config->lines == 0 || line < config->lines; line++) {
		for (unsigned int i = 0; i < config->slices; i++) {
			event = take_slice(c, slice_ns, &span);
			/* An endless run has no result that could use them. */
			if (!event && config->lines)
				event = append_slice(c->result, &span);
			if (event)
				return event;
		}
		end_line(c);
	}
	return 0;
}

static bool drifted(const struct measure_result *r)
{
	double first[DRIFT_GROUP], last[DRIFT_GROUP];

	if (r->nr_slices < 2 * DRIFT_GROUP)
		return false;
	for (size_t i = 0; i < DRIFT_GROUP; i++) {
		const struct measure_slice *a = &r->slices[i];
		const struct measure_slice *b = &r->slices[r->nr_slices - DRIFT_GROUP + i];

		first[i] = sampler_rate(a->ops, a->elapsed_ns);
		last[i] = sampler_rate(b->ops, b->elapsed_ns);
	}
	return moved(first, last, DRIFT_GROUP);
}

static void judge(struct measure_result *r)
{
	const struct window_figures *w = &r->window;
	double floor_pct = DISTURBED_TICKS * w->resolution_pct;

	if (r->total.starved)
		r->flags |= FLAG_STARVED;
	if (drifted(r))
		r->flags |= FLAG_DRIFT;
	if (w->other_pct > DISTURBED_PCT && w->other_pct > floor_pct)
		r->flags |= FLAG_DISTURBED;
	if (w->steal_pct > STEAL_PCT)
		r->flags |= FLAG_STEAL;
}

/* The window's readings are kept: they are the result. */
static int measure_window(struct course *c, const struct measure_config *config)
{
	struct measure_result *r = c->result;
	struct window window;
	int event = window_begin(&window, "", c->tasks);

	if (event)
		return event;
	c->warmup = false;
	if (c->listener->window)
		c->listener->window(c->listener->arg, true);
	counters_begin();
	sampler_read(&c->last, c->tasks);
	sampler_copy(&c->line, &c->last, c->nr);
	sampler_copy(&r->from, &c->last, c->nr);
	c->deadline_ns = c->last.time_ns;
	event = measure_lines(c, config);
	counters_end();
	if (c->listener->window)
		c->listener->window(c->listener->arg, false);
	sampler_copy(&r->to, &c->last, c->nr);
	window_end(&window, c->tasks, &r->window);
	r->total = sampler_since(&r->from, &r->to, c->nr);
	judge(r);
	return event;
}

static int alloc_readings(struct course *c)
{
	struct sampler_reading *const all[] = {
		&c->line, &c->last, &c->now, &c->result->from, &c->result->to,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (sampler_alloc(all[i], c->nr) != 0)
			return -ENOMEM;
	return 0;
}

int measure_run(struct tasks *t, const struct measure_config *config,
		const struct measure_listener *listener, struct measure_result *result)
{
	struct course c = {
		.tasks = t,
		.listener = listener,
		.result = result,
		.nr = t->config->nr,
		.warmup = true,
	};
	int event;

	*result = (struct measure_result){ .membind_verified_pct = -1 };
	event = alloc_readings(&c);
	if (event)
		goto out;
	tasks_release(t);
	sampler_read(&c.last, t);
	event = await_all(&c, config->prepare_max_s);
	if (!event)
		event = warm_up(&c, config);
	if (!event)
		event = measure_window(&c, config);
out:
	sampler_free(&c.line);
	sampler_free(&c.last);
	sampler_free(&c.now);
	return event;
}

void measure_free(struct measure_result *result)
{
	sampler_free(&result->from);
	sampler_free(&result->to);
	free(result->slices);
	result->slices = NULL;
}
