/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that people write. The whole text must be the number: no sign, no blanks, no rest.
 * Each returns 0, -EINVAL (not such a number) or -ERANGE (does not fit), *out then unchanged.
 */
#ifndef KNEE_NUM_H
#define KNEE_NUM_H

#include <stdint.h>

/* Decimal digits. */
int num_parse_u64(const char *text, uint64_t *out);

/* Digits with an optional suffix K, M, G or T (powers of 1024): 4K is 4096. */
int num_parse_amount(const char *text, uint64_t *out);

/*
 * The amount as num_parse_amount() takes it, in its shortest form: 4K for 4096. In a buffer of
 * NUM_AMOUNT_MAX bytes, which it returns.
 */
#define NUM_AMOUNT_MAX 24
char *num_format_amount(char *buf, uint64_t value);

/* A decimal number of at least 0, such as 2, 2.0 or .5. */
int num_parse_decimal(const char *text, double *out);

/* Seconds: a decimal number, or decimals with units ms, s, m, h in a row: 90, 0.5, 1m30s, 200ms. */
int num_parse_seconds(const char *text, double *out);

/* Products and sums of amounts that people chose: UINT64_MAX for what does not fit. */
uint64_t num_times(uint64_t a, uint64_t b);
uint64_t num_plus(uint64_t a, uint64_t b);

/* A text for people, in a static buffer of the caller's: "1.5 GiB", "512 B". */
#define NUM_BYTES_MAX 24
char *num_format_bytes(char *buf, uint64_t bytes);

#endif
