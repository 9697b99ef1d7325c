/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scaling.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sf_psi.h>

#include "msg.h"
#include "summary_cells.h"

/* ---- weights -------------------------------------------------------------------------------- */

static double relative_variance(const struct stats *s)
{
	return s->nr > 1 && s->mean > 0 ? pow(s->sd / s->mean, 2) : NAN;
}

/* Over all points, weighted by their degrees of freedom. */
static double pooled_variance(const struct scaling_point *points, size_t nr)
{
	double sum = 0, df = 0;

	for (size_t i = 0; i < nr; i++) {
		double v = relative_variance(&points[i].ops);

		if (isnan(v))
			continue;
		sum += (double)(points[i].ops.nr - 1) * v;
		df += (double)points[i].ops.nr - 1;
	}
	return df > 0 ? sum / df : NAN;
}

/*
 * Spread grows with tasks, as a rule: log variance as a straight line of log tasks. The logarithm
 * of a sample's variance lies psi(df / 2) - log(df / 2) off that of the true one.
 */
struct trend {
	double at_one, slope;
};

static struct trend trend_of(const struct scaling_point *points, size_t nr, double pooled)
{
	struct trend t = { log(pooled), 0 };
	double *x = calloc(3 * nr + 1, sizeof(*x)), *y = x + nr, *w = y + nr, cov[3], chisq;
	size_t n = 0;

	/* Without memory: no trend. */
	for (size_t i = 0; x && i < nr; i++) {
		double v = relative_variance(&points[i].ops), df = (double)points[i].ops.nr - 1;

		if (isnan(v))
			continue;
		x[n] = log(points[i].tasks);
		y[n] = log(fmax(v, pooled / 1000)) - gsl_sf_psi(df / 2) + log(df / 2);
		w[n++] = df;
	}
	if (n >= SCALING_TREND_MIN)
		gsl_fit_wlinear(x, 1, w, 1, y, 1, n, &t.at_one, &t.slope, &cov[0], &cov[1], &cov[2],
				&chisq);
	free(x);
	return t;
}

bool scaling_weigh(struct scaling_point *points, size_t nr)
{
	double pooled = pooled_variance(points, nr);
	bool weighted = pooled > 0;
	struct trend t = { 0 };

	for (size_t i = 0; i < nr; i++)
		weighted = weighted && points[i].ops.mean > 0;
	if (weighted)
		t = trend_of(points, nr, pooled);
	for (size_t i = 0; i < nr; i++) {
		const struct stats *s = &points[i].ops;
		double own = relative_variance(s), df = isnan(own) ? 0 : (double)s->nr - 1, v;

		points[i].weight = 1;
		if (!weighted)
			continue;
		v = SCALING_PRIOR * exp(t.at_one + t.slope * log(points[i].tasks));
		v = (v + (df > 0 ? df * own : 0)) / (SCALING_PRIOR + df);
		points[i].weight = (double)s->nr / (s->mean * s->mean * v);
	}
	return weighted;
}

/* ---- the model ------------------------------------------------------------------------------ */

static int fit(struct scaling_curve *c)
{
	struct usl_point *points = calloc(c->nr_points + 1, sizeof(*points));
	int err;

	if (!points)
		return -ENOMEM;
	c->weighted = scaling_weigh(c->points, c->nr_points);
	for (size_t i = 0; i < c->nr_points; i++)
		points[i] = (struct usl_point){
			c->points[i].tasks, c->points[i].ops.mean, c->points[i].weight,
		};
	err = usl_fit(&c->model, points, c->nr_points);
	free(points);
	return err;
}

/* Against one task as it was measured; where it was not, against the model's. */
static void relate(struct scaling_curve *c)
{
	double one = c->model.estimate[USL_LAMBDA];

	for (size_t i = 0; i < c->nr_points; i++)
		if (c->points[i].tasks == 1)
			one = c->points[i].ops.mean;
	for (size_t i = 0; i < c->nr_points; i++) {
		struct scaling_point *p = &c->points[i];

		p->efficiency = one > 0 ? p->ops.mean / (p->tasks * one) : NAN;
		p->model_ops = usl_ops(&c->model, p->tasks);
	}
}

