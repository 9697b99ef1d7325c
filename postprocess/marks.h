/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Doubts beside a figure: "d2i1~1!1". */
#ifndef KNEE_MARKS_H
#define KNEE_MARKS_H

#include <stddef.h>
#include <stdint.h>

/* A flag's letter: the first of its name that no flag before it has. */
char marks_letter(const char *const *flags, size_t flag);

/*
 * The flags with the rounds that carry them, outliers, rounds without a figure. Freed by the
 * caller; NULL: no memory.
 */
char *marks_text(const char *const *flags, size_t nr_flags, const uint64_t *rounds,
		 size_t nr_outliers, uint64_t failed);

#endif
