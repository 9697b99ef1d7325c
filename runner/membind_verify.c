/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "membind_verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

#define PROCESSES_MAX 16
#define PAGES_MAX 256
#define RUN_PAGES 64
#define INTERLEAVED_MIN 64	/* of fewer pages it cannot be told whether they are spread evenly */
#define CHUNK_PAGES 512		/* read from pagemap at once */
#define CHUNKS_MAX 256		/* a process; of more, each so many-th is read */

/* Bits of /proc/PID/pagemap (Documentation/admin-guide/mm/pagemap.rst). */
#define PM_PRESENT (1ULL << 63)
#define PM_FILE (1ULL << 61)	/* or shared anonymous memory */

/* The sampled pages of one process, and where each lies. */
struct sample {
	void *pages[CHUNKS_MAX * CHUNK_PAGES];
	size_t nr;
	int nodes[PAGES_MAX];
};

/* The sampled pages that lie on each node, and those that lie well. */
struct count {
	unsigned long on_node[MEMBIND_NODES_MAX], good, all;
};

/* ---- a process's pages ---------------------------------------------------------------------- */

/* Writable, private, of no file; not the stack, which the supervisor has written. */
static bool is_anonymous(const char *line, struct membind_range *r)
{
	char perms[5], path[32] = "";
	unsigned long inode;

	if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*x %*s %lu %31s", &r->begin, &r->end, perms,
		   &inode, path) < 4)
		return false;
	return perms[1] == 'w' && perms[3] == 'p' && !inode && strncmp(path, "[stack", 6) != 0 &&
	       strncmp(path, "[v", 2) != 0;
}

static void add_range(struct membind_ranges *r, uintptr_t begin, uintptr_t end)
{
	struct membind_range *more = begin < end ? reallocarray(r->list, r->nr + 1, sizeof(*more)) : NULL;

	if (!more)
		return;
	r->list = more;
	more[r->nr++] = (struct membind_range){ begin, end };
}

/* Adds what of @found is not in @inherited, which is ascending. */
static void add_own(struct membind_ranges *r, const struct membind_range *found,
		    const struct membind_ranges *inherited)
{
	uintptr_t at = found->begin;

	for (size_t i = 0; i < inherited->nr; i++) {
		const struct membind_range *other = &inherited->list[i];

		if (other->end <= at || other->begin >= found->end)
			continue;
		add_range(r, at, other->begin);
		at = other->end;
	}
	add_range(r, at, found->end);
}

/* All such ranges of the process but those in @inherited. */
static struct membind_ranges find_ranges(pid_t pid, const struct membind_ranges *inherited)
{
	struct membind_ranges r = { 0 };
	struct membind_range found;
	char *maps, *rest, *line;

	if (file_read(&maps, "", "/proc/%d/maps", pid) != 0)
		return r;
	for (rest = maps; (line = strsep(&rest, "\n"));)
		if (is_anonymous(line, &found))
			add_own(&r, &found, inherited);
	free(maps);
	return r;
}

static void take_chunk(int pagemap, uintptr_t begin, size_t nr, size_t page_bytes, struct sample *s)
{
	uint64_t entries[CHUNK_PAGES];
	ssize_t got = pread(pagemap, entries, nr * sizeof(*entries),
			    (off_t)(begin / page_bytes * sizeof(*entries)));

	for (size_t i = 0; got > 0 && i < (size_t)got / sizeof(*entries); i++)
		if ((entries[i] & (PM_PRESENT | PM_FILE)) == PM_PRESENT)
			s->pages[s->nr++] = (void *)(begin + i * page_bytes);
}

static size_t chunks_of(const struct membind_range *r, size_t chunk_bytes)
{
	return (r->end - r->begin + chunk_bytes - 1) / chunk_bytes;
}

static void take_pages(int pagemap, const struct membind_ranges *r, struct sample *s)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), chunk_bytes = CHUNK_PAGES * page_bytes;
	size_t all = 0, seen = 0, step;

	for (size_t i = 0; i < r->nr; i++)
		all += chunks_of(&r->list[i], chunk_bytes);
	step = all / CHUNKS_MAX + 1;
	for (size_t i = 0; i < r->nr; i++) {
		for (uintptr_t at = r->list[i].begin; at < r->list[i].end; at += chunk_bytes) {
			size_t left = r->list[i].end - at;

			if (seen++ % step == 0)
				take_chunk(pagemap, at, left < chunk_bytes ? left / page_bytes :
					   CHUNK_PAGES, page_bytes, s);
		}
	}
}

/*
 * Thins out to PAGES_MAX, in runs from all over: interleaved pages alternate, and each second or fourth
 * one would always be of the same node.
 */
static void thin_out(struct sample *s)
{
	const size_t runs = PAGES_MAX / RUN_PAGES;

	if (s->nr <= PAGES_MAX)
		return;
	for (size_t run = 0; run < runs; run++)
		memmove(&s->pages[run * RUN_PAGES],
			&s->pages[run * (s->nr - RUN_PAGES) / (runs - 1)],
			RUN_PAGES * sizeof(*s->pages));
	s->nr = PAGES_MAX;
}

/* Finds pages of the process and their nodes; s->nr 0: none, or the kernel does not tell. */
static void take_sample(pid_t pid, const struct membind_ranges *inherited, struct sample *s)
{
	struct membind_ranges ranges;
	char path[64];
	int pagemap;

	s->nr = 0;
	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	pagemap = open(path, O_RDONLY | O_CLOEXEC);
	if (pagemap < 0)
		return;
	ranges = find_ranges(pid, inherited);
	take_pages(pagemap, &ranges, s);
	free(ranges.list);
	close(pagemap);
	thin_out(s);
	if (s->nr && move_pages(pid, s->nr, s->pages, NULL, s->nodes, 0) != 0)
		s->nr = 0;
}

