/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "flags.h"
#include "msg.h"

/* ---- a row from its cell's records ---------------------------------------------------------- */

static int add_failure(struct table_row *row, enum run_status status, const char *reason,
		       uint64_t rounds)
{
	struct table_failure *f;

	for (size_t i = 0; i < row->nr_failures; i++) {
		f = &row->failures[i];
		if (f->status == status && strcmp(f->reason, reason) == 0) {
			f->rounds += rounds;
			return 0;
		}
	}
	f = reallocarray(row->failures, row->nr_failures + 1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	row->failures = f;
	f[row->nr_failures++] = (struct table_failure){ status, reason, rounds };
	return 0;
}

/* The mean of those figures that could be had. */
static double mean_of_known(double *values, size_t nr)
{
	size_t known = 0;

	for (size_t i = 0; i < nr; i++)
		if (!isnan(values[i]))
			values[known++] = values[i];
	return known ? gsl_stats_mean(values, 1, known) : NAN;
}

static void count_flags(struct table_row *row, uint64_t flags)
{
	for (size_t i = 0; i < RUN_FLAGS_MAX; i++)
		row->flag_rounds[i] += flags >> i & 1;
}

/* fmin() and fmax() leave out a NAN. */
static void extend_tasks(struct table_row *row, const struct run_record *rec)
{
	row->task_min_ops = fmin(row->task_min_ops, rec->min_task_ops * 1e9 / rec->elapsed_ns);
	row->task_max_ops = fmax(row->task_max_ops, rec->max_task_ops * 1e9 / rec->elapsed_ns);
}

static int find_outliers(struct table_row *row, const struct run_record *records, size_t nr)
{
	row->outliers = calloc(nr + 1, sizeof(*row->outliers));
	if (!row->outliers)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		double deviation;

		if (records[i].status != RUN_OK)
			continue;
		deviation = stats_deviation(&row->ops, records[i].ops_per_s);
		if (deviation > STATS_OUTLIER)
			row->outliers[row->nr_outliers++] = (struct table_outlier){
				records[i].round, records[i].ops_per_s, deviation,
			};
	}
	return 0;
}

static int fill_measured(struct table_row *row, const struct run_record *records, size_t nr,
			 unsigned long seed)
{
	double *ops = calloc(4 * nr + 1, sizeof(*ops)), *idle = ops + nr, *cell_idle = idle + nr;
	double *fairness = cell_idle + nr;
	size_t ok = 0;
	int err;

	if (!ops)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		if (records[i].status != RUN_OK)
			continue;
		ops[ok] = records[i].ops_per_s;
		idle[ok] = records[i].idle_pct;
		fairness[ok] = records[i].fairness;
		cell_idle[ok++] = records[i].cell_idle_pct;
		count_flags(row, records[i].flags);
		extend_tasks(row, &records[i]);
	}
	row->rounds_ok = ok;
	row->idle_pct = mean_of_known(idle, ok);
	row->cell_idle_pct = mean_of_known(cell_idle, ok);
	row->fairness = mean_of_known(fairness, ok);
	err = stats_of(&row->ops, ops, ok);
	if (!err)
		err = stats_bca95(ops, ok, seed, &row->boot95_low, &row->boot95_high);
	free(ops);
	return err ? err : find_outliers(row, records, nr);
}

/* One record stands for all rounds of a skipped cell. */
static int fill_failures(struct table_row *row, const struct run_cell *cell,
			 const struct run_record *records)
{
	int err = 0;

	if (cell->skip)
		return add_failure(row, RUN_SKIPPED, cell->skip, row->rounds);
	for (size_t i = 0; !err && i < cell->nr_records; i++)
		if (records[i].status != RUN_OK)
			err = add_failure(row, records[i].status, records[i].reason, 1);
	if (!err && row->rounds > cell->nr_records)
		err = add_failure(row, RUN_MISSING, "not run", row->rounds - cell->nr_records);
	return err;
}

static int fill_row(struct table_row *row, const struct run *run, const struct run_cell *cell,
		    unsigned long seed)
{
	const struct run_record *records = run->records + cell->first_record;
	int err;

	*row = (struct table_row){
		.id = cell->id,
		.cpus = cell->cpus,
		.mode = cell->mode,
		.tasks = cell->tasks,
		.rounds = run->rounds > cell->nr_records ? run->rounds : cell->nr_records,
		.task_min_ops = NAN,
		.task_max_ops = NAN,
		.efficiency = NAN,
		.linear = NAN,
	};
	err = fill_measured(row, records, cell->nr_records, seed);
	if (err)
		return err;
	row->per_task_ops = row->ops.mean / (double)row->tasks;
	return fill_failures(row, cell, records);
}

