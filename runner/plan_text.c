/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "num.h"

#define WIDTH 100

/* ---- tables --------------------------------------------------------------------------------- */

/* Left-aligned columns as wide as their widest text; a text may be NULL: nothing. */
struct grid {
	char **texts;
	size_t columns, nr;
};

__attribute__((format(printf, 2, 3)))
static void put(struct grid *g, const char *fmt, ...)
{
	char **texts = reallocarray(g->texts, g->nr + 1, sizeof(*texts));
	va_list args;

	if (!texts)
		return;
	g->texts = texts;
	va_start(args, fmt);
	if (vasprintf(&texts[g->nr], fmt, args) < 0)
		texts[g->nr] = NULL;
	va_end(args);
	g->nr++;
}

static size_t width_of(const struct grid *g, size_t column)
{
	size_t width = 0;

	for (size_t i = column; i < g->nr; i += g->columns)
		if (g->texts[i] && strlen(g->texts[i]) > width)
			width = strlen(g->texts[i]);
	return width;
}

/* One row; no blanks at its end. */
static void print_row(const struct grid *g, size_t begin, FILE *out)
{
	size_t padding = 0;

	for (size_t i = begin; i < begin + g->columns && i < g->nr; i++) {
		const char *text = g->texts[i] ? g->texts[i] : "";

		if (text[0]) {
			fprintf(out, "%*s%s", (int)padding, "", text);
			padding = 0;
		}
		padding += width_of(g, i - begin) - strlen(text) + 2;
	}
	fputc('\n', out);
}

/* Prints it, headed by @indent on each line, and frees it. */
static void print_grid(struct grid *g, const char *indent, FILE *out)
{
	for (size_t i = 0; i < g->nr; i += g->columns) {
		fputs(indent, out);
		print_row(g, i, out);
	}
	for (size_t i = 0; i < g->nr; i++)
		free(g->texts[i]);
	free(g->texts);
	*g = (struct grid){ 0 };
}

/* An index, or what stands for none. */
static void put_index(struct grid *g, int index)
{
	if (index < 0)
		put(g, "-");
	else
		put(g, "%d", index);
}

static void put_list(struct grid *g, const int *numbers, size_t nr)
{
	char *text = cpulist_format(numbers, nr);

	put(g, "%s", text ? text : "?");
	free(text);
}

static int node_of(const struct topo *t, const struct topo_pu *pu)
{
	return pu->memory < 0 ? -1 : t->memory[pu->memory].node;
}

/* ---- where tasks go ------------------------------------------------------------------------- */

static bool share_all(const struct topo_pu *a, const struct topo_pu *b)
{
	return a->l3 == b->l3 && a->node == b->node && a->package == b->package;
}

static void map_tasks(struct grid *g, const struct arrangement *a, size_t begin, size_t end,
		      int *room)
{
	const struct topo_pu *pu = a->order[begin];

	if (end - begin > 1)
		put(g, "%zu-%zu", begin, end - 1);
	else
		put(g, "%zu", begin);
	for (size_t i = begin; i < end; i++)
		room[i - begin] = a->order[i]->cpu;
	put_list(g, room, end - begin);
	for (size_t i = begin; i < end; i++)
		room[i - begin] = a->order[i]->core;
	put_list(g, room, end - begin);
	put_index(g, pu->l3);
	put_index(g, node_of(&a->topology, pu));
	put_index(g, pu->package);
}

void plan_text_map(const struct arrangement *a, FILE *out)
{
	static const char *const heads[] = { "tasks", "CPUs", "cores", "L3", "node", "package" };
	struct grid g = { .columns = sizeof(heads) / sizeof(heads[0]) };
	int *room = calloc(a->nr + 1, sizeof(*room));
	size_t end;

	for (size_t i = 0; i < g.columns; i++)
		put(&g, "%s", heads[i]);
	for (size_t begin = 0; room && begin < a->nr; begin = end) {
		for (end = begin + 1; end < a->nr; end++)
			if (!share_all(a->order[begin], a->order[end]))
				break;
		map_tasks(&g, a, begin, end, room);
	}
	print_grid(&g, "  ", out);
	free(room);
}

static const char *span_text(const struct plan_cell *cell)
{
	return json_string_value(json_object_get(cell->span, "text"));
}

