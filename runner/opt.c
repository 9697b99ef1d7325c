/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "opt.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "msg.h"
#include "num.h"
#include "words.h"

struct parse {
	const struct opt_program *program;
	const struct argp *argp;
	char *values;
	FILE *discard;
	bool helped;
};

static const struct opt *find(const struct opt_program *p, int key)
{
	for (const struct opt *o = p->table; o->doc; o++)
		if (o->type != OPT_HEADING && o->key == key)
			return o;
	return NULL;
}

/* The option's shorter name: "-n" or "--name". */
static const char *spelled(const struct opt *o, char buf[64])
{
	if (o->key < OPT_LONG)
		snprintf(buf, 64, "-%c", o->key);
	else
		snprintf(buf, 64, "--%s", o->name);
	return buf;
}

static int out_of_range(const struct opt *o, const char *arg)
{
	char name[64];

	msg_error("%s %s: must be a number%s from %.12g to %.12g", spelled(o, name), arg,
		  o->type == OPT_SECONDS ? " of seconds" : "", o->min, o->max);
	return EINVAL;
}

static int store_number(const struct opt *o, const char *arg, void *value)
{
	uint64_t count;
	double number;

	if (o->type == OPT_COUNT) {
		if (num_parse_u64(arg, &count) || (double)count < o->min || (double)count > o->max)
			return out_of_range(o, arg);
		*(uint64_t *)value = count;
		return 0;
	}
	if (o->type == OPT_SECONDS ? num_parse_seconds(arg, &number)
				   : num_parse_decimal(arg, &number))
		return out_of_range(o, arg);
	if (!(number >= o->min && number <= o->max))
		return out_of_range(o, arg);
	*(double *)value = number;
	return 0;
}

static int store_text(const struct opt *o, const char *arg, const char **value)
{
	char name[64];

	if (!arg[0] || (o->choices && !words_have(o->choices, arg))) {
		msg_error("%s %s: must be %s%s", spelled(o, name), arg,
			  o->choices ? "one of: " : "a text", o->choices ? o->choices : "");
		return EINVAL;
	}
	*value = arg;
	return 0;
}

static int append(struct opt_texts *list, const char *text)
{
	const char **texts = reallocarray(list->texts, list->nr + 1, sizeof(*texts));

	if (!texts)
		return ENOMEM;
	list->texts = texts;
	texts[list->nr++] = text;
	return 0;
}

static int store(const struct opt *o, const char *arg, struct parse *parse)
{
	void *value = parse->values + o->offset;

	switch (o->type) {
	case OPT_HELP:
		parse->helped = true;
		return 0;
	case OPT_FLAG:
		*(bool *)value = true;
		return 0;
	case OPT_COUNT:
	case OPT_DECIMAL:
	case OPT_SECONDS:
		return store_number(o, arg, value);
	case OPT_TEXT:
		return store_text(o, arg ? arg : o->bare, value);
	case OPT_TEXTS:
		return append(value, arg);
	case OPT_HEADING:
		break;
	}
	return EINVAL;
}

static int on_operand(const char *arg, struct parse *parse)
{
	if (parse->program->operands)
		return append((void *)(parse->values + parse->program->operands_offset), arg);
	msg_error("'%s': no such argument is expected", arg);
	return EINVAL;
}

static error_t on_key(int key, char *arg, struct argp_state *state)
{
	struct parse *parse = state->input;
	const struct opt *o;

	switch (key) {
	case ARGP_KEY_INIT:
		/* getopt() has said what is wrong; argp's advice would be a second line. */
		state->err_stream = parse->discard;
		return 0;
	case ARGP_KEY_ARG:
		return on_operand(arg, parse);
	default:
		o = find(parse->program, key);
		return o ? store(o, arg, parse) : ARGP_ERR_UNKNOWN;
	}
}

static struct argp_option *argp_table(const struct opt_program *p)
{
	struct argp_option *table;
	size_t nr = 0, group = 0;

	while (p->table[nr].doc)
		nr++;
	table = calloc(nr + 1, sizeof(*table));
	for (size_t i = 0; table && i < nr; i++) {
		const struct opt *o = &p->table[i];

		if (o->type == OPT_HEADING)
			group++;
		table[i].name = o->type == OPT_HEADING ? NULL : o->name;
		table[i].key = o->type == OPT_HEADING ? 0 : o->key;
		table[i].arg = o->arg;
		table[i].flags = o->bare ? OPTION_ARG_OPTIONAL : 0;
		table[i].doc = o->doc;
		table[i].group = (int)group;
	}
	return table;
}

