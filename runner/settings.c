/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settings.h"

#include <dirent.h>
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

#define STATE_PREFIX "restore-"

/* What was there before, of each file that was changed; in memory that the guardian shares. */
struct saved {
	char path[PATH_MAX_BYTES], value[VALUE_MAX_BYTES];
	volatile bool changed;
};

static struct {
	struct saved *saved;		/* NR_MAX */
	size_t nr;
	int dir_fd, state_fd;		/* -1: none */
	char state_name[64];
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
	err = strlen(text) < VALUE_MAX_BYTES ? 0 : -EOVERFLOW;
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

static void open_state(void)
{
	all.dir_fd = runtime_dir_open();
	snprintf(all.state_name, sizeof(all.state_name), STATE_PREFIX "%d", (int)getpid());
	if (all.dir_fd < 0) {
		msg_note("%s cannot be used: if this run and its guardian are both killed, settings stay "
			 "changed", runtime_dir_name());
		return;
	}
	all.state_fd = file_above_stderr(openat(all.dir_fd, all.state_name, O_RDWR | O_CREAT | O_EXCL |
						O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
	if (all.state_fd >= 0)
		flock(all.state_fd, LOCK_EX);
}

static void recover_line(char *line)
{
	char *path = strsep(&line, "\t");
	int err;

	if (!line || (strncmp(path, SYSCTL_DIR, strlen(SYSCTL_DIR)) != 0 &&
		      strcmp(path, THP_FILE) != 0) || strstr(path, ".."))
		return;
	err = file_write(path, line);
	if (err)
		msg_error("cannot put %s back to \"%s\": %s", path, line, strerror(-err));
	else
		msg_note("%s is put back to \"%s\", as it was before a run that was killed", path, line);
}

static void recover_file(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char text[NR_MAX * (PATH_MAX_BYTES + VALUE_MAX_BYTES)], *rest = text, *line;
	struct stat st;
	ssize_t len;

	if (fd < 0)
		return;
	/* Its run lives as long as it is locked. Nobody else may tell us what to write. */
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && S_ISREG(st.st_mode) &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		len = read(fd, text, sizeof(text) - 1);
		text[len > 0 ? len : 0] = '\0';
		while ((line = strsep(&rest, "\n")))
			recover_line(line);
		unlinkat(dir_fd, name, 0);
	}
	close(fd);
}

void settings_recover(void)
{
	int fd = runtime_dir_open();
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (words_after(e->d_name, STATE_PREFIX))
			recover_file(dirfd(dir), e->d_name);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
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
	open_state();
	duty = (struct guardian_duty){
		.group = &all.no_group,
		.lock_fd = -1,
		.remove_rest = put_back_for_the_dead,
	};
	err = guardian_start(&all.guardian, &duty);
	if (err)
		forget_state();
	return err;
}

int settings_close(void)
{
	int err = settings_restore();

	if (!all.saved)
		return 0;
	guardian_stop(&all.guardian);
	if (!err)
		forget_state();
	close(all.state_fd);
	close(all.dir_fd);
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
