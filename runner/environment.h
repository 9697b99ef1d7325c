/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What decides a result beside the testcase: machine.json. */
#ifndef KNEE_ENVIRONMENT_H
#define KNEE_ENVIRONMENT_H

#include <jansson.h>

#include "topology.h"

/*
 * Reads it all below @root ("" for this machine; a recorded /proc and /sys tree in tests).
 * @topology may be NULL; @dir is where scratch directories go. What cannot be read is null. NULL
 * if there is no memory.
 */
json_t *environment_json(const char *root, const struct topo *topology, const char *dir);

#endif
