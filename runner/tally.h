/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rounds of a run have brought so far, cell by cell: the basis of estimates and CSV. */
#ifndef KNEE_TALLY_H
#define KNEE_TALLY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"

struct tally_cell {
	bool *done;		/* round r has a record that is not "killed" */
	size_t nr_done;		/* room of done, in rounds */
	double *ops_hz;		/* of each measured round */
	double *idle_pct;	/* of those for which it is known */
	size_t nr, nr_idle;
	size_t not_ok;		/* rounds without a figure */
	bool lacking;		/* this machine cannot run it: not to be tried again */
};

struct tally {
	const struct plan *plan;
	struct tally_cell *cells;	/* as in the plan */
};

/* 0 or -ENOMEM. */
int tally_init(struct tally *t, const struct plan *p);
void tally_free(struct tally *t);

/* Takes a record in: of this run or one that was read. 0 or -ENOMEM; foreign ones are ignored. */
int tally_add(struct tally *t, const json_t *record);

bool tally_done(const struct tally *t, size_t cell, uint64_t round);

/*
 * Mean rate, mean idle, and half the width of the rate's 95 % interval in per cent; NAN: not
 * known.
 */
double tally_mean_hz(const struct tally_cell *c);
double tally_idle_pct(const struct tally_cell *c);
double tally_interval_pct(const struct tally_cell *c);

#endif
