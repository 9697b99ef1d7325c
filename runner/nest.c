/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64

struct node {
	char *name;
	struct node *calls, *next;	/* the first called from here; its sibling */
	uint64_t marks;
	uint64_t *lengths_ns;
	size_t nr, room;
	uint64_t total_ns;
};

/* What is open in a thread: the innermost last. */
struct thread {
	int id;
	size_t depth;
	struct node *open[DEPTH_MAX];
	uint64_t since_ns[DEPTH_MAX];
};

struct nest {
	struct node root;
	struct thread *threads;
	size_t nr_threads, last;
};

struct nest *nest_new(void)
{
	return calloc(1, sizeof(struct nest));
}

static void free_calls(struct node *node)
{
	while (node->calls) {
		struct node *first = node->calls;

		node->calls = first->next;
		free_calls(first);
		free(first->lengths_ns);
		free(first->name);
		free(first);
	}
}

void nest_free(struct nest *n)
{
	if (!n)
		return;
	free_calls(&n->root);
	free(n->threads);
	free(n);
}

static struct thread *thread_of(struct nest *n, int id)
{
	struct thread *threads;

	if (n->last < n->nr_threads && n->threads[n->last].id == id)
		return &n->threads[n->last];
	for (n->last = 0; n->last < n->nr_threads; n->last++)
		if (n->threads[n->last].id == id)
			return &n->threads[n->last];
	threads = reallocarray(n->threads, n->nr_threads + 1, sizeof(*threads));
	if (!threads)
		return NULL;
	n->threads = threads;
	threads[n->nr_threads] = (struct thread){ .id = id };
	return &threads[n->nr_threads++];
}

static struct node *call_of(struct node *from, const char *name)
{
	struct node *node;

	for (node = from->calls; node; node = node->next)
		if (strcmp(node->name, name) == 0)
			return node;
	node = calloc(1, sizeof(*node));
	if (!node || !(node->name = strdup(name))) {
		free(node);
		return NULL;
	}
	node->next = from->calls;
	from->calls = node;
	return node;
}

static struct node *innermost(struct nest *n, const struct thread *t)
{
	return t->depth ? t->open[t->depth - 1] : &n->root;
}

int nest_enter(struct nest *n, int thread, const char *name, uint64_t ns)
{
	struct thread *t = thread_of(n, thread);
	struct node *node = t ? call_of(innermost(n, t), name) : NULL;

	if (!node)
		return -ENOMEM;
	if (t->depth == DEPTH_MAX)
		return 0;
	t->open[t->depth] = node;
	t->since_ns[t->depth++] = ns;
	return 0;
}

static int add_length(struct node *node, uint64_t ns)
{
	if (node->nr == node->room) {
		size_t room = node->room ? 2 * node->room : 64;
		uint64_t *bigger = reallocarray(node->lengths_ns, room, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		node->lengths_ns = bigger;
		node->room = room;
	}
	node->lengths_ns[node->nr++] = ns;
	node->total_ns += ns;
	return 0;
}

int nest_leave(struct nest *n, int thread, const char *name, uint64_t ns)
{
	struct thread *t = thread_of(n, thread);

	if (!t)
		return -ENOMEM;
	for (size_t d = t->depth; d-- > 0;) {
		if (strcmp(t->open[d]->name, name) != 0)
			continue;
		t->depth = d;
		return add_length(t->open[d], ns > t->since_ns[d] ? ns - t->since_ns[d] : 0);
	}
	return 0;
}

int nest_mark(struct nest *n, int thread, const char *name)
{
	struct thread *t = thread_of(n, thread);
	struct node *node = t ? call_of(innermost(n, t), name) : NULL;

	if (!node)
		return -ENOMEM;
	node->marks++;
	return 0;
}

/* ---- telling -------------------------------------------------------------------------------- */

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static json_t *quantile(const struct node *node, double q)
{
	size_t rank = (size_t)ceil(q * (double)node->nr);

	return node->nr ? json_integer((json_int_t)node->lengths_ns[rank ? rank - 1 : 0])
			: json_null();
}

static int by_total(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;

	if (x->total_ns != y->total_ns)
		return x->total_ns > y->total_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

static json_t *calls_json(const struct node *from);

static json_t *node_json(struct node *node)
{
	uint64_t inner_ns = 0;

	if (node->nr)
		qsort(node->lengths_ns, node->nr, sizeof(*node->lengths_ns), by_length);
	for (const struct node *call = node->calls; call; call = call->next)
		inner_ns += call->total_ns;
	return json_pack("{ss sI so so so so so so}", "function", node->name,
		"count", (json_int_t)(node->nr + node->marks),
		"total_ns", node->nr ? json_integer((json_int_t)node->total_ns) : json_null(),
		/* What is open at the end counts for its callees alone. */
		"self_ns", node->nr && node->total_ns >= inner_ns ?
			json_integer((json_int_t)(node->total_ns - inner_ns)) : json_null(),
		"median_ns", quantile(node, 0.5), "p99_ns", quantile(node, 0.99),
		"max_ns", quantile(node, 1), "calls", calls_json(node));
}

static json_t *calls_json(const struct node *from)
{
	json_t *array = json_array();
	struct node **list;
	size_t nr = 0, i = 0;

	for (const struct node *call = from->calls; call; call = call->next)
		nr++;
	list = calloc(nr + 1, sizeof(struct node *));
	for (struct node *call = from->calls; list && call; call = call->next)
		list[i++] = call;
	if (list)
		qsort(list, nr, sizeof(struct node *), by_total);
	for (i = 0; list && i < nr; i++)
		if (list[i]->nr || list[i]->marks || list[i]->calls)
			json_array_append_new(array, node_json(list[i]));
	free(list);
	return array;
}

json_t *nest_json(struct nest *n)
{
	return calls_json(&n->root);
}
