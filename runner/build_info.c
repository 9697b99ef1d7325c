/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build_info.h"

const char build_version[] = KNEE_VERSION;
const char build_compiler[] = KNEE_COMPILER;
const char build_cflags[] = KNEE_CFLAGS;
