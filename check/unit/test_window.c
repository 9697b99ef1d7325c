/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel did in a window of just a second, by a /proc that is made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "clock.h"
#include "fake_clock.h"
#include "tree.h"
#include "window.h"

#define NR_TASKS 2
#define HELPER 300

static int cpus[NR_TASKS] = { 1, 0 };
static const struct tasks_config config = { .nr = NR_TASKS, .cpus = cpus };
static uint32_t places[NR_TASKS] = { 0, 1 };
static _Alignas(8) uint8_t counters[NR_TASKS * TASKS_COUNTER_BYTES];
static struct task_slot slots[NR_TASKS];
static struct tasks tasks = {
	.config = &config, .slots = slots, .counters = counters, .places = places,
};
static struct window window;

static void add_ops(unsigned long task, uint64_t ops)
{
	*(uint64_t *)(counters + task * TASKS_COUNTER_BYTES) += ops;
}

/* One line for each CPU: busy, idle, iowait, steal, in ticks. */
struct ticks {
	int user, idle, iowait, steal;
};

static void put_stat(const struct ticks *ticks, int nr, int switches)
{
	char text[1024] = "cpu  1 2 3 4 5 6 7 8 9 10\n";

	for (int i = 0; i < nr; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "cpu%d %d 0 0 %d %d 0 0 %d 0 0\n", i, ticks[i].user, ticks[i].idle,
			 ticks[i].iowait, ticks[i].steal);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "intr 1\nctxt %d\nbtime 1\n",
		 switches);
	tree_put("/proc/stat", text);
}

static void put_task(unsigned long task, int faults, int voluntary, int involuntary)
{
	char path[128], text[256];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", tasks.worker, slots[task].id);
	snprintf(text, sizeof(text), "%d (a b) c) R 1 1 1 0 -1 4194304 %d 5 1 5 9 9 0 0 20 0\n",
		 slots[task].id, faults);
	tree_put(path, text);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", tasks.worker, slots[task].id);
	snprintf(text, sizeof(text), "Name:\tx\nvoluntary_ctxt_switches:\t%d\n"
		 "nonvoluntary_ctxt_switches:\t%d\n", voluntary, involuntary);
	tree_put(path, text);
}

static const struct ticks before[4] = {
	{ 1000, 5000, 10, 7 }, { 2000, 6000, 20, 8 }, { 0, 9000, 0, 0 }, { 0, 9000, 0, 0 },
};

/* Busy for a whole second: CPUs 0 and 1; the others idle. */
static const struct ticks after[4] = {
	{ 1100, 5000, 10, 7 }, { 2100, 6000, 20, 8 }, { 0, 9100, 0, 0 }, { 0, 9100, 0, 0 },
};

static int begin(void **state)
{
	int err = tree_make(state);

	fake_now_ns = 5 * NS_PER_S;
	fake_cpu_ns = 10 * NS_PER_S;
	memset(counters, 0, sizeof(counters));
	tasks.worker = getpid();	/* its CPU time is asked for, not its files */
	slots[0].id = 101;
	slots[1].id = 102;
	put_stat(before, 4, 1000);
	put_task(0, 100, 10, 20);
	put_task(1, 200, 30, 40);
	return err;
}

static void open_window(void)
{
	assert_int_equal(window_begin(&window, tree_root, &tasks), 0);
}

static struct window_figures close_window(void)
{
	struct window_figures f;

	fake_now_ns += NS_PER_S;
	window_end(&window, &tasks, &f);
	assert_null(window.cpus.cpus);
	return f;
}

static void near(double got, double expected)
{
	if (fabs(got - expected) > 1e-6 * (1 + fabs(expected)))
		fail_msg("%.15g is not %.15g", got, expected);
}

static void a_busy_cell(void **state)
{
	struct window_figures f;

	(void)state;
	open_window();
	fake_cpu_ns += 2 * NS_PER_S;
	put_stat(after, 4, 1500);
	f = close_window();
	near(f.idle_pct, 50);
	near(f.cell_idle_pct, 0);
	near(f.steal_pct, 0);
	near(f.other_pct, 0);
	near(f.resolution_pct, 1);
	near(f.context_switches_hz, 500);
	near(f.cell_mhz, -1);
}

static void other_work_and_steal(void **state)
{
	const struct ticks end[4] = {
		{ 1080, 5000, 10, 27 }, { 2050, 6030, 40, 8 }, { 0, 9100, 0, 0 }, { 0, 9100, 0, 0 },
	};
	struct window_figures f;

	(void)state;
	open_window();
	fake_cpu_ns += NS_PER_S;	/* of 1.3 s that the CPUs were busy */
	put_stat(end, 4, 1000);
	f = close_window();
	near(f.cell_idle_pct, 25);	/* waiting for a disk is idle, too */
	near(f.steal_pct, 10);
	near(f.other_pct, 15);
}

