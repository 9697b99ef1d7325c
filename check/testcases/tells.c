/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each task says on stderr where it finds itself. An operation is a millisecond's sleep, and
 * `slow` per cent of it more: a slow-down that is known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <time.h>
#include <unistd.h>

#include "testcase.h"

char *testcase_description = "What a task finds";

const struct testcase_info testcase_info = {
	.params = { { .name = "slow", .value = "0", .min = "0", .max = "100",
		      .doc = "per cent that an operation takes longer" } },
};

/* The first line of @file that holds @word, from there to its end; "" if there is none. */
static char *line_of(char buf[256], const char *file, const char *word)
{
	FILE *in = fopen(file, "r");
	char line[512], *at;

	buf[0] = '\0';
	while (in && fgets(line, sizeof(line), in)) {
		at = strstr(line, word);
		if (!at)
			continue;
		snprintf(buf, 256, "%s", at + strlen(word));
		buf[strcspn(buf, "\n")] = '\0';
		break;
	}
	if (in)
		fclose(in);
	return buf;
}

static void tell(unsigned long nr)
{
	char memcg[256], overcommit[256], thp[256], cwd[256] = "?";
	const char *env = getenv("KNEE_X");

	if (!*line_of(memcg, "/proc/self/cgroup", ":memory:"))
		line_of(memcg, "/proc/self/cgroup", "0::");
	line_of(overcommit, "/proc/sys/vm/overcommit_memory", "");
	line_of(thp, "/sys/kernel/mm/transparent_hugepage/enabled", "[");
	thp[strcspn(thp, "]")] = '\0';
	must(getcwd(cwd, sizeof(cwd)));
	fprintf(stderr, "task %lu memcg=%s overcommit=%s thp=%s aslr=%s env=%s slow=%llu cwd=%s\n", nr,
		memcg, overcommit, thp,
		personality(0xffffffff) & ADDR_NO_RANDOMIZE ? "off" : "on", env ? env : "-",
		param("slow"), cwd);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const struct timespec pause = { .tv_nsec = 1000000 + (long)param("slow") * 10000 };

	tell(nr);
	for (;;) {
		nanosleep(&pause, NULL);
		count(iterations);
	}
}
