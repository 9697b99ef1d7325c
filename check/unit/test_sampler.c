/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings, spans and rates of counters that are made up; the clock goes on as a test says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sampler.h"

static uint64_t now_ns, step_ns;
static int clock_reads;

/* The C library's, in this program: time passes while it is asked for. */
int clock_gettime(clockid_t clock, struct timespec *t);
int clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	clock_reads++;
	t->tv_sec = (time_t)(now_ns / 1000000000);
	t->tv_nsec = (long)(now_ns % 1000000000);
	now_ns += step_ns;
	return 0;
}

#define NR 3

static uint32_t places[NR] = { 2, 0, 1 };
static _Alignas(8) uint8_t counters[NR * TASKS_COUNTER_BYTES];
static const struct tasks_config config = { .nr = NR };
static const struct tasks tasks = { .config = &config, .counters = counters, .places = places };

static uint64_t *counter(unsigned long task)
{
	return (uint64_t *)(counters + places[task] * TASKS_COUNTER_BYTES);
}

static struct sampler_reading a, b;

static int begin(void **state)
{
	(void)state;
	now_ns = 7000000000;
	step_ns = 0;
	for (unsigned long i = 0; i < NR; i++)
		*counter(i) = 0;
	return sampler_alloc(&a, NR) || sampler_alloc(&b, NR);
}

static int end(void **state)
{
	(void)state;
	sampler_free(&a);
	sampler_free(&b);
	return a.counts != NULL;
}

static void each_task_has_its_counter(void **state)
{
	(void)state;
	for (unsigned long i = 0; i < NR; i++)
		*counter(i) = 10 + i;
	sampler_read(&a, &tasks);
	for (unsigned long i = 0; i < NR; i++)
		assert_int_equal(a.counts[i], 10 + i);
	assert_true(a.time_ns == 7000000000);
}

static void spans(void **state)
{
	struct sampler_span s;

	(void)state;
	*counter(0) = UINT64_MAX - 5;	/* a counter may wrap round: the difference does not */
	sampler_read(&a, &tasks);
	*counter(0) += 100;
	*counter(1) += 40;
	now_ns += 500000000;
	sampler_read(&b, &tasks);
	s = sampler_since(&a, &b, NR);
	assert_int_equal(s.elapsed_ns, 500000000);
	assert_int_equal(s.ops, 140);
	assert_int_equal(s.min_ops, 0);
	assert_int_equal(s.max_ops, 100);
	assert_int_equal(s.starved, 1);
	s = sampler_since(&b, &b, NR);
	assert_int_equal(s.starved, NR);
	assert_int_equal(s.ops, 0);
}

static void rates(void **state)
{
	(void)state;
	assert_true(sampler_rate(140, 500000000) == 280);
	assert_true(sampler_rate(0, 1) == 0);
	assert_true(sampler_rate(7, 0) == 0);
	assert_true(fabs(sampler_rate(1ULL << 62, 1ULL << 62) - 1e9) < 1);
}

/* Whatever the windows' lengths: rates times times are the operations that were counted. */
static void nothing_is_lost_between_readings(void **state)
{
	uint64_t ops = 0, ns = 0;
	double sum = 0;

	(void)state;
	sampler_read(&a, &tasks);
	for (unsigned int i = 1; i <= 1000; i++) {
		struct sampler_span s;

		for (unsigned long k = 0; k < NR; k++)
			*counter(k) += i * i % (97 + k);
		now_ns += 1 + i * 7919 % 100000000;
		sampler_read(&b, &tasks);
		s = sampler_since(&a, &b, NR);
		ops += s.ops;
		ns += s.elapsed_ns;
		sum += sampler_rate(s.ops, s.elapsed_ns) * (double)s.elapsed_ns / 1e9;
		sampler_copy(&a, &b, NR);
	}
	assert_int_equal(ops, *counter(0) + *counter(1) + *counter(2));
	assert_int_equal(ns, now_ns - 7000000000);
	assert_true(fabs(sum - (double)ops) < 1e-9 * (double)ops);
}

/* The middle of the reading; one that took too long is read again, three times at most. */
static void interrupted_readings(void **state)
{
	(void)state;
	clock_reads = 0;	/* cmocka asks for the time, too */
	step_ns = 1000;
	sampler_read(&a, &tasks);
	assert_int_equal(a.time_ns, 7000000500);
	assert_int_equal(clock_reads, 2);
	step_ns = 10000000;
	sampler_read(&a, &tasks);
	assert_int_equal(clock_reads, 2 + 6);
}

int main(void)
{
#define WITH_READINGS(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		WITH_READINGS(each_task_has_its_counter),
		WITH_READINGS(spans),
		WITH_READINGS(rates),
		WITH_READINGS(nothing_is_lost_between_readings),
		WITH_READINGS(interrupted_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
