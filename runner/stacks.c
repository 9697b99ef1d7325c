/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stacks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

#define FRAMES_MAX 256
#define PATHS_MAX 3	/* callers that are shown of a symbol */
#define PATH_FRAMES 8	/* functions of each */

int stacks_init(struct stacks *s)
{
	*s = (struct stacks){ .weights = json_object() };
	return s->weights ? 0 : -ENOMEM;
}

void stacks_free(struct stacks *s)
{
	json_decref(s->weights);
	*s = (struct stacks){ 0 };
}

static bool ends_with(const char *text, size_t len, const char *tail)
{
	size_t n = strlen(tail);

	return len >= n && memcmp(text + len - n, tail, n) == 0;
}

static int add_weight(json_t *weights, const char *key, double weight)
{
	double before = json_real_value(json_object_get(weights, key));

	return json_object_set_new(weights, key, json_real(before + weight)) ? -ENOMEM : 0;
}

int stacks_add(struct stacks *s, const char *folded, double weight)
{
	size_t len = strlen(folded);

	s->samples++;
	s->total += weight;
	if (ends_with(folded, len, "_[k]"))
		s->kernel += weight;
	if (ends_with(folded, len, "[unknown]_[k]"))
		s->nameless++;
	return add_weight(s->weights, folded, weight);
}

/* ---- perf script ---------------------------------------------------------------------------- */

/* The sample that is being read: frames from the innermost outwards. */
struct sample {
	struct stacks *to;	/* NULL: none has begun, or an event that is not asked for */
	double weight;
	char *frames[FRAMES_MAX];
	size_t nr;
};

static int end_sample(struct sample *s)
{
	char *folded = NULL;
	size_t size;
	FILE *out;
	int err = 0;

	if (s->to && s->nr) {
		out = open_memstream(&folded, &size);
		for (size_t i = s->nr; out && i-- > 0;)
			fprintf(out, "%s%s", s->frames[i], i ? ";" : "");
		err = out && fclose(out) == 0 ? stacks_add(s->to, folded, s->weight) : -ENOMEM;
		free(folded);
	}
	for (size_t i = 0; i < s->nr; i++)
		free(s->frames[i]);
	*s = (struct sample){ 0 };
	return err;
}

/*
 * "[kernel.kallsyms]", "[guest.kernel.kallsyms]", "[ext4]"; without a name, by the address's top
 * bit.
 */
static bool is_kernel(const char *dso, uint64_t ip)
{
	if (strcmp(dso, "[unknown]") == 0)
		return ip >> 63;
	return dso[0] == '[' && strcmp(dso, "[vdso]") != 0 && strcmp(dso, "[heap]") != 0 &&
	       strcmp(dso, "[stack]") != 0 && strcmp(dso, "[vsyscall]") != 0;
}

/*
 * "shrink_slab.constprop.0", "f.isra.0.cold": what the compiler made of a function is that
 * function.
 */
static void cut_clone(char *name)
{
	static const char *const tails[] = { ".isra.", ".constprop.", ".part.",
					     ".cold",  ".llvm.",      "@" };
	char *tail;

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if ((tail = strstr(name, tails[i])) && tail > name)
			*tail = '\0';
}

/* "\tffffffff8130bae4 arch_get_unmapped_area ([kernel.kallsyms])" */
static int take_frame(struct sample *s, char *line)
{
	char *end, *dso = strrchr(line, '(');
	uint64_t ip = strtoull(line, &end, 16);
	size_t len;

	if (end == line || !dso || s->nr == FRAMES_MAX)
		return 0;
	*dso++ = '\0';
	dso[strcspn(dso, ")")] = '\0';
	end += strspn(end, " ");
	len = strlen(end);
	while (len && end[len - 1] == ' ')
		end[--len] = '\0';
	cut_clone(end);
	for (char *c = end; *c; c++)
		if (*c == ';' || *c == ' ')
			*c = ':';
	if (asprintf(&s->frames[s->nr], "%s%s", end, is_kernel(dso, ip) ? "_[k]" : "") < 0)
		return -ENOMEM;
	s->nr++;
	return 0;
}

/* "    500751          cpu-clock: " */
static void begin_sample(struct sample *s, char *line, struct stacks *cpu, struct stacks *sleeps)
{
	char *event;

	s->weight = strtod(line, &event);
	event += strspn(event, " ");
	if (words_after(event, "cpu-clock"))
		s->to = cpu;
	else if (words_after(event, "sched:sched_switch"))
		s->to = sleeps;
}

