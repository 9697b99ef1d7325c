/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the forms for programs, and markdown, have in common. */
#ifndef KNEE_PRINT_H
#define KNEE_PRINT_H

#include <jansson.h>
#include <stdio.h>

/* Digits that a double always holds: a text with as many comes back the same. */
#define PRINT_DIGITS 15

/* A field of CSV (RFC 4180), quoted where it must be. */
void print_csv_text(const char *text, FILE *out);

/* A comma and the number; nothing behind the comma for NAN. */
void print_csv_number(double value, FILE *out);

/* @text after @head: no markup, no HTML, no end of a table's cell. 0 or -ENOMEM. */
int print_markdown(const char *text, const char *head, FILE *out);

/* null for what is no finite number. */
json_t *print_json(double value);

/* Prints @root, which it takes, and a newline. -ENOMEM if @root is NULL. */
int print_json_root(json_t *root, FILE *out);

#endif
