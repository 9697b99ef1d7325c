/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "placement_picture.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "style.h"

/* Lengths are in sides of a PU's square. */
#define CORES_A_ROW 16
#define CORE_GAP 0.25
#define GROUP_GAP 0.8
#define PACKAGE_GAP 1.2
#define TITLE 1.2		/* above the groups of a package */
#define ASPECT 1.8		/* width to height of the room for it */

/* A PU and its place; groups are the PUs that share package, node and L3. */
struct spot {
	const struct pumap_pu *pu;
	long task;		/* its first one; -1: none */
	unsigned int tasks;
	double x, y;
};

struct box {
	double x, y, width, height;
	const struct pumap_pu *pu;	/* one of those inside */
	size_t begin, end;		/* spots */
};

struct picture {
	struct spot *spots;
	size_t nr;
	struct box *groups, *packages;
	size_t nr_groups, nr_packages;
	double width, height;
};

/* ---- what lies in what ---------------------------------------------------------------------- */

static int compare_indices(int a, int b)
{
	return a < b ? -1 : a > b;
}

static int compare_groups(const struct pumap_pu *a, const struct pumap_pu *b)
{
	int order = compare_indices(a->package, b->package);

	if (!order)
		order = compare_indices(a->node, b->node);
	return order ? order : compare_indices(a->l3, b->l3);
}

static int compare_spots(const void *a, const void *b)
{
	const struct pumap_pu *x = ((const struct spot *)a)->pu, *y = ((const struct spot *)b)->pu;
	int order = compare_groups(x, y);

	if (!order)
		order = compare_indices(x->core, y->core);
	/* PUs of a core stay in hwloc's order. */
	return order ? order : x < y ? -1 : x > y;
}

static void set_tasks(struct picture *p, const struct cpulist *cpus)
{
	for (size_t i = 0; i < cpus->nr; i++) {
		for (size_t k = 0; k < p->nr; k++) {
			if (p->spots[k].pu->cpu != cpus->cpus[i])
				continue;
			if (p->spots[k].task < 0)
				p->spots[k].task = (long)i;
			p->spots[k].tasks++;
		}
	}
}

/* ---- where it lies -------------------------------------------------------------------------- */

/* The cores in rows, the PUs of each one below the other. */
static void lay_group(const struct picture *p, struct box *group)
{
	size_t core = 0, in_core = 0, tallest = 1, rows;

	for (size_t i = group->begin; i < group->end; i++) {
		bool same = i > group->begin && p->spots[i].pu->core == p->spots[i - 1].pu->core;

		in_core = same ? in_core + 1 : 1;
		tallest = in_core > tallest ? in_core : tallest;
	}
	in_core = 0;
	for (size_t i = group->begin; i < group->end; i++) {
		bool same = i > group->begin && p->spots[i].pu->core == p->spots[i - 1].pu->core;

		in_core = same ? in_core + 1 : 0;
		core += i > group->begin && !same;
		p->spots[i].x = (double)(core % CORES_A_ROW) * (1 + CORE_GAP);
		p->spots[i].y = (double)(core / CORES_A_ROW) * ((double)tallest + CORE_GAP) +
				(double)in_core;
	}
	rows = core / CORES_A_ROW + 1;
	core = core < CORES_A_ROW ? core + 1 : CORES_A_ROW;
	group->width = (double)core * (1 + CORE_GAP) - CORE_GAP;
	group->height = (double)rows * ((double)tallest + CORE_GAP) - CORE_GAP;
}

/* Lays boxes in rows of @per_row, from (0, 0) on; the room that they take. */
static void lay_rows(struct box *boxes, size_t nr, size_t per_row, double gap, double *used_width,
		     double *used_height)
{
	double x = 0, y = 0, row_height = 0;

	*used_width = 0;
	for (size_t i = 0; i < nr; i++) {
		if (i && i % per_row == 0) {
			x = 0;
			y += row_height + gap;
			row_height = 0;
		}
		boxes[i].x = x;
		boxes[i].y = y;
		x += boxes[i].width + gap;
		row_height = fmax(row_height, boxes[i].height);
		*used_width = fmax(*used_width, x - gap);
	}
	*used_height = y + row_height;
}

static void lay_package(struct picture *p, struct box *package, size_t per_row)
{
	struct box *groups = NULL;
	size_t nr = 0;
	double width, height;

	for (size_t i = 0; i < p->nr_groups; i++) {
		if (p->groups[i].begin < package->begin || p->groups[i].end > package->end)
			continue;
		groups = groups ? groups : &p->groups[i];
		nr++;
	}
	lay_rows(groups, nr, per_row, GROUP_GAP, &width, &height);
	package->width = width + 2 * GROUP_GAP;
	package->height = height + TITLE + GROUP_GAP;
}

