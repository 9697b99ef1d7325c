/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters and needs of a testcase that stands here, and what --describe says of it. */
#include <errno.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "facts.h"
#include "quiet.h"
#include "testcase.h"

char *testcase_description = (char *)"Something that is not run";

const struct testcase_info testcase_info = {
	.unit = "one of them",
	.tags = "mm  vfs",
	.exercises = "mmap munmap",
	.sharing_processes = SHARING_PRIVATE,
	.sharing_threads = SHARING_SHARED,
	.modes = MODE_THREADS,
	.syscalls = { { "mmap", 1 }, { "munmap", 0.5 } },
	.needs = { .memory = "size", .descriptors = "2", .files = "number", .fs = "tmpfs",
		   .groups = "colour=blue", .sysv_queues = "1", .control = "high" },
	.figures = { { "left_bytes", "what is left" } },
	.params = {
		{ .name = "size", .value = "4K", .min = "1K", .max = "1M", .doc = "bytes" },
		{ .name = "number", .value = "3" },
		{ .name = "colour", .value = "red", .choices = "red green blue" },
		{ .name = "text", .value = "none" },
		{ .name = "size2", .value = "0", .min = "0" },
	},
};

/* Ends the testcase; here, the call. */
static jmp_buf ended;

_Noreturn void testcase_fail(const char *file, int line, const char *expr, int error)
{
	(void)file;
	(void)line;
	(void)expr;
	longjmp(ended, error);
}

static void set(const char *assignment)
{
	assert_int_equal(facts_set_param(assignment), 0);
}

static int defaults(void **state)
{
	(void)state;
	return facts_set_param("size=4K") || facts_set_param("number=3") ||
	       facts_set_param("colour=red") || facts_set_param("text=none") ||
	       facts_set_param("size2=0");
}

static void by_default(void **state)
{
	(void)state;
	assert_true(param("size") == 4096);
	assert_true(param("number") == 3);
	assert_true(param("size2") == 0);
	assert_string_equal(param_text("colour"), "red");
	assert_string_equal(param_text("size"), "4K");
}

static void given(void **state)
{
	(void)state;
	set("size=1M");
	assert_true(param("size") == 1 << 20);
	assert_string_equal(param_text("size"), "1M");
	set("size=2048");
	assert_true(param("size") == 2048);
	set("number=18446744073709551615");
	assert_true(param("number") == UINT64_MAX);
	set("colour=blue");
	assert_string_equal(param_text("colour"), "blue");
	set("text=a=b,c");
	assert_string_equal(param_text("text"), "a=b,c");
	set("size2=2G");	/* not size */
	assert_true(param("size2") == 2ULL << 30);
	assert_true(param("size") == 2048);
}

static void refused(const char *assignment, const char *says)
{
	int err;

	quiet_begin();
	err = facts_set_param(assignment);
	assert_int_equal(quiet_end(), 1);
	assert_int_equal(err, -EINVAL);
	if (!strstr(quiet_text, says))
		fail_msg("%s is not in: %s", says, quiet_text);
}

static void malformed(void **state)
{
	(void)state;
	refused("size=", "from 1K to 1M");
	refused("size=1023", "from 1K to 1M");
	refused("size=1025K", "from 1K to 1M");
	refused("size=2T", "from 1K to 1M");
	refused("size=99999999999999999999", "from 1K to 1M");
	refused("size=4KB", "from 1K to 1M");
	refused("size=-4K", "from 1K to 1M");
	refused("size= 4K", "from 1K to 1M");
	refused("number=0", "from 1 to any");
	refused("number=x", "from 1 to any");
	refused("colour=pink", "one of: red green blue");
	refused("colour=", "one of: red green blue");
	refused("colour=red green", "one of: red green blue");
	refused("text=", "must be a word without '/'");
	refused("text=a b", "must be a word without '/'");
	refused("text=a/b", "must be a word without '/'");
	refused("text=\xff", "UTF-8");
	refused("shape=round", "this testcase has size, number, colour, text, size2");
	refused("siz=4K", "no such parameter");
	refused("size", "must be NAME=VALUE");	/* it does have size */
	refused("", "must be NAME=VALUE");
	refused("=4K", "no such parameter");
	/* What is refused changes nothing. */
	assert_true(param("size") == 4096);
	assert_string_equal(param_text("colour"), "red");
}

