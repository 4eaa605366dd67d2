# SPDX-License-Identifier: Apache-2.0
#
# Makefile - every target of the project; `make help` lists them.
#
# Public targets first install what is missing (scripts/setup.sh, which costs nothing when nothing
# is), then call make again: only that second make needs the tools. What modules there are is known
# once rtlgen has run (build/rtl/<set>/<module>.json), so lowering and building are two calls too.
# A set is C that is lowered in one call: a machine (its rooms of hls/ with its configuration), example (hls/example) or test/<x> (one file of rtl_gen/test).
# Files appear by rename when they are whole; an interrupted run leaves nothing behind that counts.

# ---- what comes from outside ---------------------------------------------------------------------

MACHINE  ?= aries
MODULE   ?=
PREFIX   ?=
TARGET   ?= ecp5
SETUP    ?= yes
NEW      ?= no
SV       ?= no
CYCLES   ?= 1000000
PROGRAMS ?= 10000
MUTANTS  ?= 200
MUTANT_CYCLES ?= 500000
MICROPACKETS  ?= 1e9
RTL_MICROPACKETS ?= 1e7
# of make campaign: micropackets, or MODE=packet
MODE     :=
PACKETS  ?= 1e9
RTL_PACKETS ?= 1e7
SEED     ?= 1
SEEDS    ?= 3
PLACER   ?= heap
DEVICE   ?= ecp5
BOARD    ?= ulx3s
J        ?= 2
BLOCK    ?=
RTL      ?=
TOP      ?=
EXACT    ?= no
EXPERIMENT ?=
# an experiment; of the command line alone, some systems have it in the environment
NAME     :=

# All of it reaches a shell, so it is checked before anything else, and unexpanded: what make expands may be a command.
NAMES    := EXPERIMENT MODULE MACHINE TARGET BOARD SETUP NEW SV PREFIX PLACER MICROPACKETS RTL_MICROPACKETS MODE PACKETS RTL_PACKETS BLOCK TOP EXACT
NUMBERS  := CYCLES PROGRAMS MUTANTS MUTANT_CYCLES SEED SEEDS J
DIGITS   := 0 1 2 3 4 5 6 7 8 9
LETTERS  := _ a b c d e f g h i j k l m n o p q r s t u v w x y z \
    A B C D E F G H I J K L M N O P Q R S T U V W X Y Z

# $(call each,characters,by,text): the text with each of the characters replaced
each     = $(if $(1),$(call each,$(wordlist 2,99,$(1)),$(2),$(subst $(firstword $(1)),$(2),$(3))),$(3))
no_name  = $(call each,$(LETTERS) $(DIGITS),,$(value $(1)))
# one from 1 on, or any seed, of at most 18 digits
number   = $(if $(call each,$(DIGITS),,$(value $(1))),,$(if $(word 19,$(call each,$(DIGITS),x ,$(value $(1)))),,$\
    $(or $(filter-out 0%,$(value $(1))),$(filter SEED=0,$(1)=$(value $(1))))))
# $(call scaled,variable): digits of 1e6 and its like, a digit with one or two digits of zeros behind it; else nothing
scaled   = $(if $(filter $(foreach d,$(wordlist 2,10,$(DIGITS)),$(d)e%),$(value $(1))),$(if $(call each,$(DIGITS) e,,$(value $(1))),,$\
    $(if $(word 4,$(call each,$(DIGITS) e,x ,$(value $(1)))),,$(shell printf '%.0f' $(value $(1))))))
define LINE_END


endef
# $(call given,variable): for a message, in one line
given    = $(1)=$(subst $(LINE_END), ,$(value $(1)))

