/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rlimits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cgroup.h"
#include "file.h"
#include "num.h"
#include "tasks.h"

/* What the supervisor, its libraries and testcase_prepare() open themselves. */
#define OWN_DESCRIPTORS 64
/* Supervisor, guardian. */
#define OWN_PROCESSES 2
/* Kernel and user memory of a task that does nothing yet: about 85 KiB measured (fork), rounded. */
#define BYTES_PER_PROCESS (96UL << 10)
#define BYTES_PER_THREAD (32UL << 10)

/* Writes down why, and returns @err. */
__attribute__((format(printf, 3, 4)))
static int lack(char *why, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, RLIMITS_TEXT_MAX, fmt, args);
	va_end(args);
	return err;
}

static int check_descriptors(const struct rlimits_need *need, char *why)
{
	uint64_t all = num_times(need->descriptors, need->tasks), file_max;
	uint64_t per_process = num_plus(OWN_DESCRIPTORS, need->threads ? all : need->descriptors);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < per_process) {
		limit.rlim_cur = per_process;
		if (limit.rlim_max < per_process)
			limit.rlim_max = per_process;	/* root may */
		if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
			getrlimit(RLIMIT_NOFILE, &limit);
			return lack(why, -EMFILE, "needs %" PRIu64 " open files in a process, "
				    "RLIMIT_NOFILE allows %" PRIu64 " (ulimit -Hn)",
				    per_process, (uint64_t)limit.rlim_max);
		}
	}
	if (file_read_u64(&file_max, "", "/proc/sys/fs/file-max") == 0 && all > file_max)
		return lack(why, -EMFILE, "needs %" PRIu64 " open files, fs.file-max is %" PRIu64,
			    all, file_max);
	return 0;
}

static int too_many(char *why, uint64_t need, const char *what, uint64_t limit)
{
	return lack(why, -EAGAIN, "needs %" PRIu64 " processes and threads, %s allows %" PRIu64,
		    need, what, limit);
}

static int check_sysctl(uint64_t need, const char *name, char *why)
{
	uint64_t limit;
	char what[64];

	if (file_read_u64(&limit, "", "/proc/sys/kernel/%s", name) != 0 || need <= limit)
		return 0;
	snprintf(what, sizeof(what), "kernel.%s", name);
	return too_many(why, need, what, limit);
}

static int check_pids_cgroup(uint64_t need, char *why)
{
	struct cgroup cg;
	uint64_t left;
	char *where, what[256];
	int err = 0;

	if (cgroup_find(&cg, "", "pids") != 0)
		return 0;
	cgroup_tightest(&cg, "pids.max", "pids.current", &left, &where);
	if (need > left) {
		snprintf(what, sizeof(what), "what is left of pids.max in %s", where ? where : "?");
		err = too_many(why, need, what, left);
	}
	free(where);
	cgroup_free(&cg);
	return err;
}

static int check_processes(const struct rlimits_need *need, char *why)
{
	uint64_t tasks = num_times(need->tasks, num_plus(1, need->partners));
	uint64_t all = num_plus(tasks, OWN_PROCESSES + need->tasks / TASKS_PER_SPAWNER);
	struct rlimit limit;
	int err;

	/* Root is exempt; what the user's other processes take shows when a fork fails. */
	if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 && all > limit.rlim_cur)
		return too_many(why, all, "RLIMIT_NPROC (ulimit -u)", limit.rlim_cur);
	err = check_sysctl(all, "pid_max", why);
	if (!err)
		err = check_sysctl(all, "threads-max", why);
	return err ? err : check_pids_cgroup(all, why);
}

static int check_memory(const struct rlimits_need *need, char *why)
{
	uint64_t each = num_plus(need->memory_bytes,
				 need->threads ? BYTES_PER_THREAD : BYTES_PER_PROCESS);
	uint64_t all = num_times(each, need->tasks), available, swap = 0;
	char *text, a[NUM_BYTES_MAX], b[NUM_BYTES_MAX];

	if (file_read(&text, "", "/proc/meminfo") != 0)
		return 0;
	if (file_key_u64(text, "MemAvailable", &available) != 0)
		available = UINT64_MAX / 1024;
	file_key_u64(text, "SwapFree", &swap);
	free(text);
	available = (available + swap) * 1024;
	if (all <= available)
		return 0;
	return lack(why, -ENOMEM, "needs %s of memory for %" PRIu64 " tasks, MemAvailable and "
		    "SwapFree are %s", num_format_bytes(a, all), need->tasks,
		    num_format_bytes(b, available));
}

