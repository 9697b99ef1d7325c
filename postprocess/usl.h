/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Universal Scalability Law: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)), after
 * Gunther, "Guerrilla Capacity Planning", 2007. lambda: rate of one task; sigma: contention, what
 * tasks wait for each other; kappa: coherency, what each pair of tasks costs. With kappa = 0 it is
 * Amdahl's law.
 */
#ifndef KNEE_USL_H
#define KNEE_USL_H

#include <stddef.h>

/* What was measured with some number of tasks; only ratios of weights matter. */
struct usl_point {
	double tasks, ops, weight;
};

enum usl_coefficient {
	USL_LAMBDA,
	USL_SIGMA,
	USL_KAPPA,
	USL_NR,
};

struct usl {
	const char *refused;	/* why there is no model; NULL: there is one */
	size_t nr;		/* points */
	double estimate[USL_NR];	/* at least 0 */
	double se[USL_NR];		/* standard errors, of nr - 3 degrees of freedom */
	double ci95_low[USL_NR], ci95_high[USL_NR];	/* cut at 0 */
	double r2;		/* weighted: 1 - residual / total sum of squares */
	double residual_sd;	/* in the unit of ops, of a point of mean weight */
	/* Where it is highest, and how high; NAN if it never falls. */
	double peak_tasks, peak_low, peak_high, peak_ops;
	double limit_ops;	/* if kappa is 0 and sigma is not: Amdahl's limit, else NAN */
};

/* Different numbers of tasks that it takes: one more than coefficients. */
#define USL_POINTS_MIN 4

const char *usl_name(enum usl_coefficient c);

/*
 * Fits @m by weighted least squares, coefficients not below 0. 0, also where it is refused;
 * -ENOMEM.
 */
int usl_fit(struct usl *m, const struct usl_point *points, size_t nr);

/* What @m says of @tasks. */
double usl_ops(const struct usl *m, double tasks);

#endif
