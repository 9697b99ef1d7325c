/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arrange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "file.h"
#include "msg.h"
#include "num.h"
#include "span.h"

#define KIND_ANY (-1)

/* What the text says, before a machine is known. */
struct spec {
	bool listed;
	enum placement policy;
	struct cpulist cpus, avoid;
	bool chosen;		/* kind, avoid or skip-isolated was given */
	const char *kind;	/* NULL: any */
	bool skip_isolated, bind_core;
	enum partner partner;
	int kind_index;		/* found on the machine */
};

static void free_spec(struct spec *s)
{
	cpulist_free(&s->cpus);
	cpulist_free(&s->avoid);
}

/* ---- the text ------------------------------------------------------------------------------- */

static int parse_list(const char *word, const char *text, struct cpulist *list)
{
	int err = cpulist_parse(text, list);

	if (err == -ENOMEM)
		msg_error("%s: %s", word, strerror(ENOMEM));
	else if (err)
		msg_error("%s: must be a list of CPUs such as 0-3,8", word);
	return err == -ERANGE ? -EINVAL : err;
}

static int parse_partner(const char *word, const char *text, enum partner *partner)
{
	static const char *const names[] = { "same", "sibling", "l3", "node", "far" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], text) == 0) {
			*partner = (enum partner)i;
			return 0;
		}
	}
	msg_error("%s: must be one of: " PARTNER_NAMES, word);
	return -EINVAL;
}

static int parse_kind(const char *word, const char *text, struct spec *s)
{
	uint64_t number;

	if (strcmp(text, "performance") != 0 && strcmp(text, "efficiency") != 0 &&
	    num_parse_u64(text, &number) != 0) {
		msg_error("%s: must be performance, efficiency or the number of a kind of CPU", word);
		return -EINVAL;
	}
	s->kind = text;
	s->chosen = true;
	return 0;
}

static int parse_bind(const char *word, const char *text, struct spec *s)
{
	if (strcmp(text, "core") != 0 && strcmp(text, "pu") != 0) {
		msg_error("%s: must be pu or core", word);
		return -EINVAL;
	}
	s->bind_core = strcmp(text, "core") == 0;
	return 0;
}

static int parse_option(const char *word, struct spec *s)
{
	const char *value = strchr(word, '=');
	size_t len = value ? (size_t)(value++ - word) : strlen(word);

	if (value && len == 4 && strncmp(word, "kind", len) == 0)
		return parse_kind(word, value, s);
	if (value && len == 4 && strncmp(word, "bind", len) == 0)
		return parse_bind(word, value, s);
	if (value && len == 7 && strncmp(word, "partner", len) == 0)
		return parse_partner(word, value, &s->partner);
	if (value && len == 5 && strncmp(word, "avoid", len) == 0) {
		s->chosen = true;
		cpulist_free(&s->avoid);
		return parse_list(word, value, &s->avoid);
	}
	if (strcmp(word, "skip-isolated") == 0) {
		s->chosen = s->skip_isolated = true;
		return 0;
	}
	msg_error("placement: %s: must be kind=K, avoid=LIST, skip-isolated, bind=core or partner=P",
		  word);
	return -EINVAL;
}

static int parse_policy(const char *word, struct spec *s)
{
	if (strncmp(word, "cpus=", 5) == 0) {
		s->listed = true;
		return parse_list(word, word + 5, &s->cpus);
	}
	if (placement_parse(word, &s->policy) == 0)
		return 0;
	msg_error("placement %s: must be one of: " PLACEMENT_NAMES " cpus=LIST", word);
	return -EINVAL;
}

bool arrange_begins_well(const char *text)
{
	char *policy = strndup(text, strcspn(text, "+"));
	enum placement found;
	bool well = policy && (strncmp(policy, "cpus=", 5) == 0 || placement_parse(policy, &found) == 0);

	free(policy);
	return well;
}

static int check_spec(const struct spec *s)
{
	bool unbound = !s->listed && s->policy == PLACEMENT_NONE;

	if (s->listed && s->chosen) {
		msg_error("a list of CPUs excludes kind, avoid and skip-isolated, which choose CPUs");
		return -EINVAL;
	}
	if (unbound && (s->chosen || s->bind_core || s->partner != PARTNER_SAME)) {
		msg_error("placement none binds no task: it excludes kind, avoid, skip-isolated, bind "
			  "and partner");
		return -EINVAL;
	}
	return 0;
}

