/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "nest.h"

/* Compares as compact JSON, and frees both. */
static void expect(struct nest *n, const char *text)
{
	json_t *got = nest_json(n), *should = json_loads(text, 0, NULL);

	assert_non_null(should);
	if (!json_equal(got, should)) {
		char *dump = json_dumps(got, JSON_COMPACT);

		print_message("got %s\n", dump);
		fail();
	}
	json_decref(got);
	json_decref(should);
	nest_free(n);
}

static void nested_calls(void **state)
{
	struct nest *n = nest_new();

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		nest_enter(n, 7, "outer", 1000 * i);
		nest_enter(n, 7, "inner", 1000 * i + 10);
		nest_leave(n, 7, "inner", 1000 * i + 20);
		nest_leave(n, 7, "outer", 1000 * i + 100 * (i + 1));
	}
	expect(n, "[{\"function\":\"outer\",\"count\":3,\"total_ns\":600,\"self_ns\":570,\"median_ns\":200,"
	       "\"p99_ns\":300,\"max_ns\":300,\"calls\":[{\"function\":\"inner\",\"count\":3,\"total_ns\":30,"
	       "\"self_ns\":30,\"median_ns\":10,\"p99_ns\":10,\"max_ns\":10,\"calls\":[]}]}]");
}

/* Two threads at once: each has its own stack. */
static void threads_are_apart(void **state)
{
	struct nest *n = nest_new();

	(void)state;
	nest_enter(n, 1, "f", 0);
	nest_enter(n, 2, "f", 5);
	nest_leave(n, 1, "f", 10);
	nest_leave(n, 2, "f", 25);
	expect(n, "[{\"function\":\"f\",\"count\":2,\"total_ns\":30,\"self_ns\":30,\"median_ns\":10,"
	       "\"p99_ns\":20,\"max_ns\":20,\"calls\":[]}]");
}

static void ends_without_beginnings(void **state)
{
	struct nest *n = nest_new();

	(void)state;
	nest_leave(n, 1, "before", 3);
	nest_enter(n, 1, "f", 10);
	nest_enter(n, 1, "lost", 11);
	nest_leave(n, 1, "f", 20);
	nest_enter(n, 1, "open", 30);
	expect(n, "[{\"function\":\"f\",\"count\":1,\"total_ns\":10,\"self_ns\":10,\"median_ns\":10,"
	       "\"p99_ns\":10,\"max_ns\":10,\"calls\":[]}]");
}

static void marks_have_no_time(void **state)
{
	struct nest *n = nest_new();

	(void)state;
	nest_enter(n, 1, "f", 10);
	nest_mark(n, 1, "m");
	nest_mark(n, 1, "m");
	nest_leave(n, 1, "f", 20);
	expect(n, "[{\"function\":\"f\",\"count\":1,\"total_ns\":10,\"self_ns\":10,\"median_ns\":10,"
	       "\"p99_ns\":10,\"max_ns\":10,\"calls\":[{\"function\":\"m\",\"count\":2,\"total_ns\":null,"
	       "\"self_ns\":null,\"median_ns\":null,\"p99_ns\":null,\"max_ns\":null,\"calls\":[]}]}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested_calls),
		cmocka_unit_test(threads_are_apart),
		cmocka_unit_test(ends_without_beginnings),
		cmocka_unit_test(marks_have_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
