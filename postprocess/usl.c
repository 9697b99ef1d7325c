/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "usl.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multifit_nlinear.h>

#define ITERATIONS 200
#define TOLERANCE 1e-13

/* Sums of squares closer than this part of the total are the same: rounding. */
#define ROUNDING 1e-12

static const char *const names[] = {
	[USL_LAMBDA] = "lambda",
	[USL_SIGMA] = "sigma",
	[USL_KAPPA] = "kappa",
};

const char *usl_name(enum usl_coefficient c)
{
	return names[c];
}

/* ---- the law -------------------------------------------------------------------------------- */

static double denominator(const double c[USL_NR], double n)
{
	return 1 + c[USL_SIGMA] * (n - 1) + c[USL_KAPPA] * n * (n - 1);
}

static double law(const double c[USL_NR], double n)
{
	return c[USL_LAMBDA] * n / denominator(c, n);
}

/* Its derivatives by the coefficients. */
static void gradient(const double c[USL_NR], double n, double out[USL_NR])
{
	double d = denominator(c, n);

	out[USL_LAMBDA] = n / d;
	out[USL_SIGMA] = -c[USL_LAMBDA] * n * (n - 1) / (d * d);
	out[USL_KAPPA] = -c[USL_LAMBDA] * n * n * (n - 1) / (d * d);
}

double usl_ops(const struct usl *m, double tasks)
{
	return m->refused ? NAN : law(m->estimate, tasks);
}

/* ---- one fit, with some coefficients held at 0 ---------------------------------------------- */

/* Rates are scaled to be about 1, so that lambda is as large as the other coefficients. */
struct fit {
	const struct usl_point *points;
	size_t nr;
	double scale;		/* of ops */
	bool held[USL_NR];
};

static void spread(const struct fit *f, const gsl_vector *x, double c[USL_NR])
{
	size_t k = 0;

	for (size_t i = 0; i < USL_NR; i++)
		c[i] = f->held[i] ? 0 : gsl_vector_get(x, k++);
}

static size_t nr_free(const struct fit *f)
{
	return USL_NR - (size_t)f->held[USL_SIGMA] - (size_t)f->held[USL_KAPPA];
}

/* A step may lead to where the law has a pole: no solution lies there. */
static int residuals(const gsl_vector *x, void *data, gsl_vector *out)
{
	const struct fit *f = data;
	double c[USL_NR];

	spread(f, x, c);
	for (size_t i = 0; i < f->nr; i++) {
		const struct usl_point *p = &f->points[i];

		if (!(denominator(c, p->tasks) > 0))
			return GSL_EDOM;
		gsl_vector_set(out, i, law(c, p->tasks) - p->ops / f->scale);
	}
	return GSL_SUCCESS;
}

static int jacobian(const gsl_vector *x, void *data, gsl_matrix *out)
{
	const struct fit *f = data;
	double c[USL_NR], g[USL_NR];

	spread(f, x, c);
	for (size_t i = 0; i < f->nr; i++) {
		size_t k = 0;

		gradient(c, f->points[i].tasks, g);
		for (size_t j = 0; j < USL_NR; j++)
			if (!f->held[j])
				gsl_matrix_set(out, i, k++, g[j]);
	}
	return GSL_SUCCESS;
}

static double squares(const struct fit *f, const double c[USL_NR])
{
	double sum = 0;

	for (size_t i = 0; i < f->nr; i++) {
		double d = law(c, f->points[i].tasks) - f->points[i].ops / f->scale;

		sum += f->points[i].weight * d * d;
	}
	return sum;
}

/*
 * Where to start: N / X is linear in 1, N - 1, N (N - 1), with coefficients 1 / lambda,
 * sigma / lambda, kappa / lambda (Gunther's own way to fit). An error of X counts N / X^2 there.
 */
static void start(const struct fit *f, double c[USL_NR])
{
	gsl_matrix *rows = gsl_matrix_calloc(f->nr, USL_NR),
		   *cov = gsl_matrix_calloc(USL_NR, USL_NR);
	gsl_vector *y = gsl_vector_calloc(f->nr), *w = gsl_vector_calloc(f->nr);
	gsl_vector *b = gsl_vector_calloc(USL_NR);
	gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(f->nr, USL_NR);
	double chisq, best = 0;

	for (size_t i = 0; i < f->nr; i++) {
		double n = f->points[i].tasks, x = f->points[i].ops / f->scale;

		gsl_matrix_set(rows, i, 0, 1);
		gsl_matrix_set(rows, i, 1, n - 1);
		gsl_matrix_set(rows, i, 2, n * (n - 1));
		if (x > 0) {
			gsl_vector_set(y, i, n / x);
			gsl_vector_set(w, i, f->points[i].weight * pow(x * x / n, 2));
		}
		best = fmax(best, x / n);
	}
	if (gsl_multifit_wlinear(rows, w, y, b, cov, &chisq, work) || !(gsl_vector_get(b, 0) > 0)) {
		c[USL_LAMBDA] = best;
		c[USL_SIGMA] = 0.05;
		c[USL_KAPPA] = 0.0001;
	} else {
		c[USL_LAMBDA] = 1 / gsl_vector_get(b, 0);
		c[USL_SIGMA] = fmax(0, gsl_vector_get(b, 1) / gsl_vector_get(b, 0));
		c[USL_KAPPA] = fmax(0, gsl_vector_get(b, 2) / gsl_vector_get(b, 0));
	}
	gsl_multifit_linear_free(work);
	gsl_vector_free(b);
	gsl_vector_free(w);
	gsl_vector_free(y);
	gsl_matrix_free(cov);
	gsl_matrix_free(rows);
}

