#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which testcases: names, globs, tags, suites, and words of the facts.
. "$KNEE_SRC/check/lib.sh"

# The names that --list prints for these arguments, in one line.
listed() { # ARG...
	run "$runtest" --list "$@"
	expect_status 0
	expect_no_err
	awk '{ print $1 }' "$work/out" | paste -sd' '
}

expect_listed() { # NAMES ARG...
	local names=$1
	shift
	expect_equal "runtest --list $*" "$(listed "$@")" "$names"
}

# What jq finds in all facts: the filters must find the same.
facts_say() { # CONDITION
	"$runtest" --list --json | jq -r ".[] | select($1) | .name" | sort | paste -sd' '
}

refused() { # REGEX ARG...
	local regex=$1
	shift
	run "$runtest" --list "$@"
	expect_status 2
	expect_no_out
	expect_error "$regex"
}

names_and_globs() {
	expect_listed 'mmap1' mmap1
	expect_listed 'mmap1 mmap2 mmap_churn' 'mmap*'
	expect_listed 'futex2 mmap1 mmap2' mmap2 'mmap[12]' futex2 mmap1
}

each_tag() {
	local tag
	for tag in mm vfs ipc net sched memcg lock user; do
		expect_listed "$(facts_say "any(.tags[]; . == \"$tag\")")" "@$tag"
	done
	expect_equal 'testcases without a tag' "$(facts_say '.tags == []')" ''
}

tags_add_up() {
	expect_listed "$(facts_say 'any(.tags[]; . == "net" or . == "sched") or .name == "brk1"')" \
		@net brk1 @sched
}

# will-it-scale's 60, as kernel reports name them.
the_sixty() {
	expect_listed "$(printf '%s\n' brk1 brk2 context_switch1 dup1 eventfd1 fallocate1 fallocate2 futex{1..4} \
		getppid1 lock1 lock2 lseek1 lseek2 malloc1 malloc2 mmap1 mmap2 open{1..3} page_fault{1..3} \
		pipe1 poll1 poll2 posix_semaphore1 pread{1..3} pthread_mutex{1..5} pwrite{1..3} read{1..4} \
		readseek{1..3} sched_yield signal1 tlb_flush{1..3} unix1 unlink1 unlink2 write1 writeseek{1..3} |
		LC_ALL=C sort | paste -sd' ')" @will-it-scale
	expect_equal 'names' "$(listed @will-it-scale | wc -w)" 60
}

all_of_them() {
	expect_listed "$(listed)" @all
	expect_equal 'executables' "$(listed @all | wc -w)" \
		"$(find "$tests" -type f -links +1 -printf '%i\n' | sort -u | wc -l)"
}

# A dozen, for the locks that limit the kernel most; planned for less than two minutes.
quick() {
	local lock
	expect_equal 'names' "$(listed @quick | wc -w)" 12
	for lock in mmap_lock vm_committed_as 'zone->lock' 'lruvec->lru_lock' page_counter page_table_lock \
		smp_call_function d_lockref 'inode->i_rwsem' 'files_struct->file_lock' s_inode_list_lock \
		'folio->_refcount' 'file_lock_context->flc_lock' 'futex_hash_bucket->lock' 'rq->lock' \
		'sighand->siglock'; do
		[ -n "$(listed @quick --contends "$lock")" ] || fail "no testcase of @quick contends $lock"
	done
	run "$runtest" --plan --json @quick
	expect_status 0
	expect_equal 'rounds, and within two minutes' \
		"$(jq -c '[.rounds >= 3, .expected_s < 120]' "$work/out")" '[true,true]'
}

# A look at all 60, on a machine of two CPUs.
the_sixty_in_two_minutes() {
	run "$runtest" --plan --json -t 1,2 -r 1 --duration 0.2 @will-it-scale
	expect_status 0
	expect_equal 'within two minutes' "$(jq -c '.expected_s < 90' "$work/out")" true
}

# Whoever says how long means it.
quick_as_asked() {
	run "$runtest" --plan --json -r 7 -t 1 @quick
	expect_equal 'as asked' "$(jq -c '[.rounds, .duration_s, .warmup_s]' "$work/out")" '[7,1,0.25]'
	run "$runtest" --plan --json --duration 0.2 -t 1 @quick
	expect_equal 'as asked' "$(jq -c '[.rounds, .duration_s, .warmup_s]' "$work/out")" '[5,0.2,0.05]'
}

by_path() {
	expect_listed "$(facts_say 'any(.exercises[]; . == "mmap")')" --exercises mmap
	expect_listed "$(facts_say 'any(.exercises[]; startswith("futex"))')" --exercises 'futex*'
}

by_lock() {
	expect_listed "$(facts_say 'any(.contends[]; . == "mmap_lock")')" --contends mmap_lock
	expect_listed "$(facts_say 'any(.contends[]; . == "inode->i_rwsem")')" --contends i_rwsem
	expect_listed "$(facts_say 'any(.contends[]; . == "inode->i_rwsem")')" --contends 'inode->i_rwsem'
}

all_must_hold() {
	expect_listed "$(facts_say 'any(.contends[]; . == "mmap_lock") and any(.contends[]; . == "page_counter") and
		any(.exercises[]; . == "munmap") and any(.tags[]; . == "mm")')" \
		--contends mmap_lock --contends page_counter --exercises munmap @mm
	refused 'no testcase is all' --contends flc_lock @mm
}

unknown() {
	refused 'no testcase mmpa1; near: mmap1' mmpa1
	refused 'no testcases are @mmm; near: mm' @mmm
	refused 'no testcases are @nothing; there are: all, ipc, lock, ' @nothing
	refused 'no testcase exercises mmapp; near: mmap' --exercises mmapp
	refused 'no testcase contends xyzzy ' --contends xyzzy
	refused "no testcases are @ *[;(]" @
}

# Only what was named is missed; a suite's skipped cells are no failure.
skips_of_a_suite() {
	[ -d /dev/shm ] || skip 'there is no /dev/shm'
	args="-t 1 -m processes -r 1 --duration 0.05 --dir /dev/shm"
	run "$runtest" $args -o one --contends i_dio_count
	expect_status 0
	expect_err 'read4.*skipped: needs a filesystem on a disk, and /dev/shm is tmpfs'
	run "$runtest" $args -o two read4
	expect_status 3
}

once
it 'names and globs, each once, in order' names_and_globs
it 'each tag selects what the facts say' each_tag
it 'several tags and names add up' tags_add_up
it '@will-it-scale is its 60 names' the_sixty
it '@all is every executable' all_of_them
it '@quick covers the main locks in under two minutes' quick
it '@will-it-scale takes less than two minutes, if asked to' the_sixty_in_two_minutes
it '@quick obeys -r and --duration' quick_as_asked
it '--exercises, by word and glob' by_path
it '--contends, by word and by the part behind ->' by_lock
it 'filters narrow: all must hold' all_must_hold
it 'what selects nothing is named, with what is near' unknown
it 'a skipped cell fails only who named its testcase' skips_of_a_suite
