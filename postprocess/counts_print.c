/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat's layout is that of tools/perf/util/stat-display.c: widths and units, no code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "print.h"

#define VALUE_WIDTH 18
#define NAME_WIDTH 32
#define METRIC_WIDTH 32

/* "1,234.50": digits in threes, as lists and mails have them. */
static void group_digits(char *to, size_t room, double value, int decimals)
{
	char plain[64];
	size_t len, digits, used = 0;

	snprintf(plain, sizeof(plain), "%.*f", decimals, value);
	len = strlen(plain);
	digits = strcspn(plain, ".");
	for (size_t i = 0; i < len && used + 2 < room; i++) {
		if (i && i < digits && (digits - i) % 3 == 0 && plain[i - 1] != '-')
			to[used++] = ',';
		to[used++] = plain[i];
	}
	to[used] = '\0';
}

static bool is(const struct counts_event *e, const char *name)
{
	size_t len = strlen(name);

	return strncmp(e->name, name, len) == 0 && (!e->name[len] || e->name[len] == ':');
}

static double mean_of(const struct counts_cell *cell, const char *name)
{
	const struct counts_event *e = counts_find(cell, name);

	return e ? e->value.mean : NAN;
}

/* 2875 a second: "2.875 K/sec". */
static void rate_metric(char *to, size_t room, double per_s)
{
	static const struct {
		double from;
		const char *unit;
	} units[] = { { 1e9, "G/sec" }, { 1e6, "M/sec" }, { 1e3, "K/sec" } };

	for (size_t i = 0; i < 3; i++)
		if (per_s >= units[i].from) {
			snprintf(to, room, "%8.3f %s", per_s / units[i].from, units[i].unit);
			return;
		}
	snprintf(to, room, "%8.3f /sec", per_s);
}

/* What perf stat writes behind '#'; "" if what it relates to is not known. */
static void metric(char *to, size_t room, const struct counts_cell *cell,
		   const struct counts_event *e)
{
	double value = e->value.mean, clock_ns = mean_of(cell, "task-clock");

	to[0] = '\0';
	if (is(e, "task-clock") || is(e, "cpu-clock"))
		snprintf(to, room, "%8.3f CPUs utilized", value / cell->elapsed.mean);
	else if (is(e, "cycles") && clock_ns > 0)
		snprintf(to, room, "%8.3f GHz", value / clock_ns);
	else if (is(e, "instructions") && mean_of(cell, "cycles") > 0)
		snprintf(to, room, "%7.2f  insn per cycle", value / mean_of(cell, "cycles"));
	else if (is(e, "branch-misses") && mean_of(cell, "branches") > 0)
		snprintf(to, room, "%7.2f%% of all branches",
			 100 * value / mean_of(cell, "branches"));
	else if (is(e, "cache-misses") && mean_of(cell, "cache-references") > 0)
		snprintf(to, room, "%7.2f%% of all cache refs",
			 100 * value / mean_of(cell, "cache-references"));
	else if (clock_ns > 0)
		rate_metric(to, room, value * 1e9 / clock_ns);
}

/* Blanks at the end of a line are left out. */
static void put_line(char *line, FILE *out)
{
	size_t len = strlen(line);

	while (len && line[len - 1] == ' ')
		line[--len] = '\0';
	fprintf(out, "%s\n", line);
}

/* Nothing for one round; perf says nothing of a mean of 0 either. */
static void noise(char *to, size_t room, const struct stats *s)
{
	to[0] = '\0';
	if (s->nr > 1 && s->mean > 0)
		snprintf(to, room, "  ( +- %6.2f%% )", s->rse_pct);
}

static bool is_time(const struct counts_event *e)
{
	return is(e, "task-clock") || is(e, "cpu-clock");
}

