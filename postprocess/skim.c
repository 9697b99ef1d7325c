/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "skim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Objects in objects: a line of a record has three. */
#define DEPTH_MAX 32

static char peek(const struct skim *s)
{
	return !s->failed && s->at < s->end ? *s->at : '\0';
}

static void blanks(struct skim *s)
{
	while (s->at < s->end &&
	       (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
		s->at++;
}

static bool take(struct skim *s, char c)
{
	blanks(s);
	if (peek(s) != c)
		return false;
	s->at++;
	return true;
}

static void expect(struct skim *s, char c)
{
	if (!take(s, c))
		s->failed = true;
}

bool skim_is(const struct skim_text *text, const char *word)
{
	return strncmp(word, text->text, text->len) == 0 && word[text->len] == '\0';
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Not \u: of what follows it, some is wrong. */
static bool escape(struct skim *s)
{
	if (s->end - s->at < 2 || !s->at[1] || !strchr("\"\\/bfnrt", s->at[1]))
		return false;
	s->at += 2;
	return true;
}

/* Behind the quote at the end; false: it is none, or rare. */
static bool text(struct skim *s, struct skim_text *out, bool escapes)
{
	expect(s, '"');
	out->text = s->at;
	while (!s->failed && s->at < s->end && *s->at != '"') {
		unsigned char c = (unsigned char)*s->at;

		if (c == '\\' && escapes && escape(s))
			continue;
		if (c < 0x20 || c >= 0x80 || c == '\\')
			s->failed = true;
		else
			s->at++;
	}
	out->len = (size_t)(s->at - out->text);
	if (s->at >= s->end)
		s->failed = true;
	else
		s->at++;
	return !s->failed;
}

struct skim_text skim_string(struct skim *s)
{
	struct skim_text t = { "", 0 };

	return text(s, &t, false) ? t : (struct skim_text){ "", 0 };
}

/* ---- numbers and words ---------------------------------------------------------------------- */

static bool digits(struct skim *s)
{
	const char *from = s->at;

	while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
		s->at++;
	return s->at > from;
}

/* Whole numbers that 63 bits hold; exponents that no number runs over with. */
#define WHOLE_DIGITS 18
#define EXPONENT_DIGITS 2
#define NUMBER_MAX 64

/* As RFC 8259 has it, but none so large that jansson refuses it. */
static bool number(struct skim *s)
{
	const char *from = s->at, *exponent = NULL;
	bool ok, whole = true;

	if (peek(s) == '-')
		s->at++;
	if (peek(s) == '0') {
		s->at++;
		ok = true;
	} else {
		ok = digits(s);
	}
	if (ok && peek(s) == '.') {
		s->at++;
		whole = false;
		ok = digits(s);
	}
	if (ok && (peek(s) == 'e' || peek(s) == 'E')) {
		s->at++;
		if (peek(s) == '+' || peek(s) == '-')
			s->at++;
		whole = false;
		exponent = s->at;
		ok = digits(s);
	}
	if (exponent && s->at - exponent > EXPONENT_DIGITS)
		return false;
	return ok && s->at - from <= (whole ? WHOLE_DIGITS : NUMBER_MAX);
}

static bool word(struct skim *s, const char *w)
{
	size_t len = strlen(w);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, w, len) != 0)
		return false;
	s->at += len;
	return true;
}

/* Digits of a double's mantissa: an integer of as many is exact. */
#define EXACT_DIGITS 15

double skim_number(struct skim *s)
{
	const char *from, *c;
	double value = 0;

	blanks(s);
	from = s->at;
	if (!s->failed && word(s, "null"))
		return NAN;
	if (s->failed || !number(s)) {
		s->failed = true;
		return NAN;
	}
	for (c = from; c < s->at && *c >= '0' && *c <= '9'; c++)
		value = 10 * value + (*c - '0');
	if (c == s->at && s->at - from <= EXACT_DIGITS)
		return value;
	return strtod(from, NULL);
}

/* ---- objects and arrays --------------------------------------------------------------------- */

bool skim_member(struct skim *s, bool *first, struct skim_text *name)
{
	if (*first)
		expect(s, '{');
	if (s->failed || take(s, '}'))
		return false;
	if (!*first)
		expect(s, ',');
	*first = false;
	*name = skim_string(s);
	expect(s, ':');
	return !s->failed;
}

bool skim_element(struct skim *s, bool *first)
{
	if (*first)
		expect(s, '[');
	if (s->failed || take(s, ']'))
		return false;
	if (!*first)
		expect(s, ',');
	*first = false;
	return !s->failed;
}

static void skip(struct skim *s, int depth)
{
	struct skim_text t;
	bool first = true;

	blanks(s);
	if (depth > DEPTH_MAX) {
		s->failed = true;
		return;
	}
	switch (peek(s)) {
	case '{':
		while (skim_member(s, &first, &t))
			skip(s, depth + 1);
		break;
	case '[':
		while (skim_element(s, &first))
			skip(s, depth + 1);
		break;
	case '"':
		text(s, &t, true);
		break;
	default:
		if (!s->failed && !word(s, "null") && !word(s, "true") && !word(s, "false") &&
		    !number(s))
			s->failed = true;
	}
}

void skim_skip(struct skim *s)
{
	skip(s, 0);
}

struct skim_text skim_raw(struct skim *s)
{
	const char *from;

	blanks(s);
	from = s->at;
	skim_skip(s);
	return (struct skim_text){ from, (size_t)(s->at - from) };
}

bool skim_ended(struct skim *s)
{
	blanks(s);
	return !s->failed && s->at == s->end;
}
