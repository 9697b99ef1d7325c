/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How this program was built: it decides a result. The Makefile defines the values. */
#ifndef KNEE_BUILD_INFO_H
#define KNEE_BUILD_INFO_H

extern const char build_version[];	/* "1.0", or as git describes the checkout */
extern const char build_compiler[];	/* "gcc (Debian ...) 12.2.0" */
extern const char build_cflags[];	/* of the testcases */

#endif
