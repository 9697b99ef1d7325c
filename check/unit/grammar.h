/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds for every option of a table, of opt.c's own and of both programs': each is tried with
 * what it takes, with its bounds, and with what it must refuse, in one line.
 */
#ifndef KNEE_CHECK_GRAMMAR_H
#define KNEE_CHECK_GRAMMAR_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "opt.h"
#include "quiet.h"

#define GRAMMAR_VALUES_MAX 1024

/* The options' values; as large and as aligned as any program's. */
static _Alignas(16) char grammar_values[GRAMMAR_VALUES_MAX];

static inline void *grammar_value(size_t offset)
{
	return grammar_values + offset;
}

/* Frees what the options that were given several times hold. */
static inline void grammar_reset(const struct opt_program *p)
{
	for (const struct opt *o = p->table; o->doc; o++)
		if (o->type == OPT_TEXTS)
			free(((struct opt_texts *)grammar_value(o->offset))->texts);
	if (p->operands)
		free(((struct opt_texts *)grammar_value(p->operands_offset))->texts);
	memset(grammar_values, 0, sizeof(grammar_values));
}

/* Parses up to two arguments, NULL for none, into values that are all 0. */
static inline int grammar_parse(const struct opt_program *p, const char *a, const char *b)
{
	char *argv[] = { (char *)"program", (char *)a, (char *)b, NULL };

	grammar_reset(p);
	return opt_parse(p, a ? b ? 3 : 2 : 1, argv, grammar_values);
}

static inline void grammar_refuses(const struct opt_program *p, const char *a, const char *b)
{
	size_t lines;
	int err;

	quiet_begin();
	err = grammar_parse(p, a, b);
	lines = quiet_end();
	if (err != -EINVAL || lines != 1)
		fail_msg("%s %s: %d, in %zu lines: %s", a, b ? b : "", err, lines, quiet_text);
	for (const char *at = quiet_text; *at; at++)
		if ((unsigned char)*at < ' ' && *at != '\n')
			fail_msg("%s: a control character reached stderr", a);
}

static inline void grammar_takes(const struct opt_program *p, const char *a, const char *b)
{
	int err = grammar_parse(p, a, b);

	if (err)
		fail_msg("%s %s: %d", a, b ? b : "", err);
}

static inline double grammar_number(const struct opt *o)
{
	const void *value = grammar_value(o->offset);

	return o->type == OPT_COUNT ? (double)*(const uint64_t *)value : *(const double *)value;
}

static inline void grammar_numbers(const struct opt_program *p, const struct opt *o, const char *name)
{
	static const char *const none[] = {
		"", "x", "-1", "+1", " 1", "1 ", "1x", "0x10", "1e3", "nan", "inf", "1..2",
		"99999999999999999999999", "1\n",
	};
	const double taken[] = { o->min, o->max };
	const double refused[] = { o->type == OPT_COUNT ? o->min - 1 : o->min / 2, o->max + 1 };
	char text[64];

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		grammar_refuses(p, name, none[i]);
	for (size_t i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), "%.12g", taken[i]);
		grammar_takes(p, name, text);
		assert_true(grammar_number(o) == taken[i]);
		snprintf(text, sizeof(text), "%.12g", refused[i]);
		grammar_refuses(p, name, text);
		assert_true(grammar_number(o) == 0);
	}
	if (o->type == OPT_SECONDS) {
		grammar_takes(p, name, "1s500ms");
		assert_true(grammar_number(o) == 1.5);
	} else {
		grammar_refuses(p, name, "1s");
	}
}

static inline void grammar_texts(const struct opt_program *p, const struct opt *o, const char *name)
{
	const char *const *value = grammar_value(o->offset);
	char *copy, *rest, *word;

	grammar_refuses(p, name, "");
	if (!o->choices) {
		grammar_takes(p, name, "any thing");
		assert_string_equal(*value, "any thing");
		return;
	}
	grammar_refuses(p, name, "nonsense");
	grammar_refuses(p, name, o->choices);
	copy = rest = strdup(o->choices);
	while ((word = strsep(&rest, " "))) {
		grammar_takes(p, name, word);
		assert_string_equal(*value, word);
	}
	free(copy);
}

