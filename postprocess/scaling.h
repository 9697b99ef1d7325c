/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How rates scale with tasks: the derived table of `knee scaling`. Each curve (a testcase in one
 * mode, or a CSV file) with the law that describes it, and what is to be said of it. What is not
 * defined is NAN.
 */
#ifndef KNEE_SCALING_H
#define KNEE_SCALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stats.h"
#include "table.h"
#include "usl.h"

struct scaling_point {
	double tasks;
	struct stats ops;	/* over the rounds */
	double weight;		/* in the fit */
	double efficiency;	/* ops(N) / (N ops(1)) */
	double model_ops;
	char *marks;		/* as in the summary: doubts */
};

/* Tasks that fill a part of the machine, in the order in which the placement does. */
struct scaling_step {
	char *names;		/* "L3, node" */
	double tasks;
	double efficiency;	/* as measured there, else the model's */
	bool measured;
};

#define SCALING_STEPS_MAX 8

struct scaling_curve {
	char *title;			/* "mmap1 [size=4K]" */
	const char *mode;		/* "" for a file's */
	struct scaling_point *points;	/* by tasks */
	size_t nr_points;
	bool weighted;			/* by the spread of the rounds; else all points alike */
	struct usl model;
	double linear_to;		/* the efficiency is SCALING_LINEAR or more up to here */
	double flattens_at;		/* from here on nothing is gained */
	double retrograde_after;	/* more tasks do less than here */
	char *verdict;			/* one sentence of it */
	struct scaling_step steps[SCALING_STEPS_MAX];
	size_t nr_steps;
};

#define SCALING_LINEAR 0.9	/* efficiency */
#define SCALING_GAIN 0.05	/* a rise or a fall of less is none */

struct scaling {
	char *name;		/* the run's, or the file's */
	struct scaling_curve *curves;
	size_t nr_curves;
};

/* The curves of @t; @run is what it was made from. 0 or -ENOMEM, said. */
int scaling_of_table(struct scaling *s, const struct table *t, const struct run *run);

/*
 * The curve of a CSV file: numbers separated by commas, semicolons or blanks. A line of names may
 * head it. Tasks are in the column of that name, or the first; rates in column @column (NULL: the
 * one after the tasks). Lines with the same tasks are rounds. 0 or -errno, said.
 */
int scaling_of_csv(struct scaling *s, const char *path, const char *column);
void scaling_free(struct scaling *s);

/*
 * Weights of means over rounds: n / (mean^2 v), v the relative variance of the rounds. A handful of
 * rounds tells that badly, so it is drawn towards the trend over all points, as if that rested on
 * SCALING_PRIOR more rounds (after Smyth, "Linear models and empirical Bayes methods", 2004; the
 * trend is constant for fewer than SCALING_TREND_MIN points). False, and all are 1, where no point
 * has two rounds or no spread.
 */
#define SCALING_TREND_MIN 4
#define SCALING_PRIOR 8
bool scaling_weigh(struct scaling_point *points, size_t nr);

#define SCALING_FORMATS "text markdown csv json"
int scaling_print(const struct scaling *s, const char *format, FILE *out);

#endif
