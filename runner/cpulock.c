/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpulock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "msg.h"
#include "runtime_dir.h"

#define CLAIM_TRIES 1000	/* of 10 ms: a claim lasts as long as planning */
#define SHARE_TRIES 100		/* of 1 ms */

/* ---- files ---------------------------------------------------------------------------------- */

/*
 * A file that exists is not opened with O_CREAT: in a directory for everybody the kernel refuses
 * that where the file is another user's (fs.protected_regular).
 */
static int open_or_make(const struct cpulock *l, const char *name)
{
	const int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(l->dir_fd, name, flags);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = openat(l->dir_fd, name, flags | O_CREAT | O_EXCL, 0666);
	if (fd >= 0)
		fchmod(fd, 0666);
	else if (errno == EEXIST)
		fd = openat(l->dir_fd, name, flags);
	return fd;
}

static int open_file(const struct cpulock *l, const char *name)
{
	return file_above_stderr(open_or_make(l, name));
}

static int open_cpu(const struct cpulock *l, int cpu, const char *ending)
{
	char name[32];

	snprintf(name, sizeof(name), "cpu%d%s", cpu, ending);
	return open_file(l, name);
}

void cpulock_open(struct cpulock *l)
{
	*l = (struct cpulock){ .dir_fd = runtime_dir_open(), .claim_fd = -1 };
	if (l->dir_fd < 0)
		msg_note("%s cannot be used: other runs on the same CPUs will not be noticed",
			 runtime_dir_name());
}

static void drop(struct cpulock_entry *e)
{
	if (e->fd >= 0)
		close(e->fd);
	e->fd = -1;
	e->owner = false;
}

static void end_claim(struct cpulock *l)
{
	if (l->claim_fd >= 0)
		close(l->claim_fd);
	l->claim_fd = -1;
}

void cpulock_close(struct cpulock *l)
{
	for (size_t i = 0; i < l->nr; i++)
		drop(&l->entries[i]);
	free(l->entries);
	end_claim(l);
	if (l->dir_fd >= 0)
		close(l->dir_fd);
	*l = CPULOCK_NONE;
}

/* ---- one CPU -------------------------------------------------------------------------------- */

static void write_pid(int fd)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d\n", (int)getpid());

	/* It only helps people: whether it succeeds does not matter. */
	if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)len, 0) != len)
		return;
}

/* Whether the CPU is ours now. */
static bool try_to_own(const struct cpulock *l, struct cpulock_entry *e)
{
	int fd;

	if (e->owner)
		return true;
	fd = open_cpu(l, e->cpu, "");
	if (fd < 0)
		return false;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		return false;
	}
	drop(e);
	e->fd = fd;
	e->owner = true;
	write_pid(fd);
	return true;
}

/* Tells the owner that it is not alone. It holds the lock for a moment when it looks. */
static void share(const struct cpulock *l, struct cpulock_entry *e)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	if (e->fd >= 0)
		return;
	e->fd = open_cpu(l, e->cpu, ".shared");
	if (e->fd < 0)
		return;
	if (write(e->fd, "", 1) < 0 || ftruncate(e->fd, 0) != 0)
		futimens(e->fd, NULL);
	for (int i = 0; i < SHARE_TRIES && flock(e->fd, LOCK_SH | LOCK_NB) != 0; i++)
		nanosleep(&pause, NULL);
}

/* The process that owns it, 0 if not known. */
static long owner_pid(const struct cpulock *l, int cpu)
{
	char text[16] = "";
	int fd = open_cpu(l, cpu, "");
	ssize_t got = fd >= 0 ? pread(fd, text, sizeof(text) - 1, 0) : -1;

	if (fd >= 0)
		close(fd);
	return got > 0 ? strtol(text, NULL, 10) : 0;
}

static struct cpulock_entry *find(const struct cpulock *l, int cpu)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->entries[i].cpu == cpu)
			return &l->entries[i];
	return NULL;
}

static struct cpulock_entry *add(struct cpulock *l, int cpu)
{
	struct cpulock_entry *entries = reallocarray(l->entries, l->nr + 1, sizeof(*entries));

	if (!entries)
		return NULL;
	l->entries = entries;
	entries[l->nr] = (struct cpulock_entry){ .cpu = cpu, .fd = -1 };
	return &entries[l->nr++];
}

/* ---- the run -------------------------------------------------------------------------------- */

static void give_back_others(struct cpulock *l, const struct cpulist *cpus)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->nr; i++) {
		if (cpulist_contains(cpus, l->entries[i].cpu))
			l->entries[kept++] = l->entries[i];
		else
			drop(&l->entries[i]);
	}
	l->nr = kept;
}