static inline void grammar_helps(const struct opt_program *p, const char *name)
{
	int kept = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY), err;

	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	err = grammar_parse(p, name, NULL);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	close(null);
	assert_int_equal(err, 1);
}

/* A text that may be left out, and else follows the name at once. */
static inline void grammar_bare(const struct opt_program *p, const struct opt *o, const char *name)
{
	const char *const *value = grammar_value(o->offset);
	char with_value[128];

	assert_int_equal(o->type, OPT_TEXT);
	grammar_takes(p, name, NULL);
	assert_string_equal(*value, o->bare);
	snprintf(with_value, sizeof(with_value), "%s=any thing", name);
	grammar_takes(p, with_value, NULL);
	assert_string_equal(*value, "any thing");
}

/* One spelling of one option. */
static inline void grammar_option(const struct opt_program *p, const struct opt *o, const char *name)
{
	char with_value[128];
	const struct opt_texts *texts;

	if (o->bare) {
		grammar_bare(p, o, name);
		return;
	}
	if (o->arg)
		grammar_refuses(p, name, NULL);
	switch (o->type) {
	case OPT_HELP:
		grammar_helps(p, name);
		break;
	case OPT_FLAG:
		grammar_takes(p, name, NULL);
		assert_true(*(const _Bool *)grammar_value(o->offset));
		snprintf(with_value, sizeof(with_value), "%s=1", name);
		grammar_refuses(p, with_value, NULL);
		break;
	case OPT_COUNT:
	case OPT_DECIMAL:
	case OPT_SECONDS:
		grammar_numbers(p, o, name);
		break;
	case OPT_TEXT:
		grammar_texts(p, o, name);
		break;
	case OPT_TEXTS:
		grammar_takes(p, name, "a=b");
		texts = grammar_value(o->offset);
		assert_int_equal(texts->nr, 1);
		assert_string_equal(texts->texts[0], "a=b");
		break;
	case OPT_HEADING:
		break;
	}
}

static inline void grammar_every_option(const struct opt_program *p)
{
	char name[64];

	for (const struct opt *o = p->table; o->doc; o++) {
		if (o->type == OPT_HEADING)
			continue;
		assert_true(o->offset < GRAMMAR_VALUES_MAX - 16);
		if (o->name) {
			snprintf(name, sizeof(name), "--%s", o->name);
			grammar_option(p, o, name);
		}
		if (o->key < OPT_LONG) {
			snprintf(name, sizeof(name), "-%c", o->key);
			grammar_option(p, o, name);
		}
	}
	grammar_reset(p);
}

static inline void grammar_what_is_no_option(const struct opt_program *p)
{
	static const char *const none[] = { "--nonsense", "--nonsense=1", "--nonsense\n", "-@", "-?", "-\n",
					    "-\x1b[31m", "-\n\n" };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		grammar_refuses(p, none[i], NULL);
	if (p->operands) {
		grammar_takes(p, "mmap1", "lock1");
		assert_int_equal(((const struct opt_texts *)grammar_value(p->operands_offset))->nr, 2);
		grammar_takes(p, "--", "--nonsense");
	} else {
		grammar_refuses(p, "mmap1", NULL);
		grammar_refuses(p, "", NULL);
		grammar_refuses(p, "--", "x");
		grammar_refuses(p, "a\nb", NULL);
	}
	grammar_reset(p);
}

/* What a record keeps: every option that has a value. */
static inline void grammar_as_json(const struct opt_program *p)
{
	json_t *object = opt_json(p, grammar_values);
	char letter[2] = "";

	for (const struct opt *o = p->table; o->doc; o++) {
		letter[0] = (char)o->key;
		if (o->type != OPT_HEADING && o->type != OPT_HELP)
			assert_non_null(json_object_get(object, o->name ? o->name : letter));
	}
	if (p->operands)
		assert_true(json_is_array(json_object_get(object, "operands")));
	json_decref(object);
}

#endif