/* ---- series --------------------------------------------------------------------------------- */

char *table_settings(const struct run_settings *settings)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < settings->nr; i++)
		fprintf(out, "%s%s=%s", i ? " " : "", settings->list[i].name,
			settings->list[i].value);
	if (fclose(out) != 0)
		return NULL;
	return text;
}

/* Cells with the same key are rows of one series. A newline is in no name of a file. */
static char *series_key(const struct run_cell *cell)
{
	char *params = table_settings(&cell->params), *factors = table_settings(&cell->factors);
	char *key = NULL;

	if (params && factors && asprintf(&key, "%s\n%s\n%s\n%s", cell->testcase, cell->placement,
					  params, factors) < 0)
		key = NULL;
	free(params);
	free(factors);
	return key;
}

static struct table_series *add_series(struct table *t, const struct run_cell *cell)
{
	struct table_series *s = reallocarray(t->series, t->nr_series + 1, sizeof(*s));

	if (!s)
		return NULL;
	t->series = s;
	s += t->nr_series++;
	*s = (struct table_series){
		.testcase = cell->testcase,
		.placement = cell->placement,
		.description = cell->description,
		.unit = cell->unit,
		.params = cell->params,
		.factors = cell->factors,
		.scalability = NAN,
	};
	return s;
}

static struct table_series *series_of(struct table *t, json_t *index, const struct run_cell *cell)
{
	char *key = series_key(cell);
	const json_t *known = key ? json_object_get(index, key) : NULL;
	struct table_series *s = NULL;

	if (known) {
		s = &t->series[json_integer_value(known)];
	} else if (key && json_object_set_new(index, key,
					      json_integer((json_int_t)t->nr_series)) == 0) {
		s = add_series(t, cell);
	}
	free(key);
	return s;
}

static int add_row(struct table_series *s, const struct run *run, const struct run_cell *cell,
		   unsigned long seed)
{
	struct table_row *rows = reallocarray(s->rows, s->nr_rows + 1, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	s->rows = rows;
	return fill_row(&rows[s->nr_rows++], run, cell, seed);
}

static int by_mode_and_tasks(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;

	if (x->mode != y->mode)
		return x->mode < y->mode ? -1 : 1;
	if (x->tasks != y->tasks)
		return x->tasks < y->tasks ? -1 : 1;
	return strcmp(x->id, y->id);
}

/* ---- what comes from several rows ----------------------------------------------------------- */

/* The rate of one task in @mode, NAN if it was not measured. */
static double single(const struct table_series *s, enum run_mode mode)
{
	for (size_t i = 0; i < s->nr_rows; i++)
		if (s->rows[i].mode == mode && s->rows[i].tasks == 1)
			return s->rows[i].ops.mean;
	return NAN;
}

/*
 * Efficiency, ops(N) / (N ops(1)), against the same mode; linear as will-it-scale's runtest.py
 * has it: N times the better of the two modes' rates of one task.
 */
static void relate_to_one_task(struct table_series *s)
{
	double ones[] = {
		[RUN_PROCESSES] = single(s, RUN_PROCESSES),
		[RUN_THREADS] = single(s, RUN_THREADS),
	};
	double better = fmax(ones[RUN_PROCESSES], ones[RUN_THREADS]);

	for (size_t i = 0; i < s->nr_rows; i++) {
		struct table_row *row = &s->rows[i];
		double ideal = (double)row->tasks * ones[row->mode];

		row->linear = (double)row->tasks * better;
		if (ideal > 0)
			row->efficiency = row->ops.mean / ideal;
	}
}

/*
 * LKP's scalability (lkp-tests, programs/will-it-scale/parse): processes / linear of the last row
 * whose number of tasks is not 1 and whose linear is not 0.
 */
static void find_scalability(struct table_series *s)
{
	for (size_t i = 0; i < s->nr_rows; i++) {
		const struct table_row *row = &s->rows[i];

		if (row->mode != RUN_PROCESSES || row->tasks == 1 || !table_measured(row) ||
		    !(row->linear > 0))
			continue;
		s->scalability = row->ops.mean / row->linear;
		s->scalability_tasks = row->tasks;
	}
}

static const char *value_of(const struct run_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->nr; i++)
		if (strcmp(settings->list[i].name, name) == 0)
			return settings->list[i].value;
	return "";
}

