/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "curves.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "human.h"
#include "style.h"
#include "summary_cells.h"

#define NR_MODES 2
#define for_each_mode(mode) \
	for (enum run_mode mode = RUN_PROCESSES; mode <= RUN_THREADS; mode++)

/* What there is to draw. */
struct view {
	const struct table *t;
	const struct table_series *s;
	bool text;			/* on a text terminal */
	struct {
		bool clean, doubtful, interval, idle;
		size_t measured, failed;	/* rows */
	} modes[NR_MODES];
	bool linear, idle;
	uint64_t max_tasks;
	double max;			/* the top of the axis */
	double factor;
	const char *prefix;
};

/* From so many points on they would run into one: a band shows the intervals. */
#define DENSE 60

/* Linear scaling beyond half as much again as was measured would press the curves flat. */
#define LINEAR_ROOM 1.5

static void view_row(struct view *v, const struct table_row *row, double *top, double *top_linear)
{
	bool doubtful = table_doubtful(v->t, row);

	v->max_tasks = row->tasks > v->max_tasks ? row->tasks : v->max_tasks;
	v->linear |= row->linear > 0 && row->tasks > 1;
	*top_linear = fmax(*top_linear, row->linear);
	if (!table_measured(row)) {
		v->modes[row->mode].failed++;
		return;
	}
	*top = fmax(*top, fmax(row->ops.mean, row->ops.ci95_high));
	v->modes[row->mode].measured++;
	v->modes[row->mode].clean |= !doubtful;
	v->modes[row->mode].doubtful |= doubtful;
	v->modes[row->mode].interval |= !isnan(row->ops.ci95_high);
	v->modes[row->mode].idle |= !isnan(row->idle_pct);
}

static struct view view_of(const struct table *t, const struct table_series *s, bool text)
{
	struct view v = { .t = t, .s = s, .text = text };
	double top = 0, top_linear = 0;

	for (size_t i = 0; i < s->nr_rows; i++)
		view_row(&v, &s->rows[i], &top, &top_linear);
	v.idle = !text && (v.modes[RUN_PROCESSES].idle || v.modes[RUN_THREADS].idle);
	v.prefix = top >= 1000 ? human_prefix(top, &v.factor) : "";
	v.factor = top >= 1000 ? v.factor : 1;
	v.max = fmax(top, fmin(top_linear, LINEAR_ROOM * top));
	if (!(v.max > 0))
		v.max = 1;
	return v;
}

/* ---- data ----------------------------------------------------------------------------------- */

static void put_number(FILE *out, double value)
{
	if (isnan(value))
		fputs(" ?", out);
	else
		fprintf(out, " %.15g", value);
}

static void put_mode(const struct view *v, enum run_mode mode, FILE *out)
{
	if (!v->modes[mode].measured)
		return;
	fprintf(out, "\n# tasks, operations per second, its 95 %% interval, idle %%, doubtful\n"
		"$%s << EOD\n", run_mode_name(mode));
	for (size_t i = 0; i < v->s->nr_rows; i++) {
		const struct table_row *row = &v->s->rows[i];

		if (row->mode != mode || !table_measured(row))
			continue;
		fprintf(out, "%" PRIu64, row->tasks);
		put_number(out, row->ops.mean);
		put_number(out, row->ops.ci95_low);
		put_number(out, row->ops.ci95_high);
		put_number(out, row->idle_pct);
		fprintf(out, " %d\n", table_doubtful(v->t, row));
	}
	fputs("EOD\n", out);
}

/* A straight line: its ends do. */
static void put_linear(const struct view *v, FILE *out)
{
	const struct table_row *low = NULL, *high = NULL;

	for (size_t i = 0; i < v->s->nr_rows; i++) {
		const struct table_row *row = &v->s->rows[i];

		if (!low || row->tasks < low->tasks)
			low = row;
		if (!high || row->tasks > high->tasks)
			high = row;
	}
	if (v->linear && v->text)
		fprintf(out, "linear(x) = x < %" PRIu64 " ? NaN : x * %.15g/scale\n", low->tasks,
			high->linear / (double)high->tasks);
	else if (v->linear)
		fprintf(out, "\n$linear << EOD\n%" PRIu64 " %.15g\n%" PRIu64 " %.15g\nEOD\n",
			low->tasks, low->linear, high->tasks, high->linear);
}

