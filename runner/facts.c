/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "facts.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "msg.h"
#include "num.h"
#include "testcase.h"
#include "words.h"

#define NR_PARAMS (sizeof(testcase_info.params) / sizeof(testcase_info.params[0]))
#define NR_SYSCALLS (sizeof(testcase_info.syscalls) / sizeof(testcase_info.syscalls[0]))
#define NR_FIGURES (sizeof(testcase_info.figures) / sizeof(testcase_info.figures[0]))

/* Values given by the user; NULL: the default. */
static const char *given[NR_PARAMS];
static char amounts[NR_PARAMS][NUM_AMOUNT_MAX];

static long find(const char *name, size_t len)
{
	for (size_t i = 0; i < NR_PARAMS && testcase_info.params[i].name; i++)
		if (strlen(testcase_info.params[i].name) == len &&
		    strncmp(testcase_info.params[i].name, name, len) == 0)
			return (long)i;
	return -1;
}

static const char *value_of(size_t i)
{
	return given[i] ? given[i] : testcase_info.params[i].value;
}

static bool is_number(const struct testcase_param *p)
{
	uint64_t value;

	return num_parse_amount(p->value, &value) == 0;
}

static int check_number(const struct testcase_param *p, const char *value)
{
	uint64_t number, min = 1, max = UINT64_MAX;

	if (p->min)
		num_parse_amount(p->min, &min);
	if (p->max)
		num_parse_amount(p->max, &max);
	if (num_parse_amount(value, &number) == 0 && number >= min && number <= max)
		return 0;
	msg_error("--param %s=%s: must be a number from %s to %s", p->name, value,
		  p->min ? p->min : "1", p->max ? p->max : "any");
	return -EINVAL;
}

static int check_value(const struct testcase_param *p, const char *value)
{
	bool bad = false;

	if (p->choices) {
		if (words_have(p->choices, value))
			return 0;
		msg_error("--param %s=%s: must be one of: %s", p->name, value, p->choices);
		return -EINVAL;
	}
	if (is_number(p))
		return check_number(p, value);
	if (!json_text_is_utf8(value)) {
		msg_error("--param %s=%s: a text in UTF-8 is needed", p->name, value);
		return -EINVAL;
	}
	/* A value is part of the cell's id, and stands in lists whose words are separated by blanks. */
	for (const char *c = value; *c; c++)
		bad |= *c == '/' || isspace((unsigned char)*c) || iscntrl((unsigned char)*c);
	if (value[0] && !bad)
		return 0;
	msg_error("--param %s=%s: must be a word without '/'", p->name, value);
	return -EINVAL;
}

static void say_unknown(const char *assignment)
{
	char names[256] = "";

	for (size_t i = 0; i < NR_PARAMS && testcase_info.params[i].name; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 i ? ", " : "", testcase_info.params[i].name);
	msg_error("--param %s: no such parameter; this testcase has %s", assignment,
		  names[0] ? names : "none");
}

/* One value has one spelling, or the same cell would have several ids: the default's, else 4K. */
static const char *spelled(long i, const char *value)
{
	const struct testcase_param *p = &testcase_info.params[i];
	uint64_t number, usual;

	if (p->choices || num_parse_amount(p->value, &usual) != 0 ||
	    num_parse_amount(value, &number) != 0)
		return value;
	return number == usual ? p->value : num_format_amount(amounts[i], number);
}

int facts_set_param(const char *assignment)
{
	const char *equals = strchr(assignment, '=');
	long i = equals ? find(assignment, (size_t)(equals - assignment)) : -1;
	int err;

	if (!equals) {
		msg_error("--param %s: must be NAME=VALUE", assignment);
		return -EINVAL;
	}
	if (i < 0) {
		say_unknown(assignment);
		return -EINVAL;
	}
	err = check_value(&testcase_info.params[i], equals + 1);
	if (!err)
		given[i] = spelled(i, equals + 1);
	return err;
}

const char *param_text(const char *name)
{
	long i = find(name, strlen(name));

	if (i < 0)
		testcase_fail(__FILE__, __LINE__, name, ENOENT);
	return value_of((size_t)i);
}

unsigned long long param(const char *name)
{
	uint64_t value;

	if (num_parse_amount(param_text(name), &value) != 0)
		testcase_fail(__FILE__, __LINE__, name, EINVAL);
	return value;
}

/* An amount in the facts: a number, the name of a parameter, or "PARAMETER=VALUE". */
static uint64_t amount(const char *text)
{
	const char *equals = text ? strchr(text, '=') : NULL;
	uint64_t value;

	if (!text)
		return 0;
	if (equals) {
		long i = find(text, (size_t)(equals - text));

		return i >= 0 && strcmp(value_of((size_t)i), equals + 1) == 0;
	}
	return num_parse_amount(text, &value) == 0 ? value : param(text);
}

