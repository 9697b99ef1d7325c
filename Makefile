# SPDX-License-Identifier: GPL-2.0-or-later
#
#	make			./runtest, ./knee and the testcases, under build/
#	make quickstart		what is missing, a sweep of the headline testcases, pictures
#	make check		knee's own tests; make check CASE=name, make check-unit
#	make check-vm		those on virtual machines with packages, nodes, SMT
#	make check-browser	pages in a headless chromium, if there is one
#	make check-truth	is each testcase what its facts say? Some minutes; CASE=name
#	make deps		install what is missing
#	make drop-in DIR=DIR	a directory that will-it-scale's clients take for will-it-scale's
#
#	O=DIR			build there instead
#	EXTRA_TESTS=DIR		testcases in DIR/*.c, too
#	CFLAGS, LDFLAGS, CC	honoured
#	V=1			show the commands

O ?= build
CFLAGS ?= -O2 -g
WARMUP_ITERATIONS ?= 5
EXTRA_TESTS ?=

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' '$(1)' '$(patsubst $(O)/%,%,$@)';)

# ---- how things are compiled ----------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wwrite-strings -Werror
# The same sources give the same objects, wherever they lie.
REPRODUCIBLE := -ffile-prefix-map=$(CURDIR)=.
OWN_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARNINGS) $(REPRODUCIBLE) -pthread $(CFLAGS)
# The contract's own types: `unsigned long nr` need not be used, and testcase_description is a
# char * that points to a literal. Hot loops start on cache lines, whatever stands before them.
TEST_CFLAGS = $(OWN_CFLAGS) -Wno-unused-parameter -Wno-write-strings -falign-functions=64 \
	      -falign-loops=32
# Testcases written for will-it-scale, unmodified: their prototypes may differ slightly.
FOREIGN_CFLAGS = -std=gnu11 -w $(REPRODUCIBLE) -pthread -falign-functions=64 -falign-loops=32 \
		 $(CFLAGS)
# Every symbol is bound at start: a task that is forked must not look them up once more. Code and
# constants share pages: fewer mappings to copy, fewer pages to fault in.
TEST_LDFLAGS = -Wl,-z,now,-z,noseparate-code -pthread $(LDFLAGS)
DEPFLAGS = -MMD -MP

# The static libraries: each shared one would be five more mappings to copy at every fork.
library = $(if $(wildcard $(shell $(CC) -print-file-name=lib$(1).a 2>/dev/null)),-l:lib$(1).a,-l$(1))
# libknee.a comes once more: it answers what the static hwloc asks of libudev. What the static
# libnuma asks of itself it must answer first (numa_startup.c).
NUMA_LIB := $(call library,numa)
RUNNER_LIBS := $(if $(filter -l:%,$(NUMA_LIB)),-u numa_bitmask_nbytes) $(call library,hwloc) \
	       $(NUMA_LIB) $(O)/libknee.a $(call library,jansson)
RESULT_LIBS := -lgsl -lgslcblas -lm -ljansson

# A tree that was laid out from another (make drop-in) carries the version of that one.
VERSION := $(shell cat $(CURDIR)/VERSION 2>/dev/null || git -C $(CURDIR) describe --tags --always --dirty 2>/dev/null || echo unknown)
COMPILER := $(shell $(CC) --version 2>/dev/null | head -n 1)

# ---- what there is --------------------------------------------------------------------------------

