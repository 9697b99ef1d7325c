/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Cells that differ in tasks alone. */
static bool same_curve(const struct plan_cell *a, const struct plan_cell *b)
{
	return a->mode == b->mode && strcmp(a->testcase, b->testcase) == 0 &&
	       same_text(a->placement, b->placement) && same_text(a->membind, b->membind) &&
	       json_equal(a->params, b->params) &&
	       (a->factors == b->factors || json_equal(a->factors, b->factors));
}

bool probe_wants(const struct plan *plan, size_t cell)
{
	const struct plan_cell *c = &plan->cells[cell];
	bool fewest = true, most = true;

	for (size_t i = 0; i < plan->nr_cells; i++) {
		const struct plan_cell *other = &plan->cells[i];

		if (i == cell || other->skip || !same_curve(c, other))
			continue;
		fewest = fewest && c->tasks <= other->tasks;
		most = most && c->tasks >= other->tasks;
	}
	return !c->skip && (fewest || most);
}
