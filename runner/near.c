/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "near.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 64
#define SHOWN 3

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t min = a < b ? a : b;

	return min < c ? min : c;
}

/*
 * Levenshtein's distance of the first WORD_MAX characters: insertions, deletions and replacements
 * that turn @a into @b (Wagner and Fischer's algorithm, one row at a time).
 */
static size_t distance(const char *a, const char *b)
{
	size_t len_a = strnlen(a, WORD_MAX), len_b = strnlen(b, WORD_MAX), row[WORD_MAX + 1];

	for (size_t j = 0; j <= len_b; j++)
		row[j] = j;
	for (size_t i = 1; i <= len_a; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= len_b; j++) {
			size_t above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[len_b];
}

char *near_names(char buf[NEAR_TEXT_MAX], const char *word, const char *const *names, size_t nr)
{
	size_t limit = strnlen(word, WORD_MAX) / 3 + 1, shown = 0;

	buf[0] = '\0';
	for (size_t d = 0; d <= limit && shown < SHOWN; d++) {
		for (size_t i = 0; i < nr && shown < SHOWN; i++) {
			size_t len = strlen(buf);

			/* A name that there is no room for is left out: half of one is none. */
			if (distance(word, names[i]) != d ||
			    len + strlen(names[i]) + sizeof(", ") > NEAR_TEXT_MAX)
				continue;
			snprintf(buf + len, NEAR_TEXT_MAX - len, "%s%s", shown ? ", " : "", names[i]);
			shown++;
		}
	}
	return buf;
}