/* Levenberg and Marquardt, from @c. False: it came to nothing. */
static bool solve(struct fit *f, double c[USL_NR])
{
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf fdf = {
		.f = residuals, .df = jacobian, .n = f->nr, .p = nr_free(f), .params = f,
	};
	gsl_multifit_nlinear_workspace *work =
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, fdf.n, fdf.p);
	gsl_vector *x = gsl_vector_calloc(fdf.p), *w = gsl_vector_calloc(fdf.n);
	size_t k = 0;
	int info, err;

	for (size_t i = 0; i < USL_NR; i++)
		if (!f->held[i])
			gsl_vector_set(x, k++, c[i]);
	for (size_t i = 0; i < f->nr; i++)
		gsl_vector_set(w, i, f->points[i].weight);
	err = gsl_multifit_nlinear_winit(x, w, &fdf, work);
	if (!err)
		err = gsl_multifit_nlinear_driver(ITERATIONS, TOLERANCE, TOLERANCE, 0, NULL, NULL,
						  &info, work);
	/* No progress is what a start at the solution gives. */
	if (!err || err == GSL_ENOPROG) {
		spread(f, gsl_multifit_nlinear_position(work), c);
		err = 0;
	}
	gsl_vector_free(w);
	gsl_vector_free(x);
	gsl_multifit_nlinear_free(work);
	return !err && c[USL_LAMBDA] > 0 && isfinite(squares(f, c));
}

/*
 * Least squares with bounds at 0: the free solution if it obeys them, else the best of those with
 * coefficients held at their bounds that does.
 */
static bool solve_bounded(struct fit *f, double best[USL_NR])
{
	static const bool held[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };
	double least = INFINITY, from[USL_NR];

	start(f, from);
	for (size_t i = 0; i < 4; i++) {
		double c[USL_NR] = { from[0], from[1], from[2] };

		f->held[USL_SIGMA] = held[i][0];
		f->held[USL_KAPPA] = held[i][1];
		if (!solve(f, c) || c[USL_SIGMA] < 0 || c[USL_KAPPA] < 0)
			continue;
		if (!(squares(f, c) < least * (1 - ROUNDING)))
			continue;
		least = squares(f, c);
		for (size_t j = 0; j < USL_NR; j++)
			best[j] = c[j];
		if (i == 0)
			break;
	}
	return isfinite(least);
}

/* ---- errors --------------------------------------------------------------------------------- */

/*
 * Covariance of the coefficients: the inverse of J' W J over all three of them, also where one lies
 * at its bound, times the residual variance with nr - 3 degrees of freedom; as R's package usl
 * has it. False: the points do not determine them.
 */
static bool covariance(const struct fit *f, const double c[USL_NR], double variance,
		       double out[USL_NR][USL_NR])
{
	double information[USL_NR * USL_NR] = { 0 }, size[USL_NR];
	gsl_matrix_view m = gsl_matrix_view_array(information, USL_NR, USL_NR);

	for (size_t i = 0; i < f->nr; i++) {
		double g[USL_NR];

		gradient(c, f->points[i].tasks, g);
		for (size_t j = 0; j < USL_NR; j++)
			for (size_t k = 0; k < USL_NR; k++)
				information[USL_NR * j + k] += f->points[i].weight * g[j] * g[k];
	}
	for (size_t j = 0; j < USL_NR; j++)
		size[j] = sqrt(information[(USL_NR + 1) * j]);
	for (size_t j = 0; j < USL_NR; j++)
		for (size_t k = 0; k < USL_NR; k++)
			information[USL_NR * j + k] /= size[j] * size[k];
	if (gsl_linalg_cholesky_decomp1(&m.matrix) || gsl_linalg_cholesky_invert(&m.matrix))
		return false;
	for (size_t j = 0; j < USL_NR; j++)
		for (size_t k = 0; k < USL_NR; k++)
			out[j][k] = variance * information[USL_NR * j + k] / (size[j] * size[k]);
	return true;
}