NO_NAME  := $(strip $(foreach v,$(NAMES),$(if $(call no_name,$(v)),$(v))))
# devices and experiments have a dash in their names
ifneq ($(strip $(call each,$(LETTERS) $(DIGITS) -,,$(value DEVICE))),)
NO_NAME  += DEVICE
endif
ifneq ($(strip $(call each,$(LETTERS) $(DIGITS) -,,$(value NAME))),)
NO_NAME  += NAME
endif
# hand/<x> is a name, too
ifeq ($(call no_name,MODULE)$(filter hand/%,$(value MODULE)),/$(value MODULE))
NO_NAME  := $(filter-out MODULE,$(NO_NAME))
endif
ifneq ($(NO_NAME),)
$(error $(call given,$(firstword $(NO_NAME))): a name is wanted, of letters, digits and _)
endif
ifneq ($(strip $(call each,. / + -,,$(call no_name,RTL))),)
$(error $(call given,RTL): files are wanted, in letters, digits and _ . / + -, with blanks between them)
endif
$(foreach v,$(NUMBERS),$(if $(call scaled,$(v)),$(eval override $(v) := $(call scaled,$(v)))))
NO_NUMBER := $(strip $(foreach v,$(NUMBERS),$(if $(call number,$(v)),,$(v))))
ifneq ($(NO_NUMBER),)
$(error $(call given,$(firstword $(NO_NUMBER))): a number from 1 on is wanted, in at most 18 digits or as 1e6)
endif
ifneq ($(realpath $(lastword $(MAKEFILE_LIST))),$(or $(realpath Makefile),none))
$(error this Makefile works in its own folder only: make -C <folder>, not make -f <folder>/Makefile)
endif

# What each target heeds; a variable on the command line that all of the targets asked for ignore is a mistake.
HEEDS_setup    :=
HEEDS_demo     := J SEED
HEEDS_demo-stream := J SEED BOARD
HEEDS_test     := J SEED
HEEDS_test-long := J SEED PROGRAMS MICROPACKETS RTL_MICROPACKETS
HEEDS_soak     := J SEED FIRST
HEEDS_lint     := J NEW MACHINE
HEEDS_cosim    := J MODULE MACHINE CYCLES SEED SV
HEEDS_synth    := J MODULE MACHINE TARGET
HEEDS_pnr      := J MODULE MACHINE DEVICE SEEDS PLACER
HEEDS_bitstream := BOARD TOP
HEEDS_load     := BOARD TOP
HEEDS_board-sim := J BOARD TOP CYCLES
HEEDS_bench    := J
HEEDS_conform  := J BLOCK RTL TOP EXACT MACHINE SEED
HEEDS_campaign := J MICROPACKETS RTL_MICROPACKETS MODE PACKETS RTL_PACKETS SEED
HEEDS_networks := J SEED
HEEDS_experiment := J NAME SEED
HEEDS_bgl-experiments := J EXPERIMENT SEED
HEEDS_rtl      := J MACHINE PREFIX SV
HEEDS_prove    := J MODULE MACHINE
HEEDS_fuzz     := J PROGRAMS SEED
HEEDS_mutate   := J MODULE MACHINE MUTANTS MUTANT_CYCLES SEED
HEEDS_ugni     := J
HEEDS_clients  := J
HEEDS_mpi      := J PROGRAM NODES RTL
HEEDS_report   :=
HEEDS_golden   := J
HEEDS_docs     := J
HEEDS_dist     := J MACHINE
HEEDS_wave     := FILE
HEEDS_editor   :=
HEEDS_clean    :=
HEEDS_help     := $(NAMES) $(NUMBERS) DEVICE NAME RTL

# only what a person types: make calls itself with the same variables
ifeq ($(or $(MAKELEVEL),0),0)
ASKED    := $(or $(MAKECMDGOALS),help)
TYPED    := $(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $(v))),$(v)))
ifeq ($(filter-out $(patsubst HEEDS_%,%,$(filter HEEDS_%,$(.VARIABLES))),$(ASKED)),)
IGNORED  := $(filter-out SETUP $(foreach t,$(ASKED),$(HEEDS_$(t))),$(TYPED))
ifneq ($(IGNORED),)
$(error make $(ASKED) does not heed $(firstword $(IGNORED)); it heeds $(strip $(foreach t,$(ASKED),$(HEEDS_$(t))) SETUP))
endif
endif
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDEXPANSION:
MAKEFLAGS += --no-builtin-rules --no-print-directory --silent
SHELL := /bin/bash