int stacks_read_script(FILE *script, struct stacks *cpu, struct stacks *sleeps)
{
	struct sample sample = { 0 };
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int err = 0, last;

	while (!err && (len = getline(&line, &room, script)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (line[0] == '\0')
			err = end_sample(&sample);
		else if (line[0] == '\t')
			err = take_frame(&sample, line + 1);
		else
			begin_sample(&sample, line, cpu, sleeps);
	}
	last = end_sample(&sample);
	free(line);
	return err ? err : last;
}

/* ---- folded --------------------------------------------------------------------------------- */

struct entry {
	const char *key;
	double weight;
	const json_t *value;
};

static int by_weight(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return strcmp(x->key, y->key);
}

/* The members of an object of weights, heaviest first. NULL: no memory. */
static struct entry *sorted(json_t *weights, size_t *nr)
{
	struct entry *list = calloc(json_object_size(weights) + 1, sizeof(*list));
	const char *key;
	json_t *value;

	*nr = 0;
	if (!list)
		return NULL;
	json_object_foreach(weights, key, value)
		list[(*nr)++] = (struct entry){ key, json_real_value(value), value };
	qsort(list, *nr, sizeof(*list), by_weight);
	return list;
}

int stacks_write(const struct stacks *s, FILE *out)
{
	size_t nr;
	struct entry *list = sorted(s->weights, &nr);

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%s %.0f\n", list[i].key, list[i].weight);
	free(list);
	return ferror(out) ? -EIO : 0;
}

int stacks_read(struct stacks *s, FILE *in)
{
	char *line = NULL, *blank;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, in) > 0) {
		blank = strrchr(line, ' ');
		if (!blank)
			continue;
		*blank = '\0';
		err = stacks_add(s, line, strtod(blank + 1, NULL));
	}
	free(line);
	return err;
}

/* ---- the hottest ---------------------------------------------------------------------------- */

bool stacks_outwards(const char *folded, const char **at, char name[STACKS_NAME_MAX], bool *kernel)
{
	const char *begin = *at;
	size_t len;

	if (*at == folded)
		return false;
	while (begin > folded && begin[-1] != ';')
		begin--;
	len = (size_t)(*at - begin);
	*kernel = ends_with(begin, len, "_[k]");
	if (*kernel)
		len -= 4;
	snprintf(name, STACKS_NAME_MAX, "%.*s", (int)len, begin);
	*at = begin > folded ? begin - 1 : folded;
	return true;
}

bool stacks_is_entry(const char *name)
{
	return words_after(name, "entry_SYSCALL") || words_after(name, "do_syscall_") ||
	       words_after(name, "asm_exc_") || words_after(name, "asm_sysvec_") ||
	       words_after(name, "el0") || words_after(name, "invoke_syscall") ||
	       words_have("x64_sys_call do_el0_svc __libc_start_main _start ret_from_fork_asm",
			  name);
}

bool stacks_is_scheduler(const char *name)
{
	return words_have(
		"__schedule schedule schedule_timeout schedule_preempt_disabled io_schedule "
		"schedule_hrtimeout_range schedule_hrtimeout_range_clock io_schedule_timeout "
		"preempt_schedule __cond_resched schedule_hrtimeout __traceiter_sched_switch",
		name);
}

/* The innermost function that says something, and the path to it: "b <- c <- d". */
static bool split(const char *folded, bool sleeps, char symbol[STACKS_NAME_MAX], bool *kernel,
		  char *path, size_t room)
{
	const char *at = folded + strlen(folded);
	char name[STACKS_NAME_MAX];
	size_t used = 0, frames = 0;
	bool is_kernel;

	do {
		if (!stacks_outwards(folded, &at, symbol, kernel))
			return false;
	} while (sleeps && stacks_is_scheduler(symbol));
	path[0] = '\0';
	while (frames < PATH_FRAMES && stacks_outwards(folded, &at, name, &is_kernel)) {
		/* What is below the way in is the C library's wrapper, or unknown. */
		if (stacks_is_entry(name) || (*kernel && !is_kernel))
			break;
		used += (size_t)snprintf(path + used, used < room ? room - used : 0, "%s%s",
					 frames++ ? " <- " : "", name);
		if (used >= room)
			break;
	}
	return true;
}

static json_t *callers_json(json_t *paths, double total)
{
	json_t *array = json_array();
	size_t nr;
	struct entry *list = sorted(paths, &nr);

	for (size_t i = 0; list && i < nr && i < PATHS_MAX; i++)
		json_array_append_new(array, json_pack("{ss sf}", "path", list[i].key,
						       "pct", 100 * list[i].weight / total));
	free(list);
	return array;
}

json_t *stacks_hottest(const struct stacks *s, size_t max)
{
	json_t *selves = json_object(), *paths = json_object(), *array = json_array(), *weight;
	char symbol[STACKS_NAME_MAX], key[STACKS_NAME_MAX + 8], path[1024];
	struct entry *list;
	const char *folded;
	bool kernel, sleeps = false;
	size_t nr = 0;

	json_object_foreach(s->weights, folded, weight) {
		sleeps = ends_with(folded, strlen(folded), "__schedule_[k]");
		if (!split(folded, sleeps, symbol, &kernel, path, sizeof(path)))
			continue;
		snprintf(key, sizeof(key), "%s%s", symbol, kernel ? "_[k]" : "");
		add_weight(selves, key, json_real_value(weight));
		if (!json_object_get(paths, key))
			json_object_set_new(paths, key, json_object());
		add_weight(json_object_get(paths, key), path, json_real_value(weight));
	}
	list = sorted(selves, &nr);
	for (size_t i = 0; list && i < nr && i < max; i++) {
		const char *at = list[i].key + strlen(list[i].key);

		stacks_outwards(list[i].key, &at, symbol, &kernel);
		json_array_append_new(array, json_pack("{ss sb sf so}", "symbol", symbol,
			"kernel", kernel, "pct", 100 * list[i].weight / s->total, "callers",
			callers_json(json_object_get(paths, list[i].key), s->total)));
	}
	free(list);
	json_decref(selves);
	json_decref(paths);
	return array;
}
