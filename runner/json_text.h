/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts in JSON, which must be UTF-8. Arguments, file names, command lines and what a program said
 * need not be; jansson makes no string of them, and no object of what one belongs to.
 */
#ifndef KNEE_JSON_TEXT_H
#define KNEE_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>

bool json_text_is_utf8(const char *text);

/*
 * A JSON string for people to read: in one that is not UTF-8, every byte beyond ASCII becomes '?'.
 * null for NULL. NULL if there is no memory.
 */
json_t *json_text(const char *text);

#endif
