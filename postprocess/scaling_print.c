/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `knee scaling` prints, in its forms: doc/formats.md. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "print.h"
#include "scaling.h"

#define COLUMNS 80

static const char *const meanings[] = {
	[USL_LAMBDA] = "rate of one task",
	[USL_SIGMA] = "contention",
	[USL_KAPPA] = "coherency",
};

static const char law[] = "X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))";

/* ---- sentences ------------------------------------------------------------------------------ */

static double last_tasks(const struct scaling_curve *c)
{
	return c->nr_points ? c->points[c->nr_points - 1].tasks : NAN;
}

/* "peak: 9.746k ops/s at 30.7 tasks (30.4 to 31.0)", or why there is none. NULL: no memory. */
static char *peak_text(const struct scaling_curve *c)
{
	const struct usl *m = &c->model;
	char ops[HUMAN_MAX], *text;
	int len;

	if (!isnan(m->peak_tasks)) {
		const char *beyond =
			m->peak_tasks > last_tasks(c) ? "; beyond what was measured" : "";

		if (isnan(m->peak_low))
			len = asprintf(&text, "predicted peak: %s ops/s at %.3g tasks%s",
				       human_si(ops, m->peak_ops), m->peak_tasks, beyond);
		else
			len = asprintf(&text,
				       "predicted peak: %s ops/s at %.3g tasks (95 %%: %.3g to "
				       "%.3g)%s",
				       human_si(ops, m->peak_ops), m->peak_tasks, m->peak_low,
				       m->peak_high, beyond);
	} else if (!isnan(m->limit_ops)) {
		len = asprintf(&text,
			       "no peak, as kappa is 0; Amdahl's limit: %s ops/s, %.4g times "
			       "one task",
			       human_si(ops, m->limit_ops), 1 / m->estimate[USL_SIGMA]);
	} else {
		len = asprintf(&text, "no peak and no limit: linear");
	}
	return len < 0 ? NULL : text;
}

static char *fit_text(const struct scaling_curve *c)
{
	char *text, sd[HUMAN_MAX];

	if (asprintf(&text, "R2 %.5f over %zu points, %s; they lie off by %s ops/s (sd)",
		     c->model.r2, c->model.nr,
		     c->weighted ? "weighted by the spread of their rounds"
				 : "all of the same weight",
		     human_si(sd, c->model.residual_sd)) < 0)
		return NULL;
	return text;
}