static void put_cell(struct grid *g, const struct plan_cell *cell)
{
	const char *span = span_text(cell);

	put(g, "%s", cell->id);
	put(g, "%.1f s", cell->expected_s);
	put(g, "%s", cell->why ? cell->why : "");
	if (cell->skip)
		put(g, "skipped: %s", cell->skip);
	else if (!cell->cpus)
		put(g, "not bound");
	else
		put(g, "%s%s%s%s%s", span ? span : "",
		    cell->partner_cpus ? "; partners on CPUs " : "",
		    cell->partner_cpus ? cell->partner_cpus : "",
		    cell->mem_nodes ? "; memory of nodes " : "", cell->mem_nodes ? cell->mem_nodes : "");
}

void plan_text_print(const struct plan *p, const struct arrangement *a, FILE *out)
{
	struct grid g = { .columns = 4 };
	double s = plan_expected_s(p);

	for (size_t i = 0; i < p->nr_cells; i++)
		put_cell(&g, &p->cells[i]);
	print_grid(&g, "", out);
	if (a->listed || a->policy != PLACEMENT_NONE) {
		fprintf(out, "%s: tasks, wrapping round after %zu:\n", a->text, a->nr);
		plan_text_map(a, out);
	}
	fprintf(out, "%zu cells x %" PRIu64 " rounds x %.3g s (and %.3g s of warm-up): "
		"about %.0f min %02.0f s\n", plan_runnable(p), p->rounds, p->duration_s, p->warmup_s,
		floor(s / 60), fmod(s, 60));
}

/* ---- the machine ---------------------------------------------------------------------------- */

static void print_counts(const struct topo *t, FILE *out)
{
	const struct { size_t nr; const char *one, *many; } counts[] = {
		{ t->nr_packages, "package", "packages" }, { t->nr_nodes, "node", "nodes" },
		{ t->nr_l3s, "L3", "L3s" }, { t->nr_cores, "core", "cores" }, { t->nr_pus, "PU", "PUs" },
	};
	const char *separator = "";

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (!counts[i].nr)
			continue;
		fprintf(out, "%s%zu %s", separator, counts[i].nr,
			counts[i].nr == 1 ? counts[i].one : counts[i].many);
		separator = ", ";
	}
	fputc('\n', out);
}

static size_t count_cores(const struct topo_pu *const *order, size_t begin, size_t end)
{
	size_t nr = 0;

	for (size_t i = begin; i < end; i++)
		nr += order[i]->rank == 0;
	return nr;
}

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

/* As a tree: what is as in the line above is not said again. */
static void put_group(struct grid *g, const struct topo *t, const struct topo_pu *const *order,
		      size_t begin, size_t end, int *room)
{
	const struct topo_pu *pu = order[begin], *before = begin ? order[begin - 1] : NULL;

	if (before && before->package == pu->package)
		put(g, "%s", "");
	else
		put_index(g, pu->package);
	if (before && before->package == pu->package && before->node == pu->node)
		put(g, "%s", "");
	else
		put_index(g, node_of(t, pu));
	put_index(g, pu->l3);
	put(g, "%zu", count_cores(order, begin, end));
	for (size_t i = begin; i < end; i++)
		room[i - begin] = order[i]->cpu;
	qsort(room, end - begin, sizeof(*room), compare_ints);
	put_list(g, room, end - begin);
}

static void print_tree(const struct topo *t, FILE *out)
{
	static const char *const heads[] = { "package", "node", "L3", "cores", "CPUs" };
	struct grid g = { .columns = sizeof(heads) / sizeof(heads[0]) };
	const struct topo_pu **order = calloc(t->nr_pus + 1, sizeof(*order));
	int *room = calloc(t->nr_pus + 1, sizeof(*room));
	size_t end;

	for (size_t i = 0; i < g.columns; i++)
		put(&g, "%s", heads[i]);
	if (order && room && placement_order(t, PLACEMENT_COMPACT, order) == 0) {
		for (size_t begin = 0; begin < t->nr_pus; begin = end) {
			for (end = begin + 1; end < t->nr_pus; end++)
				if (!share_all(order[begin], order[end]))
					break;
			put_group(&g, t, order, begin, end, room);
		}
	}
	print_grid(&g, "  ", out);
	free(order);
	free(room);
}