SUB      := +@$(MAKE)
REPORTS  := build/reports
export MACHINE SEED MUTANT_CYCLES
# numbers with a point, and one order of names, everywhere
export LC_ALL := C

# ---- the targets that people call ----------------------------------------------------------------

TARGETS := help setup demo demo-stream test test-long soak lint cosim synth pnr bitstream load board-sim bench campaign networks experiment bgl-experiments rtl prove \
    process fuzz mutate report golden docs dist wave editor conform ugni clients mpi clean
.PHONY: $(TARGETS)

help: ## this list
	@echo "Heddle: C descriptions of an interconnect, lowered to Verilog and verified against it"
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20
	@echo
	@echo "variables:" $(foreach v,$(NAMES) $(NUMBERS) DEVICE,$(v)=$($(v))) | fold -s -w 98 | sed 's/^/  /'

setup: ## install what is missing (SETUP=no: only say what)
	@SETUP='$(SETUP)' scripts/setup.sh

demo: setup ## links, routers and NICs, C and RTL in lockstep, errors injected, a lane killed
	$(SUB) -j$(J) _rtl_demo
	$(SUB) -j$(J) _demo

demo-stream: setup ## an accelerator of 40 lines of C on streams: its test, lockstep, proof, cocotb's AXI4-Stream and a bitstream for BOARD (hls/example/STREAM.md)
	$(SUB) -j$(J) build/rtl/example/done
	$(SUB) -j$(J) _demo_stream

test: setup ## all tests but the long ones: half an hour on two cores
	$(SUB) -j$(J) -k _python _rtl _sv || true
	$(SUB) -j$(J) -k _programs || true
	$(SUB) _test

test-long: setup ## everything: the tests, longer lockstep, proofs, campaign
	$(SUB) test
	$(SUB) soak
	$(SUB) prove
	$(SUB) fuzz
	$(SUB) campaign

soak: setup ## long runs: modules and tiles 1e6 clocks, whole routers and devices of aries 1e4 in lockstep, 1e6 clocks at offered 1.0; 1e6 transactions of NICs; all tests with 20 new seeds
	$(SUB) -j$(J) _rtl
	$(SUB) -j$(J) _long_programs _programs _python
	$(SUB) _long
	$(SUB) _explained
	$(SUB) _seeds

lint: setup ## generated Verilog, C and scripts through their tools: no warning; NEW=yes: Verilog of MACHINE, newer tools
	$(SUB) -j$(J) $(if $(filter yes,$(NEW)),_rtl_machine build/rtl/sv/$(MACHINE)/done,_rtl _sv)
	$(SUB) _lint

cosim: setup ## lockstep of one module, C against Verilator: MODULE= CYCLES= SEED= MACHINE=; SV=yes: its SystemVerilog
	$(SUB) -j$(J) _rtl_named $(if $(filter yes,$(SV)),_sv_named)
	$(SUB) -j$(J) _cosim

synth: setup ## area and Fmax by Yosys and nextpnr: MODULE= TARGET=ecp5, ice40 or xilinx
	$(SUB) -j$(J) _rtl_named
	$(SUB) _synth

pnr: setup ## clock rate and size after place and route: MODULE= DEVICE=ecp5, ecp5-5g or hx8k, SEEDS=3 PLACER=static (large designs)
	@scripts/pnr/known.sh device $(DEVICE) $(PLACER)
	$(SUB) -j$(J) _rtl_named build/bin/rtlgen
	$(SUB) _pnr

bitstream: setup ## a top for a board, placed and routed at the rate of constraints/<board>.board: BOARD=ulx3s TOP=link_bist
	@scripts/pnr/known.sh board $(BOARD) $(BOARD_TOP)
	$(SUB) build/rtl/$(BOARD_SET)/done
	$(SUB) _bitstream

