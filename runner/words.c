/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words.h"

#include <string.h>

bool words_have(const char *words, const char *word)
{
	size_t len = strlen(word);

	if (strchr(word, ' '))
		return false;
	for (const char *at = words; len && (at = strstr(at, word)); at += len)
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

const char *words_after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) == 0 && text[len] ? text + len : NULL;
}
