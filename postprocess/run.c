/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "file.h"
#include "flags.h"
#include "skim.h"
#include "stats.h"

static const char *const statuses[] = {
	[RUN_OK] = "ok",
	[RUN_FAILED] = "failed",
	[RUN_TIMEOUT] = "timeout",
	[RUN_LACKING] = "lacking",
	[RUN_SKIPPED] = "skipped",
	[RUN_KILLED] = "killed",
	[RUN_MISSING] = "missing",
};

static const char *const modes[] = {
	[RUN_PROCESSES] = "processes",
	[RUN_THREADS] = "threads",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *run_status_name(enum run_status status)
{
	return statuses[status];
}

const char *run_mode_name(enum run_mode mode)
{
	return modes[mode];
}

/* What reading needs beside the run that it fills. */
struct reader {
	struct run *run;
	const char *dir;
	json_t *facts;		/* of the testcases, by name */
	json_t *index;		/* of the cells, by id */
	size_t room_cells, room_records;
	double *shares;		/* of tasks: room for a record's */
	size_t room_shares;
};

/* Where the datum stands that is looked at: for messages. */
struct place {
	const char *dir, *file;
	size_t line;		/* of the file; 0: @member says where */
	const char *member;
	size_t n;
};

static int wrong(const struct place *at, const char *what)
{
	if (at->line)
		msg_error("%s/%s:%zu: %s", at->dir, at->file, at->line, what);
	else if (at->member)
		msg_error("%s/%s: %s[%zu]: %s", at->dir, at->file, at->member, at->n, what);
	else
		msg_error("%s/%s: %s", at->dir, at->file, what);
	return -EINVAL;
}

/* Makes room for one more element. */
static int reserve(void **list, size_t nr, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 64;
	void *bigger;

	if (nr < *room)
		return 0;
	bigger = reallocarray(*list, more, size);
	if (!bigger)
		return -ENOMEM;
	*list = bigger;
	*room = more;
	return 0;
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* Levels of factors may be numbers: they become texts where they stand. */
static int settings_read(struct run_settings *settings, json_t *object, const struct place *at)
{
	const char *name;
	json_t *value;
	void *next;

	settings->list = calloc(json_object_size(object) + 1, sizeof(*settings->list));
	if (!settings->list)
		return -ENOMEM;
	json_object_foreach_safe(object, next, name, value) {
		if (!json_is_string(value)) {
			char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT |
						JSON_REAL_PRECISION(12));

			if (!text || json_object_set_new(object, name, json_string(text)) != 0) {
				free(text);
				return wrong(at, "params or factors are no texts");
			}
			free(text);
		}
		settings->list[settings->nr++] = (struct run_setting){
			.name = name,
			.value = json_string_value(json_object_get(object, name)),
		};
	}
	return 0;
}

static int word_index(const char *const *words, size_t nr, const char *word)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(words[i], word) == 0)
			return (int)i;
	return -1;
}

