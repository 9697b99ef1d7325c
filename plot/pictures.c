/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pictures.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gnuplot.h"
#include "msg.h"

/* Room for an ending and a number below NAME_MAX. */
#define NAME_BYTES 200

int pictures_open(struct pictures *p, const char *dir, const char *formats)
{
	*p = (struct pictures){ .dir = dir, .formats = formats };
	if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
		int err = -errno;

		msg_error("%s: %s", dir, strerror(errno));
		return err;
	}
	return 0;
}

/* Letters, digits and what is harmless between them: names come from data. */
static char *safe_name(const char *title)
{
	char *name = strndup(title, NAME_BYTES);

	for (char *c = name; c && *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._+=-", *c))
			*c = '_';
	if (name && (name[0] == '.' || name[0] == '-'))
		name[0] = '_';
	return name;
}

static int taken(const struct pictures *p, const char *name)
{
	for (size_t i = 0; i < p->nr; i++)
		if (strcmp(p->names[i], name) == 0)
			return 1;
	return 0;
}

/* "name", else "name-2", "name-3"... */
static char *free_name(const struct pictures *p, const char *title)
{
	char *safe = safe_name(title), *name = safe ? strdup(safe) : NULL;

	for (unsigned int n = 2; name && taken(p, name); n++) {
		free(name);
		if (asprintf(&name, "%s-%u", safe, n) < 0)
			name = NULL;
	}
	free(safe);
	return name;
}

static FILE *open_script(const struct pictures *p, const char *name)
{
	char *path;
	FILE *script;

	if (asprintf(&path, "%s/%s.gp", p->dir, name) < 0)
		return NULL;
	script = fopen(path, "we");
	if (!script)
		msg_error("%s: %s", path, strerror(errno));
	free(path);
	return script;
}

FILE *pictures_add(struct pictures *p, const char *title, const char **name)
{
	char *own = free_name(p, title);
	char **names = reallocarray(p->names, p->nr + 1, sizeof(*names));

	if (names)
		p->names = names;
	if (!names || !own) {
		free(own);
		msg_error("%s: %s", title, strerror(ENOMEM));
		return NULL;
	}
	names[p->nr++] = own;
	*name = own;
	return open_script(p, own);
}

int pictures_added(struct pictures *p, FILE *script)
{
	int failed = ferror(script), err = 0;

	if (fclose(script) != 0 || failed) {
		err = errno ? -errno : -EIO;
		msg_error("%s/%s.gp: %s", p->dir, p->names[p->nr - 1], strerror(-err));
	}
	return err;
}

static void print_names(const struct pictures *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		for (const char *word = p->formats; *word;) {
			size_t len = strcspn(word, " ");

			printf("%s/%s.%.*s\n", p->dir, p->names[i], (int)len, word);
			word += len;
			word += strspn(word, " ");
		}
	}
}

/* "./" before each: a name that starts with '-' would be an option. */
int pictures_draw(const struct pictures *p)
{
	char **scripts = calloc(p->nr + 1, sizeof(*scripts));
	int err = scripts ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < p->nr; i++)
		if (asprintf(&scripts[i], "./%s.gp", p->names[i]) < 0) {
			scripts[i] = NULL;
			err = -ENOMEM;
		}
	if (!err)
		err = gnuplot_run(p->dir, (const char *const *)scripts, p->nr);
	if (!err)
		print_names(p);
	for (size_t i = 0; scripts && i < p->nr; i++)
		free(scripts[i]);
	free(scripts);
	return err;
}

void pictures_close(struct pictures *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->names[i]);
	free(p->names);
	*p = (struct pictures){ 0 };
}
