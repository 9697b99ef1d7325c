/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "select.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "near.h"

/* Lists of the facts, as NAME --describe has them. */
static const char *const group_lists[] = { "tags", "suites" };
#define NR_GROUP_LISTS (sizeof(group_lists) / sizeof(group_lists[0]))
#define ALL "all"

#define LIST_NAMES "runtest --list shows all"
#define LIST_FACTS "runtest --list --json shows the facts"

/* ---- words of the facts ---------------------------------------------------------------------- */

static bool word_matches(const char *pattern, const char *word)
{
	const char *member = strstr(word, "->");

	return fnmatch(pattern, word, 0) == 0 || (member && fnmatch(pattern, member + 2, 0) == 0);
}

static bool list_matches(const struct catalogue_entry *e, const char *list, const char *pattern)
{
	json_t *word;
	size_t i;

	json_array_foreach(json_object_get(e->facts, list), i, word)
		if (word_matches(pattern, json_string_value(word)))
			return true;
	return false;
}

/* Words that are known, each once. */
struct words_known {
	const char **words;
	size_t nr;
};

static int know(struct words_known *k, const char *word)
{
	const char **words;

	for (size_t i = 0; i < k->nr; i++)
		if (strcmp(k->words[i], word) == 0)
			return 0;
	words = reallocarray(k->words, k->nr + 1, sizeof(*words));
	if (!words)
		return -ENOMEM;
	k->words = words;
	words[k->nr++] = word;
	return 0;
}

static int know_list(struct words_known *k, const struct catalogue *c, const char *list)
{
	int err = 0;

	for (size_t i = 0; i < c->nr; i++) {
		json_t *word;
		size_t n;

		json_array_foreach(json_object_get(c->entries[i].facts, list), n, word)
			err = err ? err : know(k, json_string_value(word));
	}
	return err;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Many words: what is near, and where the others are. Few: all of them. Frees @k. */
static void say_known(struct words_known *k, const char *what, const char *word, const char *hint)
{
	char near[NEAR_TEXT_MAX] = "";
	size_t len = 0;

	near_names(near, word, k->words, k->nr);
	if (!near[0] && k->nr <= 16) {
		qsort(k->words, k->nr, sizeof(*k->words), compare);
		for (size_t i = 0; i < k->nr && len < sizeof(near); i++)
			len += (size_t)snprintf(near + len, sizeof(near) - len, "%s%s",
						i ? ", " : "", k->words[i]);
		msg_error("%s%s; there are: %s", what, word, near);
	} else {
		msg_error("%s%s%s%s (%s)", what, word, near[0] ? "; near: " : "", near, hint);
	}
	free(k->words);
}

/* ---- names, globs, groups -------------------------------------------------------------------- */

static bool in_group(const struct catalogue_entry *e, const char *group)
{
	if (strcmp(group, ALL) == 0)
		return true;
	for (size_t i = 0; i < NR_GROUP_LISTS; i++)
		if (list_matches(e, group_lists[i], group))
			return true;
	return false;
}

static int say_no_such(const struct catalogue *c, const char *name)
{
	struct words_known known = { 0 };
	int err = 0;

	if (name[0] == '@') {
		err = know(&known, ALL);
		for (size_t i = 0; !err && i < NR_GROUP_LISTS; i++)
			err = know_list(&known, c, group_lists[i]);
		say_known(&known, "no testcases are @", name + 1, LIST_FACTS);
	} else {
		for (size_t i = 0; !err && i < c->nr; i++)
			err = know(&known, c->entries[i].name);
		say_known(&known, "no testcase ", name, LIST_NAMES);
	}
	return err ? err : -EINVAL;
}

static bool matches(struct catalogue_entry *e, const char *name)
{
	if (name[0] == '@')
		return in_group(e, name + 1);
	if (strcmp(name, e->name) == 0)
		e->named = true;
	return fnmatch(name, e->name, 0) == 0;
}

static int keep_named(const struct opt_texts *names, struct catalogue *c, bool *keep)
{
	for (size_t n = 0; n < names->nr; n++) {
		bool found = false;

		for (size_t i = 0; i < c->nr; i++)
			if (matches(&c->entries[i], names->texts[n]))
				keep[i] = found = true;
		if (!found)
			return say_no_such(c, names->texts[n]);
	}
	return 0;
}

/* ---- filters --------------------------------------------------------------------------------- */

static int drop_others(const struct opt_texts *patterns, const char *list, struct catalogue *c,
		       bool *keep)
{
	for (size_t p = 0; p < patterns->nr; p++) {
		bool found = false;

		for (size_t i = 0; i < c->nr; i++) {
			bool has = list_matches(&c->entries[i], list, patterns->texts[p]);

			found |= has;
			keep[i] &= has;
		}
		if (!found) {
			struct words_known known = { 0 };
			char what[64];
			int err = know_list(&known, c, list);

			snprintf(what, sizeof(what), "no testcase %s ", list);
			say_known(&known, what, patterns->texts[p], LIST_FACTS);
			return err ? err : -EINVAL;
		}
	}
	return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool selection_given(const struct selection *s)
{
	return s->names.nr || s->exercises.nr || s->contends.nr;
}

static bool needs_facts(const struct selection *s)
{
	for (size_t i = 0; i < s->names.nr; i++)
		if (s->names.texts[i][0] == '@')
			return true;
	return s->exercises.nr || s->contends.nr;
}

int selection_apply(const struct selection *s, struct catalogue *c)
{
	const struct opt_texts no_params = { 0 };
	bool *keep = calloc(c->nr + 1, sizeof(*keep));
	int err = keep ? 0 : -ENOMEM;

	if (!err && needs_facts(s))
		err = catalogue_describe(c, &no_params);
	for (size_t i = 0; !err && !s->names.nr && i < c->nr; i++)
		keep[i] = true;
	if (!err)
		err = keep_named(&s->names, c, keep);
	if (!err)
		err = drop_others(&s->exercises, "exercises", c, keep);
	if (!err)
		err = drop_others(&s->contends, "contends", c, keep);
	if (!err && catalogue_keep(c, keep) == 0) {
		msg_error("no testcase is all that was asked for");
		err = -EINVAL;
	}
	free(keep);
	return err;
}