/* With so many groups in a row of a package, and packages in a row. How large that can be drawn. */
static double lay_packages(struct picture *p, size_t groups_per_row, size_t packages_per_row)
{
	for (size_t i = 0; i < p->nr_packages; i++)
		lay_package(p, &p->packages[i], groups_per_row);
	lay_rows(p->packages, p->nr_packages, packages_per_row, PACKAGE_GAP, &p->width, &p->height);
	return fmin(ASPECT / p->width, 1 / p->height);
}

static void lay_best(struct picture *p)
{
	size_t best_groups = 1, best_packages = 1;
	double largest = 0;

	for (size_t g = 1; g <= p->nr_groups / p->nr_packages + 1; g++) {
		for (size_t k = 1; k <= p->nr_packages; k++) {
			double scale = lay_packages(p, g, k);

			if (scale <= largest * 1.001)
				continue;
			largest = scale;
			best_groups = g;
			best_packages = k;
		}
	}
	lay_packages(p, best_groups, best_packages);
}

/* Once the packages lie where they do: what is inside. */
static void move_inside(struct picture *p)
{
	for (size_t i = 0; i < p->nr_packages; i++) {
		const struct box *package = &p->packages[i];

		for (size_t k = 0; k < p->nr_groups; k++) {
			struct box *group = &p->groups[k];

			if (group->begin < package->begin || group->end > package->end)
				continue;
			group->x += package->x + GROUP_GAP;
			group->y += package->y + TITLE;
			for (size_t s = group->begin; s < group->end; s++) {
				p->spots[s].x += group->x;
				p->spots[s].y += group->y;
			}
		}
	}
}

/* Cuts the sorted spots where @differ says that two in a row do not belong together. */
static size_t cut(const struct picture *p, struct box *boxes,
		  int (*differ)(const struct pumap_pu *a, const struct pumap_pu *b))
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr; i++) {
		if (i == 0 || differ(p->spots[i - 1].pu, p->spots[i].pu))
			boxes[nr++] = (struct box){ .pu = p->spots[i].pu, .begin = i };
		boxes[nr - 1].end = i + 1;
	}
	return nr;
}

static int compare_packages(const struct pumap_pu *a, const struct pumap_pu *b)
{
	return compare_indices(a->package, b->package);
}

static void lay_out(struct picture *p)
{
	p->nr_groups = cut(p, p->groups, compare_groups);
	p->nr_packages = cut(p, p->packages, compare_packages);
	for (size_t i = 0; i < p->nr_groups; i++)
		lay_group(p, &p->groups[i]);
	lay_best(p);
	move_inside(p);
}

static void free_picture(struct picture *p)
{
	free(p->spots);
	free(p->groups);
	free(p->packages);
}

static int make_picture(const struct pumap *m, const struct pumap_placement *placement,
			struct picture *p)
{
	*p = (struct picture){
		.spots = calloc(m->nr, sizeof(*p->spots)), .nr = m->nr,
		.groups = calloc(m->nr, sizeof(*p->groups)),
		.packages = calloc(m->nr, sizeof(*p->packages)),
	};
	if (!p->spots || !p->groups || !p->packages) {
		free_picture(p);
		return -ENOMEM;
	}
	for (size_t i = 0; i < m->nr; i++)
		p->spots[i] = (struct spot){ .pu = &m->pus[i], .task = -1 };
	qsort(p->spots, p->nr, sizeof(*p->spots), compare_spots);
	set_tasks(p, &placement->cpus);
	lay_out(p);
	return 0;
}

/* ---- the script ----------------------------------------------------------------------------- */

static void put_boxes(const struct box *boxes, size_t nr, const char *properties, double margin,
		      FILE *out)
{
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "set object rectangle from %.2f,%.2f to %.2f,%.2f %s\n",
			boxes[i].x - margin, boxes[i].y - margin, boxes[i].x + boxes[i].width + margin,
			boxes[i].y + boxes[i].height + margin, properties);
}

/* The nodes on which the PUs of a package lie: spots are in their order. */
static void put_nodes(const struct picture *p, const struct box *package, const char *separator,
		      FILE *out)
{
	const char *word = "node ";

	for (size_t i = package->begin; i < package->end; i++) {
		int node = p->spots[i].pu->node;

		if (node < 0 || (i > package->begin && node == p->spots[i - 1].pu->node))
			continue;
		fprintf(out, "%s%s%d", separator, word, node);
		separator = ", ";
		word = "";
	}
}

