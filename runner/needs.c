/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "needs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lacks.h"
#include "membind.h"
#include "memcg.h"
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

static int check_groups(char *why)
{
	char *dir;
	int version, err = memcg_parent(&dir, &version, why);

	free(dir);
	return err;
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
		.groups = number(needs, "groups"),
		.sysv_queues = number(needs, "sysv_queues"),
		.posix_queues = number(needs, "posix_queues"),
	};
	int err = check_mode(facts, mode, why);

	if (!err)
		err = lacks_kernel(text(needs, "kernel"), why);
	if (!err)
		err = lacks_controller(text(needs, "controller"), why);
	if (!err)
		err = lacks_capability(text(needs, "capability"), why);
	if (!err && need.groups)
		err = check_groups(why);
	if (!err)
		err = check_nodes(number(needs, "nodes"), why);
	if (!err)
		err = scratch_choose_dir(&dir, text(needs, "fs"), why);
	return err ? err : rlimits_check(&need, dir, why);
}
