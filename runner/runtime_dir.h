/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory in which runs of knee find each other: $KNEE_RUNTIME_DIR, /run/lock/knee, or
 * $XDG_RUNTIME_DIR/knee: the first that can be had.
 */
#ifndef KNEE_RUNTIME_DIR_H
#define KNEE_RUNTIME_DIR_H

/* A descriptor of it, made if need be; -1: there is none. */
int runtime_dir_open(void);

/* For messages: what was asked for. */
const char *runtime_dir_name(void);

#endif