static void set_errors(struct usl *m, double cov[USL_NR][USL_NR], double scale, double t)
{
	for (size_t i = 0; i < USL_NR; i++) {
		m->se[i] = sqrt(cov[i][i]) * (i == USL_LAMBDA ? scale : 1);
		m->ci95_low[i] = fmax(0, m->estimate[i] - t * m->se[i]);
		m->ci95_high[i] = m->estimate[i] + t * m->se[i];
	}
}

/*
 * N = sqrt((1 - sigma) / kappa); its error by the delta method on log N, whose derivatives are
 * -1 / (2 (1 - sigma)) and -1 / (2 kappa).
 */
static void set_peak(struct usl *m, double cov[USL_NR][USL_NR], double t)
{
	double sigma = m->estimate[USL_SIGMA], kappa = m->estimate[USL_KAPPA], by[2], se;

	if (kappa > 0 && sigma < 1) {
		m->peak_tasks = fmax(1, sqrt((1 - sigma) / kappa));
		m->peak_ops = usl_ops(m, m->peak_tasks);
		by[0] = -1 / (2 * (1 - sigma));
		by[1] = -1 / (2 * kappa);
		se = sqrt(by[0] * by[0] * cov[1][1] + by[1] * by[1] * cov[2][2] +
			  2 * by[0] * by[1] * cov[1][2]);
		m->peak_low = m->peak_tasks * exp(-t * se);
		m->peak_high = m->peak_tasks * exp(t * se);
	} else if (sigma > 1 || (kappa > 0 && sigma >= 1)) {
		m->peak_tasks = 1;
		m->peak_ops = usl_ops(m, 1);
	} else if (sigma > 0) {
		m->limit_ops = m->estimate[USL_LAMBDA] / sigma;
	}
}

/* ---- the model ------------------------------------------------------------------------------ */

static size_t different(const struct usl_point *points, size_t nr)
{
	size_t count = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t j = 0;

		while (j < i && points[j].tasks != points[i].tasks)
			j++;
		count += j == i;
	}
	return count;
}

static double mean_weight(const struct fit *f)
{
	double sum = 0;

	for (size_t i = 0; i < f->nr; i++)
		sum += f->points[i].weight;
	return sum / (double)f->nr;
}

/* Squares about the weighted mean. */
static double total_squares(const struct fit *f)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < f->nr; i++)
		mean += f->points[i].weight * f->points[i].ops / f->scale;
	mean /= mean_weight(f) * (double)f->nr;
	for (size_t i = 0; i < f->nr; i++)
		sum += f->points[i].weight * pow(f->points[i].ops / f->scale - mean, 2);
	return sum;
}

static void describe(struct usl *m, const struct fit *f, const double c[USL_NR])
{
	double df = (double)f->nr - USL_NR, left = squares(f, c), total = total_squares(f);
	double cov[USL_NR][USL_NR], t = gsl_cdf_tdist_Pinv(0.975, df);

	for (size_t i = 0; i < USL_NR; i++)
		m->estimate[i] = c[i] * (i == USL_LAMBDA ? f->scale : 1);
	m->r2 = total > 0 ? 1 - left / total : NAN;
	m->residual_sd = sqrt(left / df / mean_weight(f)) * f->scale;
	for (size_t i = 0; i < USL_NR; i++)
		for (size_t j = 0; j < USL_NR; j++)
			cov[i][j] = NAN;
	covariance(f, c, left / df, cov);
	set_errors(m, cov, f->scale, t);
	set_peak(m, cov, t);
}

int usl_fit(struct usl *m, const struct usl_point *points, size_t nr)
{
	struct fit f = { .points = points, .nr = nr };
	gsl_error_handler_t *handler;
	double c[USL_NR];

	*m = (struct usl){
		.nr = nr, .r2 = NAN, .residual_sd = NAN, .peak_tasks = NAN, .peak_low = NAN,
		.peak_high = NAN, .peak_ops = NAN, .limit_ops = NAN,
	};
	for (size_t i = 0; i < USL_NR; i++)
		m->estimate[i] = m->se[i] = m->ci95_low[i] = m->ci95_high[i] = NAN;
	for (size_t i = 0; i < nr; i++)
		f.scale = fmax(f.scale, points[i].ops);
	if (different(points, nr) < USL_POINTS_MIN)
		m->refused = "too few points: a model takes four different numbers of tasks";
	else if (!(f.scale > 0))
		m->refused = "nothing was done with any number of tasks";
	if (m->refused)
		return 0;
	handler = gsl_set_error_handler_off();
	if (solve_bounded(&f, c))
		describe(m, &f, c);
	else
		m->refused = "no coefficients come near the points";
	gsl_set_error_handler(handler);
	return 0;
}