/* ---- the verdict ---------------------------------------------------------------------------- */

static double find_linear(const struct scaling_curve *c)
{
	double to = NAN;

	for (size_t i = 0; i < c->nr_points; i++) {
		if (!(c->points[i].efficiency >= SCALING_LINEAR))
			break;
		to = c->points[i].tasks;
	}
	return to;
}

static size_t highest(const struct scaling_curve *c)
{
	size_t best = 0;

	for (size_t i = 0; i < c->nr_points; i++)
		if (c->points[i].ops.mean > c->points[best].ops.mean)
			best = i;
	return best;
}

/* More than SCALING_GAIN, and more than chance: intervals apart, or two standard deviations. */
static bool below(const struct scaling_curve *c, const struct scaling_point *p,
		  const struct scaling_point *top)
{
	if (!(p->ops.mean < (1 - SCALING_GAIN) * top->ops.mean))
		return false;
	if (!isnan(p->ops.ci95_high) && !isnan(top->ops.ci95_low))
		return p->ops.ci95_high < top->ops.ci95_low;
	return isnan(c->model.residual_sd) ||
	       top->ops.mean - p->ops.mean > 2 * c->model.residual_sd;
}

/* The last point decides: a dip in the middle is none. */
static double find_retrograde(const struct scaling_curve *c)
{
	const struct scaling_point *top, *last;

	if (!c->nr_points)
		return NAN;
	top = &c->points[highest(c)];
	last = &c->points[c->nr_points - 1];
	return top != last && below(c, last, top) ? top->tasks : NAN;
}

/* The first point above which none of those with more tasks, half as many at least, gains. */
static double find_flat(const struct scaling_curve *c)
{
	double top = c->nr_points ? c->points[highest(c)].ops.mean : NAN;

	for (size_t i = 0; i < c->nr_points; i++) {
		const struct scaling_point *p = &c->points[i];

		if (top <= (1 + SCALING_GAIN) * p->ops.mean)
			return c->points[c->nr_points - 1].tasks >= 1.5 * p->tasks ? p->tasks : NAN;
	}
	return NAN;
}

static void put_verdict(const struct scaling_curve *c, FILE *out)
{
	const struct scaling_point *last = &c->points[c->nr_points - 1];
	const char *comma = "";

	if (c->linear_to > 1 || (c->linear_to > 0 && c->nr_points == 1)) {
		fprintf(out, "linear to %g%s", c->linear_to,
			c->linear_to == last->tasks ? ", the most that was measured" : "");
		comma = ", ";
	}
	if (!isnan(c->flattens_at) && c->flattens_at != c->retrograde_after) {
		fprintf(out, "%sflattens at %g", comma, c->flattens_at);
		comma = ", ";
	}
	if (!isnan(c->retrograde_after)) {
		fprintf(out, "%sretrograde after %g", comma, c->retrograde_after);
		comma = ", ";
	}
	if (isnan(c->flattens_at) && isnan(c->retrograde_after) && c->linear_to != last->tasks)
		fprintf(out, "%sstill rising at %g", comma, last->tasks);
	if (!isnan(last->efficiency) && last->tasks > 1)
		fprintf(out, " (efficiency %.1f %% at %g)", 100 * last->efficiency, last->tasks);
}

static int judge(struct scaling_curve *c)
{
	size_t size;
	FILE *out = open_memstream(&c->verdict, &size);

	if (!out)
		return -ENOMEM;
	c->linear_to = find_linear(c);
	c->retrograde_after = find_retrograde(c);
	c->flattens_at = find_flat(c);
	if (c->nr_points)
		put_verdict(c, out);
	else
		fputs("nothing was measured", out);
	return fclose(out) == 0 ? 0 : -ENOMEM;
}

