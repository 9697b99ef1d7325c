/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The combinations of factor levels, and what each makes of a plan's cells. */
#ifndef KNEE_VARIANTS_H
#define KNEE_VARIANTS_H

#include <stddef.h>

#include "arrange.h"
#include "catalogue.h"
#include "factors.h"
#include "opt.h"
#include "plan.h"

/* Without factors. All of it outlives the variants. */
struct variants_base {
	const struct catalogue *catalogue;	/* selected and described */
	struct arrangement *arrangement;
	const struct topo *topology;
	const struct opt_texts *params;		/* arguments of --param */
	const char *membind;			/* NULL: not asked for */
};

struct variants {
	struct plan_variant *list;
	struct variant_parts *parts;		/* what they own, one each */
	size_t nr;
};

/* One variant for each combination, at least one. 0; -EINVAL or -errno, said. */
int variants_make(struct variants *v, const struct variants_base *base, const struct factors *f);
void variants_free(struct variants *v);

#endif
