#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Parameters: checked before anything runs, given to the testcase, recorded, part of the cell's id.
. "$KNEE_SRC/check/lib.sh"

once_of="-t 1 -m processes -r 1 --duration 0.05"

refused() { # REGEX PARAM
	run "$cases/has_params" -s 0.01 --param "$2"
	expect_status 2
	expect_no_out
	expect_error "$1"
}

# A directory of testcases with nothing but this one.
only_has_params() {
	mkdir only && ln "$cases/has_params" only/ 2>/dev/null || cp "$cases/has_params" only/
}

# id and parameters of the only record; what the testcase was told is in stderr.log.
swept() { # PARAM...
	local p args=()
	for p; do args+=(--param "$p"); done
	rm -rf run
	# shellcheck disable=SC2086
	run "$runtest" --tests only $once_of -o run "${args[@]}" has_params
	expect_status 0
	id=$(jq -r '.cell.id' run/records.jsonl)
	params=$(jq -c '.cell.params' run/records.jsonl)
}

recorded() {
	only_has_params
	swept
	expect_equal id "$id" has_params/processes/1/core/number=3/size=4K/colour=red/text=none
	swept size=64K colour=blue number=9 text=a-b.c
	expect_equal id "$id" has_params/processes/1/core/number=9/size=64K/colour=blue/text=a-b.c
	expect_equal params "$params" '{"number":"9","size":"64K","colour":"blue","text":"a-b.c"}'
	grep -qx 'number 9 size 65536 colour blue text a-b.c' run/stderr.log || fail 'not what the testcase was told'
	expect_equal 'in the plan' "$(jq -r '.cells[0].id' run/plan.json)" "$id"
}

# Else the same cell would have several ids, and a comparison would miss it.
one_spelling() {
	only_has_params
	swept size=4096
	expect_equal "the default's spelling" "$(jq -r .size <<<"$params")" 4K
	swept size=65536
	expect_equal 'the shortest' "$(jq -r .size <<<"$params")" 64K
	swept size=1000000
	expect_equal 'no round amount' "$(jq -r .size <<<"$params")" 1000000
	swept size=1M
	expect_equal 'largest' "$(jq -r .size <<<"$params")" 1M
	swept number=004
	expect_equal 'zeroes before it' "$(jq -r .number <<<"$params")" 4
}

resumed() {
	only_has_params
	swept size=2K
	head -n 0 run/records.jsonl >none && cat none >run/records.jsonl
	run "$runtest" --tests only --resume run
	expect_status 0
	expect_equal 'id after --resume' "$(jq -r .cell.id run/records.jsonl)" "$id"
	expect_equal 'told twice' "$(grep -c 'size 2048' run/stderr.log)" 2
}

# Needs are counted with the values that were given.
needs_follow() {
	run "$tests/stat_storm" --describe --param files=100
	expect_equal files "$(jq .needs.files "$work/out")" 100
	run "$tests/mmap_churn" --describe --param size=1M
	expect_equal memory "$(jq .needs.memory_bytes "$work/out")" 1048576
}

once
for value in 1 10 x '' -3 2.5; do
	it "a number out of range or none: '$value'" refused 'number=.*a number from 2 to 9' "number=$value"
done
for value in 1023 2M 1G 4KB ' 4K'; do
	it "an amount out of range or none: '$value'" refused 'size=.*a number from 1K to 1M' "size=$value"
done
it 'a word that is no choice' refused 'colour=pink.*one of: red green blue' colour=pink
for value in '' 'a b' a/b $'a\nb'; do
	it "a text that would break the id: '${value//$'\n'/\\n}'" refused "text=.*a word without '/'" "text=$value"
done
it 'an unknown parameter' refused 'no such parameter; this testcase has number, size, colour, text' colur=red
it 'no assignment' refused 'must be NAME=VALUE' size
it 'recorded, told, part of the id' recorded
it 'one value has one spelling' one_spelling
it 'a resumed run has the same' resumed
it 'needs follow the parameters' needs_follow
