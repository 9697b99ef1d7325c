#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Scratch directories: where they are, on what, and that two users do not meet.
. "$KNEE_SRC/check/lib.sh"

once_of="-t 1 -m processes -r 1 --duration 0.05"

type_of() {
	stat -f -c %T "$1"
}

# A directory in memory, and one that is not, if there is one: $memory, $disk.
find_places() {
	[ "$(type_of /dev/shm)" = tmpfs ] || skip '/dev/shm is no tmpfs'
	memory=$(mktemp -d "/dev/shm/$KNEE_RUN.XXXXXX")
	trap 'rm -rf "$memory"' EXIT
	disk=$TMPDIR
	case $(type_of "$disk") in tmpfs | ramfs) disk= ;; esac
}

swept() { # STATUS ARG...
	local want=$1
	shift
	rm -rf run
	# shellcheck disable=SC2086
	run "$runtest" $once_of -o run "$@"
	expect_status "$want"
}

fs_of_record() {
	jq -r '.scratch_fs // .status' run/records.jsonl
}

dir_is_recorded() {
	find_places
	swept 0 --dir "$memory" pwrite1
	expect_equal 'scratch_fs' "$(fs_of_record)" tmpfs
	expect_equal 'dir of the plan' "$(jq -r .dir run/plan.json)" "$memory"
	expect_equal 'scratch of the machine' "$(jq -r '.scratch.fs' run/machine.json)" tmpfs
	[ -n "$disk" ] || skip 'no directory on a disk'
	swept 0 pwrite1
	expect_equal 'dir of the plan' "$(jq -r .dir run/plan.json)" "$(realpath "$disk")"
	[ "$(fs_of_record)" != tmpfs ] || fail 'TMPDIR is on a disk, and the record says tmpfs'
	expect_equal 'the record and the machine' "$(fs_of_record)" "$(jq -r '.scratch.fs' run/machine.json)"
}

# It goes to /dev/shm by itself, or stays in a --dir that is a tmpfs; the record says so.
tmpfs_is_found() {
	find_places
	swept 0 --dir "$memory" fallocate1
	expect_equal 'scratch_fs' "$(fs_of_record)" tmpfs
	[ -n "$disk" ] || skip 'no directory on a disk'
	swept 0 --dir "$disk" fallocate1
	expect_equal 'scratch_fs' "$(fs_of_record)" tmpfs
}

# tmpfs takes O_DIRECT, and ignores it: the figure would be that of read1.
direct_needs_a_disk() {
	local name
	find_places
	for name in read3 read4; do
		swept 3 --dir "$memory" $name
		expect_equal 'status' "$(fs_of_record)" skipped
		expect_err "$name.*needs a filesystem on a disk, and $memory is tmpfs"
		run "$tests/$name" -t 1 -s 0.05 --dir "$memory"
		expect_status 3
		expect_no_average
		expect_error 'needs a filesystem on a disk'
	done
	expect_equal 'files left of the trial' "$(ls -A "$memory")" ''
}

facts_say_where() {
	expect_equal 'tmpfs' "$("$runtest" --list --json | jq -c '[.[] | select(.needs.fs == "tmpfs") | .name]')" \
		'["dentry_churn","fallocate1","inode_churn"]'
	expect_equal 'direct' "$("$runtest" --list --json | jq -c '[.[] | select(.needs.fs == "direct") | .name]')" \
		'["read3","read4"]'
}

no_such_dir() {
	run "$runtest" -t 1 -o run --dir /nowhere/at/all pwrite1
	expect_status 2
	expect_error '/nowhere/at/all'
	run "$tests/pwrite1" -t 1 -s 0.05 --dir /nowhere/at/all
	expect_status 3
	expect_error '/nowhere/at/all'
}

has_scratch_of() { # UID
	[ -n "$(find "$open" -mindepth 1 -maxdepth 1 -uid "$1" -name 'knee.*')" ]
}

# In one open directory, at the same time, with the same names: neither sees or removes the other's.
two_users() {
	local uid=64399 name
	[ "$(id -u)" -eq 0 ] || skip 'only root can be two users'
	setpriv --reuid=$uid --regid=$uid --clear-groups test -x "$tests/open1" ||
		skip 'the build is closed to others'
	open=$(mktemp -d "/tmp/$KNEE_RUN.XXXXXX")
	trap 'rm -rf "$open"' EXIT
	chmod 1777 "$open"
	for name in pwrite2 open1 unlink2; do
		setpriv --reuid=$uid --regid=$uid --clear-groups --inh-caps=-all \
			"$tests/$name" -t 2 -s 20 --dir "$open" >"$work/theirs" 2>&1 &
		until_true 5 has_scratch_of $uid || fail "the other user does not start: $(cat "$work/theirs")"
		run "$tests/$name" -t 2 -s 0.1 --warmup 0.05 --dir "$open"
		expect_status 0
		until_true 2 grep -q measurement "$work/theirs" || fail "$name: the other user does not measure"
		expect_equal "$name: modes, owners" "$(find "$open" -mindepth 1 -maxdepth 1 -printf '%m %U\n')" "700 $uid"
		kill $! && wait $!
		[ $? -eq 143 ] || fail "$name: the other user has ended: $(cat "$work/theirs")"
	done
	expect_equal 'left' "$(ls -A "$open")" ''
}

it '--dir and TMPDIR, and the type of what is there, are recorded' dir_is_recorded
it 'fallocate1 has a tmpfs, wherever --dir is' tmpfs_is_found
it 'direct reads are skipped where there is no disk' direct_needs_a_disk
it 'the facts say who needs a tmpfs or a disk' facts_say_where
it 'a --dir that does not exist is named' no_such_dir
it 'two users at once do not meet' two_users
