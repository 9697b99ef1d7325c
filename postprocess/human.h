/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures and texts for people. */
#ifndef KNEE_HUMAN_H
#define KNEE_HUMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HUMAN_MAX 32

/*
 * Four digits and an SI prefix: "1.234M", "123.4", "12.34m", "0"; "-" for NAN. At most six
 * characters below 10^18.
 */
char *human_si(char buf[HUMAN_MAX], double value);

/* Per cent with three digits: "0.66%", "12.3%", "123%", ">999%"; "-" for NAN. */
char *human_pct(char buf[HUMAN_MAX], double value);

/* The same with @decimals: "99.9%". */
char *human_pct_fixed(char buf[HUMAN_MAX], double value, int decimals);

/*
 * The SI prefix for an axis or a table whose largest value is @max: "" , "k", "M"...; *factor is
 * what a value is divided by.
 */
const char *human_prefix(double max, double *factor);

/* Columns of a terminal that @text (UTF-8) takes. */
size_t human_width(const char *text);

/* The bytes of @text that make its next line of @width columns: whole words, if one fits. */
size_t human_line(const char *text, size_t width);

/*
 * Prints @text, words wrapped at @width columns: the first line after @first, the following ones
 * after @next; a newline at the end. What is no printable text, or would change the direction of
 * writing, is shown as '?'.
 */
void human_wrap(FILE *out, const char *first, const char *next, const char *text, size_t width);

/*
 * @text with what is not printable shown as '?', and what is not @allowed (NULL: all is). Freed by
 * the caller; NULL: no memory.
 */
char *human_filter(const char *text, bool (*allowed)(uint32_t character));
char *human_clean(const char *text);

#endif