static int check_disk(const struct rlimits_need *need, const char *dir, char *why)
{
	uint64_t bytes = num_times(need->disk_bytes, need->tasks);
	uint64_t files = num_times(need->files, need->tasks);
	char a[NUM_BYTES_MAX], b[NUM_BYTES_MAX];
	struct statvfs fs;

	if ((!bytes && !files) || statvfs(dir, &fs) != 0)
		return 0;
	if (bytes > (uint64_t)fs.f_bavail * fs.f_frsize)
		return lack(why, -ENOSPC, "needs %s in %s, which has %s left (choose another with "
			    "--dir)", num_format_bytes(a, bytes), dir,
			    num_format_bytes(b, (uint64_t)fs.f_bavail * fs.f_frsize));
	/* Filesystems that make inodes as needed say 0 of 0. */
	if (fs.f_files && files > fs.f_favail)
		return lack(why, -ENOSPC, "needs %" PRIu64 " files in %s, which has %" PRIu64
			    " inodes left", files, dir, (uint64_t)fs.f_favail);
	return 0;
}

/* The kernel numbers memory cgroups, dying ones too, with 16 bits. */
static int check_groups(const struct rlimits_need *need, char *why)
{
	uint64_t groups = num_times(need->groups, need->tasks);

	if (groups < UINT16_MAX)
		return 0;
	return lack(why, -ENOSPC, "needs %" PRIu64 " memory cgroups, and a machine has at most %d",
		    groups, UINT16_MAX);
}

static int check_queues(uint64_t queues, const char *name, char *why)
{
	uint64_t limit;

	if (file_read_u64(&limit, "", "/proc/sys/%s", name) != 0 || queues <= limit)
		return 0;
	return lack(why, -ENOSPC, "needs %" PRIu64 " message queues, %s allows %" PRIu64, queues,
		    name, limit);
}

int rlimits_check(const struct rlimits_need *need, const char *dir, char why[RLIMITS_TEXT_MAX])
{
	int err = check_descriptors(need, why);

	if (!err)
		err = check_processes(need, why);
	if (!err)
		err = check_memory(need, why);
	if (!err)
		err = check_groups(need, why);
	if (!err)
		err = check_queues(num_times(need->sysv_queues, need->tasks), "kernel/msgmni", why);
	if (!err && geteuid() != 0)	/* root is exempt */
		err = check_queues(num_times(need->posix_queues, need->tasks), "fs/mqueue/queues_max", why);
	return err ? err : check_disk(need, dir, why);
}

char *rlimits_text_processes(char buf[RLIMITS_TEXT_MAX])
{
	struct rlimit limit;
	struct cgroup cg;
	uint64_t value;
	char *where;
	size_t len = 0;

	buf[0] = '\0';
	/* pthread_create() says EAGAIN, too, where there is no room for a stack. */
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		len += (size_t)snprintf(buf, RLIMITS_TEXT_MAX, "RLIMIT_AS %" PRIu64 " bytes, ",
					(uint64_t)limit.rlim_cur);
	if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		len += (size_t)snprintf(buf + len, RLIMITS_TEXT_MAX - len,
					"RLIMIT_NPROC %" PRIu64 ", ", (uint64_t)limit.rlim_cur);
	if (cgroup_find(&cg, "", "pids") == 0) {
		cgroup_tightest(&cg, "pids.max", "", &value, &where);
		if (where)
			len += (size_t)snprintf(buf + len, RLIMITS_TEXT_MAX - len,
						"pids.max %" PRIu64 " in %.200s, ", value, where);
		free(where);
		cgroup_free(&cg);
	}
	if (file_read_u64(&value, "", "/proc/sys/kernel/threads-max") == 0)
		snprintf(buf + len, RLIMITS_TEXT_MAX - len, "kernel.threads-max %" PRIu64, value);
	return buf;
}
