/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_text.h"

#include <stdlib.h>
#include <string.h>

bool json_text_is_utf8(const char *text)
{
	json_t *string = json_string(text);

	json_decref(string);
	return string;
}

json_t *json_text(const char *text)
{
	json_t *string;
	char *copy;

	if (!text)
		return json_null();
	string = json_string(text);
	if (string)
		return string;
	copy = strdup(text);
	if (!copy)
		return NULL;
	for (char *at = copy; *at; at++)
		if (*at & 0x80)
			*at = '?';
	string = json_string(copy);
	free(copy);
	return string;
}