static void names_that_are_not_declared(void **state)
{
	(void)state;
	switch (setjmp(ended)) {
	case 0:
		param("shape");
		fail_msg("a parameter that is not declared has a value");
		break;
	case ENOENT:
		break;
	default:
		fail_msg("ended for another reason");
	}
	if (setjmp(ended) == 0) {
		param("colour");
		fail_msg("a word is a number");
	}
}

static void needs_follow_parameters(void **state)
{
	struct rlimits_need need = { 0 };

	(void)state;
	facts_needs(&need);
	assert_int_equal(need.memory_bytes, 4096);
	assert_int_equal(need.descriptors, 2);
	assert_int_equal(need.files, 3);
	assert_int_equal(need.disk_bytes, 0);
	assert_int_equal(need.partners, 0);
	assert_int_equal(need.groups, 0);
	assert_int_equal(need.sysv_queues, 1);
	set("size=64K");
	set("colour=blue");
	facts_needs(&need);
	assert_int_equal(need.memory_bytes, 65536);
	assert_int_equal(need.groups, 1);
	set("colour=red");
}

static json_t *described(void)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *facts;

	assert_int_equal(facts_describe("name", out), 0);
	fclose(out);
	assert_ptr_equal(strchr(text, '\n'), text + size - 1);	/* one line */
	facts = json_loads(text, 0, NULL);
	assert_non_null(facts);
	free(text);
	return facts;
}

static void as_json(void **state)
{
	json_t *facts, *expected;

	(void)state;
	set("size=8K");
	facts = described();
	expected = json_loads(
		"{\"name\":\"name\",\"description\":\"Something that is not run\",\"unit\":\"one of them\","
		"\"tags\":[\"mm\",\"vfs\"],\"exercises\":[\"mmap\",\"munmap\"],\"contends\":[],"
		"\"sharing\":{\"processes\":\"private\",\"threads\":\"shared\"},\"modes\":[\"threads\"],"
		"\"syscalls\":{\"mmap\":1.0,\"munmap\":0.5},\"needs\":{\"memory_bytes\":8192,"
		"\"descriptors\":2,\"files\":3,\"disk_bytes\":0,\"partners\":0,\"nodes\":0,\"groups\":0,"
		"\"sysv_queues\":1,\"posix_queues\":0,\"control\":\"high\",\"fs\":\"tmpfs\","
		"\"controller\":null,\"capability\":null,\"kernel\":null},"
		"\"figures\":[{\"name\":\"left_bytes\",\"doc\":\"what is left\"}],\"notes\":null}", 0, NULL);
	assert_non_null(expected);
	json_object_set(expected, "params", json_object_get(facts, "params"));
	for (void *at = json_object_iter(expected); at; at = json_object_iter_next(expected, at))
		if (!json_equal(json_object_iter_value(at),
				json_object_get(facts, json_object_iter_key(at))))
			fail_msg("%s differs", json_object_iter_key(at));
	json_decref(expected);
	json_decref(facts);
}

/* Not a negative number, which it would be in JSON. */
static void needs_beyond_jsons(void **state)
{
	json_t *facts;

	(void)state;
	set("number=18446744073709551615");
	facts = described();
	assert_true(json_integer_value(json_object_get(json_object_get(facts, "needs"), "files")) ==
		    INT64_MAX);
	json_decref(facts);
}

static void parameters_as_json(void **state)
{
	json_t *facts, *size, *colour, *expected;

	(void)state;
	set("size=8K");
	facts = described();
	assert_int_equal(json_array_size(json_object_get(facts, "params")), 5);
	size = json_array_get(json_object_get(facts, "params"), 0);
	expected = json_loads("{\"name\":\"size\",\"value\":\"8K\",\"default\":\"4K\",\"min\":\"1K\","
			      "\"max\":\"1M\",\"choices\":null,\"doc\":\"bytes\"}", 0, NULL);
	assert_true(json_equal(size, expected));
	json_decref(expected);
	colour = json_array_get(json_object_get(facts, "params"), 2);
	assert_int_equal(json_array_size(json_object_get(colour, "choices")), 3);
	assert_true(json_is_null(json_object_get(colour, "min")));
	json_decref(facts);
}

int main(void)
{
#define FROM_DEFAULTS(test) cmocka_unit_test_setup(test, defaults)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default),
		FROM_DEFAULTS(given),
		FROM_DEFAULTS(malformed),
		FROM_DEFAULTS(names_that_are_not_declared),
		FROM_DEFAULTS(needs_follow_parameters),
		FROM_DEFAULTS(as_json),
		FROM_DEFAULTS(parameters_as_json),
		FROM_DEFAULTS(needs_beyond_jsons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