/* @copy is cut up, and outlives @s. */
static int parse(char *copy, struct spec *s)
{
	char *rest = copy, *word = strsep(&rest, "+");
	int err;

	*s = (struct spec){ .policy = PLACEMENT_CORE, .kind_index = KIND_ANY };
	err = parse_policy(word, s);
	while (!err && (word = strsep(&rest, "+")))
		err = parse_option(word, s);
	return err ? err : check_spec(s);
}

/* ---- which PUs ------------------------------------------------------------------------------ */

static bool is_wanted(const struct topo_pu *pu, const void *arg)
{
	const struct spec *s = arg;

	/* A list only orders: partners and bind=core may use what lies beside it. */
	return s->listed ||
	       ((s->kind_index == KIND_ANY || pu->kind == s->kind_index) &&
		!cpulist_contains(&s->avoid, pu->cpu) && !(s->skip_isolated && pu->isolated));
}

/* The kind's index on this machine, the most efficient kind first. */
static int find_kind(const struct topo *t, struct spec *s)
{
	uint64_t number = 0;

	if (!s->kind)
		return 0;
	if (num_parse_u64(s->kind, &number) != 0) {
		if (t->nr_kinds < 2 || !t->kinds_ranked) {
			msg_error("kind=%s: %s", s->kind, t->nr_kinds < 2 ?
				  "all CPUs of this machine are of one kind" :
				  "this machine does not tell which kind of CPU is the more efficient one");
			return -ENODEV;
		}
		number = strcmp(s->kind, "performance") == 0 ? t->nr_kinds - 1 : 0;
	}
	if (number >= t->nr_kinds) {
		msg_error("kind=%s: this machine tells of %zu kinds of CPUs%s", s->kind, t->nr_kinds,
			  t->nr_kinds ? ", counted from 0" : "");
		return -ENODEV;
	}
	s->kind_index = (int)number;
	return 0;
}

static bool list_file_has(const char *path, int cpu)
{
	struct cpulist list;
	char *text;
	bool has = false;

	if (file_read(&text, "", "%s", path) != 0)
		return true;
	if (cpulist_parse(text, &list) == 0) {
		has = cpulist_contains(&list, cpu);
		cpulist_free(&list);
	}
	free(text);
	return has;
}

static const char *why_not(const struct topo *t, int cpu)
{
	if (!t->this_system)
		return "that machine has no such CPU, or does not allow it";
	if (!list_file_has("/sys/devices/system/cpu/possible", cpu))
		return "there is no such CPU";
	if (!list_file_has("/sys/devices/system/cpu/online", cpu))
		return "it is offline";
	return "the affinity mask or the cpuset cgroup does not allow it";
}

static int check_listed(const struct topo *t, const struct spec *s)
{
	for (size_t i = 0; i < s->cpus.nr; i++) {
		if (topo_find(t, s->cpus.cpus[i]))
			continue;
		msg_error("CPU %d cannot be used: %s", s->cpus.cpus[i], why_not(t, s->cpus.cpus[i]));
		return -ENODEV;
	}
	return 0;
}

static int select_pus(struct arrangement *a, const struct topo *t, struct spec *s)
{
	int err = find_kind(t, s);

	if (!err && s->listed)
		err = check_listed(t, s);
	if (err)
		return err;
	err = topo_select(t, is_wanted, s, &a->topology);
	if (err == -ENODEV)
		msg_error("placement %s: of %zu usable CPUs none is left", a->text, t->nr_pus);
	return err;
}

static int make_order(struct arrangement *a, const struct spec *s)
{
	a->nr = s->listed ? s->cpus.nr : a->topology.nr_pus;
	a->order = calloc(a->nr + 1, sizeof(*a->order));
	if (!a->order)
		return -ENOMEM;
	if (!s->listed)
		return placement_order(&a->topology, s->policy, a->order);
	for (size_t i = 0; i < a->nr; i++)
		a->order[i] = topo_find(&a->topology, s->cpus.cpus[i]);
	return 0;
}