static int wrap(FILE *out, char *text)
{
	if (!text)
		return -ENOMEM;
	human_wrap(out, "  ", "    ", text, COLUMNS);
	free(text);
	return 0;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_coefficients(const struct usl *m, FILE *out)
{
	fputs("            estimate  std. error  95 % interval\n", out);
	for (enum usl_coefficient i = 0; i < USL_NR; i++)
		fprintf(out, "  %-8s%10.5g  %10.4g  %.4g to %.4g  (%s)\n", usl_name(i),
			m->estimate[i], m->se[i], m->ci95_low[i], m->ci95_high[i], meanings[i]);
}

static int put_model(const struct scaling_curve *c, FILE *out)
{
	char *text = NULL;
	int err;

	if (c->model.refused) {
		if (asprintf(&text, "no model: %s", c->model.refused) < 0)
			return -ENOMEM;
		return wrap(out, text);
	}
	put_coefficients(&c->model, out);
	err = wrap(out, fit_text(c));
	return err ? err : wrap(out, peak_text(c));
}

static void put_points(const struct scaling_curve *c, FILE *out)
{
	char ops[HUMAN_MAX], pct[HUMAN_MAX], model[HUMAN_MAX], eff[HUMAN_MAX];

	fputs("     tasks   ops/s   +-95%    model  efficiency  rounds\n", out);
	for (size_t i = 0; i < c->nr_points; i++) {
		const struct scaling_point *p = &c->points[i];

		fprintf(out, "%10g  %6s  %6s   %6s  %10s  %6zu%s%s\n", p->tasks,
			human_si(ops, p->ops.mean), human_pct(pct, p->ops.ci95_pct),
			human_si(model, p->model_ops), human_pct_fixed(eff, 100 * p->efficiency, 1),
			p->ops.nr, p->marks[0] ? "  " : "", p->marks);
	}
}

static void put_steps(const struct scaling_curve *c, FILE *out)
{
	if (!c->nr_steps)
		return;
	fputs("    filled  tasks  efficiency\n", out);
	for (size_t i = 0; i < c->nr_steps; i++)
		fprintf(out, "%10g  %s: %.1f %%%s\n", c->steps[i].tasks, c->steps[i].names,
			100 * c->steps[i].efficiency,
			c->steps[i].measured ? "" : " (by the model)");
}

static int put_curve(const struct scaling_curve *c, FILE *out)
{
	char *text = NULL;
	int err;

	if (asprintf(&text, "%s%s%s: %s", c->title, c->mode[0] ? ", " : "", c->mode, c->verdict) <
	    0)
		return -ENOMEM;
	fputc('\n', out);
	human_wrap(out, "", "  ", text, COLUMNS);
	free(text);
	err = put_model(c, out);
	if (!err)
		put_points(c, out);
	if (!err)
		put_steps(c, out);
	return err;
}

static int text(const struct scaling *s, FILE *out)
{
	int err = 0;

	human_wrap(out, "", "  ", s->name, COLUMNS);
	for (size_t i = 0; !err && i < s->nr_curves; i++)
		err = put_curve(&s->curves[i], out);
	fputc('\n', out);
	human_wrap(out, "", "  ", law, COLUMNS);
	human_wrap(out, "", "  ",
		   "sigma: tasks wait for each other. kappa: each pair of tasks has its "
		   "price.",
		   COLUMNS);
	human_wrap(out, "", "  ",
		   "efficiency: ops(N) / (N ops(1)). linear: it is 90 % or more. "
		   "flattens: nothing more than 5 % is gained. retrograde: more tasks do less, by "
		   "more "
		   "than 5 % and than chance. Marks are those of knee summary.",
		   COLUMNS);
	return err;
}

/* ---- markdown ------------------------------------------------------------------------------- */

static int markdown_line(const char *head, char *line, FILE *out)
{
	int err = line ? print_markdown(line, head, out) : -ENOMEM;

	fputc('\n', out);
	free(line);
	return err;
}

static int markdown_model(const struct scaling_curve *c, FILE *out)
{
	const struct usl *m = &c->model;
	int err;

	if (m->refused)
		return markdown_line("\nno model: ", strdup(m->refused), out);
	fputs("\n| coefficient | estimate | standard error | 95 % low | 95 % high |\n"
	      "|---|---:|---:|---:|---:|\n", out);
	for (enum usl_coefficient i = 0; i < USL_NR; i++)
		fprintf(out, "| %s | %.5g | %.4g | %.4g | %.4g |\n", usl_name(i), m->estimate[i],
			m->se[i], m->ci95_low[i], m->ci95_high[i]);
	err = markdown_line("\n", fit_text(c), out);
	return err ? err : markdown_line("\n", peak_text(c), out);
}

static void markdown_points(const struct scaling_curve *c, FILE *out)
{
	char ops[HUMAN_MAX], pct[HUMAN_MAX], model[HUMAN_MAX], eff[HUMAN_MAX];

	fputs("\n| tasks | ops/s | ±95% | model | efficiency | rounds | marks |\n"
	      "|---:|---:|---:|---:|---:|---:|---|\n", out);
	for (size_t i = 0; i < c->nr_points; i++) {
		const struct scaling_point *p = &c->points[i];

		fprintf(out, "| %g | %s | %s | %s | %s | %zu | ", p->tasks,
			human_si(ops, p->ops.mean), human_pct(pct, p->ops.ci95_pct),
			human_si(model, p->model_ops), human_pct_fixed(eff, 100 * p->efficiency, 1),
			p->ops.nr);
		print_markdown(p->marks, "", out);
		fputs(" |\n", out);
	}
	if (c->nr_steps)
		fputs("\n| filled | tasks | efficiency |\n|---|---:|---:|\n", out);
	for (size_t i = 0; i < c->nr_steps; i++)
		fprintf(out, "| %s | %g | %.1f %%%s |\n", c->steps[i].names, c->steps[i].tasks,
			100 * c->steps[i].efficiency,
			c->steps[i].measured ? "" : " (by the model)");
}

static int markdown(const struct scaling *s, FILE *out)
{
	int err = markdown_line("# ", strdup(s->name), out);

	for (size_t i = 0; !err && i < s->nr_curves; i++) {
		const struct scaling_curve *c = &s->curves[i];
		char *title;

		if (asprintf(&title, "%s%s%s", c->title, c->mode[0] ? ", " : "", c->mode) < 0)
			return -ENOMEM;
		err = markdown_line("\n## ", title, out);
		if (!err)
			err = markdown_line("\n", strdup(c->verdict), out);
		if (!err)
			err = markdown_model(c, out);
		if (!err)
			markdown_points(c, out);
	}
	return err ? err : markdown_line("\n", strdup(law), out);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static int csv(const struct scaling *s, FILE *out)
{
	fputs("title,mode,tasks,ops_per_s,ci95_low,ci95_high,rounds,weight,model_ops,efficiency",
	      out);
	for (enum usl_coefficient i = 0; i < USL_NR; i++)
		fprintf(out, ",%s,%s_se", usl_name(i), usl_name(i));
	fputs(",r2,peak_tasks,peak_ops,limit_ops,verdict,refused\n", out);
	for (size_t i = 0; i < s->nr_curves; i++) {
		const struct scaling_curve *c = &s->curves[i];
		const struct usl *m = &c->model;

		for (size_t j = 0; j < c->nr_points; j++) {
			const struct scaling_point *p = &c->points[j];

			print_csv_text(c->title, out);
			fprintf(out, ",%s", c->mode);
			print_csv_number(p->tasks, out);
			print_csv_number(p->ops.mean, out);
			print_csv_number(p->ops.ci95_low, out);
			print_csv_number(p->ops.ci95_high, out);
			fprintf(out, ",%zu", p->ops.nr);
			print_csv_number(p->weight, out);
			print_csv_number(p->model_ops, out);
			print_csv_number(p->efficiency, out);
			for (size_t k = 0; k < USL_NR; k++) {
				print_csv_number(m->estimate[k], out);
				print_csv_number(m->se[k], out);
			}
			print_csv_number(m->r2, out);
			print_csv_number(m->peak_tasks, out);
			print_csv_number(m->peak_ops, out);
			print_csv_number(m->limit_ops, out);
			fputc(',', out);
			print_csv_text(c->verdict, out);
			fputc(',', out);
			print_csv_text(m->refused ? m->refused : "", out);
			fputc('\n', out);
		}
	}
	return 0;
}

/* ---- JSON: knee-scaling/1 ------------------------------------------------------------------- */

static json_t *model_json(const struct usl *m)
{
	json_t *model = json_object(), *peak;

	if (m->refused) {
		json_decref(model);
		return json_null();
	}
	for (enum usl_coefficient i = 0; i < USL_NR; i++)
		json_object_set_new(
			model, usl_name(i),
			json_pack("{so so so so}", "estimate", print_json(m->estimate[i]), "se",
				  print_json(m->se[i]), "ci95_low", print_json(m->ci95_low[i]),
				  "ci95_high", print_json(m->ci95_high[i])));
	peak = isnan(m->peak_tasks) ? json_null() :
	       json_pack("{so so so so}", "tasks", print_json(m->peak_tasks), "ci95_low",
			 print_json(m->peak_low), "ci95_high", print_json(m->peak_high),
			 "ops_per_s", print_json(m->peak_ops));
	json_object_set_new(model, "r2", print_json(m->r2));
	json_object_set_new(model, "residual_sd", print_json(m->residual_sd));
	json_object_set_new(model, "points", json_integer((json_int_t)m->nr));
	json_object_set_new(model, "peak", peak);
	json_object_set_new(model, "limit_ops", print_json(m->limit_ops));
	return model;
}

static json_t *points_json(const struct scaling_curve *c)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->nr_points; i++) {
		const struct scaling_point *p = &c->points[i];

		json_array_append_new(array, json_pack("{so so so so sI so so so ss}",
			"tasks", print_json(p->tasks), "ops_per_s", print_json(p->ops.mean),
			"ci95_low", print_json(p->ops.ci95_low),
			"ci95_high", print_json(p->ops.ci95_high), "rounds", (json_int_t)p->ops.nr,
			"weight", print_json(p->weight), "model_ops", print_json(p->model_ops),
			"efficiency", print_json(p->efficiency), "marks", p->marks));
	}
	return array;
}

