/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libnuma, linked in statically: of its object that holds the system calls, one function that knee
 * never calls asks for the size of a bitmask. The object that answers it would read half of /sys at
 * the start of every testcase; this one does not come with it. Weak: a testcase that uses numa.h
 * gets the real one.
 */
struct bitmask;

unsigned int numa_bitmask_nbytes(struct bitmask *mask) __attribute__((weak));

unsigned int numa_bitmask_nbytes(struct bitmask *mask)
{
	(void)mask;
	return 0;
}