static void print_memory(const struct topo *t, FILE *out)
{
	struct grid g = { .columns = 3 };

	if (!t->nr_memory)
		return;
	put(&g, "node");
	put(&g, "memory");
	put(&g, "%s", t->nr_memory > 1 ? "distances" : "");
	for (size_t i = 0; i < t->nr_memory; i++) {
		char bytes[NUM_BYTES_MAX], *text = NULL;
		size_t size;
		FILE *row = open_memstream(&text, &size);

		put(&g, "%d", t->memory[i].node);
		put(&g, "%s", num_format_bytes(bytes, t->memory[i].bytes));
		for (size_t k = 0; row && t->nr_memory > 1 && k < t->nr_memory; k++)
			fprintf(row, "%s%3" PRIu64, k ? " " : "",
				t->distances[i * t->nr_memory + k]);
		if (row)
			fclose(row);
		put(&g, "%s", text ? text : "");
		free(text);
	}
	print_grid(&g, "  ", out);
}

/* The CPUs of which @choose says so; nothing if there are none. */
static void print_chosen(const struct topo *t, const char *head,
			 bool (*choose)(const struct topo_pu *pu, int arg), int arg, FILE *out)
{
	int *room = calloc(t->nr_pus + 1, sizeof(*room));
	size_t nr = 0;
	char *text;

	for (size_t i = 0; room && i < t->nr_pus; i++)
		if (choose(&t->pus[i], arg))
			room[nr++] = t->pus[i].cpu;
	if (nr) {
		qsort(room, nr, sizeof(*room), compare_ints);
		text = cpulist_format(room, nr);
		fprintf(out, "  %s: CPUs %s\n", head, text ? text : "?");
		free(text);
	}
	free(room);
}

static bool is_of_kind(const struct topo_pu *pu, int kind)
{
	return pu->kind == kind;
}

static bool is_isolated(const struct topo_pu *pu, int arg)
{
	(void)arg;
	return pu->isolated;
}

static void print_kinds(const struct topo *t, FILE *out)
{
	for (size_t i = 0; t->nr_kinds > 1 && i < t->nr_kinds; i++) {
		char head[64];

		snprintf(head, sizeof(head), "kind %zu%s", i,
			 !t->kinds_ranked ? "" : i == 0 ? " (efficiency)" :
			 i == t->nr_kinds - 1 ? " (performance)" : "");
		print_chosen(t, head, is_of_kind, (int)i, out);
	}
}

void plan_text_machine(const struct topo *t, FILE *out)
{
	print_counts(t, out);
	print_tree(t, out);
	print_memory(t, out);
	print_kinds(t, out);
	print_chosen(t, "isolated", is_isolated, 0, out);
}

/* ---- what a placement does ------------------------------------------------------------------ */

/* As much of a list as fits the line. */
static void print_cut(const char *list, size_t column, FILE *out)
{
	size_t len = strlen(list), room = WIDTH - column;

	if (len > room) {
		for (len = room - 3; len && list[len - 1] != ','; len--)
			;
		fwrite(list, 1, len, out);
		list = "...";
	}
	fputs(list, out);
	fputc('\n', out);
}

/* In lines of WIDTH, broken between points. */
static void print_points(const struct points *points, FILE *out)
{
	static const char head[] = "  points:";
	size_t column = strlen(head);

	fputs(head, out);
	for (size_t i = 0; i < points->nr; i++) {
		char text[96];
		size_t len = (size_t)snprintf(text, sizeof(text), "%" PRIu64 " %s%s",
					      points->points[i].tasks, points->points[i].why,
					      i + 1 < points->nr ? ";" : "");

		if (column + 1 + len > WIDTH) {
			fprintf(out, "\n%*s", (int)strlen(head), "");
			column = strlen(head);
		}
		column += (size_t)fprintf(out, " %s", text);
	}
	fputc('\n', out);
}

void plan_text_policy(const struct arrangement *a, const struct points *points, FILE *out)
{
	int *cpus = calloc(a->nr + 1, sizeof(*cpus));
	char *text = NULL;

	fprintf(out, "%s: ", a->text);
	for (size_t i = 0; cpus && i < a->nr; i++)
		cpus[i] = a->order[i]->cpu;
	if (!a->listed && a->policy == PLACEMENT_NONE)
		fputs("not bound\n", out);
	else if (cpus && (text = cpulist_format(cpus, a->nr)))
		print_cut(text, strlen(a->text) + 2, out);
	print_points(points, out);
	free(text);
	free(cpus);
}
