/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "needs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cgroup.h"
#include "membind.h"
#include "scratch.h"

static const char *text(const json_t *needs, const char *name)
{
	return json_string_value(json_object_get(needs, name));
}

static uint64_t number(const json_t *needs, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(needs, name));
}

static int check_mode(const json_t *facts, enum testcase_mode mode, char *why)
{
	const char *name = mode == MODE_THREADS ? "threads" : "processes";
	json_t *have;
	size_t i;

	json_array_foreach(json_object_get(facts, "modes"), i, have)
		if (strcmp(json_string_value(have), name) == 0)
			return 0;
	snprintf(why, RLIMITS_TEXT_MAX, "this testcase has no %s mode", name);
	return -ENOTSUP;
}

static int check_kernel(const char *oldest, char *why)
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

static int check_controller(const char *controller, char *why)
{
	struct cgroup cg;

	if (!controller)
		return 0;
	if (cgroup_find(&cg, "", controller) == 0) {
		cgroup_free(&cg);
		return 0;
	}
	snprintf(why, RLIMITS_TEXT_MAX, "needs the cgroup controller %s, which is not mounted",
		 controller);
	return -ENOTSUP;
}

/* Root is taken to have all capabilities; where a container took one, the call itself fails. */
static int check_capability(const char *capability, char *why)
{
	if (!capability || geteuid() == 0)
		return 0;
	snprintf(why, RLIMITS_TEXT_MAX, "needs %s", capability);
	return -EPERM;
}

static int check_nodes(uint64_t need, char *why)
{
	unsigned long mask[MEMBIND_MASK_WORDS];
	uint64_t nr = 0;

	if (need < 2 || membind_allowed(mask) != 0)
		return 0;
	for (int node = 0; node < MEMBIND_NODES_MAX; node++)
		nr += membind_has(mask, node);
	if (nr >= need)
		return 0;
	snprintf(why, RLIMITS_TEXT_MAX, "needs %" PRIu64 " nodes with memory, of which there %s %" PRIu64,
		 need, nr == 1 ? "is" : "are", nr);
	return -ENOTSUP;
}

int needs_check(const json_t *facts, enum testcase_mode mode, uint64_t tasks, const char *dir,
		char why[RLIMITS_TEXT_MAX])
{
	const json_t *needs = json_object_get(facts, "needs");
	const struct rlimits_need need = {
		.tasks = tasks,
		.threads = mode == MODE_THREADS,
		.memory_bytes = number(needs, "memory_bytes"),
		.descriptors = number(needs, "descriptors"),
		.files = number(needs, "files"),
		.disk_bytes = number(needs, "disk_bytes"),
		.partners = number(needs, "partners"),
	};
	int err = check_mode(facts, mode, why);

	if (!err)
		err = check_kernel(text(needs, "kernel"), why);
	if (!err)
		err = check_controller(text(needs, "controller"), why);
	if (!err)
		err = check_capability(text(needs, "capability"), why);
	if (!err)
		err = check_nodes(number(needs, "nodes"), why);
	if (!err)
		err = scratch_choose_dir(&dir, text(needs, "fs"), why);
	return err ? err : rlimits_check(&need, dir, why);
}
