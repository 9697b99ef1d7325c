/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a testcase needs to have, not how much of it: a kernel, a cgroup controller, a capability. */
#ifndef KNEE_LACKS_H
#define KNEE_LACKS_H

#include "rlimits.h"

/*
 * Each: NULL needs nothing. 0, or -ENOTSUP or -EPERM; then @why is a line that says what is
 * missing.
 */

/* @oldest as "5.14". */
int lacks_kernel(const char *oldest, char why[RLIMITS_TEXT_MAX]);

/* A hierarchy with this controller is mounted. */
int lacks_controller(const char *controller, char why[RLIMITS_TEXT_MAX]);

/* @capability as "CAP_SYS_ADMIN": among this process's effective ones. */
int lacks_capability(const char *capability, char why[RLIMITS_TEXT_MAX]);

#endif
