/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee plot placement: options, files. */
#ifndef KNEE_PLOT_PLACEMENT_H
#define KNEE_PLOT_PLACEMENT_H

/* Returns the exit status. */
int plot_placement(int argc, char **argv);

#endif
