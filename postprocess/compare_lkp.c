/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel test robot's table, column for column: for LKP's own matrices, and for runs, whose
 * figures get LKP's names, a value a round, and a table for each testcase.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "compare_print.h"
#include "lkp.h"
#include "table.h"

#define RULER 89
#define FIRST_HEAD 16
#define NEXT_HEAD 27

/* Deviations of less are not printed: per cent of the mean. */
#define DEVIATION_MIN 2

/* ---- a run as a matrix ---------------------------------------------------------------------- */

struct matrix {
	json_t *object;		/* key -> values */
	size_t nr_runs;
};

static void set(json_t *matrix, const char *key, size_t round, size_t nr_rounds, double value)
{
	char name[256];
	json_t *array;

	snprintf(name, sizeof(name), "will-it-scale.%s", key);
	array = json_object_get(matrix, name);
	if (!array) {
		array = json_array();
		for (size_t i = 0; i < nr_rounds; i++)
			json_array_append_new(array, json_real(0));
		json_object_set_new(matrix, name, array);
	}
	json_array_set_new(array, round, json_real(value));
}

static bool same_settings(const struct run_settings *a, const struct run_settings *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (strcmp(a->list[i].name, b->list[i].name) != 0 ||
		    strcmp(a->list[i].value, b->list[i].value) != 0)
			return false;
	return true;
}

static bool same_series(const struct run_cell *a, const struct run_cell *b)
{
	return strcmp(a->testcase, b->testcase) == 0 && strcmp(a->placement, b->placement) == 0 &&
	       same_settings(&a->params, &b->params) && same_settings(&a->factors, &b->factors);
}

static const struct run_record *find(const struct run *r, const struct run_cell *like,
				     enum run_mode mode, uint64_t tasks, uint64_t round)
{
	for (size_t i = 0; i < r->nr_cells; i++) {
		const struct run_cell *c = &r->cells[i];

		if (c->mode != mode || c->tasks != tasks || !same_series(c, like))
			continue;
		for (size_t j = 0; j < c->nr_records; j++)
			if (r->records[c->first_record + j].round == round &&
			    r->records[c->first_record + j].status == RUN_OK)
				return &r->records[c->first_record + j];
	}
	return NULL;
}

/* What becomes of one round, as LKP's parser makes it of a table of will-it-scale's. */
struct sums {
	double per_task[2], workload, scalability;
	size_t rows;
	uint64_t scalability_tasks;
};

static double rate(const struct run_record *rec)
{
	return rec ? round(rec->ops_per_s) : 0;
}

static void set_row(json_t *matrix, struct sums *sums, const struct run *r,
		    const struct run_cell *like, uint64_t tasks, uint64_t round)
{
	double ones[2], rates[2], linear;
	char key[64];

	for (enum run_mode m = RUN_PROCESSES; m <= RUN_THREADS; m++) {
		const struct run_record *rec = find(r, like, m, tasks, round);

		rates[m] = rate(rec);
		ones[m] = rate(find(r, like, m, 1, round));
		snprintf(key, sizeof(key), "%" PRIu64 ".%s", tasks, run_mode_name(m));
		set(matrix, key, round, r->rounds, rates[m]);
		snprintf(key, sizeof(key), "%" PRIu64 ".%s_idle", tasks, run_mode_name(m));
		set(matrix, key, round, r->rounds,
		    rec && !isnan(rec->idle_pct) ? rec->idle_pct : 0);
		sums->per_task[m] += rates[m] / (double)tasks;
		sums->workload += rates[m];
	}
	linear = (double)tasks * fmax(ones[0], ones[1]);
	snprintf(key, sizeof(key), "%" PRIu64 ".linear", tasks);
	set(matrix, key, round, r->rounds, linear);
	sums->rows++;
	if (tasks > sums->scalability_tasks && tasks != 1 && linear > 0) {
		sums->scalability = rates[RUN_PROCESSES] / linear;
		sums->scalability_tasks = tasks;
	}
}

/* Rows of rounds that were not measured at all are none. */
static bool measured(const struct run *r, const struct run_cell *like, uint64_t tasks, uint64_t round)
{
	return find(r, like, RUN_PROCESSES, tasks, round) || find(r, like, RUN_THREADS, tasks, round);
}

static bool first_with_tasks(const struct run *r, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (r->cells[i].tasks == r->cells[cell].tasks &&
		    same_series(&r->cells[i], &r->cells[cell]))
			return false;
	return true;
}