TEST_SOURCES := $(sort $(wildcard tests/*.c))
EXTRA_SOURCES := $(if $(EXTRA_TESTS),$(sort $(wildcard $(EXTRA_TESTS)/*.c)))
$(if $(EXTRA_TESTS),$(if $(EXTRA_SOURCES),,$(error no testcases in EXTRA_TESTS=$(EXTRA_TESTS); a path must have no blanks)))
ALL_SOURCES := $(TEST_SOURCES) $(EXTRA_SOURCES)
FOREIGN_SOURCES := $(if $(ALL_SOURCES),$(shell grep -L '"testcase.h"' $(ALL_SOURCES)))
TESTS := $(notdir $(ALL_SOURCES:.c=))
DUPLICATES := $(filter-out $(sort $(TESTS)),$(TESTS)) $(filter $(notdir $(TEST_SOURCES:.c=)),$(notdir $(EXTRA_SOURCES:.c=)))
$(if $(strip $(DUPLICATES)),$(error two testcases are named $(strip $(DUPLICATES))))

RUNNER_OBJECTS := $(patsubst runner/%.c,$(O)/obj/runner/%.o,$(filter-out runner/testcase_main.c,$(wildcard runner/*.c)))
TEST_PROGRAMS := $(foreach t,$(TESTS),$(O)/tests/$(t) $(O)/tests/$(t)_processes $(O)/tests/$(t)_threads)

MAN_PAGES := $(patsubst doc/man/%.in,$(O)/man/%,$(wildcard doc/man/*.in))

# NAME_main.c is the program knee-NAME; the other files are a library for all of them.
RESULT_SOURCES := $(wildcard postprocess/*.c plot/*.c)
RESULT_OBJECTS := $(patsubst %.c,$(O)/obj/%.o,$(filter-out %_main.c,$(RESULT_SOURCES)))
COMMANDS := $(patsubst %_main.c,$(O)/libexec/knee-%,$(notdir $(filter %_main.c,$(RESULT_SOURCES))))
CHECK_PROGRAMS := $(patsubst check/unit/%.c,$(O)/check/%,$(wildcard check/unit/test_*.c))

all: tests commands man $(if $(filter build,$(O)),runtest knee)
tests: $(TEST_PROGRAMS)
commands: $(O)/runtest $(O)/knee $(COMMANDS)
.PHONY: all tests commands

# Changed flags rebuild what they change.
FLAGS_FILE := $(O)/flags
FLAGS_TEXT = $(CC) $(OWN_CFLAGS) $(TEST_CFLAGS) $(TEST_LDFLAGS) $(RUNNER_LIBS) $(RESULT_LIBS) \
	     $(WARMUP_ITERATIONS)
$(shell mkdir -p $(O); printf '%s\n' '$(subst ','\'',$(FLAGS_TEXT))' | cmp -s - $(FLAGS_FILE) || \
	printf '%s\n' '$(subst ','\'',$(FLAGS_TEXT))' > $(FLAGS_FILE))
VERSION_FILE := $(O)/version
$(shell printf '%s\n' '$(VERSION)' | cmp -s - $(VERSION_FILE) || \
	printf '%s\n' '$(VERSION)' > $(VERSION_FILE))

# A source that has moved is none that is missing: objects remember where they came from.
%.c: ;

# ---- runner ---------------------------------------------------------------------------------------

# Without a PLT: one page less for each task to fault in.
$(O)/obj/runner/tasks.o: OWN_CFLAGS += -fno-plt
# Where the two say that their headers are.
$(O)/obj/runner/tracer.o: OWN_CFLAGS += -isystem /usr/include/tracefs -isystem /usr/include/traceevent
# A sweep's estimates are the statistics of the tables.
$(O)/obj/runner/tally.o: OWN_CFLAGS += -Ipostprocess
$(O)/obj/runner/%.o: runner/%.c $(FLAGS_FILE)
	$(call say,CC)mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CFLAGS) $(DEPFLAGS) -c -o $@ $<

c_string = -D$(1)='"$(subst ",\",$(2))"'
$(O)/obj/runner/build_info.o: OWN_CFLAGS += $(call c_string,KNEE_VERSION,$(VERSION)) \
	$(call c_string,KNEE_COMPILER,$(COMPILER)) $(call c_string,KNEE_CFLAGS,$(strip $(CFLAGS)))
$(O)/obj/runner/build_info.o: $(VERSION_FILE)
$(O)/obj/runner/measure.o $(O)/obj/runner/report.o: OWN_CFLAGS += -DWARMUP_ITERATIONS=$(WARMUP_ITERATIONS)

$(O)/libknee.a: $(RUNNER_OBJECTS)
	$(call say,AR)rm -f $@
	$(Q)$(AR) rcsD $@ $^

# ---- testcases ------------------------------------------------------------------------------------

$(foreach s,$(FOREIGN_SOURCES),$(O)/obj/tests/$(notdir $(s:.c=)).o): TEST_CFLAGS = $(FOREIGN_CFLAGS)

# What a testcase must define is asked here: the linker would name the runner, not the file.
define test_object
$(O)/obj/tests/$(notdir $(1:.c=)).o: $(1) $(FLAGS_FILE)
	$$(call say,CC)mkdir -p $$(@D)
	$(Q)$$(CC) $$(TEST_CFLAGS) $$(DEPFLAGS) -Irunner -c -o $$@ $$<
	$(Q)for symbol in testcase testcase_description; do \
		nm -g --defined-only $$@ | grep -q " $$$$symbol$$$$" || \
		{ echo "$$<: error: it does not define $$$$symbol" >&2; exit 1; }; \
	done
endef
$(foreach s,$(ALL_SOURCES),$(eval $(call test_object,$(s))))

$(O)/tests/%: $(O)/obj/tests/%.o $(O)/obj/runner/testcase_main.o $(O)/libknee.a
	$(call say,LD)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(filter %.o %.a,$^) $(TEST_LDFLAGS) $(RUNNER_LIBS)

$(foreach t,$(TESTS),$(O)/tests/$(t)_processes $(O)/tests/$(t)_threads): $(O)/tests/%: 
	$(Q)ln -f $< $@
$(foreach t,$(TESTS),$(eval $(O)/tests/$(t)_processes $(O)/tests/$(t)_threads: $(O)/tests/$(t)))

# ---- runtest --------------------------------------------------------------------------------------

SWEEP_LIBS := $(RUNNER_LIBS) -ltracefs -ltraceevent -lgsl -lgslcblas -lz -lm

$(O)/obj/runtest.o: runtest.c $(FLAGS_FILE)
	$(call say,CC)mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CFLAGS) $(DEPFLAGS) -Irunner -c -o $@ $<

$(O)/runtest: $(O)/obj/runtest.o $(O)/libknee.a $(O)/libresult.a
	$(call say,LD)$(CC) -o $@ $< $(O)/libknee.a $(O)/libresult.a -pthread $(LDFLAGS) $(SWEEP_LIBS)

# At the top, for those who build in place.
runtest: $(O)/runtest
	$(Q)ln -sf $< $@

# ---- knee, and the programs behind it -------------------------------------------------------------

# What may include what: runner/ <- postprocess/ <- plot/.
RESULT_INCLUDES_postprocess := -Irunner
RESULT_INCLUDES_plot := -Irunner -Ipostprocess
define result_object
$(O)/obj/$(1:.c=.o): $(1) $(FLAGS_FILE)
	$$(call say,CC)mkdir -p $$(@D)
	$(Q)$$(CC) $$(OWN_CFLAGS) $$(DEPFLAGS) $(RESULT_INCLUDES_$(patsubst %/,%,$(dir $(1)))) -c -o $$@ $$<
endef
$(foreach s,$(RESULT_SOURCES),$(eval $(call result_object,$(s))))

$(O)/libresult.a: $(RESULT_OBJECTS)
	$(call say,AR)rm -f $@
	$(Q)$(AR) rcsD $@ $^

define result_program
$(O)/libexec/knee-$(notdir $(1:_main.c=)): $(O)/obj/$(1:.c=.o) $(O)/libresult.a $(O)/libknee.a
	$$(call say,LD)mkdir -p $$(@D)
	$(Q)$$(CC) -o $$@ $$^ -pthread $$(LDFLAGS) $$(RESULT_LIBS)
endef
$(foreach s,$(filter %_main.c,$(RESULT_SOURCES)),$(eval $(call result_program,$(s))))

$(O)/obj/knee.o: knee.c $(FLAGS_FILE)
	$(call say,CC)mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CFLAGS) $(DEPFLAGS) -Irunner -c -o $@ $<

$(O)/knee: $(O)/obj/knee.o $(O)/libknee.a
	$(call say,LD)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS)

knee: $(O)/knee
	$(Q)ln -sf $< $@

# ---- a drop-in for will-it-scale ------------------------------------------------------------------

drop-in: tests $(O)/runtest
	$(if $(DIR),,$(error where? make drop-in DIR=path))
	$(Q)compat/lay-out '$(DIR)' '$(O)' '$(VERSION)' $(ALL_SOURCES)
.PHONY: drop-in

# ---- knee's own tests -----------------------------------------------------------------------------

# Testcases that only the tests know: apart, so that no `runtest --list` shows them.
CHECK_SOURCES := $(sort $(wildcard check/testcases/*.c))
CHECK_TESTS := $(patsubst check/testcases/%.c,$(O)/check-tests/%,$(CHECK_SOURCES))
CHECK_FOREIGN := $(if $(CHECK_SOURCES),$(shell grep -L '"testcase.h"' $(CHECK_SOURCES)))

$(foreach s,$(CHECK_FOREIGN),$(O)/obj/check-tests/$(notdir $(s:.c=)).o): TEST_CFLAGS = $(FOREIGN_CFLAGS)
$(O)/obj/check-tests/%.o: check/testcases/%.c $(FLAGS_FILE)
	$(call say,CC)mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) $(DEPFLAGS) -Irunner -c -o $@ $<

$(O)/check-tests/%: $(O)/obj/check-tests/%.o $(O)/obj/runner/testcase_main.o $(O)/libknee.a
	$(call say,LD)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(filter %.o %.a,$^) $(TEST_LDFLAGS) $(RUNNER_LIBS)
	$(Q)ln -f $@ $@_processes; ln -f $@ $@_threads

$(O)/obj/check/%.o: check/unit/%.c $(FLAGS_FILE)
	$(call say,CC)mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CFLAGS) $(DEPFLAGS) -Irunner -Ipostprocess -Iplot -c -o $@ $<

$(O)/check/%: $(O)/obj/check/%.o $(O)/libresult.a $(O)/libknee.a
	$(call say,LD)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(filter %.o,$^) $(O)/libknee.a $(O)/libresult.a -pthread $(LDFLAGS) -lcmocka \
		$(RESULT_LIBS) $(SWEEP_LIBS)

# CASE=name: one file of check/unit or check/cases alone, or a glob of them.
check:
	$(Q).ci/deps check
	$(Q)$(MAKE) --no-print-directory check-run
check-run: all $(CHECK_TESTS) $(CHECK_PROGRAMS) $(O)/check/power
	$(Q)$(MAKE) --no-print-directory drop-in DIR=$(O)/drop-in
	$(Q)O=$(O) check/run $(CASE)
check-unit: $(CHECK_PROGRAMS)
	$(Q)O=$(O) check/run 'test_*'
# Pages in a browser; where there is none it says so.
check-browser:
	$(Q)check/browser.sh
.PHONY: check check-run check-unit check-browser

# Is each testcase what its facts say? Some minutes. Compilers and -DNDEBUG must not change it.
# CASE=name: one testcase alone, or a regular expression.
TRUTH_CC := gcc clang
check-truth: tests
	$(Q).ci/deps check
	$(Q)for cc in $(TRUTH_CC); do \
		$(MAKE) --no-print-directory O=$(O)/truth-$$cc CC=$$cc CFLAGS='-O3 -DNDEBUG' tests || exit; \
	done
	$(Q)python3 check/truth/truth.py $(if $(CASE),-n '$(CASE)') $(O)/tests \
		$(TRUTH_CC:%=$(O)/truth-%/tests)
.PHONY: check-truth

# The expected outputs anew, from what the programs print now: look at what differs.
golden: commands
	$(Q)for script in $$(grep -l 'golden ' check/cases/*.sh); do \
		O='$(O)' GOLDEN=write sh $$script | grep '^not ok'; \
	done; true
	$(Q)git --no-pager diff --stat -- check/golden
.PHONY: check-programs golden

# Virtual machines with packages, nodes, SMT; needs QEMU and a kernel, and says so if they are missing.
check-vm: all $(CHECK_TESTS)
	$(Q)O=$(O) check/vm/run
.PHONY: check-vm

# The pictures of doc/: what each placement does with a machine that fits the page.
doc-pictures: all
	$(Q)HWLOC_SYNTHETIC='pack:2 numa:1 l3:2 core:4 pu:2' $(O)/runtest --topology --json >$(O)/machine.json
	$(Q)$(O)/knee plot placement $(O)/machine.json -o $(O)/pictures >/dev/null
	$(Q)mkdir -p doc/pictures && cp $(O)/pictures/placement-*.svg doc/pictures
.PHONY: doc-pictures

# ---- the rest -------------------------------------------------------------------------------------

# Manual pages: text by hand, OPTIONS from the programs' own tables.
man: $(MAN_PAGES)
.PHONY: man

$(O)/man/runtest.1: MAN_PROGRAM = $(O)/runtest
$(O)/man/knee-testcase.1: MAN_PROGRAM = $(O)/tests/getppid1
$(O)/man/knee-%.1: MAN_PROGRAM = $(O)/libexec/$(basename $(notdir $@))
$(O)/man/%.1: doc/man/%.1.in $(O)/runtest $(O)/tests/getppid1 $(COMMANDS)
	$(call say,MAN)mkdir -p $(@D)
	$(Q)$(MAN_PROGRAM) --man > $@.options
	$(Q)sed -e '/^@OPTIONS@$$/{r $@.options' -e 'd}' $< > $@
	$(Q)rm $@.options

# Installs what is missing. The packages are then found by a make of its own.
deps:
	$(Q).ci/deps
.PHONY: deps

# A first look at this machine, in about a minute. What was measured is shown even if a cell failed.
QUICKSTART := mmap_churn socket_churn pipe_churn stat_storm
quickstart: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)run=runs/quickstart-$$(date +%Y%m%d-%H%M%S); \
	$(O)/runtest --budget 1m --warmup 0.1 -t 1,2,25%,50%,all -o $$run $(QUICKSTART) >/dev/null; \
	status=$$?; \
	$(O)/knee summary $$run && $(O)/knee plot curves $$run -o $$run --format svg,png >/dev/null && \
	printf '%s\n' '' "run directory: $$run" "tables: $$(echo $$run/*.csv)" \
		"pictures: $$(echo $$run/*.svg $$run/*.png)" && \
	exit $$status
.PHONY: quickstart

bench: all $(O)/check/bare $(O)/check/power
	$(Q)python3 check/bench/bench.py $(O)
	$(Q)$(O)/check/power check/fixtures/noise.json 2000
	$(Q)python3 check/bench/compare.py $(O)
.PHONY: bench

$(O)/obj/check/power.o: check/bench/power.c $(FLAGS_FILE)
	$(call say,CC)mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CFLAGS) $(DEPFLAGS) -Irunner -Ipostprocess -c -o $@ $<

$(O)/check/bare: check/bench/bare.c $(FLAGS_FILE)
	$(call say,CC)mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CFLAGS) -falign-functions=64 -falign-loops=32 -o $@ $<

clean:
	rm -rf $(O) $(if $(filter build,$(O)),runtest knee)
.PHONY: clean

HEADERS := $(patsubst %,headercheck-%,$(wildcard runner/*.h postprocess/*.h plot/*.h))
headercheck: $(HEADERS)
$(HEADERS): headercheck-%:
	$(call say,HEADER)$(CC) $(OWN_CFLAGS) -Irunner -Ipostprocess -Iplot -fsyntax-only \
		-include $* -x c /dev/null
.PHONY: headercheck $(HEADERS)

.SECONDARY:
-include $(wildcard $(O)/obj/*.d $(O)/obj/*/*.d)
