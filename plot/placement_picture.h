/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine as boxes, packages around L3s around cores around PUs; each PU that has a task in the
 * colour of the task's number, and with it.
 */
#ifndef KNEE_PLACEMENT_PICTURE_H
#define KNEE_PLACEMENT_PICTURE_H

#include <stdio.h>

#include "pumap.h"

/*
 * The gnuplot script that draws it into NAME.FORMAT for each of @formats (blank-separated names of
 * STYLE_FORMATS). 0 or -ENOMEM.
 */
int placement_script(const struct pumap *m, const struct pumap_placement *p, const char *name,
		     const char *formats, FILE *out);

#endif