/* ---- the machine's steps -------------------------------------------------------------------- */

/* Tasks that fill one @part of @parts; 0 where they are not all alike. */
static double filling(const json_t *topology, const char *unit, const char *parts)
{
	json_int_t whole = json_integer_value(json_object_get(topology, unit));
	json_int_t nr = json_integer_value(json_object_get(topology, parts));

	return nr > 0 && whole % nr == 0 ? (double)(whole / nr) : 0;
}

static void set_efficiency(const struct scaling_curve *c, struct scaling_step *step)
{
	step->efficiency = usl_ops(&c->model, step->tasks) /
			   (step->tasks * c->model.estimate[USL_LAMBDA]);
	for (size_t i = 0; i < c->nr_points; i++) {
		if (c->points[i].tasks != step->tasks)
			continue;
		step->efficiency = c->points[i].efficiency;
		step->measured = true;
	}
}

static int add_step(struct scaling_curve *c, const char *name, double tasks)
{
	struct scaling_step *step;
	char *names;

	if (!(tasks > 0))
		return 0;
	for (size_t i = 0; i < c->nr_steps; i++) {
		step = &c->steps[i];
		if (step->tasks != tasks)
			continue;
		if (asprintf(&names, "%s, %s", step->names, name) < 0)
			return -ENOMEM;
		free(step->names);
		step->names = names;
		return 0;
	}
	names = strdup(name);
	if (!names)
		return -ENOMEM;
	step = &c->steps[c->nr_steps++];
	*step = (struct scaling_step){ .names = names, .tasks = tasks };
	set_efficiency(c, step);
	return 0;
}

static int by_step(const void *a, const void *b)
{
	double x = ((const struct scaling_step *)a)->tasks;
	double y = ((const struct scaling_step *)b)->tasks;

	return (x > y) - (x < y);
}

/*
 * A task on each core first: parts fill with their cores, siblings come last. PU by PU: parts fill
 * with their PUs. Where tasks are not bound, or spread, only the whole machine fills.
 */
static int find_steps(struct scaling_curve *c, const json_t *topology, const char *placement)
{
	static const char *const parts[][2] = {
		{ "l3s", "L3" }, { "nodes", "node" }, { "packages", "package" },
	};
	bool cores = strcmp(placement, "core") == 0;
	bool pus = strcmp(placement, "smt") == 0 || strcmp(placement, "compact") == 0;
	int err = add_step(c, "core", pus ? filling(topology, "pus", "cores") : 1);

	for (size_t i = 0; !err && i < 3 && (cores || pus); i++)
		err = add_step(c, parts[i][1], filling(topology, cores ? "cores" : "pus",
						       parts[i][0]));
	if (!err && !pus)
		err = add_step(c, "all cores",
			       (double)json_integer_value(json_object_get(topology, "cores")));
	if (!err)
		err = add_step(c, "all PUs (SMT)",
			       (double)json_integer_value(json_object_get(topology, "pus")));
	qsort(c->steps, c->nr_steps, sizeof(*c->steps), by_step);
	return err;
}

/* ---- curves --------------------------------------------------------------------------------- */

static int finish(struct scaling_curve *c)
{
	int err = fit(c);

	if (err)
		return err;
	relate(c);
	return judge(c);
}

static struct scaling_curve *add_curve(struct scaling *s, size_t nr_points)
{
	struct scaling_curve *c = reallocarray(s->curves, s->nr_curves + 1, sizeof(*c));

	if (!c)
		return NULL;
	s->curves = c;
	c += s->nr_curves++;
	*c = (struct scaling_curve){ .mode = "" };
	c->points = calloc(nr_points + 1, sizeof(*c->points));
	return c->points ? c : NULL;
}

