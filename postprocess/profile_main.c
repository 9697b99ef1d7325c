/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * knee profile: the hottest functions of a run's extra rounds, and what grew from few to many
 * tasks.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "human.h"
#include "looks.h"

#define SYMBOLS_SHOWN 8
#define GROWTH_SHOWN 8

static void print_symbols(const json_t *stacks, FILE *out)
{
	json_t *symbol, *caller;
	size_t i, k;

	json_array_foreach(json_object_get(stacks, "symbols"), i, symbol) {
		if (i == SYMBOLS_SHOWN)
			break;
		fprintf(out, "  %6.2f %%  [%s] %s\n",
			json_number_value(json_object_get(symbol, "pct")),
			json_is_true(json_object_get(symbol, "kernel")) ? "k" : ".",
			json_string_value(json_object_get(symbol, "symbol")));
		json_array_foreach(json_object_get(symbol, "callers"), k, caller) {
			const char *path = json_string_value(json_object_get(caller, "path"));

			if (path && path[0])
				fprintf(out, "      %6.2f %%  <- %s\n",
					json_number_value(json_object_get(caller, "pct")), path);
		}
	}
}

static void print_stacks(const json_t *seen, const char *what, const char *title, FILE *out)
{
	const json_t *stacks = json_object_get(seen, what);

	if (!json_is_object(stacks))
		return;
	fprintf(out, " %s: %lld samples, %.1f %% in the kernel\n", title,
		(long long)json_integer_value(json_object_get(stacks, "samples")),
		json_number_value(json_object_get(stacks, "kernel_pct")));
	print_symbols(stacks, out);
}

/* The profile of the same curve with the fewest tasks. NULL: it is this one. */
static const struct look *few_of(const struct looks *l, const struct look *many)
{
	const struct look *few = NULL;

	for (size_t i = 0; i < l->nr; i++) {
		const struct look *look = &l->list[i];

		if (strcmp(look->kind, many->kind) == 0 && look->seen &&
		    run_same_curve(look->cell, many->cell) &&
		    look->cell->tasks < many->cell->tasks &&
		    (!few || look->cell->tasks < few->cell->tasks))
			few = look;
	}
	return few;
}

static void print_growth(const struct looks *l, const struct look *many, FILE *out)
{
	const struct look *few = few_of(l, many);
	char a[HUMAN_MAX], b[HUMAN_MAX];
	struct growth g;

	if (!few || growth_make(&g, l, few, many, "cpu") != 0)
		return;
	fprintf(out, " from %llu to %llu tasks, ns of CPU time per operation: %s -> %s\n",
		(unsigned long long)few->cell->tasks, (unsigned long long)many->cell->tasks,
		human_si(a, g.a), human_si(b, g.b));
	for (size_t i = 0; i < g.nr && i < GROWTH_SHOWN && g.causes[i].b > g.causes[i].a; i++)
		fprintf(out, "  %+10.1f  %10.1f -> %-10.1f  %s\n", g.causes[i].b - g.causes[i].a,
			g.causes[i].a, g.causes[i].b, g.causes[i].name);
	growth_free(&g);
}

static int print(const struct looks *l, const struct look *look, FILE *out)
{
	const char *hidden = json_string_value(json_object_get(look->seen, "hidden"));

	fprintf(out, "%s%s%s\n", look->cell->id, look->seen ? "" : ": ",
		look->seen ? "" : look->reason);
	if (!look->seen)
		return 0;
	if (hidden)
		fprintf(out, " %s\n", hidden);
	print_stacks(look->seen, "cpu", "CPU time", out);
	print_stacks(look->seen, "sleeps", "sleeps", out);
	print_growth(l, look, out);
	fputc('\n', out);
	return ferror(out) ? -EIO : 0;
}

int main(int argc, char **argv)
{
	return looks_command(argc, argv, "profile",
			     "Prints the profiles of a run that was made with runtest --profile: "
			     "the hottest functions "
			     "with their callers, where tasks went to sleep, and what CPU time per "
			     "operation grew by "
			     "from the fewest to the most tasks.",
			     print);
}
