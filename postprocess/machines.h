/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What two runs have not in common: machine, kernel, settings, plan. */
#ifndef KNEE_MACHINES_H
#define KNEE_MACHINES_H

#include <stdbool.h>
#include <stddef.h>

#include "side.h"

enum difference_kind {
	DIFFERENCE_MATTERS,	/* it makes figures different by itself: nothing is compared */
	DIFFERENCE_LISTED,	/* what is compared, or what should make no difference */
	DIFFERENCE_ALWAYS,	/* two runs always differ in it: load, time, boot */
};

struct difference {
	char *name;		/* "memory.thp" */
	char *base, *head;	/* as JSON, texts without quotes; "-": not known */
	enum difference_kind kind;
	bool allowed;		/* it matters, but was allowed */
};

struct differences {
	struct difference *list;	/* by kind, then by name */
	size_t nr;
	bool unknown;			/* a machine.json is missing: nothing can be said */
};

/* 0 or -ENOMEM. What is no run directory has no differences. */
int differences_find(struct differences *d, const struct side *base, const struct side *head);
void differences_free(struct differences *d);

/*
 * Allows those that matter whose name is @name, or begins with it and a dot; "all": every one.
 * How many there were.
 */
size_t differences_allow(struct differences *d, const char *name);

/* How many matter and are not allowed. */
size_t differences_refused(const struct differences *d);

#endif