static int curve_of_series(struct scaling *s, const struct table *t,
			   const struct table_series *series, enum run_mode mode,
			   const json_t *topology)
{
	struct scaling_curve *c = add_curve(s, series->nr_rows);
	int err;

	if (!c || asprintf(&c->title, "%s%s%s%s", series->testcase, series->label[0] ? " [" : "",
			   series->label, series->label[0] ? "]" : "") < 0)
		return -ENOMEM;
	c->mode = run_mode_name(mode);
	for (size_t i = 0; i < series->nr_rows; i++) {
		const struct table_row *row = &series->rows[i];
		struct scaling_point *p = &c->points[c->nr_points];

		if (row->mode != mode || !table_measured(row))
			continue;
		*p = (struct scaling_point){
			.tasks = (double)row->tasks,
			.ops = row->ops,
			.marks = summary_marks(t, row),
		};
		c->nr_points++;
		if (!p->marks)
			return -ENOMEM;
	}
	err = finish(c);
	return err ? err : find_steps(c, topology, series->placement);
}

static bool has_mode(const struct table_series *s, enum run_mode mode)
{
	for (size_t i = 0; i < s->nr_rows; i++)
		if (s->rows[i].mode == mode)
			return true;
	return false;
}

int scaling_of_table(struct scaling *s, const struct table *t, const struct run *run)
{
	const json_t *topology = json_object_get(run->machine_json, "topology");
	int err = 0;

	*s = (struct scaling){ .name = strdup(t->run) };
	for (size_t i = 0; !err && i < t->nr_series; i++)
		for (enum run_mode mode = RUN_PROCESSES; !err && mode <= RUN_THREADS; mode++)
			if (has_mode(&t->series[i], mode))
				err = curve_of_series(s, t, &t->series[i], mode, topology);
	if (err || !s->name) {
		msg_error("%s: %s", t->run, strerror(ENOMEM));
		scaling_free(s);
		return -ENOMEM;
	}
	return 0;
}

void scaling_free(struct scaling *s)
{
	for (size_t i = 0; i < s->nr_curves; i++) {
		struct scaling_curve *c = &s->curves[i];

		for (size_t j = 0; j < c->nr_points; j++)
			free(c->points[j].marks);
		for (size_t j = 0; j < c->nr_steps; j++)
			free(c->steps[j].names);
		free(c->points);
		free(c->title);
		free(c->verdict);
	}
	free(s->curves);
	free(s->name);
	*s = (struct scaling){ 0 };
}

/* ---- a file of numbers ---------------------------------------------------------------------- */

#define COLUMNS_MAX 64

struct csv {
	const char *path, *column;
	size_t line;
	size_t tasks, rate;	/* columns */
	bool begun;		/* the heads, if any, are behind */
	struct csv_value {
		double tasks, ops;
	} *values;
	size_t nr;
};

static int wrong(const struct csv *f, const char *what)
{
	msg_error("%s:%zu: %s", f->path, f->line, what);
	return -EINVAL;
}

/* The next field of *@line, which moves behind it and what separates it from the following. */
static char *next_field(char **line)
{
	char *field = *line, *end;
	size_t len = strcspn(field, " \t,;");
	char separator = field[len];

	*line = field + len + (separator != '\0');
	field[len] = '\0';
	*line += strspn(*line, " \t");
	if ((separator == ' ' || separator == '\t') && (**line == ',' || **line == ';'))
		++*line;
	*line += strspn(*line, " \t");
	end = field + len;
	if (len >= 2 && field[0] == '"' && end[-1] == '"') {
		end[-1] = '\0';
		field++;
	}
	return field;
}

/* What follows a # is a remark. */
static size_t cut(char *line, char **fields)
{
	size_t nr = 0;

	line[strcspn(line, "\r\n#")] = '\0';
	line += strspn(line, " \t");
	while (*line && nr < COLUMNS_MAX)
		fields[nr++] = next_field(&line);
	return nr;
}

static bool number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return *text && !*end && isfinite(*value);
}