static void print_event(const struct counts_cell *cell, const struct counts_event *e, FILE *out)
{
	char line[512], value[64], what[128], spread[48], scaled[32] = "";

	if (!e->nr) {
		snprintf(value, sizeof(value), "<%s>", e->status);
		snprintf(line, sizeof(line), "%*s      %s", VALUE_WIDTH, value, e->name);
		put_line(line, out);
		return;
	}
	group_digits(value, sizeof(value), is_time(e) ? e->value.mean / 1e6 : e->value.mean,
		     is_time(e) ? 2 : 0);
	metric(what, sizeof(what), cell, e);
	noise(spread, sizeof(spread), &e->value);
	if (e->running_pct < 99.995)
		snprintf(scaled, sizeof(scaled), "  (%.2f%%)", e->running_pct);
	snprintf(line, sizeof(line), "%*s %-4s %-*s %s%-*s%s%s", VALUE_WIDTH, value,
		 is_time(e) ? "msec" : "", NAME_WIDTH, e->name, what[0] ? "# " : "  ", METRIC_WIDTH,
		 what, spread, scaled);
	put_line(line, out);
}

static void print_per_operation(const struct counts_cell *cell, FILE *out)
{
	char ops[64], spread[48];

	group_digits(ops, sizeof(ops), cell->ops.mean, 0);
	fprintf(out, "\n Per operation%s%s, of %s a round:\n\n", cell->cell->unit ? ": " : "",
		cell->cell->unit ? cell->cell->unit : "", ops);
	for (size_t i = 0; i < cell->nr_events; i++) {
		const struct counts_event *e = &cell->events[i];

		if (!e->nr)
			continue;
		noise(spread, sizeof(spread), &e->per_operation);
		fprintf(out, "%*.6g %-4s %s%*s%s\n", VALUE_WIDTH, e->per_operation.mean,
			is_time(e) ? "nsec" : "", e->name,
			spread[0]
				? (int)(NAME_WIDTH > strlen(e->name) ? NAME_WIDTH - strlen(e->name)
								     : 0)
				: 0,
			"", spread);
	}
}

static void print_cell(const struct counts_cell *cell, FILE *out)
{
	char spread[48];

	fprintf(out, "\n Performance counter stats for '%s' (%zu run%s):\n\n", cell->cell->id,
		cell->nr, cell->nr == 1 ? "" : "s");
	for (size_t i = 0; i < cell->nr_events; i++)
		print_event(cell, &cell->events[i], out);
	noise(spread, sizeof(spread), &cell->elapsed);
	fprintf(out, "\n%*.9f seconds time elapsed%s\n", VALUE_WIDTH, cell->elapsed.mean / 1e9,
		spread);
	if (cell->ops.mean > 0)
		print_per_operation(cell, out);
	fputc('\n', out);
}

static json_t *stats_json(const struct stats *s)
{
	return json_pack("{so so so}", "mean", print_json(s->mean), "sd", print_json(s->sd),
			 "rse_pct", print_json(s->rse_pct));
}

static json_t *event_json(const struct counts_event *e)
{
	return json_pack("{ss ss sI so so so}", "event", e->name, "status", e->status,
			 "rounds", (json_int_t)e->nr,
			 "value", e->nr ? stats_json(&e->value) : json_null(),
			 "per_op", e->nr ? stats_json(&e->per_operation) : json_null(),
			 "running_pct", e->nr ? print_json(e->running_pct) : json_null());
}

static json_t *cell_json(const struct counts_cell *cell)
{
	json_t *events = json_array();

	for (size_t i = 0; i < cell->nr_events; i++)
		json_array_append_new(events, event_json(&cell->events[i]));
	return json_pack("{ss ss ss sI sI so so so}", "cell", cell->cell->id,
			 "testcase", cell->cell->testcase, "mode", run_mode_name(cell->cell->mode),
			 "tasks", (json_int_t)cell->cell->tasks, "rounds", (json_int_t)cell->nr,
			 "elapsed_ns", stats_json(&cell->elapsed), "ops", stats_json(&cell->ops),
			 "events", events);
}

int counts_print(const struct counts *c, const char *format, FILE *out)
{
	json_t *cells;

	if (strcmp(format, "json") == 0) {
		cells = json_array();
		for (size_t i = 0; i < c->nr; i++)
			json_array_append_new(cells, cell_json(&c->cells[i]));
		return print_json_root(json_pack("{ss so}", "schema", "knee-counters/1",
						 "cells", cells), out);
	}
	for (size_t i = 0; i < c->nr; i++)
		print_cell(&c->cells[i], out);
	return 0;
}
