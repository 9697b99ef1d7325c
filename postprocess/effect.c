/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "effect.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"
#include "msg.h"
#include "words.h"

static const char *const verdicts[] = {
	[EFFECT_NOISE] = "noise",
	[EFFECT_SLOWER] = "slower",
	[EFFECT_FASTER] = "faster",
	[EFFECT_UNKNOWN] = "unknown",
};

const char *effect_verdict_name(enum effect_verdict v)
{
	return verdicts[v];
}

double effect_change_pct(const struct effect_row *row)
{
	return 100 * (row->ratio.ratio - 1);
}

size_t effect_count(const struct effect *e, enum effect_verdict v)
{
	size_t nr = 0;

	for (size_t i = 0; i < e->nr; i++)
		nr += e->rows[i].verdict == v;
	return nr;
}

/* ---- which factor --------------------------------------------------------------------------- */

const char *effect_level(const struct run_cell *cell, const char *factor)
{
	for (size_t i = 0; i < cell->factors.nr; i++)
		if (strcmp(cell->factors.list[i].name, factor) == 0)
			return cell->factors.list[i].value;
	return NULL;
}

/* The names of the factors that the run varies, with ", " between. NULL: no memory. */
static char *factor_names(const struct run *run)
{
	const struct run_settings *factors = &run->cells[0].factors;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < factors->nr; i++)
		fprintf(out, "%s%s", i ? ", " : "", factors->list[i].name);
	return fclose(out) == 0 ? text : NULL;
}

static int say_factors(const struct run *run, const char *wanted)
{
	char *names = factor_names(run);

	if (names && wanted)
		msg_error("the run does not vary %s, only %s", wanted, names);
	else if (names)
		msg_error("the run varies %s: which one? (--factor)", names);
	free(names);
	return names ? -EINVAL : -ENOMEM;
}

static int find_factor(struct effect *e, const char *factor)
{
	const struct run *run = e->run;
	const struct run_settings *factors = run->nr_cells ? &run->cells[0].factors : NULL;

	if (!factors || !factors->nr) {
		msg_error("the run varies nothing (runtest --vary)");
		return -EINVAL;
	}
	if (!factor && factors->nr > 1)
		return say_factors(run, NULL);
	for (size_t i = 0; i < factors->nr && !e->factor; i++)
		if (!factor || strcmp(factors->list[i].name, factor) == 0)
			e->factor = factors->list[i].name;
	return e->factor ? 0 : say_factors(run, factor);
}

static int find_base(struct effect *e, const char *base)
{
	const struct run *run = e->run;
	bool others = false;

	for (size_t i = 0; i < run->nr_cells; i++) {
		const char *level = effect_level(&run->cells[i], e->factor);

		if (level && !e->base && (!base || strcmp(level, base) == 0))
			e->base = level;
	}
	if (!e->base) {
		msg_error("the run has no level %s of %s", base, e->factor);
		return -EINVAL;
	}
	for (size_t i = 0; i < run->nr_cells; i++) {
		const char *level = effect_level(&run->cells[i], e->factor);

		others |= level && strcmp(level, e->base) != 0;
	}
	if (!others)
		msg_error("the run has no level of %s but %s", e->factor, e->base);
	return others ? 0 : -EINVAL;
}

/* ---- pairs of cells ------------------------------------------------------------------------- */

/* What a factor changes beside itself: "param:size" is the parameter size. */
static bool is_of_factor(const char *factor, const char *name)
{
	const char *param = words_after(factor, "param:");

	return param && strcmp(param, name) == 0;
}

static bool same_settings(const struct run_settings *a, const struct run_settings *b,
			  const char *factor, bool params)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++) {
		const char *name = a->list[i].name;

		if (strcmp(name, b->list[i].name) != 0)
			return false;
		if (params ? is_of_factor(factor, name) : strcmp(factor, name) == 0)
			continue;
		if (strcmp(a->list[i].value, b->list[i].value) != 0)
			return false;
	}
	return true;
}

bool effect_alike(const struct run_cell *a, const struct run_cell *b, const char *factor)
{
	return a->tasks == b->tasks && a->mode == b->mode && strcmp(a->testcase, b->testcase) == 0 &&
	       (strcmp(factor, "placement") == 0 || strcmp(a->placement, b->placement) == 0) &&
	       same_settings(&a->factors, &b->factors, factor, false) &&
	       same_settings(&a->params, &b->params, factor, true);
}

