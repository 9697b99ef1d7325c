/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that are run for what they print. Argument vectors, never a shell. */
#ifndef KNEE_CHILD_H
#define KNEE_CHILD_H

/*
 * Runs @argv[0] and waits for it; *out is what it wrote to stdout (freed by the caller). 0; -errno
 * if it could not be run; its exit status, or 128 + signal, otherwise.
 */
int child_output(char *const argv[], char **out);

#endif
