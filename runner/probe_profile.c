/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

/* Symbols that the record names; all are in the folded stacks. */
#define SYMBOLS_MAX 20

struct state {
	struct profile profile;
	struct stacks cpu, sleeps;
	char *path;
};

static const char *lacks(const struct plan *plan)
{
	(void)plan;
	return profile_lacks();
}

static void close_state(void *arg)
{
	struct state *s = arg;

	profile_free(&s->profile);
	stacks_free(&s->cpu);
	stacks_free(&s->sleeps);
	free(s->path);
	free(s);
}

static void *open_state(const struct plan *plan, const char *path)
{
	struct state *s = calloc(1, sizeof(*s));

	(void)plan;
	if (!s)
		return NULL;
	s->path = strdup(path);
	if (profile_init(&s->profile, path) == 0 && s->path && stacks_init(&s->cpu) == 0 &&
	    stacks_init(&s->sleeps) == 0)
		return s;
	close_state(s);
	return NULL;
}

static void attend(void *arg, const char *point, const json_t *ids)
{
	struct state *s = arg;

	if (strcmp(point, "ready") == 0)
		profile_attach(&s->profile, ids);
	else if (strcmp(point, "begin") == 0)
		profile_begin(&s->profile);
	else if (strcmp(point, "end") == 0)
		profile_stop(&s->profile);
}

/* The folded stacks, as a file beside the records: its name in the run directory, or null. */
static json_t *write_folded(const struct state *s, const struct stacks *stacks, const char *name,
			    const char *suffix)
{
	char *path;
	FILE *out;
	int err;

	if (asprintf(&path, "%s.%s", s->path, suffix) < 0)
		return json_null();
	out = fopen(path, "we");
	err = out ? stacks_write(stacks, out) : -errno;
	if (out && fclose(out) != 0)
		err = -errno;
	free(path);
	return err ? json_null() : json_sprintf("%s.%s", name, suffix);
}

static json_t *stacks_json(const struct state *s, const struct stacks *stacks, const char *name,
			   const char *suffix)
{
	return json_pack("{sI sf sf so so}", "samples", (json_int_t)stacks->samples,
			 "total", stacks->total,
			 "kernel_pct", stacks->total > 0 ? 100 * stacks->kernel / stacks->total : 0.0,
			 "folded", write_folded(s, stacks, name, suffix),
			 "symbols", stacks_hottest(stacks, SYMBOLS_MAX));
}

static json_t *result(void *arg, const char *name, const char **why)
{
	struct state *s = arg;
	int err = profile_read(&s->profile, &s->cpu, &s->sleeps);
	const char *hidden;

	*why = s->profile.why;
	if (err) {
		if (!s->profile.why[0])
			*why = strerror(-err);
		return NULL;
	}
	hidden = profile_hidden(&s->cpu);
	return json_pack("{si sI so so so so}", "hz", PROFILE_HZ, "tasks", (json_int_t)s->profile.tasks,
			 "hidden", hidden ? json_string(hidden) : json_null(),
			 "cpu", stacks_json(s, &s->cpu, name, "folded"),
			 "sleeps", s->profile.sleeps ? stacks_json(s, &s->sleeps, name, "sleeps.folded")
						     : json_null(),
			 "no_sleeps", s->profile.no_sleeps[0] ? json_string(s->profile.no_sleeps)
							      : json_null());
}

const struct probe_kind probe_profile = {
	.name = "profile", .lacks = lacks, .open = open_state, .attend = attend, .result = result,
	.close = close_state,
};