/* ---- where they should lie ------------------------------------------------------------------ */

/* The node with memory that has the CPU; -1: none has. */
static int node_of_cpu(const unsigned long allowed[MEMBIND_MASK_WORDS], int cpu)
{
	char path[96];

	for (int node = 0; cpu >= 0 && node < MEMBIND_NODES_MAX; node++) {
		if (!membind_has(allowed, node))
			continue;
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpu%d", node, cpu);
		if (access(path, F_OK) == 0)
			return node;
	}
	return -1;
}

static int wanted_node(const struct membind *m, const struct tasks *t, unsigned long task,
		       const unsigned long allowed[MEMBIND_MASK_WORDS])
{
	if (m->policy == MEMBIND_NODES)
		return m->nodes.cpus[task % m->nodes.nr];
	return node_of_cpu(allowed, t->config->cpus[task]);
}

/* The nodes that @first and the @nr - 1 tasks after it want. Whether all are known. */
static bool wanted_nodes(const struct membind *m, const struct tasks *t, unsigned long first,
			 unsigned long nr, const unsigned long allowed[MEMBIND_MASK_WORDS],
			 unsigned long wanted[MEMBIND_MASK_WORDS])
{
	memset(wanted, 0, MEMBIND_MASK_WORDS * sizeof(*wanted));
	for (unsigned long i = first; i < first + nr; i++) {
		int node = wanted_node(m, t, i, allowed);

		if (node < 0)
			return false;
		wanted[node / 64] |= 1UL << (node % 64);
	}
	return true;
}

static void count_sample(struct count *c, const struct sample *s,
			 const unsigned long wanted[MEMBIND_MASK_WORDS])
{
	for (size_t i = 0; i < s->nr; i++) {
		if (s->nodes[i] < 0 || s->nodes[i] >= MEMBIND_NODES_MAX)
			continue;
		c->all++;
		c->on_node[s->nodes[i]]++;
		c->good += membind_has(wanted, s->nodes[i]);
	}
}

/* What lies on a node beyond its even share does not lie where it should. */
static unsigned long evenly_spread(const struct count *c,
				   const unsigned long allowed[MEMBIND_MASK_WORDS])
{
	unsigned long nr = 0, share, good = 0;

	for (int node = 0; node < MEMBIND_NODES_MAX; node++)
		nr += membind_has(allowed, node);
	share = nr ? (c->all + nr - 1) / nr : 0;
	for (int node = 0; node < MEMBIND_NODES_MAX; node++)
		if (membind_has(allowed, node))
			good += c->on_node[node] < share ? c->on_node[node] : share;
	return good;
}

static bool several_nodes(const unsigned long allowed[MEMBIND_MASK_WORDS])
{
	int nr = 0;

	for (size_t i = 0; i < MEMBIND_MASK_WORDS; i++)
		nr += __builtin_popcountl(allowed[i]);
	return nr > 1;
}

static void verify_all(const struct membind_verifier *v, const struct membind *m,
		       const struct tasks *t, const unsigned long allowed[MEMBIND_MASK_WORDS],
		       struct count *c)
{
	bool threads = t->config->mode == MODE_THREADS;
	unsigned long nr = t->config->nr, each = threads ? nr : 1, wanted[MEMBIND_MASK_WORDS];
	unsigned long step = threads ? nr : nr / PROCESSES_MAX + 1;
	struct sample *s = malloc(sizeof(*s));

	for (unsigned long i = 0; s && i < nr; i += step) {
		if (m->policy == MEMBIND_INTERLEAVE)
			memcpy(wanted, allowed, sizeof(wanted));
		else if (!wanted_nodes(m, t, i, each, allowed, wanted))
			continue;
		take_sample(threads ? t->worker : t->slots[i].id, &v->inherited, s);
		count_sample(c, s, wanted);
	}
	free(s);
}

/* Where there is only one node, all lies on it: not worth the time, unless it was asked for. */
void membind_verify_prepare(struct membind_verifier *v, const struct membind *m)
{
	const struct membind_ranges none = { 0 };
	unsigned long allowed[MEMBIND_MASK_WORDS];

	*v = (struct membind_verifier){ 0 };
	v->wanted = membind_allowed(allowed) == 0 &&
		    (m->policy != MEMBIND_UNASKED || several_nodes(allowed));
	if (v->wanted)
		v->inherited = find_ranges(getpid(), &none);
}

double membind_verify(const struct membind_verifier *v, const struct membind *m,
		      const struct tasks *t)
{
	unsigned long allowed[MEMBIND_MASK_WORDS];
	struct count c = { .all = 0 };

	if (!v->wanted || membind_allowed(allowed) != 0)
		return -1;
	verify_all(v, m, t, allowed, &c);
	if (m->policy == MEMBIND_INTERLEAVE && c.all < INTERLEAVED_MIN)
		return -1;
	if (m->policy == MEMBIND_INTERLEAVE)
		c.good = evenly_spread(&c, allowed);
	return c.all ? 100.0 * (double)c.good / (double)c.all : -1;
}

void membind_verify_free(struct membind_verifier *v)
{
	free(v->inherited.list);
	*v = (struct membind_verifier){ 0 };
}