void facts_needs(struct rlimits_need *need)
{
	const struct testcase_needs *n = &testcase_info.needs;

	need->memory_bytes = amount(n->memory);
	need->descriptors = amount(n->descriptors);
	need->files = amount(n->files);
	need->disk_bytes = amount(n->disk);
	need->partners = amount(n->partners);
	need->groups = amount(n->groups);
	need->sysv_queues = amount(n->sysv_queues);
	need->posix_queues = amount(n->posix_queues);
}

/* ---- as JSON -------------------------------------------------------------------------------- */

static json_t *words(const char *text)
{
	json_t *array = json_array();

	while (text && *text) {
		size_t len = strcspn(text, " ");

		if (len)
			json_array_append_new(array, json_stringn(text, len));
		text += len + strspn(text + len, " ");
	}
	return array;
}

static const char *sharing_name(enum testcase_sharing sharing)
{
	static const char *const names[] = {
		[SHARING_UNSTATED] = "unstated",
		[SHARING_PRIVATE] = "private",
		[SHARING_SHARED] = "shared",
		[SHARING_DISJOINT] = "disjoint",
	};

	return names[sharing];
}

static json_t *modes(void)
{
	unsigned int mask = testcase_info.modes ? testcase_info.modes : MODE_PROCESSES | MODE_THREADS;
	json_t *array = json_array();

	if (mask & MODE_PROCESSES)
		json_array_append_new(array, json_string("processes"));
	if (mask & MODE_THREADS)
		json_array_append_new(array, json_string("threads"));
	return array;
}

static json_t *syscalls(void)
{
	json_t *object = json_object();

	for (size_t i = 0; i < NR_SYSCALLS && testcase_info.syscalls[i].name; i++)
		json_object_set_new(object, testcase_info.syscalls[i].name,
				    json_real(testcase_info.syscalls[i].per_op));
	return object;
}

/* JSON's integers, as jansson has them, end earlier than amounts: more than any machine has. */
static json_int_t bounded(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (json_int_t)value;
}

static json_t *needs(void)
{
	const struct testcase_needs *n = &testcase_info.needs;
	struct rlimits_need need;

	facts_needs(&need);
	return json_pack("{sI sI sI sI sI sI sI sI sI so so so so so}",
			 "memory_bytes", bounded(need.memory_bytes),
			 "descriptors", bounded(need.descriptors),
			 "files", bounded(need.files),
			 "disk_bytes", bounded(need.disk_bytes),
			 "partners", bounded(need.partners),
			 "nodes", bounded(amount(n->nodes)),
			 "groups", bounded(need.groups),
			 "sysv_queues", bounded(need.sysv_queues),
			 "posix_queues", bounded(need.posix_queues),
			 "control", json_text(n->control),
			 "fs", json_text(n->fs), "controller", json_text(n->controller),
			 "capability", json_text(n->capability),
			 "kernel", json_text(n->kernel));
}

static json_t *params(void)
{
	json_t *array = json_array();

	for (size_t i = 0; i < NR_PARAMS && testcase_info.params[i].name; i++) {
		const struct testcase_param *p = &testcase_info.params[i];

		json_array_append_new(array, json_pack("{ss ss ss so so so so}",
			"name", p->name, "value", value_of(i), "default", p->value,
			"min", json_text(p->min), "max", json_text(p->max),
			"choices", p->choices ? words(p->choices) : json_null(),
			"doc", json_text(p->doc)));
	}
	return array;
}

static json_t *figures(void)
{
	json_t *array = json_array();

	for (size_t i = 0; i < NR_FIGURES && testcase_info.figures[i].name; i++)
		json_array_append_new(array, json_pack("{ss so}",
			"name", testcase_info.figures[i].name,
			"doc", json_text(testcase_info.figures[i].doc)));
	return array;
}

int facts_describe(const char *name, FILE *out)
{
	json_t *object = json_pack("{so ss so so so so so s{ss ss} so sb so so so so so}",
		"name", json_text(name), "description", testcase_description,
		"unit", json_text(testcase_info.unit),
		"tags", words(testcase_info.tags),
		"suites", words(testcase_info.suites),
		"exercises", words(testcase_info.exercises),
		"contends", words(testcase_info.contends),
		"sharing", "processes", sharing_name(testcase_info.sharing_processes),
			   "threads", sharing_name(testcase_info.sharing_threads),
		"modes", modes(), "prepares", testcase_info.prepares,
		"syscalls", syscalls(), "needs", needs(), "params", params(),
		"figures", figures(), "notes", json_text(testcase_info.notes));
	int err = object ? json_dumpf(object, out, JSON_REAL_PRECISION(10)) : -1;

	json_decref(object);
	return err || fputc('\n', out) == EOF ? -EIO : 0;
}
