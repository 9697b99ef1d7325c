/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gnuplot: texts for its scripts, and running it. */
#ifndef KNEE_GNUPLOT_H
#define KNEE_GNUPLOT_H

#include <stddef.h>
#include <stdio.h>

/*
 * @text as a string of gnuplot's: single-quoted, where nothing but a quote has a meaning. What is
 * not printable is shown as '?'.
 */
void gnuplot_put_text(FILE *out, const char *text);

/* The same in lines of at most @width columns: returns how many. */
size_t gnuplot_put_wrapped(FILE *out, const char *text, size_t width);

/*
 * Runs scripts, which lie in @dir, one after the other in one process: 0; -ENOENT: there is no
 * gnuplot; -EIO: it failed; else -errno. Said, with what it wrote to stderr.
 */
int gnuplot_run(const char *dir, const char *const *scripts, size_t nr);

/* Runs the script in the file @script_fd, whose output goes to the file @output_fd. As above. */
int gnuplot_run_fd(int script_fd, int output_fd);

#endif