/* Which columns: by the heads, if the first line holds any. */
static int choose(struct csv *f, char **fields, size_t nr)
{
	bool found = !f->column;

	f->rate = 1;
	for (size_t i = 0; i < nr; i++)
		if (strcmp(fields[i], "tasks") == 0) {
			f->tasks = i;
			f->rate = i + 1;
		}
	for (size_t i = 0; f->column && i < nr; i++)
		if (strcmp(fields[i], f->column) == 0) {
			f->rate = i;
			found = true;
		}
	return found ? 0 : wrong(f, "no column has the name that was given");
}

static int add_value(struct csv *f, double tasks, double ops)
{
	struct csv_value *values = reallocarray(f->values, f->nr + 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	f->values = values;
	values[f->nr++] = (struct csv_value){ tasks, ops };
	return 0;
}

static int line_read(struct csv *f, char *line)
{
	char *fields[COLUMNS_MAX];
	size_t nr = cut(line, fields);
	double tasks, ops;

	if (!nr)
		return 0;
	if (!f->begun) {
		double value;
		int err = choose(f, fields, nr);

		f->begun = true;
		if (err || !number(fields[0], &value))
			return err;
	}
	if (f->tasks >= nr || f->rate >= nr)
		return wrong(f, "too few columns");
	if (!number(fields[f->tasks], &tasks) || !number(fields[f->rate], &ops))
		return wrong(f, "no number where tasks or their rate should be");
	if (tasks < 0 || ops < 0)
		return wrong(f, "less than 0");
	/* Tables as will-it-scale's begin with what no tasks do. */
	return tasks > 0 ? add_value(f, tasks, ops) : 0;
}

static int file_read_values(struct csv *f)
{
	FILE *file = strcmp(f->path, "-") == 0 ? stdin : fopen(f->path, "re");
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	if (!file) {
		err = -errno;
		msg_error("%s: %s", f->path, strerror(errno));
		return err;
	}
	while (!err && getline(&line, &room, file) > 0) {
		f->line++;
		err = line_read(f, line);
	}
	if (!err && ferror(file)) {
		err = -EIO;
		msg_error("%s: %s", f->path, strerror(EIO));
	}
	free(line);
	if (file != stdin)
		fclose(file);
	return err;
}

static int by_tasks(const void *a, const void *b)
{
	double x = ((const struct csv_value *)a)->tasks, y = ((const struct csv_value *)b)->tasks;

	return (x > y) - (x < y);
}

/* Lines with the same tasks are rounds of one point. */
static int points_of(struct scaling_curve *c, struct csv *f)
{
	double *rounds = calloc(f->nr + 1, sizeof(*rounds));
	int err = rounds ? 0 : -ENOMEM;

	if (f->nr)
		qsort(f->values, f->nr, sizeof(*f->values), by_tasks);
	for (size_t i = 0, nr; !err && i < f->nr; i += nr) {
		struct scaling_point *p = &c->points[c->nr_points++];

		for (nr = 0; i + nr < f->nr && f->values[i + nr].tasks == f->values[i].tasks; nr++)
			rounds[nr] = f->values[i + nr].ops;
		*p = (struct scaling_point){ .tasks = f->values[i].tasks, .marks = strdup("") };
		err = p->marks ? stats_of(&p->ops, rounds, nr) : -ENOMEM;
	}
	free(rounds);
	return err;
}

int scaling_of_csv(struct scaling *s, const char *path, const char *column)
{
	struct csv f = { .path = path, .column = column };
	struct scaling_curve *c;
	int err = file_read_values(&f);

	*s = (struct scaling){ .name = strdup(path) };
	if (!err) {
		c = add_curve(s, f.nr);
		err = c && s->name ? points_of(c, &f) : -ENOMEM;
		if (!err)
			c->title = strdup(path);
		if (!err)
			err = c->title ? finish(c) : -ENOMEM;
		if (err)
			msg_error("%s: %s", path, strerror(-err));
	}
	free(f.values);
	if (err)
		scaling_free(s);
	return err;
}