static json_t *steps_json(const struct scaling_curve *c)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->nr_steps; i++)
		json_array_append_new(array, json_pack("{ss so so sb}", "filled", c->steps[i].names,
			"tasks", print_json(c->steps[i].tasks),
			"efficiency", print_json(c->steps[i].efficiency),
			"measured", c->steps[i].measured));
	return array;
}

static int json(const struct scaling *s, FILE *out)
{
	json_t *curves = json_array(), *root;

	for (size_t i = 0; i < s->nr_curves; i++) {
		const struct scaling_curve *c = &s->curves[i];

		json_array_append_new(curves, json_pack("{ss ss ss so so so so ss* sb so so}",
			"title", c->title, "mode", c->mode, "verdict", c->verdict,
			"linear_to", print_json(c->linear_to),
			"flattens_at", print_json(c->flattens_at),
			"retrograde_after", print_json(c->retrograde_after),
			"model", model_json(&c->model), "refused", c->model.refused,
			"weighted", c->weighted,
			"points", points_json(c), "steps", steps_json(c)));
	}
	root = json_pack("{ss ss so}", "schema", "knee-scaling/1", "name", s->name, "curves",
			 curves);
	return print_json_root(root, out);
}

int scaling_print(const struct scaling *s, const char *format, FILE *out)
{
	static const struct {
		const char *name;
		int (*print)(const struct scaling *s, FILE *out);
	} formats[] = {
		{ "text", text }, { "markdown", markdown }, { "csv", csv }, { "json", json },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i].name, format) == 0)
			return formats[i].print(s, out);
	return -EINVAL;
}
