/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "summary.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *name;
	int (*print)(const struct table *t, FILE *out);
} formats[] = {
	{ "text", summary_text },
	{ "statistics", summary_statistics },
	{ "markdown", summary_markdown },
	{ "csv", summary_csv },
	{ "json", summary_json },
};

int summary_print(const struct table *t, const char *format, FILE *out)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i].name, format) == 0)
			return formats[i].print(t, out);
	return -EINVAL;
}
