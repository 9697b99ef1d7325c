/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures in a directory: NAME.gp for each, kept, which makes NAME.svg and NAME.png. One gnuplot
 * draws them all.
 */
#ifndef KNEE_PICTURES_H
#define KNEE_PICTURES_H

#include <stddef.h>
#include <stdio.h>

struct pictures {
	const char *dir;
	const char *formats;	/* blank-separated */
	char **names;
	size_t nr;
};

/* Makes @dir if it is not there. 0 or -errno, said. */
int pictures_open(struct pictures *p, const char *dir, const char *formats);

/*
 * Opens the script of one more picture, for writing; @title is made a file name that no other
 * picture of these has. *name is it, without an ending. NULL: said.
 */
FILE *pictures_add(struct pictures *p, const char *title, const char **name);

/* Closes it. 0 or -errno, said. */
int pictures_added(struct pictures *p, FILE *script);

/* Draws, and prints the names of the files that were made. 0; -ENOENT: no gnuplot; -errno. Said. */
int pictures_draw(const struct pictures *p);

void pictures_close(struct pictures *p);

#endif
