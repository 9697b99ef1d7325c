/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the kernel's tracing files are. */
#ifndef KNEE_TRACEFS_DIR_H
#define KNEE_TRACEFS_DIR_H

/*
 * The directory in which tracefs is mounted, in a static buffer; NULL: it is mounted nowhere. It is
 * never mounted from here, as libtracefs would do: the machine stays as it is.
 */
const char *tracefs_dir(void);

#endif
