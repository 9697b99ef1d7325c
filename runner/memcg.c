/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memcg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cgroup.h"
#include "file.h"
#include "num.h"

static uint64_t marked;

static uint64_t oom_kills(const struct cgroup *cg)
{
	const char *file = cg->version == 1 ? "memory.oom_control" : "memory.events";
	char *text;
	uint64_t kills = 0;

	if (file_read(&text, cg->mount, "%s/%s", cg->path, file) == 0) {
		file_key_u64(text, "oom_kill", &kills);
		free(text);
	}
	return kills;
}

uint64_t memcg_oom_kills(void)
{
	struct cgroup cg;
	uint64_t kills = 0;

	if (cgroup_find(&cg, "", "memory") == 0) {
		kills = oom_kills(&cg);
		cgroup_free(&cg);
	}
	return kills;
}

void memcg_oom_mark(void)
{
	marked = memcg_oom_kills();
}

char *memcg_oom_text(char buf[MEMCG_TEXT_MAX])
{
	struct cgroup cg;
	uint64_t kills, limit;
	char *where, bytes[NUM_BYTES_MAX];

	buf[0] = '\0';
	if (cgroup_find(&cg, "", "memory") != 0)
		return buf;
	kills = oom_kills(&cg) - marked;
	if (kills) {
		cgroup_tightest(&cg, cg.version == 1 ? "memory.limit_in_bytes" : "memory.max", "",
				&limit, &where);
		snprintf(buf, MEMCG_TEXT_MAX, ": memory cgroup %s: %" PRIu64 " OOM kill%s, limit %s",
			 where ? where : cg.path, kills, kills == 1 ? "" : "s",
			 where ? num_format_bytes(bytes, limit) : "none");
		free(where);
	}
	cgroup_free(&cg);
	return buf;
}
