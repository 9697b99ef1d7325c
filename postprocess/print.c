/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "print.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"

void print_csv_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void print_csv_number(double value, FILE *out)
{
	fputc(',', out);
	if (!isnan(value))
		fprintf(out, "%.*g", PRINT_DIGITS, value);
}

int print_markdown(const char *text, const char *head, FILE *out)
{
	char *clean = human_clean(text);

	if (!clean)
		return -ENOMEM;
	fputs(head, out);
	for (const char *c = clean; *c; c++) {
		if (*c == '&') {
			fputs("&amp;", out);
			continue;
		}
		if (*c == '<') {
			fputs("&lt;", out);
			continue;
		}
		if (strchr("\\`*[]>|#~$", *c))
			fputc('\\', out);
		fputc(*c, out);
	}
	free(clean);
	return 0;
}

json_t *print_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

int print_json_root(json_t *root, FILE *out)
{
	int err = -ENOMEM;

	if (root) {
		err = json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(PRINT_DIGITS));
		fputc('\n', out);
	}
	json_decref(root);
	return err ? -ENOMEM : 0;
}
