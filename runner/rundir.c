/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rundir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"

static int say(const char *what, const char *name, int err)
{
	msg_error("%s%s%s: %s", what, name[0] ? "/" : "", name, strerror(-err));
	return err;
}

static FILE *open_in(const char *dir, const char *name, const char *mode)
{
	char *path;
	FILE *file;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return NULL;
	file = fopen(path, mode);
	free(path);
	return file;
}

/* mkdir -p */
static int make_dirs(const char *path)
{
	char *copy = strdup(path);
	int err = copy ? 0 : -ENOMEM;

	for (char *slash = copy; !err && slash && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (mkdir(copy, 0777) != 0 && errno != EEXIST)
			err = -errno;
		*slash = '/';
	}
	if (!err && mkdir(path, 0777) != 0 && errno != EEXIST)
		err = -errno;
	free(copy);
	return err;
}

/* NAME-@nr, or NAME for the first. */
static char *numbered(const char *name, unsigned int nr)
{
	char *text;

	if (nr == 1)
		return strdup(name);
	return asprintf(&text, "%s-%u", name, nr) < 0 ? NULL : text;
}

/* 0 with the directory made, -errno. */
static int reserve(const char *parent, char **name, unsigned int nr, char **path)
{
	char *try = numbered(*name, nr);
	int err = 0;

	if (!try || asprintf(path, "%s/%s", parent, try) < 0) {
		free(try);
		return -ENOMEM;
	}
	if (mkdir(*path, 0777) != 0)
		err = -errno;
	if (err) {
		free(*path);
		free(try);
		return err;
	}
	free(*name);
	*name = try;
	return 0;
}

char *rundir_reserve(const char *parent, char **name)
{
	char *path = NULL;
	int err = make_dirs(parent);

	if (!err) {
		err = -EEXIST;
		for (unsigned int nr = 1; err == -EEXIST; nr++)
			err = reserve(parent, name, nr, &path);
	}
	if (!err)
		return path;
	say(parent, *name, err);
	return NULL;
}

static void unlink_in(const struct rundir *d, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", d->path, name) < 0)
		return;
	unlink(path);
	free(path);
}

/* A new file: what was begun and not finished would only stand in the way of the next run. */
static int write_json(struct rundir *d, const char *name, const json_t *object)
{
	FILE *file = open_in(d->path, name, "wx");
	int err = 0;

	if (!file)
		return say(d->path, name, -errno);
	errno = 0;
	if (json_dumpf(object, file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) != 0 ||
	    fputc('\n', file) == EOF)
		err = errno ? -errno : -EIO;
	if (fclose(file) != 0)
		err = -errno;
	if (err)
		unlink_in(d, name);
	return err ? say(d->path, name, err) : 0;
}

static bool holds_run(const char *path)
{
	FILE *file = open_in(path, "plan.json", "r");

	if (file)
		fclose(file);
	return file != NULL;
}

/* One run at a time writes records; the lock goes with the process. */
static int lock_records(const struct rundir *d)
{
	if (flock(fileno(d->records), LOCK_EX | LOCK_NB) == 0)
		return 0;
	msg_error("%s: another runtest is at work in it", d->path);
	return -EBUSY;
}

int rundir_create(struct rundir *d, const char *path, const struct plan *p, json_t *machine)
{
	json_t *plan;
	int err = make_dirs(path);

	*d = (struct rundir){ 0 };
	if (err)
		return say(path, "", err);
	if (holds_run(path)) {
		msg_error("%s holds a run already (--resume %s goes on with it)", path, path);
		return -EEXIST;
	}
	d->path = strdup(path);
	if (!d->path)
		return -ENOMEM;
	err = write_json(d, "machine.json", machine);
	plan = plan_json(p);
	if (!err) {
		err = write_json(d, "plan.json", plan);
		if (err)
			unlink_in(d, "machine.json");
	}
	json_decref(plan);
	if (!err) {
		d->records = open_in(path, "records.jsonl", "ae");
		err = d->records ? 0 : say(path, "records.jsonl", -errno);
		if (!err)
			err = lock_records(d);
	}
	if (err)
		rundir_close(d);
	return err;
}