static const struct run_settings *settings_of(const struct table_series *s, bool factors)
{
	return factors ? &s->factors : &s->params;
}

/* Whether some other series of the testcase has another value of @name. */
static bool setting_differs(const struct table *t, const struct table_series *s, bool factors,
			    const char *name)
{
	const char *value = value_of(settings_of(s, factors), name);

	for (size_t i = 0; i < t->nr_series; i++)
		if (strcmp(t->series[i].testcase, s->testcase) == 0 &&
		    strcmp(value_of(settings_of(&t->series[i], factors), name), value) != 0)
			return true;
	return false;
}

static bool placement_differs(const struct table *t, const struct table_series *s)
{
	for (size_t i = 0; i < t->nr_series; i++)
		if (strcmp(t->series[i].testcase, s->testcase) == 0 &&
		    strcmp(t->series[i].placement, s->placement) != 0)
			return true;
	return false;
}

static void print_differing(const struct table *t, const struct table_series *s, bool factors,
			    FILE *out)
{
	const struct run_settings *settings = settings_of(s, factors);

	for (size_t i = 0; i < settings->nr; i++) {
		const struct run_setting *set = &settings->list[i];

		if (setting_differs(t, s, factors, set->name))
			fprintf(out, "%s%s=%s", ftell(out) > 0 ? " " : "", set->name, set->value);
	}
}

static int find_label(const struct table *t, struct table_series *s)
{
	size_t size;
	FILE *out = open_memstream(&s->label, &size);

	if (!out)
		return -ENOMEM;
	/* A placement that is varied as a factor is told by the factor. */
	if (placement_differs(t, s) && !value_of(&s->factors, "placement")[0])
		fputs(s->placement, out);
	print_differing(t, s, false, out);
	print_differing(t, s, true, out);
	return fclose(out) == 0 ? 0 : -ENOMEM;
}

/* ---- the table ------------------------------------------------------------------------------ */

static int add_rows(struct table *t, const struct run *run, unsigned long seed)
{
	json_t *index = json_object();
	int err = 0;

	for (size_t i = 0; !err && i < run->nr_cells; i++) {
		struct table_series *s = series_of(t, index, &run->cells[i]);

		err = s ? add_row(s, run, &run->cells[i], seed) : -ENOMEM;
	}
	json_decref(index);
	return err;
}

int table_make_seeded(struct table *t, const struct run *run, unsigned long seed)
{
	int err;

	*t = (struct table){
		.run = run->name,
		.time = run->time,
		.machine = run->machine,
		.rounds = run->rounds,
		.duration_s = run->duration_s,
		.nr_flags = run->nr_flags,
	};
	memcpy(t->flags, run->flags, sizeof(t->flags));
	err = add_rows(t, run, seed);
	for (size_t i = 0; !err && i < t->nr_series; i++) {
		struct table_series *s = &t->series[i];

		qsort(s->rows, s->nr_rows, sizeof(*s->rows), by_mode_and_tasks);
		relate_to_one_task(s);
		find_scalability(s);
		err = find_label(t, s);
	}
	if (err) {
		msg_error("%s: %s", run->name, strerror(-err));
		table_free(t);
	}
	return err;
}

int table_make(struct table *t, const struct run *run)
{
	return table_make_seeded(t, run, TABLE_SEED);
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->nr_series; i++) {
		struct table_series *s = &t->series[i];

		for (size_t j = 0; j < s->nr_rows; j++) {
			free(s->rows[j].failures);
			free(s->rows[j].outliers);
		}
		free(s->rows);
		free(s->label);
	}
	free(t->series);
	*t = (struct table){ 0 };
}

const char *table_flag_meaning(size_t n)
{
	size_t known = 0;

	while (flags_name(known))
		known++;
	return n < known ? flags_meaning(n) : "a flag that this version of knee does not know";
}

bool table_measured(const struct table_row *row)
{
	return row->rounds_ok > 0;
}

bool table_doubtful(const struct table *t, const struct table_row *row)
{
	for (size_t i = 0; i < t->nr_flags; i++)
		if (row->flag_rounds[i])
			return true;
	return row->nr_failures > 0;
}
