/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The course of a measurement, with a clock and tasks that are made up: what is flagged, and when. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "clock.h"
#include "fake_clock.h"
#include "flags.h"
#include "measure.h"

#define NR 2
#define NO_WAIT UINT64_MAX

static int cpus[NR] = { 0, 0 };
static uint32_t places[NR] = { 0, 1 };
static _Alignas(8) uint8_t counters[NR * TASKS_COUNTER_BYTES];
static struct task_slot slots[NR];
static const struct tasks_config config = { .nr = NR, .cpus = cpus };
static struct tasks tasks = {
	.config = &config, .slots = slots, .counters = counters, .places = places,
};

/* What happens while the supervisor sleeps. */
static struct {
	uint64_t waits;			/* so far */
	uint64_t late_at, late_ns;	/* this one takes so much longer */
	uint64_t event_at;		/* and this one ends with an event */
	int event;
	double hz[NR];			/* operations a second of each task */
	double grow;			/* by so much with each wait */
	uint64_t grow_from;
	uint64_t idle_until;		/* tasks count from this wait on */
	bool released;
} script;

void tasks_release(struct tasks *t)
{
	assert_ptr_equal(t, &tasks);
	script.released = true;
}

int tasks_wait(struct tasks *t, uint64_t deadline_ns)
{
	uint64_t begin_ns = fake_now_ns, wait = script.waits++;

	assert_ptr_equal(t, &tasks);
	assert_true(script.released);
	if (wait == script.event_at)
		return script.event;
	if (deadline_ns > fake_now_ns)
		fake_now_ns = deadline_ns;
	if (wait == script.late_at)
		fake_now_ns += script.late_ns;
	for (unsigned long i = 0; i < NR && wait >= script.idle_until; i++) {
		if (wait >= script.grow_from)
			script.hz[i] *= script.grow;
		*(uint64_t *)(counters + i * TASKS_COUNTER_BYTES) +=
			(uint64_t)(script.hz[i] * (double)(fake_now_ns - begin_ns) / 1e9 + 0.5);
	}
	return 0;
}

/* What the listener heard. */
static struct {
	size_t warmup_lines, lines, slices;
	uint64_t ops, elapsed_ns;	/* of the window's lines */
	double rate_times_time;
} heard;

static void on_line(void *arg, bool warmup, const struct sampler_span *span,
		    const struct sampler_reading *from, const struct sampler_reading *to)
{
	assert_ptr_equal(arg, &heard);
	assert_true(to->time_ns - from->time_ns == span->elapsed_ns);
	if (warmup) {
		heard.warmup_lines++;
		return;
	}
	heard.lines++;
	heard.ops += span->ops;
	heard.elapsed_ns += span->elapsed_ns;
	heard.rate_times_time += sampler_rate(span->ops, span->elapsed_ns) *
				 (double)span->elapsed_ns / 1e9;
}

static void on_slice(void *arg, const struct sampler_span *span)
{
	(void)arg;
	(void)span;
	heard.slices++;
}

static const struct measure_config usual = {
	.warmup_s = 0.6, .warmup_max_s = 2, .line_s = 1, .lines = 3, .slices = 10,
};
#define WARMUP_WAITS 6

static struct measure_result result;

static int begin(void **state)
{
	(void)state;
	fake_now_ns = 1000 * NS_PER_S;
	memset(counters, 0, sizeof(counters));
	memset(&heard, 0, sizeof(heard));
	memset(&script, 0, sizeof(script));
	script.late_at = script.event_at = script.grow_from = NO_WAIT;
	script.hz[0] = 100000;
	script.hz[1] = 200000;
	script.grow = 1;
	return 0;
}

static int end(void **state)
{
	(void)state;
	measure_free(&result);
	return 0;
}

/* The machine's own load is no matter here. */
static unsigned int run(const struct measure_config *c, int expected)
{
	const struct measure_listener listener = {
		.line = on_line, .slice = on_slice, .arg = &heard,
	};

	assert_int_equal(measure_run(&tasks, c, &listener, &result), expected);
	return result.flags & ~(unsigned int)(FLAG_DISTURBED | FLAG_STEAL);
}

/* Counters, slices, lines and the result are four sums of the same operations. */
static void sums_agree(void)
{
	uint64_t ops = 0, ns = 0, counted = 0;

	for (size_t i = 0; i < result.nr_slices; i++) {
		ops += result.slices[i].ops;
		ns += result.slices[i].elapsed_ns;
	}
	for (unsigned long i = 0; i < NR; i++)
		counted += result.to.counts[i] - result.from.counts[i];
	assert_int_equal(result.total.ops, counted);
	assert_int_equal(ops, counted);
	assert_int_equal(heard.ops, counted);
	assert_int_equal(ns, result.total.elapsed_ns);
	assert_int_equal(heard.elapsed_ns, result.total.elapsed_ns);
	assert_true(fabs(heard.rate_times_time - (double)counted) < 1e-9 * (double)counted);
}

