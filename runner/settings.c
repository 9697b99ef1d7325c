/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "guardian.h"
#include "msg.h"
#include "runtime_dir.h"
#include "words.h"

#define SYSCTL_DIR "/proc/sys/"
#define THP_FILE "/sys/kernel/mm/transparent_hugepage/enabled"

#define PATH_MAX_BYTES 256
#define VALUE_MAX_BYTES 256
#define NR_MAX 32


/* What was there before, of each file that was changed; in memory that the guardian shares. */
struct saved {
	char path[PATH_MAX_BYTES], value[VALUE_MAX_BYTES];
	volatile bool changed;
};

static struct {
	struct saved *saved;		/* NR_MAX */
	size_t nr;
	int dir_fd, state_fd;		/* -1: none */
	char state_name[32];
	struct guardian guardian;
	pid_t no_group;
} all = { .dir_fd = -1, .state_fd = -1 };

/* ---- files ---------------------------------------------------------------------------------- */

/* The file of a setting; sysctl(8)'s names have dots for slashes. -EINVAL if there can be none. */
static int path_of(const char *name, char path[PATH_MAX_BYTES])
{
	const char *sysctl = words_after(name, "sysctl:");

	if (!sysctl) {
		snprintf(path, PATH_MAX_BYTES, "%s", THP_FILE);
		return strcmp(name, "thp") == 0 ? 0 : -EINVAL;
	}
	if (strstr(sysctl, "..") || strlen(sysctl) + sizeof(SYSCTL_DIR) > PATH_MAX_BYTES)
		return -EINVAL;
	snprintf(path, PATH_MAX_BYTES, SYSCTL_DIR "%s", sysctl);
	for (char *c = path + strlen(SYSCTL_DIR); *c; c++)
		if (*c == '.')
			*c = '/';
	return 0;
}

/* The one in brackets of "always [madvise] never"; all if there are none. */
static void cut_to_choice(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return;
	*close = '\0';
	memmove(text, open + 1, strlen(open));
}

/* The kernel separates the numbers of one sysctl by tabs, people do by blanks. */
static void untab(char *text)
{
	for (; *text; text++)
		if (*text == '\t')
			*text = ' ';
}

static int read_value(const char *path, char value[VALUE_MAX_BYTES])
{
	char *text;
	int err = file_read(&text, "", "%s", path);

	if (err)
		return err;
	cut_to_choice(text);
	untab(text);
	/* A line of the state file must hold it. */
	if (strchr(text, '\n'))
		err = -EINVAL;
	else if (strlen(text) >= VALUE_MAX_BYTES)
		err = -EOVERFLOW;
	snprintf(value, VALUE_MAX_BYTES, "%s", text);
	free(text);
	return err;
}

bool settings_is(const char *name)
{
	return strcmp(name, "thp") == 0 || words_after(name, "sysctl:");
}

int settings_check(const char *name, const char *level, char why[SETTINGS_TEXT_MAX])
{
	char path[PATH_MAX_BYTES], value[VALUE_MAX_BYTES];
	int err = path_of(name, path);

	if (!err)
		err = read_value(path, value);
	if (!err && access(path, W_OK) != 0)
		err = -errno;
	if (err)
		snprintf(why, SETTINGS_TEXT_MAX, "%s cannot be set to %.100s: %s", name, level,
			 err == -ENOENT ? "this kernel does not have it" : strerror(-err));
	return err;
}

/* ---- putting back --------------------------------------------------------------------------- */

/* By the program and, in its stead, by the guardian. */
static int put_back(void)
{
	int first = 0;

	for (size_t i = 0; i < NR_MAX; i++) {
		struct saved *s = &all.saved[i];
		int err = s->changed ? file_write(s->path, s->value) : 0;

		if (!err)
			s->changed = false;
		else if (!first)
			first = err;
		if (err)
			msg_error("cannot put %s back to \"%s\": %s", s->path, s->value, strerror(-err));
	}
	return first;
}

static void forget_state(void)
{
	if (all.state_fd >= 0)
		unlinkat(all.dir_fd, all.state_name, 0);
}

static void put_back_for_the_dead(void)
{
	if (put_back() == 0)
		forget_state();
}

int settings_restore(void)
{
	return all.saved ? put_back() : 0;
}

/* ---- the state file: lines of PATH, tab, VALUE ---------------------------------------------- */

/*
 * Opened and locked by the run that changes settings, and by its guardian, as long as one of them
 * lives; one run at a time, or each would take the other's levels for what was there before.
 */
static void name_state(void)
{
	snprintf(all.state_name, sizeof(all.state_name), "restore-%u", (unsigned int)geteuid());
}

