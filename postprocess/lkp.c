/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lkp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>

/* ---- the rule ------------------------------------------------------------------------------- */

#define RUNS_MIN 3
#define MARGIN_MAX 3

struct range {
	double low, middle, high;
};

/* One value in 32 at each end, at most three; of three values one. */
static size_t margin_of(size_t nr)
{
	if (nr == 3)
		return 1;
	return nr >> 5 < MARGIN_MAX ? nr >> 5 : MARGIN_MAX;
}

static bool range_of(struct range *r, const double *values, size_t nr)
{
	double *sorted = calloc(nr + 1, sizeof(*sorted));
	size_t margin = margin_of(nr);

	if (!sorted)
		return false;
	memcpy(sorted, values, nr * sizeof(*sorted));
	gsl_sort(sorted, 1, nr);
	*r = (struct range){ sorted[margin], sorted[nr / 2], sorted[nr - 1 - margin] };
	free(sorted);
	return true;
}

bool lkp_judges(size_t nr_a, size_t nr_b)
{
	return nr_a && nr_b && (nr_a >= RUNS_MIN || nr_b >= RUNS_MIN);
}

bool lkp_changed(const double *a, size_t nr_a, const double *b, size_t nr_b, double threshold)
{
	struct range x, y;
	double high, low;

	if (!lkp_judges(nr_a, nr_b) || !range_of(&x, a, nr_a) || !range_of(&y, b, nr_b))
		return false;
	if (!(y.low > x.middle && y.middle > x.high) && !(y.high < x.middle && y.middle < x.low))
		return false;
	high = fmax(x.middle, y.middle);
	low = fmin(x.middle, y.middle);
	return !(low > 0) || high / low > threshold;
}

/* ---- keys ----------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
	size_t len = strlen(text), end = strlen(with);

	return len >= end && strcmp(text + len - end, with) == 0;
}

double lkp_threshold(const char *key, const struct run_cell *cell)
{
	return cell || begins(key, "will-it-scale.") ? 1.01 : 1.05;
}

int lkp_direction(const char *key)
{
	return (ends(key, "_ops") && strlen(key) > 4) || ends(key, "scalability");
}

bool lkp_failure(const char *key)
{
	return ends(key, ".warn") || ends(key, ".fail") || ends(key, ".error") ||
	       strstr(key, "killed_by") || begins(key, "dmesg.") || begins(key, "stderr.") ||
	       begins(key, "last_state.");
}

bool lkp_difference(const char *key)
{
	return begins(key, "perf-profile") || ends(key, "%");
}