load: ## load that bitstream into the board, by openFPGALoader: BOARD= TOP=
	@scripts/pnr/load.sh $(BOARD) $(BOARD_TOP)

board-sim: setup ## what that board's console prints, by Verilator, a second being 3,000 clocks: BOARD= TOP= CYCLES=100000
	@scripts/pnr/known.sh board $(BOARD) $(BOARD_TOP)
	$(SUB) build/rtl/proto/done
	$(SUB) -j$(J) _board_sim

bench: setup ## speed of rtlgen, of the native model and of Verilator, as ratios
	$(SUB) -j$(J) build/rtl/aries/done
	$(SUB) -j$(J) build/bin/router-speed build/bin/netspeed build/cosim/aries/loaded-tile
	$(SUB) _bench

editor: ## build/compile_commands.json: how each file is compiled, for clangd and other editors
	@scripts/make/commands.py

conform: export CONFORM_ON = $(CONFORM_BENCHES)
conform: setup ## golden models against somebody's Verilog: BLOCK=lcb, nic or router RTL="mine.v more.v" TOP= EXACT=yes
	@TOP='$(or $(TOP),$(BLOCK))' EXACT='$(EXACT)' scripts/conform.sh --known '$(BLOCK)' $(foreach f,$(RTL),'$(f)')
	$(SUB) -j$(J) _rtl_machine
	$(SUB) -j$(J) _conform_programs
	@TOP='$(or $(TOP),$(BLOCK))' EXACT='$(EXACT)' scripts/conform.sh '$(BLOCK)' $(foreach f,$(RTL),'$(f)')

campaign: setup ## the long error injection: 1e9 micropackets natively, 1e7 in RTL, 100,000 episodes; MODE=packet: as many packets; MODE=seastar: 64-bit flits on four lanes, 1e7; MODE=bgl: 1e8 packets of Blue Gene/L, 100,000 episodes
	$(if $(filter-out packet seastar bgl,$(MODE)),$(error MODE=$(MODE): MODE=packet, MODE=seastar, MODE=bgl, or without it micropackets))
	$(SUB) -j$(J) $(if $(MODE),build/rtl/$(MODE:packet=proto24)/done,_rtl_machine)
	$(SUB) -j$(J) _campaign$(MODE:%=_%)

networks: setup ## deadlock check of every shipped network, parts of a hop; accepted over offered load of those that BookSim2 has run, too
	$(SUB) -j$(J) build/bin/deadlock build/bin/nethop build/bin/netcompare
	@build/bin/deadlock
	@build/bin/nethop
	@build/bin/netcompare --jobs $(J) --seed $(SEED)

experiment: setup ## repeat an experiment of sim/experiments/, its table and plot under build/experiments/<name>/: NAME= SEED=
	@scripts/experiment.py --needs '$(NAME)' >/dev/null
	$(SUB) -j$(J) $$(scripts/experiment.py --needs '$(NAME)')
	@scripts/experiment.py $(if $(filter file,$(origin SEED)),,--seed $(SEED)) '$(NAME)'

bgl-experiments: setup ## the published experiments of the Blue Gene/L torus beside bglsim's figures, a page with plots. EXPERIMENT=1 to 12: one, on the published sizes
	$(SUB) -j$(J) build/bin/bglsim
	@scripts/bgl/experiments.py --jobs $(J) --seed $(SEED) $(EXPERIMENT)

rtl: setup ## Verilog of every module of MACHINE under build/rtl/<machine>/; PREFIX=heddle_: so named, under build/prefixed/; SV=yes: SystemVerilog, under build/rtl/sv/
	$(SUB) -j$(J) build/$(if $(PREFIX),prefixed,rtl)/$(if $(filter yes,$(SV)),sv/)$(MACHINE)/$(if $(PREFIX),$(PREFIX)/)done

