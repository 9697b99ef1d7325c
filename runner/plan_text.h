/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans and machines as text for people: --plan and --topology. */
#ifndef KNEE_PLAN_TEXT_H
#define KNEE_PLAN_TEXT_H

#include <stdio.h>

#include "arrange.h"
#include "plan.h"
#include "points.h"

/* The cells, how long they take, and where each task goes. */
void plan_text_print(const struct plan *p, const struct arrangement *a, FILE *out);

/* Where task i goes: a line for tasks in a row that share L3, node and package. */
void plan_text_map(const struct arrangement *a, FILE *out);

/* The machine: its objects, a line for each L3, its memory, its kinds of CPUs. */
void plan_text_machine(const struct topo *t, FILE *out);

/* What a placement does with it: the CPUs in the order of the tasks, and the default points. */
void plan_text_policy(const struct arrangement *a, const struct points *points, FILE *out);

#endif