static void set_round(json_t *matrix, const struct run *r, const struct run_cell *like, uint64_t round)
{
	struct sums sums = { .scalability = NAN };

	for (size_t i = 0; i < r->nr_cells; i++)
		if (same_series(&r->cells[i], like) && first_with_tasks(r, i) &&
		    measured(r, like, r->cells[i].tasks, round))
			set_row(matrix, &sums, r, like, r->cells[i].tasks, round);
	if (!sums.rows)
		return;
	set(matrix, "per_process_ops", round, r->rounds,
	    floor(sums.per_task[RUN_PROCESSES] / (double)sums.rows));
	set(matrix, "per_thread_ops", round, r->rounds,
	    floor(sums.per_task[RUN_THREADS] / (double)sums.rows));
	set(matrix, "workload", round, r->rounds, sums.workload);
	if (!isnan(sums.scalability))
		set(matrix, "scalability", round, r->rounds, sums.scalability);
}

static struct matrix matrix_of_run(const struct run *r, const struct run_cell *like)
{
	struct matrix m = { json_object(), r->rounds };

	for (uint64_t round = 0; m.object && round < r->rounds; round++)
		set_round(m.object, r, like, round);
	return m;
}

/* ---- figures -------------------------------------------------------------------------------- */

/* Missing values are 0. Freed by the caller. */
static double *values_of(const struct matrix *m, const char *key)
{
	const json_t *array = json_object_get(m->object, key);
	double *values = calloc(m->nr_runs + 1, sizeof(*values));

	for (size_t i = 0; values && i < m->nr_runs; i++)
		values[i] = json_number_value(json_array_get(array, i));
	return values;
}

static size_t count_failed(const double *values, size_t nr)
{
	size_t failed = 0;

	for (size_t i = 0; i < nr; i++)
		failed += values[i] != 0;
	return failed;
}

static void put_value(double mean, FILE *out)
{
	if (fabs(mean) < 1000)
		fprintf(out, "%10.2f", mean);
	else if (fabs(mean) > 1e8)
		fprintf(out, "%10.4g", mean);
	else
		fprintf(out, "%10.0f", mean);
}

/* The mean, and the population's standard deviation in per cent of it, cut to an integer. */
static void put_mean(const double *values, size_t nr, FILE *out)
{
	double mean = nr ? gsl_stats_mean(values, 1, nr) : 0;
	double sd = nr ? gsl_stats_sd_with_fixed_mean(values, 1, nr, mean) : 0;
	double pct = mean != 0 ? 100 * sd / fabs(mean) : 0;

	put_value(mean, out);
	if (pct > DEVIATION_MIN)
		fprintf(out, " ± %2d%%", (int)pct);
	else
		fputs("      ", out);
}

