/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "side.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "marks.h"
#include "msg.h"
#include "table.h"

/* ---- samples -------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct side_sample *)a)->key, ((const struct side_sample *)b)->key);
}

const struct side_sample *side_find(const struct side *s, const char *key)
{
	const struct side_sample *found = NULL;
	size_t low = 0, high = s->nr;

	/* In the order of keys: by_key() sorted s->samples where order matters to nobody else. */
	while (!found && low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(s->samples[middle].key, key);

		if (order == 0)
			found = &s->samples[middle];
		else if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return found;
}

/* ---- a run ---------------------------------------------------------------------------------- */

/* What makes two cells the same measurement; the CPUs are the machine's. */
static char *cell_key(const struct run_cell *cell)
{
	char *params = table_settings(&cell->params), *factors = table_settings(&cell->factors);
	char *key = NULL;

	if (params && factors &&
	    asprintf(&key, "%s\n%s\n%s\n%s\n%d\n%012" PRIu64, cell->testcase, cell->placement,
		     params, factors, cell->mode, cell->tasks) < 0)
		key = NULL;
	free(params);
	free(factors);
	return key;
}

/* The rounds that were measured, and what is to be doubted of them. */
static int sample_of_cell(struct side_sample *x, const struct run *run, const struct run_cell *cell)
{
	const struct run_record *records = run->records + cell->first_record;
	uint64_t flags[RUN_FLAGS_MAX] = { 0 }, failed = 0;

	*x = (struct side_sample){ .key = cell_key(cell), .cell = cell };
	x->values = calloc(cell->nr_records + 1, sizeof(*x->values));
	if (!x->key || !x->values)
		return -ENOMEM;
	for (size_t i = 0; i < cell->nr_records; i++) {
		if (records[i].status != RUN_OK) {
			failed++;
			continue;
		}
		for (size_t k = 0; k < run->nr_flags; k++)
			flags[k] += records[i].flags >> k & 1;
		x->values[x->nr++] = records[i].ops_per_s;
	}
	x->marks = marks_text(run->flags, run->nr_flags, flags, 0, failed);
	return x->marks ? 0 : -ENOMEM;
}

static int samples_of_run(struct side *s)
{
	int err = 0;

	s->samples = calloc(s->run.nr_cells + 1, sizeof(*s->samples));
	if (!s->samples)
		return -ENOMEM;
	for (size_t i = 0; !err && i < s->run.nr_cells; i++)
		err = sample_of_cell(&s->samples[s->nr++], &s->run, &s->run.cells[i]);
	return err;
}

/* ---- a matrix ------------------------------------------------------------------------------- */

/* Runs in which a key is missing count as 0: so LKP stores them. */
static int sample_of_key(struct side_sample *x, const char *key, const json_t *array,
			 size_t nr_runs)
{
	*x = (struct side_sample){ .key = strdup(key), .marks = strdup("") };
	x->values = calloc(nr_runs + 1, sizeof(*x->values));
	if (!x->key || !x->values || !x->marks)
		return -ENOMEM;
	x->nr = nr_runs;
	for (size_t i = 0; i < nr_runs; i++)
		x->values[i] = json_number_value(json_array_get(array, i));
	return 0;
}

static bool all_numbers(const json_t *array)
{
	json_t *value;
	size_t i;

	json_array_foreach(array, i, value)
		if (!json_is_number(value))
			return false;
	return json_is_array(array);
}

static size_t count_runs(const json_t *matrix)
{
	json_t *matrix_ = (json_t *)matrix, *array;
	const char *key;
	size_t nr = json_array_size(json_object_get(matrix, "stats_source"));

	json_object_foreach(matrix_, key, array)
		nr = json_array_size(array) > nr ? json_array_size(array) : nr;
	return nr;
}

static int samples_of_matrix(struct side *s)
{
	const char *key;
	json_t *array;
	int err = 0;

	s->nr_runs = count_runs(s->matrix);
	s->samples = calloc(json_object_size(s->matrix) + 1, sizeof(*s->samples));
	if (!s->samples)
		return -ENOMEM;
	json_object_foreach(s->matrix, key, array) {
		if (err || strcmp(key, "stats_source") == 0)
			continue;
		if (!all_numbers(array)) {
			msg_error("%s: %s: no array of numbers", s->path, key);
			return -EINVAL;
		}
		err = sample_of_key(&s->samples[s->nr++], key, array, s->nr_runs);
	}
	return err;
}

static int matrix_load(struct side *s, const char *file)
{
	json_error_t error;

	s->matrix = json_load_file(file, 0, &error);
	if (s->matrix && json_is_object(s->matrix))
		return samples_of_matrix(s);
	if (s->matrix)
		msg_error("%s: no object: LKP's matrix.json is one", file);
	else
		msg_error("%s:%d: %s", file, error.line > 0 ? error.line : 0, error.text);
	return -EINVAL;
}

/* ---- either --------------------------------------------------------------------------------- */

/* "DIR/matrix.json" is called DIR, "matrix-a.json" is called matrix-a. */
static char *name_of(const char *path)
{
	char *copy = strdup(path), *slash, *name;

	if (!copy)
		return NULL;
	slash = strrchr(copy, '/');
	if (slash && strcmp(slash, "/matrix.json") == 0) {
		*slash = '\0';
		slash = strrchr(copy, '/');
	}
	name = slash && slash[1] ? slash + 1 : copy;
	if (strlen(name) > 5 && strcmp(name + strlen(name) - 5, ".json") == 0)
		name[strlen(name) - 5] = '\0';
	name = strdup(name);
	free(copy);
	return name;
}

static int either_load(struct side *s)
{
	struct stat st;
	char *inside;
	int err;

	if (stat(s->path, &st) != 0) {
		err = -errno;
		msg_error("%s: %s", s->path, strerror(errno));
		return err;
	}
	if (S_ISREG(st.st_mode))
		return matrix_load(s, s->path);
	if (asprintf(&inside, "%s/matrix.json", s->path) < 0)
		return -ENOMEM;
	err = stat(inside, &st) == 0 ? matrix_load(s, inside) : 1;
	free(inside);
	if (err <= 0)
		return err;
	err = run_load(&s->run, s->path);
	s->is_run = !err;
	return err ? err : samples_of_run(s);
}

int side_load(struct side *s, const char *path, const char *name)
{
	int err;

	*s = (struct side){ .path = path };
	err = either_load(s);
	if (!err) {
		s->name = name ? strdup(name) : s->is_run ? strdup(s->run.name) : name_of(path);
		qsort(s->samples, s->nr, sizeof(*s->samples), by_key);
		err = s->name ? 0 : -ENOMEM;
	}
	if (err == -ENOMEM)
		msg_error("%s: %s", path, strerror(ENOMEM));
	if (err)
		side_free(s);
	return err;
}

void side_free(struct side *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		free(s->samples[i].key);
		free(s->samples[i].values);
		free(s->samples[i].marks);
	}
	free(s->samples);
	free(s->name);
	json_decref(s->matrix);
	if (s->is_run)
		run_free(&s->run);
	*s = (struct side){ 0 };
}