static const struct run_cell *find_base_cell(const struct effect *e, const struct run_cell *cell)
{
	for (size_t i = 0; i < e->run->nr_cells; i++) {
		const struct run_cell *other = &e->run->cells[i];
		const char *level = effect_level(other, e->factor);

		if (level && strcmp(level, e->base) == 0 && effect_alike(cell, other, e->factor))
			return other;
	}
	return NULL;
}

/* Factors that show in another part of a title. */
static bool is_told(const char *factor)
{
	return strcmp(factor, "placement") == 0 || words_after(factor, "param:");
}

char *effect_title(const struct run_cell *cell, const char *factor)
{
	char *text;
	size_t size, nr = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s [", cell->testcase);
	if (strcmp(factor, "placement") != 0)
		fprintf(out, "%s%s", nr++ ? " " : "", cell->placement);
	for (size_t i = 0; i < cell->params.nr; i++)
		if (!is_of_factor(factor, cell->params.list[i].name))
			fprintf(out, "%s%s=%s", nr++ ? " " : "", cell->params.list[i].name,
				cell->params.list[i].value);
	for (size_t i = 0; i < cell->factors.nr; i++)
		if (strcmp(cell->factors.list[i].name, factor) != 0 &&
		    !is_told(cell->factors.list[i].name))
			fprintf(out, "%s%s=%s", nr++ ? " " : "", cell->factors.list[i].name,
				cell->factors.list[i].value);
	fputc(']', out);
	return fclose(out) == 0 ? text : NULL;
}

/* ---- pairs of rounds ------------------------------------------------------------------------ */

/* The record of a round that was measured, or NULL. */
static const struct run_record *measured(const struct run *run, const struct run_cell *cell, uint64_t round)
{
	for (size_t i = 0; i < cell->nr_records; i++) {
		const struct run_record *r = &run->records[cell->first_record + i];

		if (r->round == round && r->status == RUN_OK)
			return r;
	}
	return NULL;
}

/* What doubts there are about a side of the pairs. */
struct doubts {
	uint64_t flags[RUN_FLAGS_MAX];
	uint64_t failed;
};

static void add_doubts(struct doubts *d, const struct run *run, const struct run_record *r)
{
	for (size_t i = 0; i < run->nr_flags; i++)
		d->flags[i] += r->flags >> i & 1;
}

static uint64_t count_failed(const struct run *run, const struct run_cell *cell)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < cell->nr_records; i++)
		nr += run->records[cell->first_record + i].status != RUN_OK;
	return nr;
}

static size_t count_measured(const struct run_cell *cell, const struct run *run)
{
	return cell->nr_records - count_failed(run, cell);
}

static int take_pairs(struct effect_row *row, const struct run *run)
{
	const struct run_cell *cell = row->cell;
	struct doubts base = { .failed = count_failed(run, row->base_cell) };
	struct doubts level = { .failed = count_failed(run, cell) };

	row->base_ops = calloc(cell->nr_records + 1, sizeof(*row->base_ops));
	row->ops = calloc(cell->nr_records + 1, sizeof(*row->ops));
	if (!row->base_ops || !row->ops)
		return -ENOMEM;
	for (size_t i = 0; i < cell->nr_records; i++) {
		const struct run_record *r = &run->records[cell->first_record + i];
		const struct run_record *b = measured(run, row->base_cell, r->round);

		if (r->status != RUN_OK || !b)
			continue;
		add_doubts(&base, run, b);
		add_doubts(&level, run, r);
		row->base_ops[row->nr] = b->ops_per_s;
		row->ops[row->nr++] = r->ops_per_s;
	}
	row->unpaired = count_measured(cell, run) + count_measured(row->base_cell, run) - 2 * row->nr;
	row->base_marks = marks_text(run->flags, run->nr_flags, base.flags, 0, base.failed);
	row->marks = marks_text(run->flags, run->nr_flags, level.flags, 0, level.failed);
	return row->base_marks && row->marks ? 0 : -ENOMEM;
}

static enum effect_verdict judge(const struct effect_row *row)
{
	if (isnan(row->ratio.low))
		return EFFECT_UNKNOWN;
	if (row->ratio.high < 1)
		return EFFECT_SLOWER;
	return row->ratio.low > 1 ? EFFECT_FASTER : EFFECT_NOISE;
}

