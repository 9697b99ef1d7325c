/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user may have meant. */
#ifndef KNEE_NEAR_H
#define KNEE_NEAR_H

#include <stddef.h>

/*
 * The names that @word may be a slip of, nearest first, three at most, separated by ", "; "" if
 * none is near.
 */
#define NEAR_TEXT_MAX 256
char *near_names(char buf[NEAR_TEXT_MAX], const char *word, const char *const *names, size_t nr);

#endif
