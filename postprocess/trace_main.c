/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee trace: the times inside kernel functions of a run's extra rounds. */
#include <errno.h>
#include <stdio.h>

#include "looks.h"

#define NAME_WIDTH 44

static void print_us(const json_t *call, const char *member, FILE *out)
{
	const json_t *value = json_object_get(call, member);

	if (json_is_number(value))
		fprintf(out, " %11.1f", json_number_value(value) / 1e3);
	else
		fprintf(out, " %11s", "-");
}

static void print_calls(const json_t *calls, int depth, FILE *out)
{
	json_t *call;
	size_t i;

	json_array_foreach(calls, i, call) {
		int indent = 1 + 2 * depth;

		fprintf(out, "%*s%-*s %8lld", indent, "", NAME_WIDTH - indent,
			json_string_value(json_object_get(call, "function")),
			(long long)json_integer_value(json_object_get(call, "count")));
		print_us(call, "total_ns", out);
		print_us(call, "median_ns", out);
		print_us(call, "p99_ns", out);
		print_us(call, "max_ns", out);
		fputc('\n', out);
		print_calls(json_object_get(call, "calls"), depth + 1, out);
	}
}

static void print_missing(const json_t *missing, FILE *out)
{
	json_t *name;
	size_t i;

	json_array_foreach(missing, i, name)
		fprintf(out, "%s%s", i ? ", " : " not to be traced in this kernel: ",
			json_string_value(name));
	if (json_array_size(missing))
		fputc('\n', out);
}

static int print(const struct looks *l, const struct look *look, FILE *out)
{
	const json_t *calls = json_object_get(look->seen, "calls");
	long long lost = json_integer_value(json_object_get(look->seen, "lost"));

	(void)l;
	fprintf(out, "%s%s%s\n", look->cell->id, look->seen ? ", by " : ": ",
		look->seen ? json_string_value(json_object_get(look->seen, "by")) : look->reason);
	if (!look->seen)
		return 0;
	print_missing(json_object_get(look->seen, "missing"), out);
	if (lost)
		fprintf(out, " %lld events were lost: these are the last ones of the window\n",
			lost);
	if (json_array_size(calls))
		fprintf(out, "%-*s %8s %11s %11s %11s %11s  (us)\n", NAME_WIDTH, " function",
			"count", "total", "median", "p99", "max");
	else
		fputs(" none of the functions was called\n", out);
	print_calls(calls, 0, out);
	fputc('\n', out);
	return ferror(out) ? -EIO : 0;
}

int main(int argc, char **argv)
{
	return looks_command(argc, argv, "trace",
			     "Prints the times inside kernel functions of a run that was made with "
			     "runtest --trace, in "
			     "microseconds, each below the one that calls it.",
			     print);
}
