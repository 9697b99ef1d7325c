/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How every picture looks: sizes, fonts, colours. The same colour and the same point mean the
 * same thing in all of them.
 */
#ifndef KNEE_STYLE_H
#define KNEE_STYLE_H

#include <stdbool.h>
#include <stdio.h>

/* gnuplot's numbers of the line styles that style_print() defines. */
enum style {
	STYLE_PROCESSES = 1,
	STYLE_THREADS,
	STYLE_LINEAR,
	STYLE_FAILED,			/* in the legend, as the two below; black or grey */
	STYLE_DOUBTFUL,
	STYLE_IDLE,
	STYLE_PROCESSES_HOLLOW = 11,	/* doubtful figures: over the same point in white */
	STYLE_THREADS_HOLLOW,
	STYLE_PROCESSES_BLANK = 21,
	STYLE_THREADS_BLANK,
	STYLE_PROCESSES_FAILED = 31,
	STYLE_THREADS_FAILED,
	STYLE_PROCESSES_IDLE = 41,
	STYLE_THREADS_IDLE,
};

/* For options, blank-separated. */
#define STYLE_FORMATS "svg png"

/* The file formats' `set terminal`, without the words; NULL if @format is none. */
const char *style_terminal(const char *format);

/*
 * What --format says, such as "svg,png", with blanks for the commas. Freed by the caller; NULL: one of
 * them is none, said.
 */
char *style_formats(const char *list);

/*
 * @text with what the format cannot show, whatever fonts there are, as '?': pictures of cairo
 * (png) are spoilt by a character that no font has. Freed by the caller; NULL: no memory.
 */
char *style_showable(const char *format, const char *text);

/* What comes first in a script for pictures: defaults, line styles, grid, legend. */
void style_print(FILE *out);

/* The same for a text terminal of @columns x @lines, with colours if @colour. */
void style_print_text(FILE *out, unsigned int columns, unsigned int lines, bool colour);

/* The character of the line of linear scaling on a text terminal. */
#define STYLE_TEXT_LINEAR "."

/* Characters that fit one line of a title, and what of a unit fits the label along the y axis. */
#define STYLE_TITLE_WIDTH 76
#define STYLE_SUBTITLE_WIDTH 108
#define STYLE_YLABEL_WIDTH 44

#define STYLE_TITLE_FONT ",15"
#define STYLE_SUBTITLE_FONT ",11"
#define STYLE_SUBTITLE_COLOUR "#555555"

#endif