static void put_failed(const struct view *v, enum run_mode mode, FILE *out)
{
	if (!v->modes[mode].failed)
		return;
	fprintf(out, "\n# not measured\n$%s_failed << EOD\n", run_mode_name(mode));
	for (size_t i = 0; i < v->s->nr_rows; i++)
		if (v->s->rows[i].mode == mode && !table_measured(&v->s->rows[i]))
			fprintf(out, "%" PRIu64 " 0\n", v->s->rows[i].tasks);
	fputs("EOD\n", out);
}

static void put_data(const struct view *v, FILE *out)
{
	for_each_mode(mode) {
		put_mode(v, mode, out);
		put_failed(v, mode, out);
	}
	put_linear(v, out);
}

/* ---- texts ---------------------------------------------------------------------------------- */

struct texts {
	char *title, *below, *ylabel;
};

static void texts_free(struct texts *texts)
{
	free(texts->title);
	free(texts->below);
	free(texts->ylabel);
}

/* "; doubtful: drift, some rounds failed": why some points are hollow. */
static void put_doubts(const struct view *v, FILE *out)
{
	const char *before = "; doubtful: ";
	bool failures = false;

	for (size_t f = 0; f < v->t->nr_flags; f++) {
		uint64_t rounds = 0;

		for (size_t i = 0; i < v->s->nr_rows; i++)
			rounds += v->s->rows[i].flag_rounds[f];
		if (rounds)
			fprintf(out, "%s%s", before, v->t->flags[f]);
		if (rounds)
			before = ", ";
	}
	for (size_t i = 0; i < v->s->nr_rows; i++)
		failures |= table_measured(&v->s->rows[i]) && v->s->rows[i].nr_failures;
	if (failures)
		fprintf(out, "%srounds that failed", before);
}

/* Whether a label along the axis has room for what one operation is. */
static bool unit_fits(const char *unit)
{
	return unit && human_width(unit) <= STYLE_YLABEL_WIDTH;
}

/* How it was run. */
static char *conditions(const struct view *v)
{
	char *run = summary_conditions(v->s), *text;
	size_t size;
	FILE *out = run ? open_memstream(&text, &size) : NULL;

	if (!out) {
		free(run);
		return NULL;
	}
	if (v->s->unit && !unit_fits(v->s->unit))
		fprintf(out, "one operation: %s; ", v->s->unit);
	fputs(run, out);
	free(run);
	put_doubts(v, out);
	return fclose(out) == 0 ? text : NULL;
}

static int texts_of(const struct view *v, struct texts *texts)
{
	const char *description = v->s->description;
	const char *unit = unit_fits(v->s->unit) ? v->s->unit : NULL;

	*texts = (struct texts){ .below = conditions(v) };
	if (asprintf(&texts->title, "%s%s%s", v->s->testcase, description ? ": " : "",
		     description ? description : "") < 0)
		texts->title = NULL;
	if (asprintf(&texts->ylabel, "%sops/s%s%s%s", v->prefix, unit ? "  (1 op: " : "",
		     unit ? unit : "", unit ? ")" : "") < 0)
		texts->ylabel = NULL;
	if (texts->title && texts->below && texts->ylabel)
		return 0;
	texts_free(texts);
	return -ENOMEM;
}