static void say_shared(const struct cpulock *l, const struct cpulist *busy)
{
	char *text = cpulist_format(busy->cpus, busy->nr);
	long pid = owner_pid(l, busy->cpus[0]);
	char who[48] = "";

	if (pid > 0)
		snprintf(who, sizeof(who), " (process %ld)", pid);
	msg_note("another run of knee%s uses CPU%s %s: the figures of both will be marked; --claim takes "
		 "free CPUs", who, busy->nr > 1 ? "s" : "", text ? text : "?");
	free(text);
}

void cpulock_take(struct cpulock *l, const struct cpulist *cpus)
{
	struct cpulist busy = { 0 };

	if (l->dir_fd < 0)
		return;
	give_back_others(l, cpus);
	for (size_t i = 0; i < cpus->nr; i++) {
		struct cpulock_entry *e = find(l, cpus->cpus[i]);

		if (!e)
			e = add(l, cpus->cpus[i]);
		if (!e || try_to_own(l, e))
			continue;
		share(l, e);
		/* Without a descriptor (RLIMIT_NOFILE) nothing is known of the CPU. */
		if (e->fd >= 0)
			cpulist_add(&busy, e->cpu);
	}
	end_claim(l);
	if (busy.nr)
		say_shared(l, &busy);
	cpulist_free(&busy);
}

/* ---- claiming ------------------------------------------------------------------------------- */

/* Only one run claims at a time. A descriptor, or -EBUSY. */
static int begin_claim(const struct cpulock *l)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	int fd = open_file(l, "claim");

	for (int i = 0; fd >= 0 && i < CLAIM_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return fd;
		nanosleep(&pause, NULL);
	}
	if (fd >= 0)
		close(fd);
	return -EBUSY;
}

static bool is_free(const struct topo_pu *pu, const void *busy_cores)
{
	return !((const bool *)busy_cores)[pu->core];
}

static int lock_free(struct cpulock *l, const struct topo *t, bool *busy_cores)
{
	for (size_t i = 0; i < t->nr_pus; i++) {
		struct cpulock_entry *e = add(l, t->pus[i].cpu);

		if (!e)
			return -ENOMEM;
		if (!try_to_own(l, e))
			busy_cores[t->pus[i].core] = true;
	}
	return 0;
}

int cpulock_claim(struct cpulock *l, const struct topo *from, struct topo *to)
{
	bool *busy_cores = calloc(from->nr_cores + 1, sizeof(*busy_cores));
	int err = busy_cores ? 0 : -ENOMEM;

	if (!err && l->dir_fd < 0)
		err = -ENOTSUP;
	if (!err)
		l->claim_fd = begin_claim(l);
	if (!err && l->claim_fd < 0)
		err = -EBUSY;
	if (!err)
		err = lock_free(l, from, busy_cores);
	if (!err)
		err = topo_select(from, is_free, busy_cores, to);
	free(busy_cores);
	if (err == -ENOTSUP)
		msg_error("--claim needs a runtime directory");
	else if (err)
		msg_error("--claim: %s", err == -ENOMEM ? strerror(ENOMEM) :
			  "other runs of knee use all cores");
	return err == -ENODEV ? -EBUSY : err;
}

/* ---- the cells ------------------------------------------------------------------------------ */

static struct timespec touched(const struct cpulock *l, int cpu)
{
	struct stat st = { 0 };
	char name[32];

	snprintf(name, sizeof(name), "cpu%d.shared", cpu);
	fstatat(l->dir_fd, name, &st, AT_SYMLINK_NOFOLLOW);
	return st.st_mtim;
}

/* Whether some later run shares the CPU right now. */
static bool is_shared(const struct cpulock *l, int cpu)
{
	char name[32];
	bool shared;
	int fd;

	snprintf(name, sizeof(name), "cpu%d.shared", cpu);
	fd = openat(l->dir_fd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	shared = flock(fd, LOCK_EX | LOCK_NB) != 0;
	close(fd);
	return shared;
}

void cpulock_begin(struct cpulock *l, const struct cpulist *cpus)
{
	for (size_t i = 0; l->dir_fd >= 0 && i < cpus->nr; i++) {
		struct cpulock_entry *e = find(l, cpus->cpus[i]);

		if (!e)
			continue;
		/* Who was there first may be gone. */
		try_to_own(l, e);
		e->touched = touched(l, e->cpu);
	}
}

bool cpulock_end(struct cpulock *l, const struct cpulist *cpus)
{
	for (size_t i = 0; l->dir_fd >= 0 && i < cpus->nr; i++) {
		const struct cpulock_entry *e = find(l, cpus->cpus[i]);
		struct timespec now;

		if (!e || e->fd < 0)
			continue;
		now = touched(l, e->cpu);
		if (!e->owner || is_shared(l, e->cpu) || now.tv_sec != e->touched.tv_sec ||
		    now.tv_nsec != e->touched.tv_nsec)
			return true;
	}
	return false;
}