prove: setup ## z3: the Verilog of every module (or MODULE=) computes its C; assertions and covers; invariants of link, router, NIC
	$(SUB) -j$(J) $(if $(MODULE),_rtl_named,_rtl) build/bin/prove
	$(SUB) _prove

process: setup ## what processes cost: natively against a switch, LUT4 of both ends, 200 and 342 states; process.json
	$(SUB) build/bin/rtlgen build/bin/prove build/process/by_hand
	@scripts/process/measure.py
	@scripts/process/cover.py && scripts/process/search.py

fuzz: setup ## random programs on Verilator, Icarus, as netlists; and invalid ones: PROGRAMS=10000 SEED=
	$(SUB) -j$(J) _fuzz_programs
	@tb/equiv/fuzz/fuzz.sh --invalid --programs $$(($(PROGRAMS) / 5)) --seed $(SEED) --jobs $(J)
	@tb/equiv/fuzz/fuzz.sh --programs $(PROGRAMS) --seed $(SEED) --jobs $(J)

mutate: setup ## share of errors put into a module that its tests catch: MODULE= MUTANTS=200
	$(SUB) -j$(J) _rtl_named
	$(SUB) -j$(J) _mutate

report: setup ## one page of all that has been measured so far, with plots: build/reports/index.html
	@scripts/report/report.py

ugni: setup ## a user's program on the modelled NIC: build/bin/machined, build/lib/libugni.so, its header (sim/host/ugni)
	$(SUB) -j$(J) build/bin/machined build/bin/nicbench build/bin/put_word _ugni

clients: setup ## UCX of Debian's source package over it (fetched and built once, 12 minutes): its tests that name ugni; clients.json
	$(SUB) -j$(J) build/rtl/proto/done
	$(SUB) -j$(J) build/bin/machined build/bin/machined-rtl _ugni
	@J=$(J) scripts/clients/ucx.sh build
	@scripts/clients/ucx.sh test
	@scripts/clients/ucx.sh perf

mpi: setup ## an MPI program on the modelled NIC: PROGRAM="NPopenmpi -u 4096" NODES=2, RTL=yes on its Verilog; without PROGRAM checks and NetPIPE; mpi.json
	$(if $(filter yes,$(RTL)),$(SUB) -j$(J) build/rtl/proto/done)
	$(SUB) -j$(J) build/bin/machined $(if $(filter yes,$(RTL)),build/bin/machined-rtl) _ugni
	@scripts/clients/ucx.sh plugin
	@scripts/clients/mpi.sh $(if $(filter yes,$(RTL)),--rtl) $(if $(NODES),--nodes $(NODES)) $(or $(PROGRAM),suite)

golden: setup ## accept what rtlgen writes now as expected output of rtl_gen/test (then look at the diff)
	$(SUB) -j$(J) build/bin/rtlgen
	@RTLGEN=build/bin/rtlgen scripts/test/test-rtlgen.sh --accept

docs: setup ## build/docs/index.html: integration guide of each block, its diagrams, pages of all registers
	@MAKE="$(MAKE)" J=$(J) scripts/docs/docs.sh

dist: setup ## a tarball of the Verilog, file lists and FuseSoC cores that depend on each other
	$(SUB) -j$(J) PREFIX=heddle_$(MACHINE)_ rtl SETUP=no
	$(SUB) -j$(J) _rtl_machine
	$(SUB) -j$(J) _dist

wave: export WAVE_FILE := $(value FILE)
wave: ## open a waveform in gtkwave with a list of its signals: FILE=build/demo/lcb.fst
	@scripts/wave.sh $${WAVE_FILE:+"$$WAVE_FILE"}

clean: ## remove everything that was generated
	rm -rf build

# Not `make help` from here: a makefile that make fails to find would call that for ever.
.DEFAULT:
	@echo "make: there is no target or file \"$@\"; make help tells what there is:" $(TARGETS) >&2
	@exit 1

# ---- compilers -----------------------------------------------------------------------------------

