/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "summary_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"

/* ---- columns -------------------------------------------------------------------------------- */

static void put_mean(const struct table_row *row, char *buf)
{
	human_si(buf, row->ops.mean);
}

static void put_ci95(const struct table_row *row, char *buf)
{
	char pct[HUMAN_MAX];

	snprintf(buf, HUMAN_MAX, isnan(row->ops.ci95_pct) ? "%s" : "±%s",
		 human_pct(pct, row->ops.ci95_pct));
}

static void put_median(const struct table_row *row, char *buf)
{
	human_si(buf, row->ops.median);
}

static void put_min(const struct table_row *row, char *buf)
{
	human_si(buf, row->ops.min);
}

static void put_max(const struct table_row *row, char *buf)
{
	human_si(buf, row->ops.max);
}

static void put_sd(const struct table_row *row, char *buf)
{
	human_pct(buf, row->ops.mean > 0 ? 100 * row->ops.sd / row->ops.mean : NAN);
}

static void put_rse(const struct table_row *row, char *buf)
{
	human_pct(buf, row->ops.rse_pct);
}

static void put_boot_low(const struct table_row *row, char *buf)
{
	human_si(buf, row->boot95_low);
}

static void put_boot_high(const struct table_row *row, char *buf)
{
	human_si(buf, row->boot95_high);
}

static void put_trimmed(const struct table_row *row, char *buf)
{
	human_si(buf, row->ops.trimmed_mean);
}

static void put_harmonic(const struct table_row *row, char *buf)
{
	human_si(buf, row->ops.harmonic_mean);
}

static void put_mad(const struct table_row *row, char *buf)
{
	human_pct(buf, row->ops.median > 0 ? 100 * row->ops.mad / row->ops.median : NAN);
}

static void put_outliers(const struct table_row *row, char *buf)
{
	snprintf(buf, HUMAN_MAX, "%zu", row->nr_outliers);
}

static void put_fairness(const struct table_row *row, char *buf)
{
	snprintf(buf, HUMAN_MAX, isnan(row->fairness) ? "-" : "%.3f", row->fairness);
}

static void put_per_task(const struct table_row *row, char *buf)
{
	human_si(buf, row->per_task_ops);
}

static void put_task_min(const struct table_row *row, char *buf)
{
	human_si(buf, row->task_min_ops);
}

static void put_task_max(const struct table_row *row, char *buf)
{
	human_si(buf, row->task_max_ops);
}

static void put_efficiency(const struct table_row *row, char *buf)
{
	human_pct_fixed(buf, 100 * row->efficiency, 1);
}

static void put_idle(const struct table_row *row, char *buf)
{
	human_pct(buf, row->idle_pct);
}

static void put_rounds(const struct table_row *row, char *buf)
{
	if (row->rounds_ok == row->rounds)
		snprintf(buf, HUMAN_MAX, "%" PRIu64, row->rounds);
	else
		snprintf(buf, HUMAN_MAX, "%" PRIu64 "/%" PRIu64, row->rounds_ok, row->rounds);
}

#define BOTH (VIEW_TEXT | VIEW_STATISTICS)

const struct summary_column summary_columns[] = {
	{ "ops/s", "ops/s", BOTH, GROUP_NONE, true, put_mean },
	{ "±95%", "±95%", BOTH, GROUP_NONE, false, put_ci95 },
	{ "low", "bootstrap 95% low", VIEW_STATISTICS, GROUP_BOOTSTRAP, true, put_boot_low },
	{ "high", "bootstrap 95% high", VIEW_STATISTICS, GROUP_BOOTSTRAP, true, put_boot_high },
	{ "median", "median", BOTH, GROUP_ROUNDS, true, put_median },
	{ "trimmed", "trimmed mean", VIEW_STATISTICS, GROUP_ROUNDS, true, put_trimmed },
	{ "harmon.", "harmonic mean", VIEW_STATISTICS, GROUP_ROUNDS, true, put_harmonic },
	{ "min", "minimum", BOTH, GROUP_ROUNDS, true, put_min },
	{ "max", "maximum", VIEW_TEXT, GROUP_ROUNDS, true, put_max },
	{ "sd", "sd", BOTH, GROUP_ROUNDS, false, put_sd },
	{ "rse", "rse", VIEW_TEXT, GROUP_ROUNDS, false, put_rse },
	{ "mad", "mad", VIEW_STATISTICS, GROUP_ROUNDS, false, put_mad },
	{ "outl.", "outliers", VIEW_STATISTICS, GROUP_ROUNDS, false, put_outliers },
	{ "mean", "per_process_ops, per_thread_ops", VIEW_TEXT, GROUP_TASKS, true, put_per_task },
	{ "min", "slowest task", VIEW_TEXT, GROUP_TASKS, true, put_task_min },
	{ "max", "fastest task", VIEW_TEXT, GROUP_TASKS, true, put_task_max },
	{ "fair", "fairness", VIEW_STATISTICS, GROUP_NONE, false, put_fairness },
	{ "eff.", "efficiency", VIEW_TEXT, GROUP_NONE, false, put_efficiency },
	{ "idle", "idle", VIEW_TEXT, GROUP_NONE, false, put_idle },
	{ "n", "rounds", BOTH, GROUP_NONE, false, put_rounds },
	{ .head = NULL },
};