static const char *text_member(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* Fills @cell, whose settings are to be freed also after a failure. */
static int cell_read(struct run_cell *cell, json_t *object, const json_t *facts,
		     const struct place *at)
{
	json_t *params = NULL, *factors = NULL;
	const char *mode;
	json_error_t error;
	json_int_t tasks;
	int index, err;

	if (json_unpack_ex(object, &error, 0, "{s:s s:s s:s s:I s:s s?o s?o}", "id", &cell->id,
			   "testcase", &cell->testcase, "mode", &mode, "tasks", &tasks,
			   "placement", &cell->placement, "params", &params,
			   "factors", &factors) != 0)
		return wrong(at, error.text);
	index = word_index(modes, COUNT(modes), mode);
	if (index < 0)
		return wrong(at, "mode is neither processes nor threads");
	if (tasks < 1)
		return wrong(at, "tasks is less than 1");
	cell->mode = (enum run_mode)index;
	cell->tasks = (uint64_t)tasks;
	cell->cpus = text_member(object, "cpus");
	cell->skip = text_member(object, "skip");
	cell->description = text_member(json_object_get(facts, cell->testcase), "description");
	cell->unit = text_member(json_object_get(facts, cell->testcase), "unit");
	err = settings_read(&cell->params, params, at);
	return err ? err : settings_read(&cell->factors, factors, at);
}

/* Takes in a cell; @object must live as long as the run. */
static int cell_add(struct reader *rd, json_t *object, const struct place *at)
{
	struct run *r = rd->run;
	struct run_cell *cell;
	int err = reserve((void **)&r->cells, r->nr_cells, &rd->room_cells, sizeof(*r->cells));

	if (err)
		return err;
	cell = &r->cells[r->nr_cells++];
	*cell = (struct run_cell){ 0 };
	err = cell_read(cell, object, rd->facts, at);
	if (err)
		return err;
	if (json_object_get(rd->index, cell->id))
		return wrong(at, "a cell with this id stands before it");
	return json_object_set_new(rd->index, cell->id,
				   json_integer((json_int_t)r->nr_cells - 1)) ? -ENOMEM : 0;
}

/* ---- records -------------------------------------------------------------------------------- */

/* null and absent: the figure could not be had. */
static double figure(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static int flag_index(struct run *r, const char *name)
{
	int index = word_index(r->flags, r->nr_flags, name);

	if (index >= 0)
		return index;
	if (r->nr_flags == RUN_FLAGS_MAX)
		return -E2BIG;
	r->flags[r->nr_flags] = name;
	return (int)r->nr_flags++;
}

/* A flag that this program does not know makes a figure no less doubtful. */
static int flags_read(struct run *r, uint64_t *flags, json_t *array, const struct place *at)
{
	json_t *value;
	size_t i;

	json_array_foreach(array, i, value) {
		size_t known = r->nr_flags;
		int index;

		if (!json_is_string(value))
			return wrong(at, "a flag is no text");
		index = flag_index(r, json_string_value(value));
		if (index < 0)
			return wrong(at, "too many different flags");
		if (r->nr_flags > known)
			json_array_append(r->files, value);
		*flags |= 1ULL << index;
	}
	return 0;
}

/* NAN where the tasks' own counts are not known. */
static int fairness_read(double *fairness, const json_t *task_ops)
{
	size_t nr = json_array_size(task_ops);
	double *shares = calloc(nr + 1, sizeof(*shares));

	if (!shares)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		shares[i] = json_number_value(json_array_get(task_ops, i));
	*fairness = stats_fairness(shares, nr);
	free(shares);
	return 0;
}

static int measured_read(struct run *r, struct run_record *rec, json_t *object,
			 const struct place *at)
{
	const json_t *window = json_object_get(object, "window");
	int err = fairness_read(&rec->fairness, json_object_get(object, "task_ops"));

	if (err)
		return err;
	rec->elapsed_ns = figure(object, "elapsed_ns");
	rec->ops_per_s = figure(object, "ops_per_s");
	rec->min_task_ops = figure(object, "min_task_ops");
	rec->max_task_ops = figure(object, "max_task_ops");
	rec->idle_pct = figure(window, "idle_pct");
	rec->cell_idle_pct = figure(window, "cell_idle_pct");
	if (json_object_size(json_object_get(object, "figures")))
		rec->figures = json_dumps(json_object_get(object, "figures"), JSON_COMPACT);
	if (!(rec->ops_per_s >= 0))
		return wrong(at, "status is ok, but ops_per_s is no rate");
	if (!(rec->elapsed_ns > 0))
		return wrong(at, "status is ok, but elapsed_ns is no time");
	return flags_read(r, &rec->flags, json_object_get(object, "flags"), at);
}

/* The cell of a record, which repeats the plan's; one that the plan lacks is added. */
static int cell_of(struct reader *rd, size_t *index, json_t *cell, const struct place *at)
{
	const char *id = text_member(cell, "id");
	const json_t *known = id ? json_object_get(rd->index, id) : NULL;

	if (known) {
		*index = (size_t)json_integer_value(known);
		return 0;
	}
	*index = rd->run->nr_cells;
	return json_array_append(rd->run->files, cell) ? -ENOMEM : cell_add(rd, cell, at);
}

static int record_read(struct reader *rd, struct run_record *rec, json_t *object,
		       const struct place *at)
{
	const char *status, *reason;
	json_error_t error;
	json_int_t round;
	json_t *cell;
	int index, err;

	if (json_unpack_ex(object, &error, 0, "{s:o s:I s:s}", "cell", &cell, "round", &round,
			   "status", &status) != 0)
		return wrong(at, error.text);
	index = word_index(statuses, RUN_MISSING, status);
	if (index < 0)
		return wrong(at, "status is none that is known");
	if (round < 0)
		return wrong(at, "round is less than 0");
	err = cell_of(rd, &rec->cell, cell, at);
	if (err)
		return err;
	rec->round = (uint64_t)round;
	rec->status = (enum run_status)index;
	if (rec->status == RUN_OK)
		return measured_read(rd->run, rec, object, at);
	reason = text_member(object, "reason");
	if (!reason)
		reason = rec->status == RUN_KILLED ? "the run was ended by a signal"
						   : "no reason was recorded";
	rec->reason = strdup(reason);
	return rec->reason ? 0 : -ENOMEM;
}

static int record_add(struct reader *rd, struct run_record **rec, const struct place *at)
{
	struct run *r = rd->run;
	int err = reserve((void **)&r->records, r->nr_records, &rd->room_records,
			  sizeof(*r->records));

	if (err)
		return err;
	*rec = &r->records[r->nr_records++];
	**rec = (struct run_record){ .line = at->line };
	return 0;
}

/* ---- records that are as usual, in one pass ------------------------------------------------- */

/* The cell's index, if the plan has it. */
static bool skim_cell(struct reader *rd, struct skim *s, size_t *index)
{
	struct skim_text name, id = { "", 0 };
	const json_t *known;
	bool first = true;
	char text[512];

	while (skim_member(s, &first, &name)) {
		if (skim_is(&name, "id"))
			id = skim_string(s);
		else
			skim_skip(s);
	}
	if (s->failed || id.len >= sizeof(text))
		return false;
	memcpy(text, id.text, id.len);
	text[id.len] = '\0';
	known = json_object_get(rd->index, text);
	*index = (size_t)json_integer_value(known);
	return known;
}

static bool skim_flags(const struct run *r, struct skim *s, uint64_t *flags)
{
	bool first = true, known = true;

	while (skim_element(s, &first)) {
		struct skim_text flag = skim_string(s);
		size_t i = 0;

		while (i < r->nr_flags && !skim_is(&flag, r->flags[i]))
			i++;
		known = known && i < r->nr_flags;
		if (known)
			*flags |= 1ULL << i;
	}
	return known && !s->failed;
}

static bool skim_shares(struct reader *rd, struct skim *s, double *fairness)
{
	bool first = true;
	size_t nr = 0;

	while (skim_element(s, &first)) {
		if (reserve((void **)&rd->shares, nr, &rd->room_shares, sizeof(*rd->shares)) != 0)
			return false;
		rd->shares[nr++] = skim_number(s);
	}
	*fairness = stats_fairness(rd->shares, nr);
	return !s->failed;
}

static void skim_window(struct skim *s, struct run_record *rec)
{
	struct skim_text name;
	bool first = true;

	while (skim_member(s, &first, &name)) {
		if (skim_is(&name, "idle_pct"))
			rec->idle_pct = skim_number(s);
		else if (skim_is(&name, "cell_idle_pct"))
			rec->cell_idle_pct = skim_number(s);
		else
			skim_skip(s);
	}
}

/* A whole number of at least 0. */
static bool skim_round(struct skim *s, uint64_t *round)
{
	struct skim_text digits = skim_raw(s);

	*round = 0;
	for (size_t i = 0; i < digits.len; i++) {
		if (digits.text[i] < '0' || digits.text[i] > '9' || digits.len > 9)
			return false;
		*round = 10 * *round + (uint64_t)(digits.text[i] - '0');
	}
	return digits.len;
}

/* Most testcases have none. */
static bool skim_figures(struct skim *s, struct run_record *rec)
{
	struct skim_text raw = skim_raw(s);

	if (raw.len <= 2 || rec->figures)
		return true;
	rec->figures = strndup(raw.text, raw.len);
	return rec->figures;
}

/* One member's value, at @s. False: it is for record_read(). */
static bool skim_value(struct reader *rd, struct skim *s, const struct skim_text *name,
		       struct run_record *rec, unsigned int *seen)
{
	enum { CELL = 1, ROUND = 2, STATUS = 4 };
	struct {
		const char *name;
		double *value;
	} numbers[] = {
		{ "elapsed_ns", &rec->elapsed_ns }, { "ops_per_s", &rec->ops_per_s },
		{ "min_task_ops", &rec->min_task_ops }, { "max_task_ops", &rec->max_task_ops },
	};

	if (skim_is(name, "cell")) {
		*seen |= CELL;
		return skim_cell(rd, s, &rec->cell);
	}
	if (skim_is(name, "round")) {
		*seen |= ROUND;
		return skim_round(s, &rec->round);
	}
	if (skim_is(name, "status")) {
		struct skim_text status = skim_string(s);

		*seen |= STATUS;
		return skim_is(&status, "ok");
	}
	if (skim_is(name, "flags"))
		return skim_flags(rd->run, s, &rec->flags);
	if (skim_is(name, "task_ops"))
		return skim_shares(rd, s, &rec->fairness);
	if (skim_is(name, "figures"))
		return skim_figures(s, rec);
	if (skim_is(name, "window")) {
		skim_window(s, rec);
		return true;
	}
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (skim_is(name, numbers[i].name)) {
			*numbers[i].value = skim_number(s);
			return true;
		}
	skim_skip(s);
	return true;
}

/*
 * A measured cell of the plan with flags that are known: nearly every line. False: it is something
 * else, or wrong, and record_read() says what.
 */
static bool record_skim(struct reader *rd, struct run_record *rec, const char *line, size_t len)
{
	struct skim s = { .at = line, .end = line + len };
	struct skim_text name;
	unsigned int seen = 0;
	bool first = true;

	rec->fairness = rec->idle_pct = rec->cell_idle_pct = NAN;
	rec->min_task_ops = rec->max_task_ops = NAN;
	while (skim_member(&s, &first, &name))
		if (!skim_value(rd, &s, &name, rec, &seen))
			return false;
	return skim_ended(&s) && seen == 7 && rec->ops_per_s >= 0 && rec->elapsed_ns > 0;
}

/*
 * A run that was killed leaves half a line, which a resumed run ends and goes on after: an object
 * that is well-formed as far as it goes.
 */
static bool incomplete(const char *line, size_t len, const json_error_t *error)
{
	return line[0] == '{' && error->position >= 0 && (size_t)error->position >= len;
}

static int line_read(struct reader *rd, const char *line, size_t len, bool ended,
		     const struct place *at)
{
	struct run_record *rec;
	json_error_t error;
	json_t *object;
	int err = record_add(rd, &rec, at);

	if (err || record_skim(rd, rec, line, len))
		return err;
	free(rec->figures);
	*rec = (struct run_record){ .line = at->line };
	object = json_loadb(line, len, 0, &error);
	if (!object) {
		rd->run->nr_records--;
		if (ended && !incomplete(line, len, &error))
			return wrong(at, error.text);
		msg_note("%s/%s:%zu: an incomplete line is left out (the run was killed there)",
			 at->dir, at->file, at->line);
		return 0;
	}
	err = record_read(rd, rec, object, at);
	json_decref(object);
	return err;
}

static int records_read(struct reader *rd, FILE *file)
{
	struct place at = { .dir = rd->dir, .file = "records.jsonl" };
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int err = 0;

	while (!err && (len = getline(&line, &room, file)) > 0) {
		bool ended = line[len - 1] == '\n';

		at.line++;
		err = line_read(rd, line, (size_t)len - ended, ended, &at);
	}
	if (!err && ferror(file)) {
		err = -errno;
		wrong(&at, strerror(errno));
	}
	free(line);
	return err;
}

static int by_cell_and_round(const void *a, const void *b)
{
	const struct run_record *x = a, *y = b;

	if (x->cell != y->cell)
		return x->cell < y->cell ? -1 : 1;
	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

/* A resumed run measures anew what was killed: the last record of a cell and round counts. */
static void records_order(struct run *r)
{
	size_t kept = 0;

	if (r->nr_records)
		qsort(r->records, r->nr_records, sizeof(*r->records), by_cell_and_round);
	for (size_t i = 0; i < r->nr_records; i++) {
		struct run_record *rec = &r->records[i], *last = &r->records[kept ? kept - 1 : 0];

		if (kept && last->cell == rec->cell && last->round == rec->round) {
			free(last->reason);
			free(last->figures);
			*last = *rec;
			continue;
		}
		if (!kept || last->cell != rec->cell)
			r->cells[rec->cell].first_record = kept;
		r->cells[rec->cell].nr_records++;
		r->records[kept++] = *rec;
	}
	r->nr_records = kept;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* *@root lives as long as the run. -ENOENT is for the caller to say. */
static int load_json(struct reader *rd, const char *name, json_t **root)
{
	struct place at = { .dir = rd->dir, .file = name };
	json_error_t error;
	char *text;
	int err = file_read(&text, rd->dir, "/%s", name);

	if (err == -ENOENT)
		return err;
	if (err) {
		wrong(&at, strerror(-err));
		return err;
	}
	*root = json_loads(text, 0, &error);
	free(text);
	if (!*root) {
		at.line = error.line > 0 ? (size_t)error.line : 0;
		return wrong(&at, error.text);
	}
	return json_array_append_new(rd->run->files, *root) ? -ENOMEM : 0;
}

static int facts_read(struct reader *rd, const json_t *testcases)
{
	json_t *facts;
	size_t i;

	json_array_foreach(testcases, i, facts) {
		const char *name = text_member(facts, "name");

		if (name && json_object_set(rd->facts, name, facts) != 0)
			return -ENOMEM;
	}
	return 0;
}

static int plan_read(struct reader *rd)
{
	struct place at = { .dir = rd->dir, .file = "plan.json" };
	json_t *plan, *cells, *testcases = NULL, *cell;
	struct run *r = rd->run;
	json_error_t error;
	json_int_t rounds;
	size_t i;
	int err = load_json(rd, at.file, &plan);

	if (err == -ENOENT)
		msg_error("%s: no run directory: it holds no plan.json", rd->dir);
	if (err)
		return err;
	r->plan_json = plan;
	if (json_unpack_ex(plan, &error, 0, "{s:s s?s s:I s:o s?o}", "run", &r->name, "time",
			   &r->time, "rounds", &rounds, "cells", &cells, "testcases",
			   &testcases) != 0)
		return wrong(&at, error.text);
	if (rounds < 0)
		return wrong(&at, "rounds is less than 0");
	r->rounds = (uint64_t)rounds;
	r->duration_s = figure(plan, "duration_s");
	err = facts_read(rd, testcases);
	at.member = "cells";
	for (i = 0; !err && i < json_array_size(cells); i++) {
		cell = json_array_get(cells, i);
		at.n = i;
		err = cell_add(rd, cell, &at);
	}
	return err;
}

/* "host, Linux 6.18.5, Some CPU, 2 cores, 4 PUs", as far as it is known. */
static int machine_read(struct reader *rd)
{
	json_t *machine = NULL, *kernel, *topology, *cores, *pus;
	const char *host, *release, *model;
	size_t size;
	FILE *out;
	int err = load_json(rd, "machine.json", &machine);

	if (err && err != -ENOENT)
		return err;
	out = open_memstream(&rd->run->machine, &size);
	if (!out)
		return -ENOMEM;
	rd->run->machine_json = machine;
	kernel = json_object_get(machine, "kernel");
	topology = json_object_get(machine, "topology");
	host = text_member(kernel, "hostname");
	release = text_member(kernel, "release");
	model = text_member(json_object_get(machine, "cpu"), "model");
	cores = json_object_get(topology, "cores");
	pus = json_object_get(topology, "pus");
	if (host)
		fprintf(out, ", %s", host);
	if (release)
		fprintf(out, ", Linux %s", release);
	if (model)
		fprintf(out, ", %s", model);
	if (json_is_integer(cores) && json_is_integer(pus))
		fprintf(out, ", %lld cores, %lld PUs", (long long)json_integer_value(cores),
			(long long)json_integer_value(pus));
	if (fclose(out) != 0)
		return -ENOMEM;
	if (size)
		memmove(rd->run->machine, rd->run->machine + 2, size - 1);
	return 0;
}

/* A run that was killed before its first cell has no records yet. */
static int records_load(struct reader *rd)
{
	char *path;
	FILE *file;
	int err = 0;

	if (asprintf(&path, "%s/records.jsonl", rd->dir) < 0)
		return -ENOMEM;
	file = fopen(path, "re");
	if (file) {
		err = records_read(rd, file);
		fclose(file);
	} else if (errno != ENOENT) {
		err = -errno;
		msg_error("%s: %s", path, strerror(errno));
	}
	free(path);
	return err;
}

int run_load(struct run *r, const char *path)
{
	struct reader rd = {
		.run = r, .dir = path, .facts = json_object(), .index = json_object(),
	};
	int err = 0;

	*r = (struct run){ .duration_s = NAN, .files = json_array() };
	for (size_t i = 0; flags_name(i); i++)
		r->flags[r->nr_flags++] = flags_name(i);
	err = plan_read(&rd);
	if (!err)
		err = machine_read(&rd);
	if (!err)
		err = records_load(&rd);
	if (!err)
		records_order(r);
	if (err == -ENOMEM)
		msg_error("%s: %s", path, strerror(ENOMEM));
	free(rd.shares);
	json_decref(rd.facts);
	json_decref(rd.index);
	if (err)
		run_free(r);
	return err;
}

static bool same_settings(const struct run_settings *a, const struct run_settings *b)
{
	for (size_t i = 0; i < a->nr; i++) {
		bool same = false;

		for (size_t k = 0; k < b->nr; k++)
			same = same || (strcmp(a->list[i].name, b->list[k].name) == 0 &&
					strcmp(a->list[i].value, b->list[k].value) == 0);
		if (!same)
			return false;
	}
	return a->nr == b->nr;
}

bool run_same_curve(const struct run_cell *a, const struct run_cell *b)
{
	return a->mode == b->mode && strcmp(a->testcase, b->testcase) == 0 &&
	       strcmp(a->placement, b->placement) == 0 && same_settings(&a->params, &b->params) &&
	       same_settings(&a->factors, &b->factors);
}

/* ---- details -------------------------------------------------------------------------------- */

static int by_line(const void *key, const void *element)
{
	const struct run_record *const *record = element;
	size_t line = *(const size_t *)key;

	return line < (*record)->line ? -1 : line > (*record)->line;
}

static int order_by_line(const void *a, const void *b)
{
	const struct run_record *const *x = a, *const *y = b;

	return (*x)->line < (*y)->line ? -1 : (*x)->line > (*y)->line;
}

/* The records that were measured, by line. NULL: no memory. */
static const struct run_record **measured_records(const struct run *r, size_t *nr)
{
	const struct run_record **list = calloc(r->nr_records + 1, sizeof(*list));

	*nr = 0;
	for (size_t i = 0; list && i < r->nr_records; i++)
		if (r->records[i].status == RUN_OK)
			list[(*nr)++] = &r->records[i];
	if (list)
		qsort(list, *nr, sizeof(*list), order_by_line);
	return list;
}

int run_details(const struct run *r, const char *path,
		int (*take)(void *arg, const struct run_record *record, json_t *json), void *arg)
{
	struct place at = { .dir = path, .file = "records.jsonl" };
	size_t nr, room = 0, number = 0;
	const struct run_record **list = measured_records(r, &nr), **found;
	char *name = NULL, *line = NULL;
	FILE *file = NULL;
	int err = list && asprintf(&name, "%s/%s", path, at.file) >= 0 ? 0 : -ENOMEM;

	if (!err && !(file = fopen(name, "re")) && nr)
		err = wrong(&at, strerror(errno));
	while (!err && file && getline(&line, &room, file) > 0) {
		json_t *json;

		number++;
		found = bsearch(&number, list, nr, sizeof(*list), by_line);
		if (!found)
			continue;
		json = json_loads(line, 0, NULL);
		err = json ? take(arg, *found, json) : -EINVAL;
		json_decref(json);
	}
	if (file)
		fclose(file);
	free(line);
	free(name);
	free(list);
	return err;
}

json_t *run_lines(const char *path, const char *name)
{
	struct place at = { .dir = path, .file = name };
	json_t *array = json_array(), *object;
	char *text, *rest, *line;

	if (file_read(&text, path, "/%s", name) != 0) {
		json_decref(array);
		return NULL;
	}
	for (rest = text; (line = strsep(&rest, "\n"));) {
		json_error_t error;

		at.line++;
		object = line[0] ? json_loads(line, 0, &error) : NULL;
		if (object) {
			json_array_append_new(array, object);
		} else if (line[0] && !incomplete(line, strlen(line), &error)) {
			wrong(&at, error.text);
			json_decref(array);
			array = NULL;
			break;
		}
	}
	free(text);
	return array;
}

enum exit_status run_exit_status(int err)
{
	return err == -EINVAL || err == -ENOMEM ? EXIT_CELL_FAILED : EXIT_USAGE;
}

void run_free(struct run *r)
{
	for (size_t i = 0; i < r->nr_cells; i++) {
		free(r->cells[i].params.list);
		free(r->cells[i].factors.list);
	}
	for (size_t i = 0; i < r->nr_records; i++) {
		free(r->records[i].figures);
		free(r->records[i].reason);
	}
	free(r->cells);
	free(r->records);
	free(r->machine);
	json_decref(r->files);
	*r = (struct run){ 0 };
}