CC_HOST  := gcc
# to sanitizers the last array of a struct has bounds, too
CLANG    := clang-19 -fstrict-flex-arrays=3
WARN     := -Wall -Wextra -Werror
# lines for the reports of sanitizers; with variables (-g) clang takes twice as long
C11      := -std=c11 -D_GNU_SOURCE $(WARN) -g1
C23      := -std=c23 -D_GNU_SOURCE $(WARN) -g1
INCLUDES := -I. -Ihls
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# what runs long natively, on a processor of these years: to count the ones of a word is one instruction then, and codes are made
# of that
TUNE     := $(shell grep -qw avx2 /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo && echo -march=x86-64-v3)
# in lockstep the native model traps on undefined behaviour and the runner draws other inputs
TRAP     := -fsanitize=undefined,bounds -fsanitize-trap=undefined,bounds
LLVM_INC  = $(eval LLVM_INC := $$(shell llvm-config-19 --includedir))$(LLVM_INC)
LLVM_LIB  = $(eval LLVM_LIB := $$(shell llvm-config-19 --libdir))$(LLVM_LIB)

# $(call compile,compiler and flags): the first prerequisite to the target, dependencies beside it
define compile
@echo "  cc      $@"; mkdir -p $(@D); \
    $(1) -MMD -MP -MT $@ -MF $@.d.part -c $< -o $@.part && mv $@.d.part $@.d && mv $@.part $@
endef

# $(call link,linker and flags,libraries); gold takes half of the time of bfd for hundreds of programs, but has
# hundreds of warnings for the address sanitizer
define link
@echo "  link    $@"; mkdir -p $(@D); \
    $(1) $(if $(findstring address,$(1)),,-fuse-ld=gold) $(filter %.o %.a,$^) -o $@.part $(2) && mv $@.part $@
endef

# ---- rtlgen: one build to use, one with sanitizers for its tests ----------------------------------

RTLGEN_C  := $(wildcard rtl_gen/*.c $(patsubst %,rtl_gen/%/*.c,base design front graph exec passes plan emit))
RTLGEN    := build/bin/rtlgen
LLVM_LINK  = -L$(LLVM_LIB) -Wl,-rpath,$(LLVM_LIB) -lLLVM-19 -lclang-19 -lcjson

build/rtlgen/%.o: rtl_gen/%.c
	$(call compile,$(CC_HOST) $(C11) -O2 -I. -Irtl_gen -isystem $(LLVM_INC))

build/rtlgen-test/%.o: rtl_gen/%.c
	$(call compile,$(CLANG) $(C11) -O1 $(SANITIZE) -DRTLGEN_CHECK -I. -Irtl_gen -isystem $(LLVM_INC))

build/bin/rtlgen: $(RTLGEN_C:rtl_gen/%.c=build/rtlgen/%.o) build/sim/base/args.o build/sim/base/program.o
	$(call link,$(CC_HOST),$(LLVM_LINK))

build/bin/rtlgen-test: $(RTLGEN_C:rtl_gen/%.c=build/rtlgen-test/%.o) build/sim-san/base/args.o build/sim-san/base/program.o
	$(call link,$(CLANG) $(SANITIZE),$(LLVM_LINK))

# ---- prove: the Verilog of a module against its C, built apart from rtlgen ------------------------

PROVE_C := $(wildcard tb/equiv/prove/*.c tb/equiv/prove/*/*.c)

