/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lacks.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cgroup.h"
#include "file.h"
#include "words.h"

int lacks_kernel(const char *oldest, char why[RLIMITS_TEXT_MAX])
{
	unsigned int want_major, want_minor = 0, major, minor;
	struct utsname uts;

	if (!oldest || sscanf(oldest, "%u.%u", &want_major, &want_minor) < 1 || uname(&uts) != 0 ||
	    sscanf(uts.release, "%u.%u", &major, &minor) != 2)
		return 0;
	if (major > want_major || (major == want_major && minor >= want_minor))
		return 0;
	snprintf(why, RLIMITS_TEXT_MAX, "needs Linux %s, this is %.100s", oldest, uts.release);
	return -ENOTSUP;
}

/* v2 has one hierarchy for all controllers, and a group only those that its parent passes on. */
static bool group_has(const struct cgroup *cg, const char *controller)
{
	char *controllers;
	bool have;

	if (file_read(&controllers, cg->mount, "%s/cgroup.controllers", cg->path) != 0)
		return false;
	have = words_have(controllers, controller);
	free(controllers);
	return have;
}

int lacks_controller(const char *controller, char why[RLIMITS_TEXT_MAX])
{
	struct cgroup cg;
	bool have;

	if (!controller)
		return 0;
	have = cgroup_find(&cg, "", controller) == 0;
	if (have && cg.version == 2)
		have = group_has(&cg, controller);
	cgroup_free(&cg);
	if (have)
		return 0;
	snprintf(why, RLIMITS_TEXT_MAX, "needs the cgroup controller %s, which is not mounted or "
		 "not offered here", controller);
	return -ENOTSUP;
}

/* The capabilities that testcases may ask for; any other one is never had, which is noticed. */
static int capability_bit(const char *name)
{
	static const struct {
		const char *name;
		int bit;
	} known[] = {
		{ "CAP_SYS_ADMIN", CAP_SYS_ADMIN },
		{ "CAP_SYS_NICE", CAP_SYS_NICE },
		{ "CAP_SYS_RESOURCE", CAP_SYS_RESOURCE },
		{ "CAP_IPC_LOCK", CAP_IPC_LOCK },
		{ "CAP_NET_ADMIN", CAP_NET_ADMIN },
		{ "CAP_NET_RAW", CAP_NET_RAW },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].bit;
	return -1;
}

int lacks_capability(const char *capability, char why[RLIMITS_TEXT_MAX])
{
	int bit = capability ? capability_bit(capability) : -1;
	char *status, *line;
	uint64_t effective = 0;

	if (!capability || file_read(&status, "", "/proc/self/status") != 0)
		return 0;
	line = strstr(status, "\nCapEff:");
	if (line)
		effective = strtoull(line + strlen("\nCapEff:"), NULL, 16);
	free(status);
	if (bit >= 0 && effective >> bit & 1)
		return 0;
	snprintf(why, RLIMITS_TEXT_MAX, "needs %s", capability);
	return -EPERM;
}
