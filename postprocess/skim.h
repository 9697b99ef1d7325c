/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading JSON without building it: one pass over a line, which takes what is asked for and checks
 * the rest. A tree of every record costs a second for some thirty megabytes; a comparison reads a
 * hundred. What is rare (escapes in a text that is asked for, bytes beyond ASCII) is refused:
 * jansson reads it then.
 */
#ifndef KNEE_SKIM_H
#define KNEE_SKIM_H

#include <stdbool.h>
#include <stddef.h>

struct skim {
	const char *at, *end;
	bool failed;		/* it is no JSON, or something rare; all that follows fails */
};

/* A text as it stands between its quotes; not ended by a NUL. */
struct skim_text {
	const char *text;
	size_t len;
};

bool skim_is(const struct skim_text *text, const char *word);

/*
 * The members of the object at @s, one after the other: true, with its name, and @s at its value,
 * which must then be read or skipped. @first: set to true before the first call.
 */
bool skim_member(struct skim *s, bool *first, struct skim_text *name);

/* The elements of the array at @s, likewise. */
bool skim_element(struct skim *s, bool *first);

/* What stands at @s is skipped, whatever it is. */
void skim_skip(struct skim *s);

/* A number; NAN for null. */
double skim_number(struct skim *s);

/* A text without escapes. */
struct skim_text skim_string(struct skim *s);

/* An object or an array, skipped: its bytes. */
struct skim_text skim_raw(struct skim *s);

/* Whether nothing but blanks is left, and nothing failed. */
bool skim_ended(struct skim *s);

#endif