static void a_steady_rate(void **state)
{
	(void)state;
	assert_int_equal(run(&usual, 0), 0);
	sums_agree();
	assert_int_equal(heard.warmup_lines, MEASURE_WARMUP_LINES);
	assert_int_equal(heard.lines, 3);
	assert_int_equal(result.nr_slices, 30);
	assert_int_equal(result.total.elapsed_ns, 3 * NS_PER_S);
	assert_int_equal(result.total.ops, 900000);
	assert_int_equal(result.total.min_ops, 300000);
	assert_int_equal(result.total.max_ops, 600000);
	assert_int_equal(result.warmup_ns, 600 * NS_PER_MS);
	assert_true(result.late_s == 0);
}

/* Still a rate of counted operations over elapsed time; the next samples keep their length. */
static void a_late_sample(void **state)
{
	(void)state;
	script.late_at = WARMUP_WAITS + 12;
	script.late_ns = 350 * NS_PER_MS;
	assert_int_equal(run(&usual, 0), FLAG_LATE);
	sums_agree();
	assert_true(fabs(result.late_s - 0.35) < 1e-9);
	assert_int_equal(result.total.elapsed_ns, 3350 * NS_PER_MS);
	assert_true(fabs(sampler_rate(result.total.ops, result.total.elapsed_ns) - 300000) < 1);
	assert_int_equal(result.slices[12].elapsed_ns, 450 * NS_PER_MS);
	assert_int_equal(result.slices[13].elapsed_ns, 100 * NS_PER_MS);
}

/* The samples behind make up for it: the window keeps its length. */
static void a_sample_that_is_hardly_late(void **state)
{
	(void)state;
	script.late_at = WARMUP_WAITS + 12;
	script.late_ns = 90 * NS_PER_MS;
	assert_int_equal(run(&usual, 0), 0);
	sums_agree();
	assert_int_equal(result.total.elapsed_ns, 3 * NS_PER_S);
	assert_int_equal(result.slices[12].elapsed_ns, 190 * NS_PER_MS);
	assert_int_equal(result.slices[13].elapsed_ns, 10 * NS_PER_MS);
}

static void a_late_sample_of_the_warmup(void **state)
{
	(void)state;
	script.late_at = 2;
	script.late_ns = 2 * NS_PER_S;
	assert_int_equal(run(&usual, 0) & FLAG_LATE, 0);
	assert_true(result.late_s == 0);
}

static void a_starved_task(void **state)
{
	(void)state;
	script.hz[1] = 0;
	assert_int_equal(run(&usual, 0) & FLAG_STARVED, FLAG_STARVED);
	assert_int_equal(result.total.starved, 1);
	assert_int_equal(result.total.min_ops, 0);
}

static void a_rate_that_drifts(void **state)
{
	(void)state;
	script.grow_from = WARMUP_WAITS;
	script.grow = 1.01;
	assert_int_equal(run(&usual, 0), FLAG_DRIFT);
	sums_agree();
}

/* The warm-up goes on as long as it moves, and is no longer than its bound. */
static void a_rate_that_settles(void **state)
{
	struct measure_config c = usual;

	(void)state;
	script.grow_from = 0;
	script.grow = 1.2;
	c.warmup_max_s = 1.5;
	assert_true(run(&c, 0) & FLAG_UNSTEADY);
	assert_int_equal(result.warmup_ns, 1500 * NS_PER_MS);
	assert_int_equal(heard.warmup_lines, MEASURE_WARMUP_LINES);
}

static void what_ends_it(void **state)
{
	(void)state;
	script.event_at = 3;
	script.event = -ECHILD;
	run(&usual, -ECHILD);
	assert_int_equal(heard.lines, 0);
	measure_free(&result);
	begin(state);
	script.event_at = WARMUP_WAITS + 25;
	script.event = 15;
	run(&usual, 15);
	assert_int_equal(heard.lines, 2);
}

/* What tasks make before they count is neither warm-up nor window. */
static void preparation(void **state)
{
	struct measure_config c = usual;

	(void)state;
	c.prepare_max_s = 5;
	script.idle_until = 100;	/* waits of 10 ms */
	assert_int_equal(run(&c, 0), 0);
	assert_int_equal(result.prepare_ns, 1010 * NS_PER_MS);
	assert_int_equal(result.warmup_ns, 600 * NS_PER_MS);
	assert_int_equal(result.total.ops, 900000);
	measure_free(&result);
	begin(state);
	script.hz[1] = 0;
	run(&c, -ETIME);
}

int main(void)
{
#define MEASURED(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		MEASURED(a_steady_rate),
		MEASURED(a_late_sample),
		MEASURED(a_sample_that_is_hardly_late),
		MEASURED(a_late_sample_of_the_warmup),
		MEASURED(a_starved_task),
		MEASURED(a_rate_that_drifts),
		MEASURED(a_rate_that_settles),
		MEASURED(what_ends_it),
		MEASURED(preparation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