const char *summary_per_task(enum run_mode mode)
{
	return mode == RUN_THREADS ? "per_thread_ops" : "per_process_ops";
}

/* ---- marks ---------------------------------------------------------------------------------- */

char summary_mark(const struct table *t, size_t flag)
{
	return marks_letter(t->flags, flag);
}

char *summary_marks(const struct table *t, const struct table_row *row)
{
	return marks_text(t->flags, t->nr_flags, row->flag_rounds, row->nr_outliers,
			  row->nr_failures ? row->rounds - row->rounds_ok : 0);
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

bool summary_legend(const struct table *t, const struct table_series *s, size_t flag, char **text)
{
	uint64_t rounds = 0, rows = 0;

	for (size_t i = 0; i < s->nr_rows; i++) {
		rounds += s->rows[i].flag_rounds[flag];
		rows += s->rows[i].flag_rounds[flag] > 0;
	}
	if (!rounds)
		return false;
	if (asprintf(text, "%s, %" PRIu64 " round%s of %" PRIu64 " row%s: %s", t->flags[flag],
		     rounds, plural(rounds), rows, plural(rows), table_flag_meaning(flag)) < 0)
		*text = NULL;
	return true;
}

/* ---- sentences ------------------------------------------------------------------------------ */

char *summary_failure(const struct table_row *row, const struct table_failure *f)
{
	char *text;
	int len;

	if (f->status == RUN_SKIPPED)
		len = asprintf(&text, "skipped: %s", f->reason);
	else if (f->status == RUN_MISSING)
		len = asprintf(&text, "not run in %" PRIu64 " of %" PRIu64 " rounds", f->rounds,
			       row->rounds);
	else
		len = asprintf(&text, "%s in %" PRIu64 " of %" PRIu64 " rounds: %s",
			       run_status_name(f->status), f->rounds, row->rounds, f->reason);
	return len < 0 ? NULL : text;
}

char *summary_outlier(const struct table_row *row, const struct table_outlier *o)
{
	char *text, ops[HUMAN_MAX];

	if (asprintf(&text, "round %" PRIu64 ": %s, %.1f deviations %s the median", o->round,
		     human_si(ops, o->ops_per_s), o->deviation,
		     o->ops_per_s < row->ops.median ? "below" : "above") < 0)
		return NULL;
	return text;
}

char *summary_title(const struct table_series *s)
{
	char *text;

	if (asprintf(&text, "%s%s%s%s%s%s", s->testcase, s->label[0] ? " [" : "", s->label,
		     s->label[0] ? "]" : "", s->description ? ": " : "",
		     s->description ? s->description : "") < 0)
		return NULL;
	return text;
}

char *summary_conditions(const struct table_series *s)
{
	const struct run_settings *both[] = { &s->params, &s->factors };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "placement %s", s->placement);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < both[k]->nr; i++)
			fprintf(out, ", %s=%s", both[k]->list[i].name, both[k]->list[i].value);
	return fclose(out) == 0 ? text : NULL;
}

char *summary_scalability(const struct table_series *s)
{
	char *text;

	if (isnan(s->scalability) ||
	    asprintf(&text, "scalability %.3f: processes / linear at %" PRIu64 " tasks",
		     s->scalability, s->scalability_tasks) < 0)
		return NULL;
	return text;
}

char *summary_rounds(const struct table *t)
{
	char *text;
	int len;

	if (isnan(t->duration_s))
		len = asprintf(&text, "%" PRIu64 " round%s", t->rounds, plural(t->rounds));
	else
		len = asprintf(&text, "%" PRIu64 " round%s of %.4g s", t->rounds,
			       plural(t->rounds), t->duration_s);
	return len < 0 ? NULL : text;
}

bool summary_single_rounds(const struct table *t)
{
	for (size_t i = 0; i < t->nr_series; i++)
		for (size_t j = 0; j < t->series[i].nr_rows; j++)
			if (t->series[i].rows[j].rounds_ok == 1)
				return true;
	return false;
}

const char *const summary_notes[] = {
	"ops/s: operations per second of all tasks together, the mean over n rounds. ±95%: half "
	"the width of its 95 % interval (Student's). sd, rse: standard deviation of the rounds, "
	"standard error of the mean. All three in per cent of the mean.",
	"per_process_ops, per_thread_ops: ops/s divided by tasks; the slowest and the fastest task "
	"of any round. eff.: ops(N) / (N ops(1)). idle: of all CPUs.",
	NULL,
};

const char *const summary_statistics_notes[] = {
	"ops/s: operations per second of all tasks together, the mean over n rounds. ±95%: half "
	"the width of its 95 % interval (Student's); bootstrap: the interval by resampling (BCa). "
	"trimmed: the mean without a fifth of the rounds at each end. harmon.: the harmonic mean.",
	"sd, mad: standard deviation, in per cent of the mean; median absolute deviation, scaled "
	"to one, in per cent of the median. outl.: rounds beyond 3.5 of the latter; they count "
	"like any other. fair: Jain's index over the tasks, 1 if all did the same.",
	NULL,
};

const char summary_single_round_note[] =
	"Where n is 1, one round gives no interval: more rounds show the spread.";
