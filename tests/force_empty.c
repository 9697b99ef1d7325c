/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A memory cgroup of the task's own, filled with `bytes` of one kind of memory, emptied: by
 * memory.force_empty (v1) or memory.reclaim (v2), or by a limit far below. One operation is one
 * filling and emptying; what matters are the figures of the emptying alone. Clean, dirty and mapped
 * are pages of a file, slab is negative dentries, anon cannot be reclaimed without swap. More than
 * 90 lines, as it makes five kinds of memory.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testcase.h"

#define CHUNK (64 * 1024)
#define DENTRY_BYTES 192

char *testcase_description = "Memory cgroup filled and emptied";

const struct testcase_info testcase_info = {
	.unit = "one filling and emptying of a memory cgroup",
	.tags = "memcg mm vfs",
	.exercises = "write mem_cgroup_force_empty_write memory_reclaim drain_all_stock "
		     "try_to_free_mem_cgroup_pages shrink_node shrink_lruvec shrink_slab "
		     "super_cache_scan prune_dcache_sb __remove_mapping try_to_unmap",
	.contends = "lruvec->lru_lock xa_lock shrinker_rwsem list_lru_node->lock page_counter",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_PROCESSES,
	.prepares = 1,
	.syscalls = { { "pread64", 256 }, { "openat", 3 }, { "close", 3 }, { "read", 2 },
		      { "write", 1 } },
	.needs = { .memory = "bytes", .disk = "bytes", .fs = "disk", .descriptors = "4",
		   .files = "2", .controller = "memory", .groups = "1", .control = "empty" },
	.params = {
		{ "bytes", "16M", "1M", "1024G", NULL, "memory charged before it is emptied" },
		{ "fill", "clean", NULL, NULL, "clean dirty mapped slab anon", "with what" },
		{ "by", "force_empty", NULL, NULL, "force_empty reclaim limit",
		  "force_empty and reclaim are one: what the kernel has" },
	},
	.figures = {
		{ "latency_ns", "of one emptying" },
		{ "emptied_mb_per_s", "10^6 bytes that its usage fell by, over the latency" },
		{ "emptied_bytes", "that its usage fell by" },
		{ "left_bytes", "its usage, read back after the emptying" },
	},
	.notes = "pread64 of 64K fill it; v2 reads the usage once more (openat, read, close); "
		 "by=limit sets bytes / 8 above the usage before filling, and v2 kills the task "
		 "if it cannot get there",
};

struct filling {
	char kind;		/* first letter of the parameter */
	size_t bytes;
	int fd;
	volatile char *memory;
	char dir[TASK_PATH_MAX];
};

static void prepare(struct filling *f, unsigned long nr)
{
	f->kind = *param_text("fill");
	f->bytes = param("bytes");
	f->fd = temp_file(f->kind == 'c' || f->kind == 'd' || f->kind == 'm' ? f->bytes : 0);
	f->memory = mmap(NULL, f->bytes, PROT_READ | PROT_WRITE,
			 f->kind == 'm' ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS,
			 f->kind == 'm' ? f->fd : -1, 0);
	must(f->memory != MAP_FAILED);
	must(fsync(f->fd) == 0);
	must(mkdir(task_path(f->dir, "dir", nr), 0700) == 0);
}

/* Dentries that are met twice would be spared by the first emptying: names are new each time. */
static void fill(const struct filling *f, unsigned long long round)
{
	static char data[CHUNK] IO_BUFFER;
	char path[TASK_PATH_MAX + 40];
	struct stat st;

	for (size_t at = 0; f->kind == 'c' && at < f->bytes; at += CHUNK)
		must(pread(f->fd, data, CHUNK, at) > 0);
	for (size_t at = 0; f->kind == 'd' && at < f->bytes; at += CHUNK)
		must(pwrite(f->fd, data, CHUNK, at) == CHUNK);
	for (size_t at = 0; f->kind == 'm' && at < f->bytes; at += 4096)
		must(f->memory[at] == 'k');
	for (size_t at = 0; f->kind == 'a' && at < f->bytes; at += 4096)
		f->memory[at] = 1;
	for (size_t at = 0; f->kind == 's' && at < f->bytes; at += DENTRY_BYTES) {
		snprintf(path, sizeof(path), "%s/%llx.%zx", f->dir, round, at / DENTRY_BYTES);
		must(stat(path, &st) < 0 && errno == ENOENT);
	}
}

static void empty(int group, unsigned long long limit)
{
	if (*param_text("by") != 'l') {
		must(group_empty(group) == 0);
		return;
	}
	must(group_set(group, "limit", limit) == 0 || errno == EBUSY);
	must(group_set(group, "limit", GROUP_UNLIMITED) == 0);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const int group = task_group(GROUP_TOP, nr);
	struct filling f;

	group_enter(group);
	prepare(&f, nr);
	must(group_empty(group) == 0);
	for (const unsigned long long own = group_usage(group);;) {
		unsigned long long before, begin, ns, left;

		fill(&f, *iterations);
		before = group_usage(group);
		begin = time_ns();
		empty(group, own + f.bytes / 8);
		ns = time_ns() - begin;
		left = group_usage(group);
		figure_add(nr, "latency_ns", ns);
		figure_add(nr, "emptied_mb_per_s", before > left ? (before - left) * 1e3 / ns : 0);
		figure_add(nr, "emptied_bytes", before > left ? before - left : 0);
		figure_add(nr, "left_bytes", left);
		count(iterations);
		must(f.kind != 'a' || madvise((char *)f.memory, f.bytes, MADV_DONTNEED) == 0);
	}
}