/* The title, below it how it was run, in smaller letters; the margin makes room for both. */
static void texts_put(const struct texts *texts, FILE *out)
{
	size_t lines, lines_below;

	fputs("set label 1 ", out);
	lines_below = gnuplot_put_wrapped(out, texts->below, STYLE_SUBTITLE_WIDTH);
	fprintf(out, " at graph 0.5, graph 1 center offset 0, %zu font '%s' textcolor rgb '%s'\n",
		lines_below, STYLE_SUBTITLE_FONT, STYLE_SUBTITLE_COLOUR);
	fputs("set title ", out);
	lines = gnuplot_put_wrapped(out, texts->title, STYLE_TITLE_WIDTH);
	fprintf(out, " offset 0, %zu font '%s'\n", lines_below, STYLE_TITLE_FONT);
	fprintf(out, "set tmargin %zu\n", lines_below + 1 + (3 * lines + 1) / 2);
	fputs("set ylabel ", out);
	gnuplot_put_text(out, texts->ylabel);
	fputc('\n', out);
}

/* The highest task count that is at most @limit; 0 if there is none. */
static uint64_t highest_tasks(const struct table_series *s, double limit)
{
	uint64_t highest = 0;

	for (size_t i = 0; i < s->nr_rows; i++)
		if ((double)s->rows[i].tasks <= limit && s->rows[i].tasks > highest)
			highest = s->rows[i].tasks;
	return highest;
}

/*
 * Marks at the task counts that were measured, from the highest down, as far as their numbers do
 * not run into each other; of many counts, gnuplot chooses round ones.
 */
#define TICS_MAX 24

static void put_xtics(const struct view *v, FILE *out)
{
	double room = (v->text ? 0.07 : 0.04) * (double)v->max_tasks;
	uint64_t tasks = v->max_tasks;
	const char *comma = "";

	if (v->s->nr_rows > 2 * TICS_MAX)
		return;
	fputs("set xtics (", out);
	for (; tasks; tasks = highest_tasks(v->s, (double)tasks - room)) {
		fprintf(out, "%s%" PRIu64, comma, tasks);
		comma = ", ";
	}
	fputs(")\n", out);
}

static void put_axes(const struct view *v, FILE *out)
{
	if (!v->text)
		fputs("set xlabel 'tasks' offset 0, 0.9\n", out);
	fprintf(out, "set xrange [0:%.15g]\n",
		v->max_tasks > 1 ? (double)v->max_tasks * 1.03 : 2);
	put_xtics(v, out);
	fprintf(out, "scale = %.15g\n", v->factor);
	fprintf(out, "set yrange [0:%.15g/scale]\n", v->max * 1.05);
	/* Intervals of the two modes stand side by side, not one upon the other. */
	if (v->modes[RUN_PROCESSES].interval || v->modes[RUN_THREADS].interval)
		fprintf(out, "dodge = %.3g\n", v->modes[RUN_PROCESSES].interval &&
			v->modes[RUN_THREADS].interval ? 0.002 * (double)v->max_tasks : 0);
	if (v->idle)
		fputs("set y2label 'idle, % of all CPUs'\n"
		      "set y2range [0:105]\n"
		      "set y2tics 0, 20, 100\n", out);
}

/* ---- curves --------------------------------------------------------------------------------- */