static void put_names(const struct picture *p, double size, FILE *out)
{
	for (size_t i = 0; i < p->nr_packages; i++) {
		const struct box *b = &p->packages[i];

		fputs("set label '", out);
		if (b->pu->package >= 0)
			fprintf(out, "package %d", b->pu->package);
		put_nodes(p, b, b->pu->package >= 0 ? ": " : "", out);
		fprintf(out, "' at %.2f,%.2f left font ',%.0f' front\n", b->x + GROUP_GAP,
			b->y + TITLE / 2, size);
	}
}

/* x, y, task (or nothing), and what stands in the square. */
static void put_spots(const struct picture *p, FILE *out)
{
	fputs("$tasks << EOD\n", out);
	for (size_t i = 0; i < p->nr; i++)
		if (p->spots[i].task >= 0)
			fprintf(out, "%.2f %.2f %ld\n", p->spots[i].x + 0.5, p->spots[i].y + 0.5,
				p->spots[i].task);
	fputs("EOD\n$empty << EOD\n", out);
	for (size_t i = 0; i < p->nr; i++)
		if (p->spots[i].task < 0)
			fprintf(out, "%.2f %.2f\n", p->spots[i].x + 0.5, p->spots[i].y + 0.5);
	fputs("EOD\n", out);
}

static bool has_empty(const struct picture *p)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->spots[i].task < 0)
			return true;
	return false;
}

/* Colours by Viridis (van der Walt and Smith, 2015): even steps for the eye, also in grey. */
static const char palette[] =
	"set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n";

static void put_plot(const struct picture *p, const struct pumap_placement *placement, FILE *out)
{
	/* The picture is 900 wide; a PU's number must fit its square. */
	double square = fmin(900 / (p->width + 2), 480 / (p->height + 2));
	double font = fmin(12, square * 0.36);
	size_t last = placement->cpus.nr - 1;

	fprintf(out, "%sset cbrange [0:%zu]\n", palette, last ? last : 1);
	fputs("unset colorbox\nunset key\nunset border\nunset tics\nunset grid\n"
	      "set lmargin 1\nset rmargin 1\nset bmargin 1\nset size ratio -1\n", out);
	fprintf(out, "set xrange [-0.6:%.2f]\nset yrange [%.2f:-0.6]\n", p->width + 0.6,
		p->height + 0.6);
	put_boxes(p->packages, p->nr_packages, "fs empty border lc rgb '#555555' lw 1.5 back", 0, out);
	put_boxes(p->groups, p->nr_groups, "fc rgb '#eeeeee' fs solid noborder back", 0.2, out);
	put_names(p, fmin(12, fmax(7, square * 0.5)), out);
	put_spots(p, out);
	fputs("set style fill solid\nplot \\\n", out);
	if (has_empty(p))
		fputs("  $empty using 1:2:(0.45):(0.45) with boxxyerror fc rgb '#ffffff', \\\n", out);
	fputs("  $tasks using 1:2:(0.45):(0.45):3 with boxxyerror fc palette", out);
	/* Light text on the dark half of the colours. */
	if (font >= 4)
		fprintf(out, ", \\\n  $tasks using 1:2:(sprintf('%%d', $3)):"
			"($3 < %g ? 0xffffff : 0x000000) with labels font ',%.1f' textcolor rgb variable",
			(double)last * 0.55, font);
	fputc('\n', out);
}

static void put_title(const struct pumap *m, const struct pumap_placement *placement, FILE *out)
{
	char title[256];

	snprintf(title, sizeof(title), "placement %.60s: %zu task%s on %zu PU%s%s%.80s",
		 placement->name, placement->cpus.nr, placement->cpus.nr == 1 ? "" : "s", m->nr,
		 m->nr == 1 ? "" : "s", m->source[0] ? ", run " : "", m->source);
	fputs("set title ", out);
	gnuplot_put_text(out, title);
	fprintf(out, " font '%s'\n", STYLE_TITLE_FONT);
}

int placement_script(const struct pumap *m, const struct pumap_placement *placement,
		     const char *name, const char *formats, FILE *out)
{
	struct picture p;
	int err = make_picture(m, placement, &p);

	if (err)
		return err;
	fprintf(out, "# Made by knee plot placement. To change the picture: change this, and run\n"
		"#\tgnuplot %s.gp\n", name);
	style_print(out);
	put_title(m, placement, out);
	for (const char *word = formats; *word;) {
		size_t len = strcspn(word, " ");
		char format[8];

		snprintf(format, sizeof(format), "%.*s", (int)len, word);
		fprintf(out, "\nset terminal %s\nset output '%s.%s'\n", style_terminal(format), name,
			format);
		if (word == formats)
			put_plot(&p, placement, out);
		else
			fputs("replot\n", out);
		word += len;
		word += strspn(word, " ");
	}
	fputs("set output\n", out);
	free_picture(&p);
	return 0;
}
