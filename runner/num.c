/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "num.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtoull() alone takes blanks, signs and negative numbers. */
static int digits(const char *text, uint64_t *out, const char **end)
{
	char *rest;
	unsigned long long value;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &rest, 10);
	if (errno == ERANGE)
		return -ERANGE;
	*out = value;
	*end = rest;
	return 0;
}

int num_parse_u64(const char *text, uint64_t *out)
{
	uint64_t value;
	const char *end;
	int err = digits(text, &value, &end);

	if (err)
		return err;
	if (*end)
		return -EINVAL;
	*out = value;
	return 0;
}

int num_parse_amount(const char *text, uint64_t *out)
{
	static const char suffixes[] = "KMGT";
	uint64_t value;
	const char *end, *suffix;
	int err = digits(text, &value, &end);

	if (err)
		return err;
	if (*end) {
		suffix = strchr(suffixes, toupper((unsigned char)*end));
		if (!suffix || end[1])
			return -EINVAL;
		for (int i = 0; i <= suffix - suffixes; i++)
			if (__builtin_mul_overflow(value, 1024, &value))
				return -ERANGE;
	}
	*out = value;
	return 0;
}

char *num_format_amount(char *buf, uint64_t value)
{
	static const char suffixes[] = "KMGT";
	size_t i = 0;

	for (; value && value % 1024 == 0 && suffixes[i]; i++)
		value /= 1024;
	if (i)
		snprintf(buf, NUM_AMOUNT_MAX, "%" PRIu64 "%c", value, suffixes[i - 1]);
	else
		snprintf(buf, NUM_AMOUNT_MAX, "%" PRIu64, value);
	return buf;
}

/* strtod() alone takes signs, blanks, exponents, hexadecimal, inf and nan. */
static int decimal(const char *text, double *out, const char **end)
{
	size_t len = strspn(text, "0123456789.");
	char copy[64], *rest;

	if (len == 0 || (len == 1 && text[0] == '.'))
		return -EINVAL;
	if (len >= sizeof(copy))
		return -ERANGE;
	memcpy(copy, text, len);
	copy[len] = '\0';
	*out = strtod(copy, &rest);
	if (*rest)
		return -EINVAL;
	*end = text + len;
	return 0;
}

int num_parse_decimal(const char *text, double *out)
{
	double value;
	const char *end;
	int err = decimal(text, &value, &end);

	if (err)
		return err;
	if (*end)
		return -EINVAL;
	*out = value;
	return 0;
}

static double unit_seconds(const char **text)
{
	static const struct { const char *name; double seconds; } units[] = {
		{ "ms", 1e-3 }, { "s", 1 }, { "m", 60 }, { "h", 3600 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t len = strlen(units[i].name);

		if (strncmp(*text, units[i].name, len) == 0 && !isalpha((unsigned char)(*text)[len])) {
			*text += len;
			return units[i].seconds;
		}
	}
	return 0;
}

int num_parse_seconds(const char *text, double *out)
{
	double sum = 0, value, unit;
	const char *end;
	int err = num_parse_decimal(text, out);

	if (err != -EINVAL)
		return err;
	do {
		err = decimal(text, &value, &end);
		if (err)
			return err;
		unit = unit_seconds(&end);
		if (unit == 0)
			return -EINVAL;
		sum += value * unit;
		text = end;
	} while (*text);
	*out = sum;
	return 0;
}

uint64_t num_times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t num_plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

char *num_format_bytes(char *buf, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	size_t i = 0;

	while (value >= 1024 && i + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1024;
		i++;
	}
	/* What would be rounded to 1024.0 has the next prefix. */
	if (i && value >= 1023.95 && i + 1 < sizeof(units) / sizeof(units[0])) {
		value = 1;
		i++;
	}
	if (i == 0 || value == (double)(uint64_t)value)
		snprintf(buf, NUM_BYTES_MAX, "%.0f %s", value, units[i]);
	else
		snprintf(buf, NUM_BYTES_MAX, "%.1f %s", value, units[i]);
	return buf;
}