/* One more element of the plot command. */
static void element(FILE *out, bool *first, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void element(FILE *out, bool *first, const char *fmt, ...)
{
	va_list args;

	fputs(*first ? "plot " : ", \\\n     ", out);
	*first = false;
	va_start(args, fmt);
	vfprintf(out, fmt, args);
	va_end(args);
}

static const struct {
	enum style line, hollow, blank, failed, idle;
} mode_styles[] = {
	[RUN_PROCESSES] = { STYLE_PROCESSES, STYLE_PROCESSES_HOLLOW, STYLE_PROCESSES_BLANK,
			    STYLE_PROCESSES_FAILED, STYLE_PROCESSES_IDLE },
	[RUN_THREADS] = { STYLE_THREADS, STYLE_THREADS_HOLLOW, STYLE_THREADS_BLANK,
			  STYLE_THREADS_FAILED, STYLE_THREADS_IDLE },
};

static void put_idle_curves(const struct view *v, FILE *out, bool *first)
{
	for_each_mode(mode)
		if (v->modes[mode].idle)
			element(out, first, "$%s using 1:5 axes x1y2 with %s ls %d notitle",
				run_mode_name(mode),
				v->modes[mode].measured < DENSE ? "linespoints" : "lines",
				mode_styles[mode].idle);
}

static void put_intervals(const struct view *v, enum run_mode mode, FILE *out, bool *first)
{
	int line = mode_styles[mode].line;

	if (!v->modes[mode].interval)
		return;
	if (v->modes[mode].measured < DENSE)
		element(out, first, "$%s using ($1%sdodge):($2/scale):($3/scale):($4/scale) "
			"with yerrorbars ls %d pt 0 lw 1.2 notitle", run_mode_name(mode),
			mode == RUN_PROCESSES ? "-" : "+", line);
	else
		element(out, first, "$%s using 1:($3/scale):($4/scale) with filledcurves ls %d "
			"fs transparent solid 0.25 noborder notitle", run_mode_name(mode), line);
}

/* Doubtful figures are hollow: a white point under an empty one hides the line. */
static void put_mode_curve(const struct view *v, enum run_mode mode, FILE *out, bool *first)
{
	const char *name = run_mode_name(mode);
	int line = mode_styles[mode].line;

	put_intervals(v, mode, out, first);
	if (v->modes[mode].measured)
		element(out, first, "$%s using 1:($2/scale) with lines ls %d notitle", name, line);
	if (v->modes[mode].clean && v->modes[mode].measured < DENSE)
		element(out, first, "$%s using 1:($6 == 0 ? $2/scale : NaN) with points ls %d "
			"notitle", name, line);
	if (v->modes[mode].doubtful) {
		element(out, first, "$%s using 1:($6 == 1 ? $2/scale : NaN) with points ls %d "
			"notitle", name, mode_styles[mode].blank);
		element(out, first, "$%s using 1:($6 == 1 ? $2/scale : NaN) with points ls %d "
			"notitle", name, mode_styles[mode].hollow);
	}
	if (v->modes[mode].failed)
		element(out, first, "$%s_failed using 1:2 with points ls %d notitle", name,
			mode_styles[mode].failed);
}

static void put_legend(const struct view *v, FILE *out, bool *first)
{
	for_each_mode(mode)
		if (v->modes[mode].measured)
			element(out, first, "keyentry with linespoints ls %d title '%s'",
				mode_styles[mode].line, run_mode_name(mode));
	if (v->linear)
		element(out, first, "keyentry with lines ls %d title 'linear'", STYLE_LINEAR);
	if (v->idle)
		element(out, first, "keyentry with lines ls %d title 'idle'", STYLE_IDLE);
	if (v->modes[RUN_PROCESSES].doubtful || v->modes[RUN_THREADS].doubtful)
		element(out, first, "keyentry with points ls %d title 'doubtful'", STYLE_DOUBTFUL);
	if (v->modes[RUN_PROCESSES].failed || v->modes[RUN_THREADS].failed)
		element(out, first, "keyentry with points ls %d title 'not measured'",
			STYLE_FAILED);
}

static void put_curves(const struct view *v, FILE *out)
{
	bool first = true;

	put_legend(v, out, &first);
	if (v->idle)
		put_idle_curves(v, out, &first);
	if (v->linear)
		element(out, &first, "$linear using 1:($2/scale) with lines ls %d notitle",
			STYLE_LINEAR);
	for_each_mode(mode)
		put_mode_curve(v, mode, out, &first);
	fputc('\n', out);
}

/* ---- scripts -------------------------------------------------------------------------------- */

/* Texts that a format cannot show are set anew for it. */
static int put_plain_texts(const struct texts *texts, const char *format, FILE *out)
{
	struct texts plain = {
		.title = style_showable(format, texts->title),
		.below = style_showable(format, texts->below),
		.ylabel = style_showable(format, texts->ylabel),
	};
	int err = plain.title && plain.below && plain.ylabel ? 0 : -ENOMEM;

	if (!err && (strcmp(plain.title, texts->title) != 0 ||
		     strcmp(plain.below, texts->below) != 0 ||
		     strcmp(plain.ylabel, texts->ylabel) != 0))
		texts_put(&plain, out);
	texts_free(&plain);
	return err;
}

static int put_outputs(const struct view *v, const struct texts *texts, const char *name,
		       const char *formats, FILE *out)
{
	bool drawn = false;
	int err = 0;

	for (const char *word = formats; !err && *word;) {
		char format[16];
		size_t len = strcspn(word, " ");

		snprintf(format, sizeof(format), "%.*s", (int)len, word);
		fprintf(out, "\nset terminal %s\nset output '%s.%s'\n", style_terminal(format),
			name, format);
		err = put_plain_texts(texts, format, out);
		if (drawn)
			fputs("replot\n", out);
		else
			put_curves(v, out);
		drawn = true;
		word += len;
		word += strspn(word, " ");
	}
	fputs("set output\n", out);
	return err;
}

int curves_script(const struct table *t, const struct table_series *s, const char *name,
		  const char *formats, FILE *out)
{
	struct view v = view_of(t, s, false);
	struct texts texts;
	int err = texts_of(&v, &texts);

	if (err)
		return err;
	fprintf(out, "# Made by knee plot curves. To change the picture: change this, and run\n"
		"#\tgnuplot %s.gp\n", name);
	style_print(out);
	fputc('\n', out);
	texts_put(&texts, out);
	put_axes(&v, out);
	put_data(&v, out);
	err = put_outputs(&v, &texts, name, formats, out);
	texts_free(&texts);
	return err;
}

/* ---- on a text terminal --------------------------------------------------------------------- */

/* Letters instead of points: what is doubtful is a lower-case one. */
static const struct {
	const char *point, *doubtful;
} mode_letters[] = {
	[RUN_PROCESSES] = { "P", "p" },
	[RUN_THREADS] = { "T", "t" },
};

static void put_text_curves(const struct view *v, FILE *out)
{
	bool first = true;

	/* Dots: the characters of lines are not the same with and without colours. */
	if (v->linear)
		element(out, &first, "linear(x) with dots lt %d notitle", STYLE_LINEAR);
	for_each_mode(mode) {
		const char *name = run_mode_name(mode);
		int line = mode_styles[mode].line;

		if (v->modes[mode].failed)
			element(out, &first, "$%s_failed using 1:2:('x') with labels "
				"textcolor lt %d notitle", name, line);
		if (v->modes[mode].measured)
			element(out, &first, "$%s using 1:($2/scale):"
				"(column(6) == 1 ? '%s' : '%s') with labels textcolor lt %d "
				"notitle", name, mode_letters[mode].doubtful,
				mode_letters[mode].point, line);
	}
	fputc('\n', out);
}

char *curves_legend_text(const struct table *t, const struct table_series *s)
{
	struct view v = view_of(t, s, true);
	const char *comma = "";
	bool failed = false;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%sops/s against tasks: ", v.prefix);
	for_each_mode(mode) {
		failed |= v.modes[mode].failed > 0;
		if (!v.modes[mode].measured)
			continue;
		fprintf(out, "%s%s %s", comma, mode_letters[mode].point, run_mode_name(mode));
		if (v.modes[mode].doubtful)
			fprintf(out, ", %s doubtful", mode_letters[mode].doubtful);
		comma = ", ";
	}
	fprintf(out, "%s%s", v.linear ? comma : "", v.linear ? STYLE_TEXT_LINEAR " linear" : "");
	fprintf(out, "%s", failed ? ", x not measured" : "");
	return fclose(out) == 0 ? text : NULL;
}

void curves_script_text(const struct table *t, const struct table_series *s, unsigned int columns,
			unsigned int lines, bool colour, FILE *out)
{
	struct view v = view_of(t, s, true);

	style_print_text(out, columns, lines, colour);
	put_axes(&v, out);
	put_data(&v, out);
	put_text_curves(&v, out);
}
