/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of words separated by blanks, as options and facts hold them. */
#ifndef KNEE_WORDS_H
#define KNEE_WORDS_H

#include <stdbool.h>

/* Whether @word is one of @words: neither an empty text nor several words are. */
bool words_have(const char *words, const char *word);

/* What follows @prefix in @text, if anything does; else NULL. */
const char *words_after(const char *text, const char *prefix);

#endif