/*
 * The name of an option that @arg is, as far as it holds control characters: of "--name=value" what
 * stands before '=', of "-abVALUE" the first letter that is no option. NULL: it is none, or harmless.
 */
static const char *unprintable_name(const struct opt_program *p, const char *arg)
{
	size_t len = strcspn(arg, "=");
	const struct opt *o;

	if (arg[0] != '-')
		return NULL;
	if (arg[1] == '-') {
		for (size_t i = 2; i < len; i++)
			if (iscntrl((unsigned char)arg[i]))
				return arg;
		return NULL;
	}
	for (const char *at = arg + 1; *at; at++) {
		o = find(p, (unsigned char)*at);
		if (!o && iscntrl((unsigned char)*at))
			return arg;
		if (!o || o->arg)
			break;	/* refused as it is; or the rest is a value */
	}
	return NULL;
}

/* getopt() would print the name of an option that it does not know as it is, line breaks and all. */
static int check_names(const struct opt_program *p, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *name = unprintable_name(p, argv[i]);

		if (name) {
			msg_error("unrecognized option '%s'", name);
			return -EINVAL;
		}
	}
	return 0;
}

int opt_parse(const struct opt_program *p, int argc, char **argv, void *values)
{
	struct argp argp = {
		.options = argp_table(p),
		.parser = on_key,
		.args_doc = p->operands,
		.doc = p->doc,
	};
	struct parse parse = {
		.program = p,
		.argp = &argp,
		.values = values,
		.discard = fopen("/dev/null", "w"),
	};
	int err = check_names(p, argc, argv);

	if (err)
		goto out;
	err = -ENOMEM;
	if (!argp.options || !parse.discard) {
		msg_error("options: %s", strerror(errno));
		goto out;
	}
	err = argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &parse) ? -EINVAL : 0;
	if (!err && parse.helped) {
		argp_help(&argp, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK,
			  (char *)msg_program());
		err = 1;
	}
out:
	if (parse.discard)
		fclose(parse.discard);
	free((void *)argp.options);
	return err;
}

static json_t *texts_json(const struct opt_texts *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->nr; i++)
		json_array_append_new(array, json_text(list->texts[i]));
	return array;
}

static json_t *value_json(const struct opt *o, const void *value)
{
	switch (o->type) {
	case OPT_FLAG:
		return json_boolean(*(const bool *)value);
	case OPT_COUNT:
		return json_integer((json_int_t) * (const uint64_t *)value);
	case OPT_DECIMAL:
	case OPT_SECONDS:
		return json_real(*(const double *)value);
	case OPT_TEXT:
		return json_text(*(const char *const *)value);
	case OPT_TEXTS:
		return texts_json(value);
	case OPT_HELP:
	case OPT_HEADING:
		break;
	}
	return NULL;
}

json_t *opt_json(const struct opt_program *p, const void *values)
{
	json_t *object = json_object();

	for (const struct opt *o = p->table; o->doc; o++) {
		json_t *value = value_json(o, (const char *)values + o->offset);
		char letter[2] = { (char)o->key, '\0' };

		if (value)
			json_object_set_new(object, o->name ? o->name : letter, value);
	}
	if (p->operands)
		json_object_set_new(object, "operands",
				    texts_json((const void *)((const char *)values +
							      p->operands_offset)));
	return object;
}

/* A '-' in a manual page must be written \-, a leading '.' or '\'' guarded, a '\' doubled. */
static void print_roff(FILE *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++) {
		if (*text == '-' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

void opt_print_man(const struct opt_program *p, FILE *out)
{
	fputs(".SH OPTIONS\n", out);
	for (const struct opt *o = p->table; o->doc; o++) {
		if (o->type == OPT_HEADING) {
			fputs(".SS \"", out);
			print_roff(out, o->doc);
			fputs("\"\n", out);
			continue;
		}
		fputs(".TP\n.B ", out);
		if (o->key < OPT_LONG)
			fprintf(out, "\\-%c%s", o->key, o->name ? ", " : "");
		if (o->name) {
			fputs("\\-\\-", out);
			print_roff(out, o->name);
		}
		if (o->arg)
			fprintf(out, o->bare ? "[=\\fI%s\\fR]" : " \\fI%s\\fR", o->arg);
		fputc('\n', out);
		print_roff(out, o->doc);
		fputc('\n', out);
	}
}