build/process/by_hand: scripts/process/by_hand.c $(wildcard rtl_gen/test/processes/*.c) hls/hls.h
	@echo "  link    $@"; mkdir -p $(@D); $(CLANG) $(C23) -O2 $(INCLUDES) $< -o $@

build/prove-tool/%.o: tb/equiv/prove/%.c
	$(call compile,$(CC_HOST) $(C11) -O2 -I. -Itb/equiv/prove -isystem $(LLVM_INC))

build/prove-tool-test/%.o: tb/equiv/prove/%.c
	$(call compile,$(CLANG) $(C11) -O1 $(SANITIZE) -I. -Itb/equiv/prove -isystem $(LLVM_INC))

build/bin/prove: $(PROVE_C:tb/equiv/prove/%.c=build/prove-tool/%.o) build/sim/base/args.o build/sim/base/program.o
	$(call link,$(CC_HOST),$(LLVM_LINK))

build/bin/prove-test: $(PROVE_C:tb/equiv/prove/%.c=build/prove-tool-test/%.o) build/sim-san/base/args.o build/sim-san/base/program.o
	$(call link,$(CLANG) $(SANITIZE),$(LLVM_LINK))

# ---- the rest ------------------------------------------------------------------------------------

include scripts/make/cosim.mk
include scripts/make/fuzz.mk
include scripts/make/tb.mk
include scripts/make/conform.mk
include scripts/make/sim.mk
include scripts/make/host.mk
include scripts/make/boards.mk

.PHONY: _python _programs _test _explained _seeds _lint _synth _pnr _bench _prove
TEST_LIST := build/test/list

_python:
	@scripts/python.sh

_programs: $(TB_TESTS) $(COSIMS) $(SV_TESTED:%=build/cosim/sv/%) $(PLAYED:%=build/cosim/%) build/bin/rtlgen-test build/bin/prove-test \
    build/bin/chip-tables build/bin/campaign build/bin/machined build/bin/machined-rtl build/bin/put_word $(CONFORM_TESTED) $(BOARD_TESTED) _fuzz_programs ; @:

_test:
	@mkdir -p build/test
	@TOGETHER='$(TOGETHER)' TESTED='$(TESTED)' LOADED='$(LOADED)' PLAYED='$(PLAYED)' SV_TESTED='$(SV_TESTED)' SV_LINTED='$(SV_LINTED)' \
	    scripts/test/test-list.sh $(TB_TESTS) >$(TEST_LIST)
	@scripts/test/run-tests.sh -j $(J) $(TEST_LIST)
	@scripts/process/cover.py

# seeds that nobody has tried; FIRST=<seed> repeats a run
_explained: build/tb/test_orb build/tb/test_rat build/tb/test_npt
	@tb/equiv/mutate/explained.sh

_seeds:
	@TOGETHER='$(TOGETHER)' TESTED='$(TESTED)' LOADED='$(LOADED)' PLAYED='$(PLAYED)' scripts/test/seeds.sh $(J) 20 $(TB_TESTS)

_lint: $(if $(filter yes,$(NEW)),,build/conform/aries/lcb_ports.h build/conform/aries/router_ports.h)
	@$(if $(filter yes,$(NEW)),scripts/lint-new.sh $(MACHINE),scripts/lint.sh)

# MODULE=hand/<x> is the hand-written one
_synth:
	@scripts/synth.sh $(if $(filter hand/%,$(MODULE)),hand $(notdir $(MODULE)),$(MODULE_SET) $(MODULE)) $(TARGET)

_pnr:
	@scripts/pnr/pnr.sh $(MODULE_SET) $(MODULE) $(DEVICE) $(SEEDS) $(PLACER)

_bench:
	@scripts/bench/bench.sh
	@scripts/bench/bench-compile.sh
	@build/bin/netspeed --json build/reports/net-speed-aries.json dragonfly:33x1x8x4
	@scripts/bench/net-speed.sh
	@scripts/names.sh

ifneq ($(MODULE),)
_prove:
	@status=0; tb/equiv/prove/prove-rtl.sh $(MODULE_SET)/$(MODULE) || status=1; \
	tb/equiv/prove/prove-checks.sh $(MODULE_SET)/$(MODULE) || status=1; exit $$status
else
_prove:
	@status=0; tb/equiv/prove/prove.sh || status=1; tb/equiv/prove/prove-broken.sh || status=1; \
	tb/equiv/prove/prove-checks.sh || status=1; tb/equiv/prove/prove-rtl.sh $(MODULES) || status=1; exit $$status
endif

include $(shell find build -name '*.o.d' -o -name '*.bc.d' 2>/dev/null)
