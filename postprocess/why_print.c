/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "cpulist.h"
#include "human.h"
#include "msg.h"
#include "print.h"
#include "stats.h"
#include "why.h"

#define COLUMNS 100

/* Sums over a cell's measured rounds. */
struct sums {
	double *ops;	/* rates */
	size_t nr;
	struct why_side total;
};

static double member(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static int take(void *arg, const struct run_record *record, json_t *json)
{
	struct sums *s = (struct sums *)arg + record->cell;
	const json_t *window = json_object_get(json, "window");
	double *ops = reallocarray(s->ops, s->nr + 1, sizeof(*ops));

	if (!ops)
		return -ENOMEM;
	s->ops = ops;
	ops[s->nr++] = record->ops_per_s;
	s->total.cpu_ns += member(window, "cpu_ns_per_op");
	s->total.delay_ns += member(window, "delay_ns_per_op");
	s->total.sleep_ns += member(window, "sleep_ns_per_op");
	s->total.faults += member(window, "page_faults_per_op");
	s->total.voluntary += member(window, "voluntary_switches_per_op");
	s->total.involuntary += member(window, "involuntary_switches_per_op");
	s->total.steal_pct += member(window, "steal_pct");
	s->total.other_pct += member(window, "other_pct");
	s->total.fairness += record->fairness;
	return 0;
}

/* Different CPUs that the tasks are bound to; all of the machine if they are not. */
static double cpus_of(const struct run *run, const struct run_cell *cell)
{
	const json_t *pus = json_object_get(json_object_get(run->machine_json, "topology"), "pus");
	struct cpulist list;
	double nr = 0;

	if (cell->cpus && cpulist_parse(cell->cpus, &list) == 0) {
		for (size_t i = 0; i < list.nr && i < cell->tasks; i++) {
			bool seen = false;

			for (size_t k = 0; k < i; k++)
				seen = seen || list.cpus[k] == list.cpus[i];
			nr += !seen;
		}
		cpulist_free(&list);
	} else if (json_is_integer(pus)) {
		nr = (double)json_integer_value(pus);
	}
	return nr > 0 && nr < (double)cell->tasks ? nr : (double)cell->tasks;
}

static double per_operation(const struct counts *counts, const struct run_cell *cell,
			    const char *name)
{
	for (size_t i = 0; i < counts->nr; i++) {
		const struct counts_event *e = counts->cells[i].cell == cell ?
					       counts_find(&counts->cells[i], name) : NULL;

		if (e)
			return e->per_operation.mean;
	}
	return NAN;
}

static int side_of(struct why_side *side, const struct counts *counts, const struct run *run,
		   const struct run_cell *cell, const struct sums *s)
{
	double nr = (double)s->nr;
	struct stats stats;
	int err = stats_of(&stats, s->ops, s->nr);

	*side = (struct why_side){
		.cell = cell, .ops_per_s = stats.mean, .ci95_pct = stats.ci95_pct,
		.cpus = cpus_of(run, cell), .rounds = s->nr,
		.cpu_ns = s->total.cpu_ns / nr, .delay_ns = s->total.delay_ns / nr,
		.sleep_ns = s->total.sleep_ns / nr, .faults = s->total.faults / nr,
		.voluntary = s->total.voluntary / nr, .involuntary = s->total.involuntary / nr,
		.fairness = s->total.fairness / nr, .steal_pct = s->total.steal_pct / nr,
		.other_pct = s->total.other_pct / nr,
		.cycles = per_operation(counts, cell, "cycles"),
		.instructions = per_operation(counts, cell, "instructions"),
		.misses = per_operation(counts, cell, "LLC-load-misses"),
	};
	return err;
}

/* ---- forms ---------------------------------------------------------------------------------- */

static const char *const verdicts[] = {
	[WHY_SCALES] = "scales", [WHY_KNOWN] = "known", [WHY_UNKNOWN] = "unknown",
};

static json_t *why_json(const struct why *w)
{
	const struct run_cell *cell = w->many.cell;

	return json_pack("{ss ss ss sI sI so so so ss ss? ss sO ss? so}", "cell", cell->id,
		"testcase", cell->testcase, "mode", run_mode_name(cell->mode),
		"few", (json_int_t)w->few.cell->tasks, "many", (json_int_t)cell->tasks,
		"efficiency", print_json(w->efficiency), "efficiency_low", print_json(w->low),
		"efficiency_high", print_json(w->high), "verdict", verdicts[w->verdict],
		"cause", w->cause, "sentence", w->sentence, "evidence", w->evidence,
		"contends", w->expects,
		"as_expected", w->as_expected < 0 ? json_null() : json_boolean(w->as_expected));
}

static void print_text(const struct why *w, FILE *out)
{
	char a[HUMAN_MAX], b[HUMAN_MAX];
	json_t *text;
	size_t i;

	fprintf(out, "%s, from %llu to %llu tasks: efficiency %.2f (%s -> %s ops/s)\n",
		w->many.cell->id, (unsigned long long)w->few.cell->tasks,
		(unsigned long long)w->many.cell->tasks, w->efficiency,
		human_si(a, w->few.ops_per_s), human_si(b, w->many.ops_per_s));
	human_wrap(out, "  ", "  ", w->sentence, COLUMNS);
	json_array_foreach(w->evidence, i, text)
		human_wrap(out, "    - ", "      ", json_string_value(text), COLUMNS);
	if (w->expects && w->as_expected >= 0)
		fprintf(out, "    its facts expect %s: %s\n", w->expects,
			w->as_expected ? "so it is" : "something else was seen");
	fputc('\n', out);
}

/* All that is known of a run. */
struct sources {
	const struct run *run;
	const struct looks *looks;
	const struct sums *sums;
	const struct counts *counts;
};

/* ---- curves --------------------------------------------------------------------------------- */

/*
 * The measured cells of @cell's curve with the fewest and the most tasks; whether @cell is the
 * latter.
 */
static bool ends_of(const struct run *run, const struct sums *sums, size_t cell, size_t *few)
{
	*few = cell;
	for (size_t i = 0; i < run->nr_cells; i++) {
		if (!sums[i].nr || !run_same_curve(&run->cells[i], &run->cells[cell]))
			continue;
		if (run->cells[i].tasks > run->cells[cell].tasks)
			return false;
		if (run->cells[i].tasks < run->cells[*few].tasks)
			*few = i;
	}
	return *few != cell && sums[cell].nr;
}

static int answer(const struct sources *of, size_t few, size_t many, json_t *array, FILE *out)
{
	const struct run *run = of->run;
	const struct sums *sums = of->sums;
	struct why_side sides[2];
	struct why w;
	int err = side_of(&sides[0], of->counts, run, &run->cells[few], &sums[few]);

	if (!err)
		err = side_of(&sides[1], of->counts, run, &run->cells[many], &sums[many]);
	if (err)
		return err;
	err = why_make(&w, run, of->looks, &sides[0], &sides[1]);
	if (!err && array)
		json_array_append_new(array, why_json(&w));
	else if (!err)
		print_text(&w, out);
	why_free(&w);
	return err;
}

static int print_curves(const struct sources *of, const char *test, json_t *array, FILE *out)
{
	const struct run *run = of->run;
	size_t found = 0, few;
	int err = 0;

	for (size_t i = 0; !err && i < run->nr_cells; i++) {
		if ((test && strcmp(run->cells[i].testcase, test) != 0) ||
		    !ends_of(run, of->sums, i, &few))
			continue;
		found++;
		err = answer(of, few, i, array, out);
	}
	if (!err && !found) {
		msg_error("%s: no testcase%s%s was measured with two numbers of tasks", run->name,
			  test ? " named " : "", test ? test : "");
		return -ENODATA;
	}
	return err;
}

int why_print(const struct run *run, const char *path, const char *test, const char *format,
	      FILE *out)
{
	struct sums *sums = calloc(run->nr_cells + 1, sizeof(*sums));
	json_t *array = strcmp(format, "json") == 0 ? json_array() : NULL;
	struct looks looks = { 0 };
	struct counts counts = { 0 };
	const struct sources of = { run, &looks, sums, &counts };
	int err = sums ? run_details(run, path, take, sums) : -ENOMEM;

	if (!err)
		err = looks_load(&looks, run, path);
	if (!err)
		err = counts_make(&counts, run, path, test);
	if (!err)
		err = print_curves(&of, test, array, out);
	if (!err && array)
		err = print_json_root(json_pack("{ss sO}", "schema", "knee-why/1", "curves", array),
				      out);
	if (err == -ENOMEM)
		msg_error("%s: %s", path, strerror(ENOMEM));
	json_decref(array);
	looks_free(&looks);
	counts_free(&counts);
	for (size_t i = 0; sums && i < run->nr_cells; i++)
		free(sums[i].ops);
	free(sums);
	return err;
}
