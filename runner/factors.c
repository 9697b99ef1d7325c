/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "factors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memcg_level.h"
#include "mem_nodes.h"
#include "msg.h"
#include "near.h"
#include "words.h"

/* Of cells that nobody waits for the end of. */
#define COMBINATIONS_MAX 1000

/* ---- what there is -------------------------------------------------------------------------- */

static int check_word(const char *name, const char *level, const char *words)
{
	if (words_have(words, level))
		return 0;
	msg_error("--vary %s=%s: must be one of: %s", name, level, words);
	return -EINVAL;
}

static int check_memcg(const char *name, const char *level)
{
	if (memcg_level_is_valid(level))
		return 0;
	msg_error("--vary %s=%s: must be root, child, depthN or childN", name, level);
	return -EINVAL;
}

static int check_thp(const char *name, const char *level)
{
	return check_word(name, level, "always madvise never");
}

static int check_aslr(const char *name, const char *level)
{
	return check_word(name, level, "on off");
}

static int check_membind(const char *name, const char *level)
{
	(void)name;
	return mem_nodes_check(level);
}

/* A name that ends in ':' is completed by the user. Levels without a check: see who applies them. */
static const struct kind {
	const char *name;
	int (*check)(const char *name, const char *level);
} kinds[] = {
	{ "memcg", check_memcg },
	{ "thp", check_thp },
	{ "aslr", check_aslr },
	{ "membind", check_membind },
	{ "placement", NULL },
	{ "scratch", NULL },
	{ "sysctl:", NULL },
	{ "env:", NULL },
	{ "param:", NULL },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *kind_of(const char *name)
{
	for (size_t i = 0; i < NR_KINDS; i++) {
		const char *kind = kinds[i].name;

		if (kind[strlen(kind) - 1] == ':' ? words_after(name, kind) != NULL
						  : strcmp(name, kind) == 0)
			return &kinds[i];
	}
	return NULL;
}

static int say_unknown(const char *name)
{
	const char *names[NR_KINDS];
	char near[NEAR_TEXT_MAX];

	for (size_t i = 0; i < NR_KINDS; i++)
		names[i] = kinds[i].name;
	near_names(near, name, names, NR_KINDS);
	msg_error("--vary %s: no such factor%s%s; there are memcg, thp, aslr, placement, membind, "
		  "scratch, sysctl:NAME, env:NAME, param:NAME", name, near[0] ? "; near: " : "", near);
	return -EINVAL;
}

/* ---- parsing -------------------------------------------------------------------------------- */

static int add_level(struct factor *f, const struct kind *kind, const char *level)
{
	char **levels;

	if (!*level) {
		msg_error("--vary %s: an empty level", f->name);
		return -EINVAL;
	}
	for (size_t i = 0; i < f->nr; i++) {
		if (strcmp(f->levels[i], level) == 0) {
			msg_error("--vary %s: level %s is there twice", f->name, level);
			return -EINVAL;
		}
	}
	if (kind->check && kind->check(f->name, level) != 0)
		return -EINVAL;
	levels = reallocarray(f->levels, f->nr + 1, sizeof(*levels));
	if (!levels)
		return -ENOMEM;
	f->levels = levels;
	f->levels[f->nr] = strdup(level);
	return f->levels[f->nr++] ? 0 : -ENOMEM;
}

static int parse_levels(struct factor *f, char *levels)
{
	const struct kind *kind = kind_of(f->name);
	char *level;
	int err = 0;

	if (!kind)
		return say_unknown(f->name);
	while (!err && (level = strsep(&levels, ",")))
		err = add_level(f, kind, level);
	return err;
}

static int check_name(const struct factors *f)
{
	const char *name = f->list[f->nr - 1].name;

	for (size_t i = 0; i + 1 < f->nr; i++) {
		if (strcmp(f->list[i].name, name) == 0) {
			msg_error("--vary %s is given twice", name);
			return -EINVAL;
		}
	}
	return 0;
}

static int parse(struct factors *f, const char *text)
{
	struct factor *list = reallocarray(f->list, f->nr + 1, sizeof(*list));
	char *copy = strdup(text), *levels = copy;
	int err;

	if (list)
		f->list = list;
	if (!list || !copy) {
		free(copy);
		return -ENOMEM;
	}
	f->list[f->nr++] = (struct factor){ .name = strdup(strsep(&levels, "=")) };
	if (!f->list[f->nr - 1].name) {
		err = -ENOMEM;
	} else if (!levels) {
		msg_error("--vary %s: must be NAME=LEVEL,LEVEL...", text);
		err = -EINVAL;
	} else {
		err = check_name(f);
		if (!err)
			err = parse_levels(&f->list[f->nr - 1], levels);
	}
	free(copy);
	return err;
}

int factors_parse(struct factors *f, const struct opt_texts *texts)
{
	int err = 0;

	*f = (struct factors){ .combinations = 1 };
	for (size_t i = 0; !err && i < texts->nr; i++) {
		err = parse(f, texts->texts[i]);
		if (!err)
			f->combinations *= f->list[i].nr;
		if (!err && f->combinations > COMBINATIONS_MAX) {
			msg_error("--vary: more than %d combinations of levels", COMBINATIONS_MAX);
			err = -EINVAL;
		}
	}
	if (err == -ENOMEM)
		msg_error("--vary: no memory");
	if (err)
		factors_free(f);
	return err;
}

void factors_free(struct factors *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		for (size_t k = 0; k < f->list[i].nr; k++)
			free(f->list[i].levels[k]);
		free(f->list[i].levels);
		free(f->list[i].name);
	}
	free(f->list);
	*f = (struct factors){ 0 };
}

/* ---- combinations --------------------------------------------------------------------------- */

json_t *factors_combination(const struct factors *f, size_t index)
{
	json_t *levels = json_object();
	size_t divisor = f->combinations;

	for (size_t i = 0; levels && i < f->nr; i++) {
		const struct factor *factor = &f->list[i];

		divisor /= factor->nr;
		if (json_object_set_new(levels, factor->name, json_string(
				factor->levels[index / divisor % factor->nr])) != 0) {
			json_decref(levels);
			levels = NULL;
		}
	}
	return levels;
}

const char *factors_level(const json_t *combination, const char *name)
{
	return json_string_value(json_object_get(combination, name));
}
