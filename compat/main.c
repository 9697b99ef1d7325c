/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Some of will-it-scale's clients look for a file of this name. main() of the testcases is in
 * runner/testcase_main.c; nothing is compiled from here.
 */
