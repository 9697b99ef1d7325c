/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a testcase may leave out. In a file of their own: the compiler may fold a weak constant
 * into a reader that it sees beside it.
 */
#include "testcase.h"

__attribute__((weak)) const struct testcase_info testcase_info;

__attribute__((weak)) void testcase_prepare(unsigned long nr_tasks)
{
	(void)nr_tasks;
}

__attribute__((weak)) void testcase_cleanup(void)
{
}