static void put_change(const char *key, double base, double head, FILE *out)
{
	double change = lkp_difference(key) ? head - base : 100 * (head - base) / base;
	const char *unit = lkp_difference(key) ? " " : "%";

	if (!isfinite(change))
		fprintf(out, "%+10.1f%s", 0.0, unit);
	else if (fabs(change) >= 100000)
		fprintf(out, "%+10.2g%s", change, unit);
	else
		fprintf(out, "%+10.1f%s", change, unit);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* What is compared in one table. */
struct block {
	const struct comparison *c;
	struct matrix *matrices;	/* BASE's, then those of the HEADs */
	size_t nr;
};

static void put_failure_count(size_t failed, size_t runs, FILE *out)
{
	if (failed)
		fprintf(out, "%11zu:%-4zu", failed, runs);
	else
		fprintf(out, "%11s:%-4zu", "", runs);
}

/*
 * LKP divides the difference by the first commit's number of runs, whatever the other's is: a
 * fault. Here it is the difference of the shares.
 */
static void put_failure(const struct block *b, const char *key, double *const *values, FILE *out)
{
	const struct matrix *base = &b->matrices[0];
	size_t failed = count_failed(values[0], base->nr_runs);

	put_failure_count(failed, base->nr_runs, out);
	for (size_t i = 1; i < b->nr; i++) {
		size_t runs = b->matrices[i].nr_runs, other = count_failed(values[i], runs);
		double share = (runs ? (double)other / (double)runs : 0) -
			       (base->nr_runs ? (double)failed / (double)base->nr_runs : 0);

		fprintf(out, "%10.0f%% ", 100 * share);
		put_failure_count(other, runs, out);
	}
	fprintf(out, "  %s\n", key);
}

static void put_figure(const struct block *b, const char *key, double *const *values, FILE *out)
{
	size_t nr = b->matrices[0].nr_runs;
	double base = nr ? gsl_stats_mean(values[0], 1, nr) : 0;

	put_mean(values[0], nr, out);
	for (size_t i = 1; i < b->nr; i++) {
		size_t runs = b->matrices[i].nr_runs;

		put_change(key, base, runs ? gsl_stats_mean(values[i], 1, runs) : 0, out);
		fputc(' ', out);
		put_mean(values[i], runs, out);
	}
	fprintf(out, "  %s\n", key);
}

static bool failure_differs(const struct block *b, double *const *values)
{
	size_t runs = b->matrices[0].nr_runs, failed = count_failed(values[0], runs);

	for (size_t i = 1; i < b->nr; i++)
		if (count_failed(values[i], b->matrices[i].nr_runs) * runs !=
		    failed * b->matrices[i].nr_runs)
			return true;
	return false;
}

static bool figure_changed(const struct block *b, const char *key, double *const *values)
{
	for (size_t i = 1; i < b->nr; i++)
		if (lkp_changed(values[0], b->matrices[0].nr_runs, values[i], b->matrices[i].nr_runs,
				lkp_threshold(key, NULL)))
			return true;
	return false;
}

static void put_heads(const struct block *b, bool failures, FILE *out)
{
	fputs(failures ? "       fail:runs" : "         %stddev", out);
	for (size_t i = 1; i < b->nr; i++)
		fputs(failures ? "  %reproduction    fail:runs" : "     %change         %stddev", out);
	fputs(failures ? "\n           |    " : "\n             \\  ", out);
	for (size_t i = 1; i < b->nr; i++)
		fputs(failures ? "         |             |    " : "        |                \\  ", out);
	fputc('\n', out);
}

/* Values of all matrices, or false: no memory. */
static bool load_values(const struct block *b, const char *key, double **values)
{
	bool all = true;

	for (size_t i = 0; i < b->nr; i++) {
		values[i] = values_of(&b->matrices[i], key);
		all = all && values[i];
	}
	return all;
}

/* One row if it is to be shown; *@headed: the heads stand above already. */
static int put_key(const struct block *b, const char *key, bool failures, bool *headed, FILE *out)
{
	double **values = calloc(b->nr, sizeof(*values));
	int err = -ENOMEM;

	if (values && load_values(b, key, values)) {
		err = 0;
		if (failures ? failure_differs(b, values) : figure_changed(b, key, values)) {
			if (!*headed)
				put_heads(b, failures, out);
			*headed = true;
			if (failures)
				put_failure(b, key, values, out);
			else
				put_figure(b, key, values, out);
		}
	}
	for (size_t i = 0; values && i < b->nr; i++)
		free(values[i]);
	free(values);
	return err;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Keys of all matrices, sorted, each once. Freed by the caller. */
static const char **keys_of(const struct block *b, size_t *nr)
{
	json_t *all = json_object();
	const char **keys, *key;
	json_t *value;

	for (size_t i = 0; i < b->nr; i++)
		json_object_foreach(b->matrices[i].object, key, value)
			if (strcmp(key, "stats_source") != 0)
				json_object_set(all, key, value);
	*nr = 0;
	keys = calloc(json_object_size(all) + 1, sizeof(*keys));
	if (keys) {
		/* The texts are the matrices'. */
		for (size_t i = 0; i < b->nr; i++)
			json_object_foreach(b->matrices[i].object, key, value)
				if (json_object_del(all, key) == 0)
					keys[(*nr)++] = key;
		qsort(keys, *nr, sizeof(*keys), by_text);
	}
	json_decref(all);
	return keys;
}

/* Failures first. */
static int put_rows(const struct block *b, FILE *out)
{
	size_t nr;
	const char **keys = keys_of(b, &nr);
	int err = keys ? 0 : -ENOMEM;

	for (int failures = 1; !err && failures >= 0; failures--) {
		bool headed = false;

		for (size_t i = 0; !err && i < nr; i++)
			if (lkp_failure(keys[i]) == failures)
				err = put_key(b, keys[i], failures, &headed, out);
	}
	free(keys);
	return err;
}

/* ---- around them ---------------------------------------------------------------------------- */

struct axes {
	char *names, *values;
};

static int add_axis(FILE *names, FILE *values, size_t *nr, const char *name, const char *value)
{
	fprintf(names, "%s%s", *nr ? "/" : "", name);
	fprintf(values, "%s%s", *nr ? "/" : "", value);
	++*nr;
	return 0;
}

static const char *known_text(const json_t *machine, const char *part, const char *member)
{
	const json_t *object = json_object_get(machine, part);
	const char *text = json_string_value(json_object_get(object, member));

	return text ? text : "unknown";
}

/* Those that were given; else those of a run's. */
static int find_axes(struct axes *a, const struct compare_form *form, const struct side *side,
		     const struct run_cell *cell)
{
	size_t size[2], nr = 0;
	FILE *names = open_memstream(&a->names, &size[0]), *values = open_memstream(&a->values, &size[1]);

	if (!names || !values)
		return -ENOMEM;
	for (size_t i = 0; i < form->nr_axes; i++) {
		const char *equals = strchr(form->axes[i], '=');
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)(equals - form->axes[i]), form->axes[i]);
		add_axis(names, values, &nr, name, equals + 1);
	}
	if (!form->nr_axes && cell) {
		add_axis(names, values, &nr, "tbox_group",
			 known_text(side->run.machine_json, "kernel", "hostname"));
		add_axis(names, values, &nr, "testcase", "will-it-scale");
		add_axis(names, values, &nr, "compiler",
			 known_text(side->run.machine_json, "build", "compiler"));
	}
	if (cell) {
		add_axis(names, values, &nr, "test", cell->testcase);
		add_axis(names, values, &nr, "placement", cell->placement);
		for (size_t i = 0; i < cell->params.nr; i++)
			add_axis(names, values, &nr, cell->params.list[i].name,
				 cell->params.list[i].value);
		for (size_t i = 0; i < cell->factors.nr; i++)
			add_axis(names, values, &nr, cell->factors.list[i].name,
				 cell->factors.list[i].value);
	}
	return fclose(names) || fclose(values) ? -ENOMEM : 0;
}

