/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a testcase's needs, as its facts say, are met here. */
#ifndef KNEE_NEEDS_H
#define KNEE_NEEDS_H

#include <jansson.h>
#include <stdint.h>

#include "rlimits.h"
#include "testcase.h"

/*
 * @facts as NAME --describe prints them, @dir where scratch directories go. 0, or -ENOTSUP and the
 * like; then @why says what is missing.
 */
int needs_check(const json_t *facts, enum testcase_mode mode, uint64_t tasks, const char *dir,
		char why[RLIMITS_TEXT_MAX]);

#endif
