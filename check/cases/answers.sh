#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee counters, profile, trace, why: what they print of a run that is known (check/fixtures/why).
. check/golden.sh

run=check/fixtures/why

for command in counters profile trace why; do
	"$O/libexec/knee-$command" $run 2>&1 | golden answers-$command.text
	"$O/libexec/knee-$command" -f json $run 2>&1 | golden answers-$command.json
	error "knee $command without a run" 2 "a run directory" "$O/libexec/knee-$command" </dev/null
	error "knee $command of nothing" 1 "nosuch" "$O/libexec/knee-$command" $run nosuch
	expect "knee $command --man" 0 "$O/libexec/knee-$command" --man
done

answer=$("$O/libexec/knee-why" -f json $run | jq -r '.curves[0] | [.verdict, .cause, .as_expected] | join(", ")')
[ "$answer" = "known, _raw_spin_lock_irqsave <- percpu_counter_add_batch, true" ] &&
	pass "the lock of vm_committed_as" || fail "the lock of vm_committed_as" "$answer"

# A profile that is gone makes no answer, nor a failure.
cp -r $run "$WORK/half" && : >"$WORK/half/extra.jsonl"
answer=$("$O/libexec/knee-why" -f json "$WORK/half" | jq -r '.curves[0].verdict')
[ "$answer" = unknown ] && pass "without its profile: unknown" || fail "without its profile: unknown" "$answer"

# Twelve samples of which nothing stands out are no evidence.
cp -r $run "$WORK/weak"
for file in "$WORK"/weak/extra/*.folded; do
	awk '{ $NF = 500000; print }' "$file" >"$file.new" && mv "$file.new" "$file"
done
jq -c 'if .kind == "profile" then .profile.cpu.samples = 6 else . end' $run/extra.jsonl >"$WORK/weak/extra.jsonl"
answer=$("$O/libexec/knee-why" -f json "$WORK/weak" | jq -r '.curves[0].verdict')
[ "$answer" = unknown ] && pass "six samples: unknown" || fail "six samples: unknown" "$answer"

# Rounds that scatter widely: the loss may be noise.
cp -r $run "$WORK/noise"
jq -c 'if .cell.tasks == 96 then .ops_per_s = (if .round == 0 then 30000000 else 1000000 end) else . end' \
	$run/records.jsonl >"$WORK/noise/records.jsonl"
answer=$("$O/libexec/knee-why" -f json "$WORK/noise" | jq -r '.curves[0].sentence')
case $answer in
*"within the noise"*) pass "noise is called noise" ;;
*) fail "noise is called noise" "$answer" ;;
esac

finish