/* A run that was killed while it wrote leaves half a line. */
static int end_last_line(FILE *file)
{
	if (fseek(file, -1, SEEK_END) != 0)
		return 0;	/* empty */
	if (fgetc(file) == '\n')
		return 0;
	fseek(file, 0, SEEK_END);
	return fputc('\n', file) == EOF ? -EIO : 0;
}

int rundir_reopen(struct rundir *d, const char *path)
{
	*d = (struct rundir){ .path = strdup(path) };
	if (!d->path)
		return -ENOMEM;
	d->records = open_in(path, "records.jsonl", "a+e");
	if (d->records && lock_records(d) != 0) {
		rundir_close(d);
		return -EBUSY;
	}
	if (!d->records || end_last_line(d->records) != 0) {
		int err = say(path, "records.jsonl", errno ? -errno : -EIO);

		rundir_close(d);
		return err;
	}
	return 0;
}

static int append(struct rundir *d, FILE *file, const char *name, json_t *object)
{
	int err = 0;

	errno = 0;
	if (!object || !file ||
	    json_dumpf(object, file, JSON_COMPACT | JSON_REAL_PRECISION(12)) != 0 ||
	    fputc('\n', file) == EOF || fflush(file) != 0)
		err = errno ? -errno : -EIO;
	json_decref(object);
	return err ? say(d->path, name, err) : 0;
}

int rundir_append(struct rundir *d, json_t *record)
{
	return append(d, d->records, "records.jsonl", record);
}

int rundir_append_to(struct rundir *d, const char *name, json_t *object)
{
	FILE *file = open_in(d->path, name, "a+");
	int err = file ? end_last_line(file) : 0;

	err = err ? err : append(d, file, name, object);
	if (file)
		fclose(file);
	return err;
}

int rundir_make(struct rundir *d, const char *name)
{
	char *path;
	int err = 0;

	if (asprintf(&path, "%s/%s", d->path, name) < 0)
		return -ENOMEM;
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		err = say(path, "", -errno);
	free(path);
	return err;
}

static int write_and_close(struct rundir *d, FILE *file, const char *name, const char *text)
{
	int err = 0;

	if (!file)
		return say(d->path, name, -errno);
	if (fputs(text, file) == EOF)
		err = -errno;
	if (fclose(file) != 0)
		err = -errno;
	return err ? say(d->path, name, err) : 0;
}

int rundir_log(struct rundir *d, const char *heading, const char *text)
{
	char *lines;
	int err;

	if (asprintf(&lines, "== %s\n%s%s", heading, text,
		     text[0] && text[strlen(text) - 1] != '\n' ? "\n" : "") < 0)
		return -ENOMEM;
	err = write_and_close(d, open_in(d->path, "stderr.log", "a"), "stderr.log", lines);
	free(lines);
	return err;
}

int rundir_write(struct rundir *d, const char *name, const char *text)
{
	return write_and_close(d, open_in(d->path, name, "w"), name, text);
}

int rundir_records(const char *path, const char *name,
		   void (*record)(void *arg, const json_t *record), void *arg)
{
	FILE *file = open_in(path, name ? name : "records.jsonl", "r");
	char *line = NULL;
	size_t room = 0;

	if (!file && name && errno == ENOENT)
		return 0;
	if (!file)
		return say(path, name ? name : "records.jsonl", -errno);
	while (getline(&line, &room, file) > 0) {
		json_t *object = json_loads(line, 0, NULL);

		if (object)
			record(arg, object);
		json_decref(object);
	}
	free(line);
	fclose(file);
	return 0;
}

void rundir_close(struct rundir *d)
{
	if (d->records)
		fclose(d->records);
	free(d->path);
	*d = (struct rundir){ 0 };
}
