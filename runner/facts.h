/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of the testcase that this executable holds: its parameters, its needs, as JSON. */
#ifndef KNEE_FACTS_H
#define KNEE_FACTS_H

#include <stdio.h>

#include "rlimits.h"

/* Gives a parameter a value: "size=4K". 0, or -EINVAL, said in one line with what is accepted. */
int facts_set_param(const char *assignment);

/* The needs of one task, in numbers, with the parameters as they are. */
void facts_needs(struct rlimits_need *need);

/* One JSON object, on one line: doc/formats.md. 0 or -EIO. */
int facts_describe(const char *name, FILE *out);

#endif
