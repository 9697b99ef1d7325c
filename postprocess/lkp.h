/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What LKP (lkp-tests, the kernel test robot) makes of figures: names, rule, directions. Known from
 * what its programs print; none of its code is here.
 */
#ifndef KNEE_LKP_H
#define KNEE_LKP_H

#include <stdbool.h>
#include <stddef.h>

#include "run.h"

/*
 * Its rule: with a margin left out at each end, all of one side lie beyond the median of the other
 * and beyond all of it lies one's own median; and the medians differ by the factor @threshold.
 * The values may be in any order. False, too, if there is no memory.
 */
bool lkp_changed(const double *a, size_t nr_a, const double *b, size_t nr_b, double threshold);

/* Whether so many runs are enough for the rule: three on one side at least. */
bool lkp_judges(size_t nr_a, size_t nr_b);

/* 1.01 for the suite's own figures, such as knee's cells, 1.05 for others. */
double lkp_threshold(const char *key, const struct run_cell *cell);

/* 1: more is better ("..._ops", "...scalability"); 0: neither. */
int lkp_direction(const char *key);

/* Whether it is a failure, counted by runs in which it happened. */
bool lkp_failure(const char *key);

/* "perf-profile..." and what ends in "%": changes are differences, not ratios. */
bool lkp_difference(const char *key);

#endif
