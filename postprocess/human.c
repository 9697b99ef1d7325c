/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "human.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures -------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	double factor;
} prefixes[] = {
	{ "E", 1e18 }, { "P", 1e15 }, { "T", 1e12 }, { "G", 1e9 }, { "M", 1e6 }, { "k", 1e3 },
	{ "", 1 }, { "m", 1e-3 }, { "u", 1e-6 }, { "n", 1e-9 },
};

#define NR_PREFIXES (sizeof(prefixes) / sizeof(prefixes[0]))

const char *human_prefix(double max, double *factor)
{
	for (size_t i = 0; i < NR_PREFIXES; i++) {
		*factor = prefixes[i].factor;
		if (max >= *factor)
			return prefixes[i].name;
	}
	*factor = 1;
	return "";
}

/* Rounds to four digits first: 999.96 is 1.000k, not 1000.0. */
char *human_si(char buf[HUMAN_MAX], double value)
{
	const char *prefix;
	double factor;
	int decimals;

	if (isnan(value)) {
		strcpy(buf, "-");
		return buf;
	}
	snprintf(buf, HUMAN_MAX, "%.3e", value);
	value = strtod(buf, NULL);
	if (value < 1e-9) {
		strcpy(buf, "0");
		return buf;
	}
	prefix = human_prefix(value, &factor);
	value /= factor;
	decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0;
	snprintf(buf, HUMAN_MAX, "%.*f%s", decimals, value, prefix);
	return buf;
}

char *human_pct_fixed(char buf[HUMAN_MAX], double value, int decimals)
{
	if (isnan(value))
		strcpy(buf, "-");
	else
		snprintf(buf, HUMAN_MAX, "%.*f%%", decimals, value);
	return buf;
}

char *human_pct(char buf[HUMAN_MAX], double value)
{
	if (value >= 999.5) {
		strcpy(buf, ">999%");
		return buf;
	}
	return human_pct_fixed(buf, value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/*
 * One character of UTF-8 and how many bytes it takes; 0 bytes at the end. Texts come from JSON,
 * whose reader has checked them; anything else is taken byte by byte.
 */
static uint32_t decode(const char *text, size_t *bytes)
{
	const unsigned char *t = (const unsigned char *)text;
	size_t len = t[0] < 0xc0 ? 1 : t[0] < 0xe0 ? 2 : t[0] < 0xf0 ? 3 : 4;
	uint32_t c = len == 1 ? t[0] : t[0] & (0xffU >> (len + 1));

	for (size_t i = 1; i < len; i++) {
		if ((t[i] & 0xc0) != 0x80) {
			*bytes = 1;
			return t[0];
		}
		c = c << 6 | (t[i] & 0x3f);
	}
	*bytes = t[0] ? len : 0;
	return c;
}

/* Controls (C0, C1, DEL), and what turns the direction of writing round. */
static bool harmful(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/*
 * Unicode's East Asian wide and combining characters, by blocks: wcwidth(3) would depend on the
 * locale, and a table must be the same in every one.
 */
static size_t char_width(uint32_t c)
{
	if ((c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200d) ||
	    (c >= 0xfe00 && c <= 0xfe0f))
		return 0;
	if ((c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
	    (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
	    (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
	    (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd))
		return 2;
	return 1;
}

size_t human_width(const char *text)
{
	size_t width = 0, bytes;
	uint32_t c;

	for (; (c = decode(text, &bytes)), bytes; text += bytes)
		width += char_width(c);
	return width;
}

char *human_filter(const char *text, bool (*allowed)(uint32_t character))
{
	char *clean = calloc(strlen(text) + 1, 1), *to = clean;
	size_t bytes;
	uint32_t c;

	for (; clean && ((c = decode(text, &bytes)), bytes); text += bytes) {
		if (harmful(c) || (allowed && !allowed(c))) {
			*to++ = '?';
			continue;
		}
		memcpy(to, text, bytes);
		to += bytes;
	}
	return clean;
}

char *human_clean(const char *text)
{
	return human_filter(text, NULL);
}

/* The bytes of @text that fit @width columns, at least one character. */
static size_t fitting(const char *text, size_t width)
{
	size_t used = 0, done = 0, bytes;
	uint32_t c;

	while ((c = decode(text + done, &bytes)), bytes) {
		used += char_width(c);
		if (used > width && done)
			break;
		done += bytes;
	}
	return done;
}

size_t human_line(const char *text, size_t width)
{
	size_t fits = fitting(text, width), blank = fits;

	if (text[fits] == '\0' || text[fits] == ' ')
		return fits;
	while (blank && text[blank - 1] != ' ')
		blank--;
	while (blank && text[blank - 1] == ' ')
		blank--;
	return blank ? blank : fits;
}

void human_wrap(FILE *out, const char *first, const char *next, const char *text, size_t width)
{
	char *clean = human_clean(text);
	const char *rest = clean, *head = first;

	while (rest) {
		size_t indent = human_width(head);
		size_t len = human_line(rest, width > indent ? width - indent : 1);

		fprintf(out, "%s%.*s\n", head, (int)len, rest);
		rest += len;
		rest += strspn(rest, " ");
		head = next;
		if (!*rest)
			break;
	}
	free(clean);
}
