/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knee plot curves: options, the choice of testcases, files. */
#ifndef KNEE_PLOT_CURVES_H
#define KNEE_PLOT_CURVES_H

/* Returns the exit status. */
int plot_curves(int argc, char **argv);

#endif