static int measure(struct effect_row *row)
{
	int err = stats_of(&row->base_stats, row->base_ops, row->nr);

	if (!err)
		err = stats_of(&row->stats, row->ops, row->nr);
	if (!err)
		err = infer_paired(&row->ratio, &row->p, row->base_ops, row->ops, row->nr);
	row->verdict = judge(row);
	return err;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int add_row(struct effect *e, const struct run_cell *cell, const char *level)
{
	struct effect_row *row = &e->rows[e->nr];
	int err;

	*row = (struct effect_row){
		.cell = cell, .level = level, .base_cell = find_base_cell(e, cell), .q = NAN,
	};
	if (!row->base_cell)
		return 0;
	e->nr++;
	row->title = effect_title(cell, e->factor);
	err = row->title ? take_pairs(row, e->run) : -ENOMEM;
	return err ? err : measure(row);
}

/* Where the first row with this title stands: titles in the order of the plan. */
static size_t title_index(const struct effect *e, const struct effect_row *row)
{
	size_t i = 0;

	while (strcmp(e->rows[i].title, row->title) != 0)
		i++;
	return i;
}

/* Levels in the order in which the run has them. */
static size_t level_index(const struct effect *e, const char *level)
{
	for (size_t i = 0; i < e->run->nr_cells; i++) {
		const char *other = effect_level(&e->run->cells[i], e->factor);

		if (other && strcmp(other, level) == 0)
			return i;
	}
	return e->run->nr_cells;
}

struct place {
	size_t title, level, index;
	const struct run_cell *cell;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->title != y->title)
		return x->title < y->title ? -1 : 1;
	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x->cell->mode != y->cell->mode)
		return x->cell->mode < y->cell->mode ? -1 : 1;
	if (x->cell->tasks != y->cell->tasks)
		return x->cell->tasks < y->cell->tasks ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static int sort_rows(struct effect *e)
{
	struct place *places = calloc(e->nr + 1, sizeof(*places));
	struct effect_row *rows = calloc(e->nr + 1, sizeof(*rows));

	if (!places || !rows) {
		free(places);
		free(rows);
		return -ENOMEM;
	}
	for (size_t i = 0; i < e->nr; i++)
		places[i] = (struct place){
			title_index(e, &e->rows[i]), level_index(e, e->rows[i].level), i, e->rows[i].cell,
		};
	qsort(places, e->nr, sizeof(*places), by_place);
	for (size_t i = 0; i < e->nr; i++)
		rows[i] = e->rows[places[i].index];
	free(places);
	free(e->rows);
	e->rows = rows;
	return 0;
}

static int adjust(struct effect *e)
{
	double *p = calloc(e->nr + 1, sizeof(*p)), *q = calloc(e->nr + 1, sizeof(*q));
	int err = p && q ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < e->nr; i++)
		p[i] = e->rows[i].p;
	if (!err)
		err = infer_adjust(q, p, e->nr);
	for (size_t i = 0; !err && i < e->nr; i++)
		e->rows[i].q = q[i];
	free(p);
	free(q);
	return err;
}

static int add_rows(struct effect *e)
{
	const struct run *run = e->run;
	int err = 0;

	e->rows = calloc(run->nr_cells + 1, sizeof(*e->rows));
	if (!e->rows)
		return -ENOMEM;
	for (size_t i = 0; !err && i < run->nr_cells; i++) {
		const char *level = effect_level(&run->cells[i], e->factor);

		if (level && strcmp(level, e->base) != 0)
			err = add_row(e, &run->cells[i], level);
	}
	if (!err)
		err = sort_rows(e);
	return err ? err : adjust(e);
}

int effect_make(struct effect *e, const struct run *run, const char *factor, const char *base)
{
	int err;

	*e = (struct effect){ .run = run };
	err = find_factor(e, factor);
	if (!err)
		err = find_base(e, base);
	if (!err)
		err = add_rows(e);
	if (err == -ENOMEM)
		msg_error("%s", strerror(ENOMEM));
	if (err)
		effect_free(e);
	return err;
}

void effect_free(struct effect *e)
{
	for (size_t i = 0; i < e->nr; i++) {
		free(e->rows[i].title);
		free(e->rows[i].base_ops);
		free(e->rows[i].ops);
		free(e->rows[i].base_marks);
		free(e->rows[i].marks);
	}
	free(e->rows);
	*e = (struct effect){ 0 };
}