/* Nobody else may tell us what to write. */
static bool is_own_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && S_ISREG(st.st_mode) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static bool is_removed(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

/* A descriptor, locked; -EBUSY: a run that lives has it; -errno. @flags of open. */
static int lock_state(int flags)
{
	for (;;) {
		int fd = file_above_stderr(openat(all.dir_fd, all.state_name,
						  flags | O_NOFOLLOW | O_CLOEXEC, 0600));
		int err = fd < 0 ? -errno : 0;

		if (!err && !is_own_file(fd))
			err = -EPERM;
		if (!err && flock(fd, LOCK_EX | LOCK_NB) != 0)
			err = errno == EWOULDBLOCK ? -EBUSY : -errno;
		if (!err && !is_removed(fd))
			return fd;
		if (fd >= 0)
			close(fd);
		if (err)
			return err;
	}
}

/* Whether the line needs no more of us: a file that is gone cannot be put back. */
static bool recover_line(char *line)
{
	char *path = strsep(&line, "\t");
	int err;

	if (!line || (strncmp(path, SYSCTL_DIR, strlen(SYSCTL_DIR)) != 0 &&
		      strcmp(path, THP_FILE) != 0) || strstr(path, ".."))
		return true;
	err = file_write(path, line);
	if (err)
		msg_error("cannot put %s back to \"%s\": %s", path, line, strerror(-err));
	else
		msg_note("%s is put back to \"%s\", as it was before a run that was killed", path, line);
	return !err || err == -ENOENT;
}

/* Whether all is put back. */
static bool recover_from(int fd)
{
	static char text[NR_MAX * (PATH_MAX_BYTES + VALUE_MAX_BYTES)];
	char *rest = text, *line;
	ssize_t len = read(fd, text, sizeof(text) - 1);
	bool all_back = true;

	text[len > 0 ? len : 0] = '\0';
	while ((line = strsep(&rest, "\n")))
		all_back &= recover_line(line);
	return all_back;
}

void settings_recover(void)
{
	int fd;

	name_state();
	all.dir_fd = runtime_dir_open();
	fd = all.dir_fd >= 0 ? lock_state(O_RDONLY) : -EBADF;
	if (fd >= 0) {
		if (recover_from(fd))
			unlinkat(all.dir_fd, all.state_name, 0);
		close(fd);
	}
	if (all.dir_fd >= 0)
		close(all.dir_fd);
	all.dir_fd = -1;
}

/* settings_recover() was called before: what the file still has could not be put back. */
static int open_state(void)
{
	name_state();
	all.dir_fd = runtime_dir_open();
	all.state_fd = all.dir_fd >= 0 ? lock_state(O_RDWR | O_CREAT | O_APPEND) : -ENOENT;
	if (all.state_fd == -EBUSY) {
		msg_error("another run varies settings of this machine (it locks %s/%s)",
			  runtime_dir_name(), all.state_name);
		return -EBUSY;
	}
	if (all.state_fd < 0)
		msg_note("%s cannot be used: if this run and its guardian are both killed, settings stay "
			 "changed", runtime_dir_name());
	return 0;
}

static void close_state(void)
{
	if (all.state_fd >= 0)
		close(all.state_fd);
	if (all.dir_fd >= 0)
		close(all.dir_fd);
	all.state_fd = all.dir_fd = -1;
}

/* ---- changing ------------------------------------------------------------------------------- */

int settings_open(void)
{
	static struct guardian_duty duty;
	int err;

	all.saved = mmap(NULL, NR_MAX * sizeof(*all.saved), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all.saved == MAP_FAILED) {
		all.saved = NULL;
		msg_error("no memory for settings");
		return -ENOMEM;
	}
	err = open_state();
	if (err)
		goto fail;
	duty = (struct guardian_duty){
		.group = &all.no_group,
		.lock_fd = -1,
		.remove_rest = put_back_for_the_dead,
	};
	err = guardian_start(&all.guardian, &duty);
	if (!err)
		return 0;
	forget_state();
fail:
	close_state();
	munmap(all.saved, NR_MAX * sizeof(*all.saved));
	all.saved = NULL;
	return err;
}

int settings_close(void)
{
	int err = settings_restore();

	if (!all.saved)
		return 0;
	/* In this order: what is put back is forgotten before a kill can make a later run do it again. */
	if (!err)
		forget_state();
	guardian_stop(&all.guardian);
	close_state();
	munmap(all.saved, NR_MAX * sizeof(*all.saved));
	all.saved = NULL;
	return err;
}

/* Keeps what is there, for ever the same: the first time. NULL: no room. */
static struct saved *save(const char *path, const char *value)
{
	struct saved *s;

	for (size_t i = 0; i < all.nr; i++)
		if (strcmp(all.saved[i].path, path) == 0)
			return &all.saved[i];
	if (all.nr == NR_MAX)
		return NULL;
	s = &all.saved[all.nr++];
	snprintf(s->path, sizeof(s->path), "%s", path);
	snprintf(s->value, sizeof(s->value), "%s", value);
	if (all.state_fd >= 0)
		dprintf(all.state_fd, "%s\t%s\n", path, value);
	return s;
}

static int set(const char *path, const char *level)
{
	char value[VALUE_MAX_BYTES];
	struct saved *s;
	int err = read_value(path, value);

	if (err || strcmp(value, level) == 0)
		return err;
	s = save(path, value);
	if (!s)
		return -E2BIG;
	s->changed = true;
	err = file_write(path, level);
	if (!err)
		err = read_value(path, value);
	return err ? err : strcmp(value, level) == 0 ? 0 : -ERANGE;
}

int settings_apply(const json_t *levels, char why[SETTINGS_TEXT_MAX])
{
	const char *name;
	json_t *level;
	int err = 0;

	json_object_foreach((json_t *)levels, name, level) {
		char path[PATH_MAX_BYTES];

		if (err || !settings_is(name))
			continue;
		err = path_of(name, path);
		if (!err)
			err = set(path, json_string_value(level));
		if (err)
			snprintf(why, SETTINGS_TEXT_MAX, "%s cannot be set to %.100s: %s", name,
				 json_string_value(level), err == -ERANGE ?
				 "it does not read back as it was written" : strerror(-err));
	}
	return err;
}
