/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "marks.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

char marks_letter(const char *const *flags, size_t flag)
{
	char used[RUN_FLAGS_MAX + 1] = "", mark = '?';

	for (size_t i = 0; i <= flag; i++) {
		const char *name = flags[i];

		while (*name && (!isalnum((unsigned char)*name) || strchr(used, *name)))
			name++;
		mark = *name ? *name : '?';
		used[i] = mark;
	}
	return mark;
}

char *marks_text(const char *const *flags, size_t nr_flags, const uint64_t *rounds,
		 size_t nr_outliers, uint64_t failed)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < nr_flags; i++)
		if (rounds[i])
			fprintf(out, "%c%" PRIu64, marks_letter(flags, i), rounds[i]);
	if (nr_outliers)
		fprintf(out, "~%zu", nr_outliers);
	if (failed)
		fprintf(out, "!%" PRIu64, failed);
	return fclose(out) == 0 ? text : NULL;
}
