/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "style.h"

#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "msg.h"

/*
 * Colours by Okabe and Ito ("Color Universal Design", 2008): told apart by the colour-blind, and
 * in grey by the shapes of the points and the dashes of the lines.
 */
#define BLUE "#0072B2"
#define VERMILLION "#D55E00"
#define GREY "#777777"

static const struct {
	const char *format, *terminal;
} terminals[] = {
	{ "svg", "svg size 900,560 dynamic background 'white' noenhanced font 'sans-serif,12'" },
	/* Twice as many pixels: for slides and dense displays. */
	{ "png", "pngcairo size 1800,1120 fontscale 2 linewidth 2 pointscale 2 "
		 "background 'white' noenhanced font 'sans-serif,12'" },
};

const char *style_terminal(const char *format)
{
	for (size_t i = 0; i < sizeof(terminals) / sizeof(terminals[0]); i++)
		if (strcmp(terminals[i].format, format) == 0)
			return terminals[i].terminal;
	return NULL;
}

char *style_formats(const char *list)
{
	char *formats = strdup(list), *copy = strdup(list), *rest = copy, *word;

	for (char *c = formats; c && (c = strchr(c, ','));)
		*c = ' ';
	while (copy && formats && (word = strsep(&rest, ","))) {
		if (style_terminal(word))
			continue;
		msg_error("--format %s: must be of: %s", list, STYLE_FORMATS);
		free(formats);
		formats = NULL;
	}
	free(copy);
	return formats;
}

/* What every font for Latin, Greek and Cyrillic has, with some punctuation and arrows. */
static bool common(uint32_t c)
{
	return c < 0x530 || (c >= 0x2010 && c <= 0x2027) || (c >= 0x2190 && c <= 0x2193);
}

char *style_showable(const char *format, const char *text)
{
	return human_filter(text, strcmp(format, "png") == 0 ? common : NULL);
}

static const struct {
	enum style style;
	const char *properties;
} styles[] = {
	{ STYLE_PROCESSES, "lc rgb '" BLUE "' lw 2 dt 1 pt 7 ps 0.9" },
	{ STYLE_THREADS, "lc rgb '" VERMILLION "' lw 2 dt 1 pt 5 ps 0.7" },
	{ STYLE_LINEAR, "lc rgb '" GREY "' lw 1.5 dt 2 pt 0" },
	{ STYLE_FAILED, "lc rgb '#000000' lw 1.5 pt 2 ps 1" },
	{ STYLE_DOUBTFUL, "lc rgb '#000000' lw 1.5 pt 6 ps 0.8" },
	{ STYLE_IDLE, "lc rgb '" GREY "' lw 1.2 dt 3 pt 7 ps 0.3" },
	{ STYLE_PROCESSES_HOLLOW, "lc rgb '" BLUE "' lw 1.5 pt 6 ps 0.9" },
	{ STYLE_THREADS_HOLLOW, "lc rgb '" VERMILLION "' lw 1.5 pt 4 ps 0.7" },
	{ STYLE_PROCESSES_BLANK, "lc rgb '#ffffff' lw 1.5 pt 7 ps 0.9" },
	{ STYLE_THREADS_BLANK, "lc rgb '#ffffff' lw 1.5 pt 5 ps 0.7" },
	{ STYLE_PROCESSES_FAILED, "lc rgb '" BLUE "' lw 1.5 pt 2 ps 1" },
	{ STYLE_THREADS_FAILED, "lc rgb '" VERMILLION "' lw 1.5 pt 2 ps 1" },
	{ STYLE_PROCESSES_IDLE, "lc rgb '" BLUE "' lw 1.2 dt 3 pt 7 ps 0.3" },
	{ STYLE_THREADS_IDLE, "lc rgb '" VERMILLION "' lw 1.2 dt 3 pt 7 ps 0.3" },
};

void style_print(FILE *out)
{
	fputs("reset session\n"
	      "set encoding utf8\n", out);
	for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++)
		fprintf(out, "set style line %d %s\n", styles[i].style, styles[i].properties);
	fputs("set border 11 lc rgb '#555555'\n"
	      "set grid ytics lt 1 lc rgb '#e0e0e0' lw 0.8\n"
	      "set tics nomirror scale 0.6 textcolor rgb '#000000'\n"
	      "set xtics offset 0, 0.3\n"
	      "set errorbars 0.6\n"
	      "set pointintervalbox 0\n"
	      "set clip two\n"
	      "set bmargin 5\n"
	      "set key outside bottom center horizontal Left reverse samplen 2 font ',11'\n"
	      "set datafile missing '?'\n", out);
}

void style_print_text(FILE *out, unsigned int columns, unsigned int lines, bool colour)
{
	fprintf(out, "reset session\n"
		"set encoding utf8\n"
		"set terminal dumb feed %s size %u,%u noenhanced\n"
		"set border 3 back\n"
		"set tmargin 0\n"
		"set tics nomirror scale 0.5\n"
		"unset key\n"
		"set samples %u\n"
		"set linetype %d lc rgb '" BLUE "'\n"
		"set linetype %d lc rgb '" VERMILLION "'\n"
		"set linetype %d lc rgb '" GREY "'\n"
		"set datafile missing '?'\n", colour ? "ansi256" : "mono", columns, lines, columns,
		STYLE_PROCESSES, STYLE_THREADS, STYLE_LINEAR);
}
