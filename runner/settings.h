/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of the machine that factors change (sysctl:NAME, thp): set before a cell, put back after
 * it, whatever happens. A guardian process puts them back if this one is killed; what it had to put
 * back stands in a file of the runtime directory (runtime_dir.h), from which the next run does it
 * if even the guardian was killed. One program has one set of them, and of a user's runs one at a
 * time.
 */
#ifndef KNEE_SETTINGS_H
#define KNEE_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>

#define SETTINGS_TEXT_MAX 512

/* Whether the factor @name is such a setting. */
bool settings_is(const char *name);

/* Whether this process may set it to @level. 0, or -errno and a line in @why. */
int settings_check(const char *name, const char *level, char why[SETTINGS_TEXT_MAX]);

/*
 * Puts back what a run left that was killed together with its guardian; says so. To be called
 * before the machine is looked at.
 */
void settings_recover(void);

/* Starts the guardian. 0; -EBUSY: another run varies settings; -errno. Said. */
int settings_open(void);

/* Puts everything back, ends the guardian. 0 or -errno, said. */
int settings_close(void);

/*
 * Sets those of @levels, name to level, that are settings. What is set reads back as it was
 * written. 0, or -errno and a line in @why; settings_restore() is to be called in any case.
 */
int settings_apply(const json_t *levels, char why[SETTINGS_TEXT_MAX]);

/* Puts everything back. 0 or -errno, said. */
int settings_restore(void);

#endif