int arrange_make(struct arrangement *a, const struct topo *t, const char *text)
{
	char *copy = strdup(text);
	struct spec s = { 0 };
	int err = -ENOMEM;

	*a = (struct arrangement){ .text = strdup(text) };
	if (!copy || !a->text)
		goto out;
	err = parse(copy, &s);
	if (err)
		goto out;
	a->policy = s.policy;
	a->listed = s.listed;
	a->bind_core = s.bind_core;
	a->partner = s.partner;
	err = select_pus(a, t, &s);
	if (!err)
		err = make_order(a, &s);
out:
	free_spec(&s);
	free(copy);
	if (err)
		arrange_free(a);
	return err;
}

static void free_arranged(struct arranged *r)
{
	free(r->cpus);
	free(r->bind_cpus);
	free(r->partner_cpus);
	free(r->lacking);
	json_decref(r->span);
}

void arrange_free(struct arrangement *a)
{
	for (size_t i = 0; i < a->nr_known; i++)
		free_arranged(&a->known[i]);
	free(a->known);
	free(a->order);
	free(a->text);
	topo_free(&a->topology);
	*a = (struct arrangement){ 0 };
}

/* ---- partners ------------------------------------------------------------------------------- */

static uint64_t distance(const struct topo *t, const struct topo_pu *a, const struct topo_pu *b)
{
	if (a->memory < 0 || b->memory < 0 || a->memory == b->memory)
		return 0;
	return t->distances[(size_t)a->memory * t->nr_memory + (size_t)b->memory];
}

static uint64_t longest_distance(const struct topo *t, const struct topo_pu *pu)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < t->nr_pus; i++)
		if (distance(t, pu, &t->pus[i]) > longest)
			longest = distance(t, pu, &t->pus[i]);
	return longest;
}

static bool may_be_partner(const struct arrangement *a, const struct topo_pu *task,
			   const struct topo_pu *pu, uint64_t longest)
{
	switch (a->partner) {
	case PARTNER_SAME:
		return pu == task;
	case PARTNER_SIBLING:
		return pu != task && pu->core == task->core;
	case PARTNER_L3:
		return pu->core != task->core && pu->l3 == task->l3 && task->l3 >= 0;
	case PARTNER_NODE:
		return pu->core != task->core && pu->node == task->node && task->node >= 0 &&
		       (pu->l3 != task->l3 || task->l3 < 0);
	case PARTNER_FAR:
		return longest && distance(&a->topology, task, pu) == longest;
	}
	return false;
}

/* How many tasks and partners each PU and each core of the topology has. */
struct use {
	unsigned int *pus, *cores;
};

static void add_use(struct use *use, const struct topo *t, const struct topo_pu *pu)
{
	use->pus[pu - t->pus]++;
	use->cores[pu->core]++;
}

static bool is_less_used(const struct use *use, const struct topo *t, const struct topo_pu *a,
			 const struct topo_pu *b)
{
	unsigned int on_a = use->pus[a - t->pus], on_b = use->pus[b - t->pus];

	return on_a < on_b || (on_a == on_b && use->cores[a->core] < use->cores[b->core]);
}

/* The least used one; of several, the first after the task's own PU. NULL: there is none. */
static const struct topo_pu *find_partner(const struct arrangement *a, const struct topo_pu *task,
					  const struct use *use)
{
	const struct topo *t = &a->topology;
	uint64_t longest = a->partner == PARTNER_FAR ? longest_distance(t, task) : 0;
	const struct topo_pu *best = NULL;

	for (size_t i = 1; i <= t->nr_pus; i++) {
		const struct topo_pu *pu = &t->pus[((size_t)(task - t->pus) + i) % t->nr_pus];

		if (may_be_partner(a, task, pu, longest) &&
		    (!best || is_less_used(use, t, pu, best)))
			best = pu;
	}
	return best;
}

static char *lacking_partner(const struct arrangement *a, const struct topo_pu *task)
{
	static const char *const lacks[] = {
		[PARTNER_SAME] = "",
		[PARTNER_SIBLING] = "its core has no other usable PU",
		[PARTNER_L3] = "no other usable core shares its L3",
		[PARTNER_NODE] = "its node has no usable core behind another L3",
		[PARTNER_FAR] = "no other node has usable PUs",
	};
	char *text;

	if (asprintf(&text, "no partner for CPU %d: %s", task->cpu, lacks[a->partner]) < 0)
		return NULL;
	return text;
}

