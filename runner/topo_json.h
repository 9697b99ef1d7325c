/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine's topology as JSON: part of machine.json, and `runtest --topology --json`. */
#ifndef KNEE_TOPO_JSON_H
#define KNEE_TOPO_JSON_H

#include <jansson.h>

#include "topology.h"

/* As doc/formats.md has it; null if @t is NULL. */
json_t *topo_json(const struct topo *t);

#endif
