/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address-space randomisation: off in all tasks, as setarch -R does, or figures differ by run. */
#ifndef KNEE_ASLR_H
#define KNEE_ASLR_H

#include <stdbool.h>

/*
 * If it is on, executes the program anew without. Returns if it is off, or if a container
 * forbids to turn it off.
 */
void aslr_turn_off(char **argv);

/* Whether this process's address space is randomised. */
bool aslr_is_on(void);

#endif