static void put_repeated(char c, size_t nr, FILE *out)
{
	for (size_t i = 0; i < nr; i++)
		fputc(c, out);
}

static void put_commits(const struct side *sides, size_t nr, FILE *out)
{
	fputs("commit: \n", out);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "  %s\n", sides[i].name);
	fputc('\n', out);
	for (size_t i = 0; i < nr; i++) {
		int width = i ? NEXT_HEAD : FIRST_HEAD;

		fprintf(out, "%-*.*s ", width, width, sides[i].name);
	}
	fputc('\n', out);
	for (size_t i = 0; i < nr; i++) {
		put_repeated('-', i ? NEXT_HEAD : FIRST_HEAD, out);
		fputc(' ', out);
	}
	fputc('\n', out);
}

static int put_block(const struct block *b, const struct side *sides, const struct compare_form *form,
		     const struct run_cell *cell, FILE *out)
{
	struct axes axes = { NULL, NULL };
	int err = find_axes(&axes, form, &sides[0], cell);

	put_repeated('=', RULER, out);
	fputc('\n', out);
	if (!err && axes.names[0])
		fprintf(out, "%s:\n  %s\n\n", axes.names, axes.values);
	free(axes.names);
	free(axes.values);
	put_commits(sides, b->nr, out);
	if (!err)
		err = put_rows(b, out);
	fputc('\n', out);
	return err;
}

static bool first_of_series(const struct run *r, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (same_series(&r->cells[i], &r->cells[cell]))
			return false;
	return true;
}

static int put_series(struct block *b, const struct side *sides, const struct compare_form *form,
		      const struct run_cell *cell, FILE *out)
{
	bool all = true;
	int err = -ENOMEM;

	for (size_t i = 0; i < b->nr; i++) {
		b->matrices[i] = matrix_of_run(&sides[i].run, cell);
		all = all && b->matrices[i].object;
	}
	if (all)
		err = put_block(b, sides, form, cell, out);
	for (size_t i = 0; i < b->nr; i++)
		json_decref(b->matrices[i].object);
	return err;
}

int compare_lkp(const struct comparison *c, const struct side *sides, size_t nr_sides,
		const struct compare_form *form, FILE *out)
{
	struct block b = { c, calloc(nr_sides, sizeof(*b.matrices)), nr_sides };
	const struct run *run = &sides[0].run;
	int err = b.matrices ? 0 : -ENOMEM;

	if (!err && !sides[0].is_run) {
		for (size_t i = 0; i < nr_sides; i++)
			b.matrices[i] = (struct matrix){ sides[i].matrix, sides[i].nr_runs };
		err = put_block(&b, sides, form, NULL, out);
	}
	for (size_t i = 0; !err && i < run->nr_cells; i++)
		if (first_of_series(run, i))
			err = put_series(&b, sides, form, &run->cells[i], out);
	free(b.matrices);
	return err;
}
