/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe.h"

#include <string.h>

#include "tracer.h"

static const char *lacks(const struct plan *plan)
{
	return tracer_lacks(plan->trace);
}

static void *open_state(const struct plan *plan, const char *path)
{
	(void)path;
	return tracer_new(plan->trace);
}

static void attend(void *state, const char *point, const json_t *ids)
{
	if (strcmp(point, "ready") == 0)
		tracer_attach(state, ids);
	else if (strcmp(point, "begin") == 0)
		tracer_begin(state);
	else if (strcmp(point, "end") == 0)
		tracer_stop(state);
}

static json_t *result(void *state, const char *name, const char **why)
{
	json_t *seen = tracer_result(state);

	(void)name;
	*why = tracer_why(state);
	return seen;
}

static void close_state(void *state)
{
	tracer_free(state);
}

const struct probe_kind probe_trace = {
	.name = "trace", .lacks = lacks, .open = open_state, .attend = attend, .result = result,
	.close = close_state,
};
