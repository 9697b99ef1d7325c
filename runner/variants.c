/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "variants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "words.h"

struct variant_parts {
	json_t *factors;
	struct arrangement arrangement;
	struct catalogue catalogue;
	char *dir;
	bool arranged, described;
};

/* The level instead of the policy; what else was asked for stays: "core+avoid=0". */
static int arrange_level(const struct variants_base *base, const char *level, struct variant_parts *parts)
{
	const char *rest = strchr(base->arrangement->text, '+');
	char *text;
	int err;

	if (strncmp(base->arrangement->text, "cpus=", 5) == 0) {
		msg_error("--vary placement and --cpus exclude each other");
		return -EINVAL;
	}
	if (asprintf(&text, "%s%s", level, rest ? rest : "") < 0)
		return -ENOMEM;
	err = arrange_make(&parts->arrangement, base->topology, text);
	parts->arranged = !err;
	free(text);
	return err;
}

/* The facts follow the parameters: what a cell needs, say. */
static int describe_level(const struct variants_base *base, struct variant_parts *parts)
{
	struct opt_texts params = { 0 };
	const char *name;
	json_t *level;
	int err = 0;

	params.texts = calloc(base->params->nr + json_object_size(parts->factors) + 1,
			      sizeof(*params.texts));
	if (!params.texts)
		return -ENOMEM;
	for (; params.nr < base->params->nr; params.nr++)
		params.texts[params.nr] = base->params->texts[params.nr];
	json_object_foreach(parts->factors, name, level) {
		const char *param = words_after(name, "param:");
		char *text;

		if (!param || err)
			continue;
		err = asprintf(&text, "%s=%s", param, json_string_value(level)) < 0 ? -ENOMEM : 0;
		if (!err)
			params.texts[params.nr++] = text;
	}
	if (!err)
		err = catalogue_copy(&parts->catalogue, base->catalogue);
	parts->described = true;
	if (!err)
		err = catalogue_describe(&parts->catalogue, &params);
	for (size_t i = base->params->nr; i < params.nr; i++)
		free((char *)params.texts[i]);
	free(params.texts);
	return err;
}

static bool varies_param(const json_t *factors)
{
	const char *name;
	json_t *level;

	json_object_foreach((json_t *)factors, name, level)
		if (words_after(name, "param:"))
			return true;
	return false;
}

static int find_dir(const char *level, struct variant_parts *parts)
{
	parts->dir = realpath(level, NULL);
	if (parts->dir)
		return 0;
	msg_error("--vary scratch=%s: %s", level, strerror(errno));
	return -EINVAL;
}

static int make(const struct variants_base *base, struct variant_parts *parts, struct plan_variant *v)
{
	const char *placement = factors_level(parts->factors, "placement");
	const char *membind = factors_level(parts->factors, "membind");
	const char *scratch = factors_level(parts->factors, "scratch");
	int err = placement ? arrange_level(base, placement, parts) : 0;

	if (!err && varies_param(parts->factors))
		err = describe_level(base, parts);
	if (!err && scratch)
		err = find_dir(scratch, parts);
	*v = (struct plan_variant){
		.arrangement = parts->arranged ? &parts->arrangement : base->arrangement,
		.membind = membind ? membind : base->membind,
		.dir = parts->dir,
		.catalogue = parts->described ? &parts->catalogue : base->catalogue,
		.factors = parts->factors,
	};
	return err;
}

int variants_make(struct variants *v, const struct variants_base *base, const struct factors *f)
{
	int err = 0;

	*v = (struct variants){
		.list = calloc(f->combinations, sizeof(*v->list)),
		.parts = calloc(f->combinations, sizeof(*v->parts)),
	};
	if (!v->list || !v->parts)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < f->combinations; i++) {
		struct variant_parts *parts = &v->parts[v->nr++];

		parts->factors = factors_combination(f, i);
		err = parts->factors ? make(base, parts, &v->list[i]) : -ENOMEM;
	}
	if (err == -ENOMEM)
		msg_error("--vary: no memory");
	if (err)
		variants_free(v);
	return err;
}

void variants_free(struct variants *v)
{
	for (size_t i = 0; i < v->nr; i++) {
		struct variant_parts *parts = &v->parts[i];

		json_decref(parts->factors);
		if (parts->arranged)
			arrange_free(&parts->arrangement);
		if (parts->described)
			catalogue_free(&parts->catalogue);
		free(parts->dir);
	}
	free(v->list);
	free(v->parts);
	*v = (struct variants){ 0 };
}
