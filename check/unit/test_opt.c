/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of every type; the programs' own tables are in test_opt_runtest and test_opt_testcase. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar.h"

struct options {
	uint64_t count;
	double decimal, seconds;
	bool flag, letter;
	const char *text, *choice;
	struct opt_texts several, names;
};

#define AT(field) offsetof(struct options, field)

static const struct opt table[] = {
	{ .type = OPT_HEADING, .doc = "A heading:" },
	{ .key = 'c', .name = "count", .arg = "N", .type = OPT_COUNT, .offset = AT(count),
	  .min = 2, .max = 4294967295.0, .doc = "A count" },
	{ .key = OPT_LONG, .name = "decimal", .arg = "X", .type = OPT_DECIMAL,
	  .offset = AT(decimal), .min = 0.5, .max = 100, .doc = "A decimal" },
	{ .key = 's', .name = "seconds", .arg = "S", .type = OPT_SECONDS, .offset = AT(seconds),
	  .min = 0.25, .max = 86400, .doc = "A time" },
	{ .key = 'f', .name = "flag", .type = OPT_FLAG, .offset = AT(flag), .doc = "A flag" },
	{ .key = 'l', .type = OPT_FLAG, .offset = AT(letter), .doc = "A letter alone" },
	{ .key = 't', .name = "text", .arg = "T", .type = OPT_TEXT, .offset = AT(text),
	  .doc = ".a 'text' with -n and \\" },
	{ .key = OPT_LONG + 1, .name = "choice", .arg = "C", .type = OPT_TEXT,
	  .offset = AT(choice), .choices = "one two three", .doc = "A choice" },
	{ .key = OPT_LONG + 2, .name = "several", .arg = "X", .type = OPT_TEXTS,
	  .offset = AT(several), .doc = "Some texts" },
	{ .key = 'h', .name = "help", .type = OPT_HELP, .doc = "Help" },
	{ .doc = NULL },
};

static const struct opt_program with_operands = {
	.table = table, .operands = "NAME...", .operands_offset = AT(names), .doc = "A program.",
};

static const struct opt_program without_operands = { .table = table, .doc = "A program." };

static void every_option(void **state)
{
	(void)state;
	grammar_every_option(&with_operands);
	grammar_every_option(&without_operands);
}

static void what_is_no_option(void **state)
{
	(void)state;
	grammar_what_is_no_option(&with_operands);
	grammar_what_is_no_option(&without_operands);
	grammar_refuses(&with_operands, "-ff@", NULL);
}

static int parse(struct options *o, int argc, const char *const *argv)
{
	return opt_parse(&with_operands, argc, (char **)argv, o);
}

#define PARSE(o, ...) \
	parse(o, (int)(sizeof((const char *const[]){ "p", __VA_ARGS__ }) / sizeof(char *)), \
	      (const char *const[]){ "p", __VA_ARGS__, NULL })

static void together(void **state)
{
	struct options o = { .text = "default" };
	json_t *json, *expected;

	(void)state;
	assert_int_equal(PARSE(&o, "a", "-flc7", "--several", "x", "--several=y", "b", "--choice=two",
			       "-s1m30s", "--", "-c"), 0);
	assert_true(o.flag && o.letter && o.count == 7 && o.seconds == 90);
	assert_string_equal(o.choice, "two");
	assert_string_equal(o.text, "default");
	json = opt_json(&with_operands, &o);
	expected = json_loads("{\"count\":7,\"decimal\":0.0,\"seconds\":90.0,\"flag\":true,\"l\":true,"
			      "\"text\":\"default\",\"choice\":\"two\",\"several\":[\"x\",\"y\"],"
			      "\"operands\":[\"a\",\"b\",\"-c\"]}", 0, NULL);
	assert_non_null(expected);
	assert_true(json_equal(json, expected));
	json_decref(expected);
	json_decref(json);
	free(o.several.texts);
	free(o.names.texts);
}

static void the_last_one_counts(void **state)
{
	struct options o = { 0 };

	(void)state;
	assert_int_equal(PARSE(&o, "-c", "3", "-c", "4"), 0);
	assert_int_equal(o.count, 4);
}

static void names_may_be_cut_short(void **state)
{
	struct options o = { 0 };

	(void)state;
	assert_int_equal(PARSE(&o, "--dec", "1.5"), 0);
	assert_true(o.decimal == 1.5);
	grammar_refuses(&with_operands, "--se", "1");	/* seconds or several? */
}

static void as_json(void **state)
{
	(void)state;
	grammar_as_json(&with_operands);
	grammar_as_json(&without_operands);
}

static void as_manual(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	opt_print_man(&with_operands, out);
	fclose(out);
	assert_non_null(strstr(text, ".SH OPTIONS\n.SS \"A heading:\"\n.TP\n.B \\-c, \\-\\-count \\fIN\\fR\n"));
	assert_non_null(strstr(text, "\n\\&.a 'text' with \\-n and \\\\\n"));
	assert_non_null(strstr(text, "\n.B \\-l\n"));
	free(text);
}

/* A letter behind flags, too; a value may hold what it likes. */
static void control_characters(void **state)
{
	struct options o = { 0 };

	(void)state;
	grammar_refuses(&with_operands, "-fl\n", NULL);
	assert_int_equal(PARSE(&o, "-fta\nb", "--several=x\ny", "a\nb"), 0);
	assert_string_equal(o.text, "a\nb");
	free(o.several.texts);
	free(o.names.texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option),
		cmocka_unit_test(what_is_no_option),
		cmocka_unit_test(together),
		cmocka_unit_test(the_last_one_counts),
		cmocka_unit_test(names_may_be_cut_short),
		cmocka_unit_test(as_json),
		cmocka_unit_test(as_manual),
		cmocka_unit_test(control_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
