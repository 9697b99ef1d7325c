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
	size_t nr_runs; /* of LKP's, where missing values are 0; else 0: as many as there are */
};

/* Appends a round's value. */
static void set(json_t *matrix, const char *key, double value)
{
	char name[256];
	json_t *array;

	snprintf(name, sizeof(name), "will-it-scale.%s", key);
	array = json_object_get(matrix, name);
	if (!array) {
		array = json_array();
		json_object_set_new(matrix, name, array);
	}
	json_array_append_new(array, json_real(value));
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

/* The cells of one series that every side has: only these make figures that can be compared. */
struct series {
	const struct run_cell **cells;	/* of the side that is looked at; by mode and tasks */
	size_t nr;
};

static int by_tasks(const void *a, const void *b)
{
	const struct run_cell *x = *(const struct run_cell *const *)a;
	const struct run_cell *y = *(const struct run_cell *const *)b;

	if (x->tasks != y->tasks)
		return x->tasks < y->tasks ? -1 : 1;
	return (int)x->mode - (int)y->mode;
}

static bool all_have(const struct side *sides, size_t nr_sides, const char *key)
{
	for (size_t i = 0; i < nr_sides; i++)
		if (!side_find(&sides[i], key))
			return false;
	return true;
}

static int series_of(struct series *s, const struct side *sides, size_t nr_sides, size_t which,
		     const struct run_cell *like)
{
	const struct side *side = &sides[which];

	*s = (struct series){ calloc(side->nr + 1, sizeof(*s->cells)), 0 };
	if (!s->cells)
		return -ENOMEM;
	for (size_t i = 0; i < side->nr; i++)
		if (same_series(side->samples[i].cell, like) &&
		    all_have(sides, nr_sides, side->samples[i].key))
			s->cells[s->nr++] = side->samples[i].cell;
	qsort(s->cells, s->nr, sizeof(*s->cells), by_tasks);
	return 0;
}

static const struct run_record *record_of(const struct run *r, const struct run_cell *cell,
					  uint64_t round)
{
	for (size_t i = 0; i < cell->nr_records; i++) {
		const struct run_record *rec = &r->records[cell->first_record + i];

		if (rec->round == round)
			return rec->status == RUN_OK ? rec : NULL;
	}
	return NULL;
}

/*
 * What becomes of one round, as LKP's parser makes it of a table of will-it-scale's: rates are
 * whole numbers there.
 */
struct sums {
	double per_task[2], workload;
	double ones[2];			/* rates of one task */
	double processes;		/* of the most tasks */
	uint64_t tasks;
	size_t rows;			/* different numbers of tasks */
};

static void add_cell(json_t *matrix, struct sums *sums, const struct run_cell *cell,
		     const struct run_record *rec)
{
	double rate = round(rec->ops_per_s);
	char key[64];

	snprintf(key, sizeof(key), "%" PRIu64 ".%s", cell->tasks, run_mode_name(cell->mode));
	set(matrix, key, rate);
	if (!isnan(rec->idle_pct)) {
		snprintf(key, sizeof(key), "%" PRIu64 ".%s_idle", cell->tasks,
			 run_mode_name(cell->mode));
		set(matrix, key, rec->idle_pct);
	}
	sums->rows += cell->tasks != sums->tasks;
	sums->tasks = cell->tasks;
	sums->per_task[cell->mode] += rate / (double)cell->tasks;
	sums->workload += rate;
	if (cell->tasks == 1)
		sums->ones[cell->mode] = rate;
	if (cell->mode == RUN_PROCESSES)
		sums->processes = rate;
}

/* Sums stand for a round only where all of it was measured. */
static void set_round(json_t *matrix, const struct run *r, const struct series *s, uint64_t round)
{
	struct sums sums = { .processes = 0 };
	bool modes[2] = { false, false }, complete = true;
	double linear;

	for (size_t i = 0; i < s->nr; i++) {
		const struct run_record *rec = record_of(r, s->cells[i], round);

		modes[s->cells[i]->mode] = true;
		complete = complete && rec;
		if (rec)
			add_cell(matrix, &sums, s->cells[i], rec);
	}
	if (!complete || !sums.rows)
		return;
	if (modes[RUN_PROCESSES])
		set(matrix, "per_process_ops", floor(sums.per_task[RUN_PROCESSES] /
						     (double)sums.rows));
	if (modes[RUN_THREADS])
		set(matrix, "per_thread_ops",
		    floor(sums.per_task[RUN_THREADS] / (double)sums.rows));
	set(matrix, "workload", sums.workload);
	linear = (double)sums.tasks * fmax(sums.ones[RUN_PROCESSES], sums.ones[RUN_THREADS]);
	if (modes[RUN_PROCESSES] && sums.tasks > 1 && linear > 0)
		set(matrix, "scalability", sums.processes / linear);
}

static int matrix_of_run(struct matrix *m, const struct side *sides, size_t nr_sides, size_t which,
			 const struct run_cell *like)
{
	const struct run *r = &sides[which].run;
	uint64_t rounds = r->rounds;
	struct series s;
	int err = series_of(&s, sides, nr_sides, which, like);

	*m = (struct matrix){ json_object(), 0 };
	for (size_t i = 0; !err && i < s.nr; i++)
		rounds = s.cells[i]->nr_records > rounds ? s.cells[i]->nr_records : rounds;
	for (uint64_t round = 0; !err && m->object && round < rounds; round++)
		set_round(m->object, r, &s, round);
	free(s.cells);
	return err || m->object ? err : -ENOMEM;
}

/* ---- figures -------------------------------------------------------------------------------- */

struct sample {
	double *values;
	size_t nr;
};

/* Freed by the caller. */
static bool sample_of(struct sample *x, const struct matrix *m, const char *key)
{
	const json_t *array = json_object_get(m->object, key);

	x->nr = m->nr_runs ? m->nr_runs : json_array_size(array);
	x->values = calloc(x->nr + 1, sizeof(*x->values));
	for (size_t i = 0; x->values && i < x->nr; i++)
		x->values[i] = json_number_value(json_array_get(array, i));
	return x->values;
}

static double mean_of(const struct sample *x)
{
	return x->nr ? gsl_stats_mean(x->values, 1, x->nr) : 0;
}

static size_t count_failed(const struct sample *x)
{
	size_t failed = 0;

	for (size_t i = 0; i < x->nr; i++)
		failed += x->values[i] != 0;
	return failed;
}

static double failed_share(const struct sample *x)
{
	return x->nr ? (double)count_failed(x) / (double)x->nr : 0;
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
static void put_mean(const struct sample *x, FILE *out)
{
	double mean = mean_of(x);
	double sd = x->nr ? gsl_stats_sd_with_fixed_mean(x->values, 1, x->nr, mean) : 0;
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
	struct matrix *matrices;	/* BASE's, then those of the HEADs */
	size_t nr;
};

static void put_failure_count(const struct sample *x, FILE *out)
{
	size_t failed = count_failed(x);

	if (failed)
		fprintf(out, "%11zu:%-4zu", failed, x->nr);
	else
		fprintf(out, "%11s:%-4zu", "", x->nr);
}

/*
 * LKP divides the difference by the first commit's number of runs, whatever the other's is: a
 * fault. Here it is the difference of the shares.
 */
static void put_failure(const char *key, const struct sample *samples, size_t nr, FILE *out)
{
	put_failure_count(&samples[0], out);
	for (size_t i = 1; i < nr; i++) {
		fprintf(out, "%10.0f%% ",
			100 * (failed_share(&samples[i]) - failed_share(&samples[0])));
		put_failure_count(&samples[i], out);
	}
	fprintf(out, "  %s\n", key);
}

static void put_figure(const char *key, const struct sample *samples, size_t nr, FILE *out)
{
	put_mean(&samples[0], out);
	for (size_t i = 1; i < nr; i++) {
		put_change(key, mean_of(&samples[0]), mean_of(&samples[i]), out);
		fputc(' ', out);
		put_mean(&samples[i], out);
	}
	fprintf(out, "  %s\n", key);
}

static bool differs(const char *key, bool failures, const struct sample *samples, size_t nr)
{
	const struct sample *a = &samples[0];

	for (size_t i = 1; i < nr; i++) {
		const struct sample *b = &samples[i];

		if (failures && failed_share(a) != failed_share(b))
			return true;
		if (!failures && lkp_changed(a->values, a->nr, b->values, b->nr,
					     lkp_threshold(key, NULL)))
			return true;
	}
	return false;
}

static void put_heads(const struct block *b, bool failures, FILE *out)
{
	fputs(failures ? "       fail:runs" : "         %stddev", out);
	for (size_t i = 1; i < b->nr; i++)
		fputs(failures ? "  %reproduction    fail:runs" : "     %change         %stddev",
		      out);
	fputs(failures ? "\n           |    " : "\n             \\  ", out);
	for (size_t i = 1; i < b->nr; i++)
		fputs(failures ? "         |             |    " : "        |                \\  ",
		      out);
	fputc('\n', out);
}

/* One row if it is to be shown; *@headed: the heads stand above already. */
static int put_key(const struct block *b, const char *key, bool failures, bool *headed, FILE *out)
{
	struct sample *samples = calloc(b->nr, sizeof(*samples));
	bool all = samples;

	for (size_t i = 0; all && i < b->nr; i++)
		all = sample_of(&samples[i], &b->matrices[i], key);
	if (all && differs(key, failures, samples, b->nr)) {
		if (!*headed)
			put_heads(b, failures, out);
		*headed = true;
		if (failures)
			put_failure(key, samples, b->nr, out);
		else
			put_figure(key, samples, b->nr, out);
	}
	for (size_t i = 0; samples && i < b->nr; i++)
		free(samples[i].values);
	free(samples);
	return all ? 0 : -ENOMEM;
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
	FILE *names = open_memstream(&a->names, &size[0]),
	     *values = open_memstream(&a->values, &size[1]);

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

static int put_block(const struct block *b, const struct side *sides,
		     const struct compare_form *form, const struct run_cell *cell, FILE *out)
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
	size_t made = 0;
	int err = 0;

	while (!err && made < b->nr) {
		err = matrix_of_run(&b->matrices[made], sides, b->nr, made, cell);
		made++;
	}
	if (!err)
		err = put_block(b, sides, form, cell, out);
	while (made)
		json_decref(b->matrices[--made].object);
	return err;
}

int compare_lkp(const struct side *sides, size_t nr_sides, const struct compare_form *form,
		FILE *out)
{
	struct block b = { calloc(nr_sides, sizeof(*b.matrices)), nr_sides };
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
