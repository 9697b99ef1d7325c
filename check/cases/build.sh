#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The Makefile: testcases of others, user flags, reproducible objects, errors at build time.
. "$KNEE_SRC/check/lib.sh"
[ "$KNEE_ANY" = 1 ] || exit 0
KNEE_FIRST=1	# all of it

b=$case_dir/b	# where all tests build: the runner is compiled once

# Not as part of the make that runs these tests, which may be silent.
unset MAKEFLAGS MFLAGS MAKELEVEL

build() { # TARGET... [VARIABLE=VALUE...]
	local extra=
	[ ! -d "$work/extra" ] || extra=EXTRA_TESTS=$work/extra
	run make -j2 -C "$KNEE_SRC" --no-print-directory O="$b" ${extra:+"$extra"} "${@/#b\//$b/}"
}

testcase_file() { # NAME
	mkdir -p "$work/extra"
	cat >"$work/extra/$1.c"
}

measures() { # NAME
	local mode
	build "b/tests/$1_processes" "b/tests/$1_threads"
	expect_status 0
	for mode in processes threads; do
		run "$b/tests/$1_$mode" -t 2 -s 0.05 --warmup 0.01
		expect_status 0
		expect_out '^testcase:Somebody'
		expect_out '^average:[1-9]'
	done
}

# As testcases outside are written: each a little different.
foreign() { # PREAMBLE TESTCASE-ARGUMENTS
	testcase_file theirs <<-END
		#include <unistd.h>
		#include <sys/syscall.h>
		#include <assert.h>
		char *testcase_description = "Somebody's testcase";
		$1
		void testcase($2)
		{
			int unused;
			while (1) { syscall(SYS_getppid); (*iterations)++; }
		}
	END
	measures theirs
}

without() { # SYMBOL
	{
		echo '#include <unistd.h>'
		[ "$1" = testcase_description ] || echo 'char *testcase_description = "Half of one";'
		[ "$1" = testcase ] || echo 'void testcase(unsigned long long *i, unsigned long nr) { for (;;) ++*i; }'
	} | testcase_file half
	build b/tests/half
	[ "$status" -ne 0 ] || fail 'it was built'
	expect_err "half\\.c.*$1\$|half\\.c.*[ \`']$1\\b"
	[ ! -e "$b/tests/half" ] || fail 'the executable is there'
}

an_error_names_the_file() {
	echo 'this is no C' | testcase_file broken
	build b/tests/broken
	[ "$status" -ne 0 ] || fail 'it was built'
	expect_err 'broken\.c'
}

same_name_twice() {
	echo 'char *testcase_description = "x";' | testcase_file mmap1
	build b/tests/mmap1
	[ "$status" -ne 0 ] || fail 'it was built'
	expect_err 'mmap1'
}

no_testcases_there() {
	run make -C "$KNEE_SRC" --no-print-directory O="$b" EXTRA_TESTS=/nowhere tests
	[ "$status" -ne 0 ] || fail 'success'
	expect_err 'no testcases in EXTRA_TESTS=/nowhere'
}

user_flags() {
	b=$work/b
	build b/obj/runner/num.o V=1 CFLAGS='-O1 -DKNEE_CHECKED=1'
	expect_status 0
	expect_out '-O1 -DKNEE_CHECKED=1.*runner/num\.c'
}

changed_flags_rebuild() {
	b=$work/b
	build b/obj/runner/num.o
	build b/obj/runner/num.o
	! grep -q CC "$work/out" || fail 'it was compiled again for nothing'
	sleep 0.05
	build b/obj/runner/num.o CFLAGS=-O0
	expect_out 'CC'
}

changed_header_rebuilds() {
	mkdir tree
	cp -a "$KNEE_SRC"/{Makefile,runner,tests,runtest.c,knee.c,postprocess,plot} tree
	make -C tree --no-print-directory b/obj/runner/near.o O=b >/dev/null || fail 'the build failed'
	sleep 0.05	# a clock tick: the header must be newer than the object
	touch tree/runner/near.h
	run make -C tree --no-print-directory b/obj/runner/near.o O=b
	expect_out 'CC.*near\.o'
}

# Wherever the sources lie.
reproducible() {
	local d
	for d in one another/deeper; do
		mkdir -p "$d"
		cp -a "$KNEE_SRC"/{Makefile,runner,tests,runtest.c,knee.c,postprocess,plot} "$d"
		make -C "$d" --no-print-directory O=b b/obj/runner/tasks.o b/obj/tests/mmap1.o \
			b/obj/postprocess/stats.o >/dev/null || fail 'the build failed'
	done
	cmp one/b/obj/runner/tasks.o another/deeper/b/obj/runner/tasks.o || fail 'tasks.o differs'
	cmp one/b/obj/tests/mmap1.o another/deeper/b/obj/tests/mmap1.o || fail 'mmap1.o differs'
	cmp one/b/obj/postprocess/stats.o another/deeper/b/obj/postprocess/stats.o || fail 'stats.o differs'
}

# Nothing may be written into the sources, and O may lie anywhere.
out_of_tree() {
	touch mark
	build b/tests/getppid1
	expect_status 0
	expect_equal 'new in the sources' "$(cd "$KNEE_SRC" && find . -path ./build -prune -o -path ./.git -prune -o \
		-newer "$work/cwd/mark" -type f -print)" ''
}

# What cannot be installed is named. The programs and packages that are asked for are not there.
missing_is_named() {
	local bin tool
	bin=$work/bin
	mkdir "$bin"
	for tool in sh bash env cat grep sed awk id uname sort tr head; do
		ln -s "$(command -v $tool)" "$bin/$tool"
	done
	printf '#!/bin/sh\nexit 1\n' >"$bin/dpkg-query"
	cp "$bin/dpkg-query" "$bin/apt-get"
	printf '#!/bin/sh\necho 1000\n' >"$work/id"
	rm "$bin/id"
	cp "$work/id" "$bin/id"
	chmod +x "$bin"/dpkg-query "$bin"/apt-get "$bin"/id
	run env PATH="$bin" "$KNEE_SRC/.ci/deps"
	[ "$status" -ne 0 ] || fail 'success'
	expect_err 'libhwloc-dev'
}

it 'a testcase with one argument' foreign '' 'unsigned long long *iterations'
it 'a testcase with two arguments' foreign 'void testcase_prepare(unsigned long nr) { }' \
	'unsigned long long *iterations, unsigned long nr'
it 'a testcase with other types, and hooks without arguments' foreign \
	'void testcase_prepare(void) { } void testcase_cleanup(void) { }' \
	'volatile unsigned long long *iterations, int nr'
it 'a testcase without testcase()' without testcase
it 'a testcase without testcase_description' without testcase_description
it 'an error in a testcase names its file' an_error_names_the_file
it 'two testcases of the same name' same_name_twice
it 'EXTRA_TESTS without testcases' no_testcases_there
it "the user's flags are honoured, V=1 shows them" user_flags
it 'changed flags rebuild' changed_flags_rebuild
it 'a changed header rebuilds' changed_header_rebuilds
it 'the same sources give the same objects' reproducible
it 'nothing is written into the sources' out_of_tree
it 'deps names what it cannot install' missing_is_named