static void counts_per_operation(void **state)
{
	struct window_figures f;

	(void)state;
	open_window();
	add_ops(0, 600);
	add_ops(1, 400);
	put_task(0, 1000, 10, 30);
	put_task(1, 300, 530, 45);
	put_stat(after, 4, 1000);
	f = close_window();
	assert_int_equal(f.kernel_tasks, 2);
	near(f.page_faults_per_op, 1);
	near(f.voluntary_switches_per_op, 0.5);
	near(f.involuntary_switches_per_op, 0.015);
}

/* A task whose counts could be read at one end only, and a window without operations. */
static void counts_that_are_not_known(void **state)
{
	struct window_figures f;
	char path[64];

	(void)state;
	open_window();
	add_ops(0, 600);
	snprintf(path, sizeof(path), "/proc/%d/task/101/stat", tasks.worker);
	tree_drop(path);
	f = close_window();
	assert_int_equal(f.kernel_tasks, 0);
	assert_true(f.page_faults_per_op < 0 && f.voluntary_switches_per_op < 0);
	put_task(0, 100, 10, 20);
	open_window();
	f = close_window();
	assert_true(f.page_faults_per_op < 0);
}

/* ksoftirqd of the cell's CPUs finishes what the cell began; those of other CPUs do not. */
static void helpers(void **state)
{
	(void)state;
	tree_put("/proc/2/task/2/children", "300 301 302 ");
	tree_put("/proc/300/comm", "ksoftirqd/1\n");
	tree_put("/proc/301/comm", "ksoftirqd/2\n");
	tree_put("/proc/302/comm", "kworker/1:0\n");
	open_window();
	assert_int_equal(window.helpers.nr, 1);
	assert_int_equal(window.helpers.cpus[0], HELPER);
	close_window();
}

static void frequencies(void **state)
{
	struct window_figures f;

	(void)state;
	tree_put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000\n");
	tree_put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000\n");
	tree_put("/sys/devices/system/cpu/cpu2/cpufreq/scaling_cur_freq", "9000000\n");
	open_window();
	f = close_window();
	near(f.cell_mhz, 2500);
}

/* A busy CPU of which the kernel takes back a tick of iowait was idle for 0 %, not for 100 %. */
static void iowait_may_decrease(void **state)
{
	const struct ticks end[4] = {
		{ 1100, 5000, 9, 7 }, { 2100, 6000, 19, 7 }, { 0, 9000, 0, 0 }, { 0, 9000, 0, 0 },
	};
	struct window_figures f;

	(void)state;
	open_window();
	put_stat(end, 4, 1000);
	f = close_window();
	near(f.idle_pct, 0);
	near(f.cell_idle_pct, 0);
	near(f.steal_pct, 0);
}

/* CPU 3 goes or comes while the window is open: it takes all its ticks with it. */
static void cpus_that_come_and_go(void **state)
{
	struct window_figures f;

	(void)state;
	open_window();
	put_stat(after, 3, 1500);
	f = close_window();
	assert_true(f.idle_pct < 0 && f.cell_idle_pct < 0 && f.other_pct < 0 && f.steal_pct < 0);
	open_window();
	put_stat(after, 4, 1500);
	f = close_window();
	assert_true(f.idle_pct < 0 && f.cell_idle_pct < 0 && f.other_pct < 0 && f.steal_pct < 0);
}

static void a_stat_that_cannot_be_read(void **state)
{
	struct window_figures f;

	(void)state;
	tree_drop("/proc/stat");
	open_window();
	put_stat(after, 4, 1500);
	f = close_window();
	assert_true(f.idle_pct < 0 && f.other_pct < 0 && f.context_switches_hz < 0);
	open_window();
	tree_drop("/proc/stat");
	f = close_window();
	assert_true(f.idle_pct < 0 && f.other_pct < 0 && f.context_switches_hz < 0);
}

int main(void)
{
#define IN_WINDOW(test) cmocka_unit_test_setup_teardown(test, begin, tree_remove)
	const struct CMUnitTest tests[] = {
		IN_WINDOW(a_busy_cell),
		IN_WINDOW(other_work_and_steal),
		IN_WINDOW(counts_per_operation),
		IN_WINDOW(counts_that_are_not_known),
		IN_WINDOW(helpers),
		IN_WINDOW(frequencies),
		IN_WINDOW(iowait_may_decrease),
		IN_WINDOW(cpus_that_come_and_go),
		IN_WINDOW(a_stat_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
