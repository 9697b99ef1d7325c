/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The course of a measurement: gate, warm-up, window; what is flagged. */
#ifndef KNEE_MEASURE_H
#define KNEE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler.h"
#include "tasks.h"
#include "window.h"

/*
 * Compile-time, as will-it-scale's clients set it: the warm-up has one line more than this. They
 * share its time.
 */
#ifndef WARMUP_ITERATIONS
#define WARMUP_ITERATIONS 5
#endif
#define MEASURE_WARMUP_LINES (WARMUP_ITERATIONS + 1)

struct measure_config {
	double warmup_s;	/* planned */
	double warmup_max_s;	/* bound, if the rate still moves then */
	double line_s;		/* length of one line of the window */
	uint64_t lines;		/* 0: until killed */
	unsigned int slices;	/* samples a line */
	double prepare_max_s;	/* first wait so long until every task has counted; 0: do not */
};

/* Who wants to hear of the measurement while it goes on. Any may be NULL. */
struct measure_listener {
	/* One line is complete: of the warm-up, or of the window. */
	void (*line)(void *arg, bool warmup, const struct sampler_span *span,
		     const struct sampler_reading *from, const struct sampler_reading *to);
	void (*slice)(void *arg, const struct sampler_span *span);
	/* The window is about to begin; it has ended, and the tasks still run. */
	void (*window)(void *arg, bool begins);
	void *arg;
};

struct measure_slice {
	uint64_t elapsed_ns;
	uint64_t ops;
};

struct measure_result {
	uint64_t prepare_ns;			/* until every task had counted once */
	uint64_t warmup_ns;
	struct sampler_span total;		/* the whole window */
	struct sampler_reading from, to;	/* its first and last reading */
	struct measure_slice *slices;
	size_t nr_slices;
	unsigned int flags;			/* of enum flag */
	double late_s;				/* the longest delay of the sampler */
	struct window_figures window;		/* what the machine did meanwhile */
	double membind_verified_pct;		/* membind_verify(), after the window; -1: not known */
};

/*
 * Opens the gate and measures. 0; a signal number that asked to end; -ECHILD (t->failure says
 * why); -ENOMEM; -ETIME: some task was not prepared in time. The result is valid if 0, and is freed by measure_free() in any case.
 */
int measure_run(struct tasks *t, const struct measure_config *config,
		const struct measure_listener *listener, struct measure_result *result);
void measure_free(struct measure_result *result);

#endif