/* 0 or -ENOMEM. A machine that does not have them: r->lacking says why. */
static int place_partners(const struct arrangement *a, size_t nr, struct arranged *r)
{
	const struct topo *t = &a->topology;
	struct use use = {
		.pus = calloc(t->nr_pus + 1, sizeof(*use.pus)),
		.cores = calloc(t->nr_cores + 1, sizeof(*use.cores)),
	};
	int *cpus = calloc(nr + 1, sizeof(*cpus)), err = -ENOMEM;

	if (!use.pus || !use.cores || !cpus)
		goto out;
	for (uint64_t i = 0; i < r->tasks; i++)
		add_use(&use, t, a->order[i % a->nr]);
	for (size_t i = 0; i < nr; i++) {
		const struct topo_pu *pu = find_partner(a, a->order[i], &use);

		if (!pu) {
			r->lacking = lacking_partner(a, a->order[i]);
			err = r->lacking ? 0 : -ENOMEM;
			goto out;
		}
		add_use(&use, t, pu);
		cpus[i] = pu->cpu;
	}
	r->partner_cpus = cpulist_format(cpus, nr);
	err = r->partner_cpus ? 0 : -ENOMEM;
out:
	free(use.pus);
	free(use.cores);
	free(cpus);
	return err;
}

/* ---- one cell ------------------------------------------------------------------------------- */

static int put_core(FILE *out, const struct topo *t, const struct topo_pu *task, int *room)
{
	size_t nr = 0;
	char *text;

	for (size_t i = 0; i < t->nr_pus; i++)
		if (t->pus[i].core == task->core)
			room[nr++] = t->pus[i].cpu;
	text = cpulist_format(room, nr);
	if (!text)
		return -ENOMEM;
	fputs(text, out);
	free(text);
	return 0;
}

/* The cores' CPUs, separated by '/'. */
static int widen(const struct arrangement *a, size_t nr, struct arranged *r)
{
	int *room = calloc(a->topology.nr_pus + 1, sizeof(*room)), err = room ? 0 : -ENOMEM;
	size_t size;
	FILE *out = open_memstream(&r->bind_cpus, &size);

	for (size_t i = 0; out && !err && i < nr; i++) {
		if (i)
			fputc('/', out);
		err = put_core(out, &a->topology, a->order[i], room);
	}
	free(room);
	return !out || fclose(out) != 0 ? -ENOMEM : err;
}

static char *list_cpus(const struct arrangement *a, size_t nr)
{
	int *cpus = calloc(nr + 1, sizeof(*cpus));
	char *text = NULL;

	for (size_t i = 0; cpus && i < nr; i++)
		cpus[i] = a->order[i]->cpu;
	if (cpus)
		text = cpulist_format(cpus, nr);
	free(cpus);
	return text;
}

static int place_tasks(const struct arrangement *a, struct arranged *r)
{
	size_t nr = r->tasks < a->nr ? r->tasks : a->nr;
	int err = 0;

	if (!a->listed && a->policy == PLACEMENT_NONE)
		return 0;
	r->cpus = list_cpus(a, nr);
	r->span = span_json(a->order, a->nr, r->tasks);
	if (!r->cpus || !r->span)
		return -ENOMEM;
	if (a->bind_core)
		err = widen(a, nr, r);
	if (!err && a->partner != PARTNER_SAME)
		err = place_partners(a, nr, r);
	return err;
}

const struct arranged *arrange_tasks(struct arrangement *a, uint64_t tasks)
{
	struct arranged *known;

	for (size_t i = 0; i < a->nr_known; i++)
		if (a->known[i].tasks == tasks)
			return &a->known[i];
	known = reallocarray(a->known, a->nr_known + 1, sizeof(*known));
	if (!known)
		return NULL;
	a->known = known;
	known[a->nr_known] = (struct arranged){ .tasks = tasks };
	if (place_tasks(a, &known[a->nr_known]) != 0) {
		free_arranged(&known[a->nr_known]);
		return NULL;
	}
	return &known[a->nr_known++];
}
