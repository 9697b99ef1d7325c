/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "membind.h"

#include <errno.h>
#include <numaif.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "msg.h"

/* The kernel reads one bit less than it is told. */
#define MASK_BITS (MEMBIND_NODES_MAX + 1)

void membind_free(struct membind *m)
{
	cpulist_free(&m->nodes);
	*m = (struct membind){ 0 };
}

static int parse_nodes(const char *text, const char *list, struct membind *m)
{
	int err = cpulist_parse(list, &m->nodes);

	for (size_t i = 0; !err && i < m->nodes.nr; i++)
		if (m->nodes.cpus[i] >= MEMBIND_NODES_MAX)
			err = -ERANGE;
	if (err) {
		msg_error("--membind %s: must be a list of nodes such as nodes=0,1", text);
		membind_free(m);
	}
	return err == -ERANGE ? -EINVAL : err;
}

int membind_parse(const char *text, struct membind *m)
{
	*m = (struct membind){ .policy = MEMBIND_NODES };
	if (strncmp(text, "nodes=", 6) == 0)
		return parse_nodes(text, text + 6, m);
	if (strncmp(text, "node=", 5) == 0)
		return parse_nodes(text, text + 5, m);
	m->policy = MEMBIND_LOCAL;
	if (strcmp(text, "local") == 0)
		return 0;
	m->policy = MEMBIND_INTERLEAVE;
	if (strcmp(text, "interleave") == 0)
		return 0;
	msg_error("--membind %s: must be local, interleave or nodes=LIST", text);
	return -EINVAL;
}

int membind_reset(void)
{
	return set_mempolicy(MPOL_DEFAULT, NULL, 0) == 0 ? 0 : -errno;
}

static int allowed_by_cpuset(unsigned long mask[MEMBIND_MASK_WORDS])
{
	memset(mask, 0, MEMBIND_MASK_WORDS * sizeof(*mask));
	return get_mempolicy(NULL, mask, MASK_BITS, NULL, MPOL_F_MEMS_ALLOWED) == 0 ? 0 : -errno;
}

int membind_allowed(unsigned long mask[MEMBIND_MASK_WORDS])
{
	struct cpulist nodes;
	char *text;
	int err = allowed_by_cpuset(mask);

	if (err || file_read(&text, "", "/sys/devices/system/node/has_memory") != 0)
		return err;
	if (cpulist_parse(text, &nodes) == 0) {
		for (int node = 0; node < MEMBIND_NODES_MAX; node++)
			if (!cpulist_contains(&nodes, node))
				mask[node / 64] &= ~(1UL << (node % 64));
		cpulist_free(&nodes);
	}
	free(text);
	return 0;
}

static int interleave(void)
{
	unsigned long mask[MEMBIND_MASK_WORDS];
	int err = allowed_by_cpuset(mask);

	if (err)
		return err;
	return set_mempolicy(MPOL_INTERLEAVE, mask, MASK_BITS) == 0 ? 0 : -errno;
}

static int bind_to(int node)
{
	unsigned long mask[MEMBIND_MASK_WORDS] = { 0 };

	mask[node / 64] = 1UL << (node % 64);
	return set_mempolicy(MPOL_BIND, mask, MASK_BITS) == 0 ? 0 : -errno;
}

int membind_apply(const struct membind *m, unsigned long task)
{
	switch (m->policy) {
	case MEMBIND_UNASKED:
		membind_reset();
		return 0;
	case MEMBIND_LOCAL:
		return membind_reset();
	case MEMBIND_INTERLEAVE:
		return interleave();
	case MEMBIND_NODES:
		return bind_to(m->nodes.cpus[task % m->nodes.nr]);
	}
	return -EINVAL;
}

static const char *why_not(int err)
{
	switch (-err) {
	case EPERM:
	case ENOSYS:
		return "this user or container may not set memory policies";
	case EINVAL:
		return "no such node with memory is allowed here";
	default:
		return strerror(-err);
	}
}

/* All nodes of the list are tried: the tasks cannot say so well what is wrong. */
int membind_apply_first(const struct membind *m)
{
	int err = 0;

	for (size_t i = 1; !err && m->policy == MEMBIND_NODES && i < m->nodes.nr; i++) {
		err = membind_apply(m, i);
		if (err)
			msg_error("--membind: node %d: %s", m->nodes.cpus[i], why_not(err));
	}
	if (err)
		return err;
	err = membind_apply(m, 0);
	if (err && m->policy == MEMBIND_NODES)
		msg_error("--membind: node %d: %s", m->nodes.cpus[0], why_not(err));
	else if (err)
		msg_error("--membind: %s", why_not(err));
	return err;
}

void membind_note_default(void)
{
	int mode = MPOL_DEFAULT, err;

	if (get_mempolicy(&mode, NULL, 0, NULL, 0) == 0 && mode != MPOL_DEFAULT)
		msg_note("the memory policy that it was started with (numactl) does not hold: tasks "
			 "allocate on their own node; --membind sets another policy");
	err = membind_reset();
	if (err)
		msg_note("memory policies cannot be set (%s): memory comes from where the kernel takes it",
			 strerror(-err));
}
