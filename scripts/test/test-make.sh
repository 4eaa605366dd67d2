#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-make.sh - what make, its scripts and programs say to wrong input, and that none of it is run as a command. Prints TAP.
set -euo pipefail

. scripts/test/tap.sh
unset MAKEFLAGS MAKELEVEL

bare=build/test/bare-path # a PATH with hardly anything on it
mkdir -p "$bare"
ln -sf "$(command -v sh)" "$(command -v id)" "$bare/"

expect "make alone is make help" 0 'make demo' make
expect "an unknown target lists the targets" 2 'no target.*nonsense.*cosim' make nonsense
expect "an unknown module lists the modules" 2 'no module "nonsense".*debounce' \
    make cosim MODULE=nonsense
expect "a misspelt one gets the nearest, and nothing else" 2 '^make: there is no module "debonce" in aries; did you mean debounce? make' make cosim MODULE=debonce
expect "a variable that the target does not heed is told" 2 'make test does not heed MODULE; it heeds J SEED SETUP' make test MODULE=lcb
expect "one that nobody knows, too" 2 'make report does not heed FOO; it heeds SETUP' make report FOO=1
expect "what one of two targets heeds is good" 0 'cosim' make -n setup cosim MODULE=debounce CYCLES=1000
expect "no module lists the modules" 2 'which module.*debounce' make cosim
expect "an unknown machine lists the machines" 2 'no machine "nonsense".*aries' \
    make rtl MACHINE=nonsense
expect "what is not a number is refused before anything is built" 2 'CYCLES=1x6: a number' \
    make cosim MODULE=debounce CYCLES=1x6
# shellcheck disable=SC2016 # make expands it
expect "1e3 is 1000" 0 '^1000 ' make -s --eval='cycles: ; @echo $(CYCLES)' cycles CYCLES=1e3
expect "two machines are none" 2 'MACHINE=aries proto: a name is wanted' make rtl MACHINE='aries proto'
rm -f build/rtl/formal/done
expect "the machine of proofs has Verilog, too, which no other test makes" 0 '' make SETUP=no rtl MACHINE=formal
expect "a pattern is no module" 2 'MODULE=%: a name is wanted' make cosim MODULE=%
expect "conform wants a block, before it lowers anything" 2 '^conform: BLOCK=lca: lcb, nic and router can be checked' make -W scripts/rtl.sh conform BLOCK=lca
expect "and a machine that it has a bench of" 2 '^conform: MACHINE=gemini: lcb can be checked as one of aries proto' make conform BLOCK=lcb MACHINE=gemini
expect "and files that are there" 2 '^conform: none.v: there is no such file' make conform BLOCK=lcb RTL=none.v
expect "and EXACT is yes or no" 2 '^conform: EXACT=maybe: it is yes or no' make conform BLOCK=lcb EXACT=maybe
expect "no experiment lists them" 2 '^experiment: which experiment? NAME= one of: .*hop.*roots' make experiment
expect "a misspelt one gets the nearest" 2 '^experiment: there is no experiment "port-share"; did you mean port-shares? make' make experiment NAME=port-share
expect "make -f from elsewhere is refused" 2 'works in its own folder only' make -C build -f "$PWD/Makefile"
expect "set-up is yes or no" 1 'SETUP is yes or no' env SETUP=nonsense sh scripts/setup.sh

# hostile NAME PATTERN COMMAND...: refused with that line, and nothing in it is run; each @ stands for some text that a
# shell, make, Yosys or arithmetic might run
executed=$PWD/build/test/executed
hostile() {
    local name=$1 pattern=$2 text output got wrong=
    shift 2
    number=$((number + 1))
    for text in "1'; touch $executed; '" "\`touch $executed\`" "\$(shell touch $executed)" "HOME[\$(touch $executed)]" \
        "x"$'\n'"!touch $executed"$'\n'; do
        rm -f "$executed"
        got=0
        output=$("${@//@/$text}" 2>&1) || got=$?
        if [ "$got" -eq 0 ] || [ -e "$executed" ] || ! tr '\n' ' ' <<<"$output" | grep -q -e "$pattern"; then
            wrong="$text: status $got, $([ ! -e "$executed" ] || echo "it was run; ")$(head -n 1 <<<"$output")"
        fi
    done
    if [ -z "$wrong" ]; then
        echo "ok $number - $name"
    else
        failed=1
        echo "not ok $number - $name # ${wrong//$'\n'/ }"
    fi
}

for variable in MODULE MACHINE TARGET DEVICE BOARD PLACER SETUP MICROPACKETS RTL_MICROPACKETS BLOCK TOP EXACT; do
    hostile "make $variable= wants a name" "$variable=.*: a name" make help "$variable=@"
done
for variable in CYCLES PROGRAMS MUTANTS MUTANT_CYCLES SEED SEEDS J; do
    hostile "make $variable= wants a number" "$variable=.*: a number" make help "$variable=@"
done
hostile "make NAME= wants a name" "NAME=.*: a name" make help "NAME=@"
hostile "make RTL= wants files" 'RTL=.*: files are' make help "RTL=@"
hostile "in the environment, too" "SEED=.*: a number" env "SEED=@" make help
expect "make help names every variable" 0 "$(printf '.* %s=' MODULE MACHINE TARGET SETUP PLACER MICROPACKETS \
    RTL_MICROPACKETS CYCLES PROGRAMS MUTANTS MUTANT_CYCLES SEED SEEDS J DEVICE)" make help
expect "the environment adds no recorders" 0 'make demo' env "UNIT_x=\$(error an expansion)" make help

# shellcheck disable=SC2016 # make expands it
expect "whatever the locale, tools speak C" 0 '^C ' env LC_ALL=C.UTF-8 make -s --eval='locale: ; @echo $$LC_ALL' locale

hostile "area.sh wants names" 'a name is' scripts/area.sh @
hostile "area.sh wants a number of seeds" 'a number is' scripts/area.sh --seeds @
hostile "bench.sh wants a number" 'a number is' env CLOCKS=@ scripts/bench/bench.sh
hostile "bench-compile.sh wants numbers" 'a number is' env LINES_OF_C=@ scripts/bench/bench-compile.sh
hostile "cells.sh wants a name" 'a name is' scripts/cells.sh @
hostile "conform.sh wants a block" 'a name is' scripts/conform.sh @
hostile "conform.sh wants plain paths" 'a path is' scripts/conform.sh lcb @
hostile "conform.sh wants a module's name" 'a name is' env TOP=@ scripts/conform.sh lcb
hostile "dist.sh wants a name" 'a name is' env MACHINE=@ scripts/dist.sh
hostile "fmax.sh wants a module's name" 'a name is' scripts/fmax.sh build/test/fmax @ rtl_gen/test/hand/fifo.v
hostile "fmax.sh wants plain paths" 'a path is' scripts/fmax.sh build/test/fmax fifo @
hostile "fuzz.sh wants a number" 'a number is' tb/equiv/fuzz/fuzz.sh --programs @
hostile "fuzz.sh wants a module's name" 'a name is\|cannot stat' tb/equiv/fuzz/fuzz.sh --one "build/test/@.c"
hostile "long-list.sh wants names" 'a name is' scripts/test/long-list.sh @
hostile "long-list.sh wants a number" 'a number is' env SEED=@ scripts/test/long-list.sh aries
hostile "mutate.sh wants names" 'names are' tb/equiv/mutate/mutate.sh example @
hostile "mutate.sh wants a number" 'a number is' tb/equiv/mutate/mutate.sh example debounce @
hostile "mutate-rtl.sh wants names" 'names are' tb/equiv/mutate/mutate-rtl.sh @ debounce
hostile "mutate-rtl.sh wants a number" 'a number is' tb/equiv/mutate/mutate-rtl.sh example debounce 1 @
hostile "mutate-c.sh wants names" 'a name is' tb/equiv/mutate/mutate-c.sh @
hostile "pnr.sh wants names" 'names are' scripts/pnr/pnr.sh example @ hx8k 1
hostile "pnr.sh wants a known device" 'unknown device' scripts/pnr/pnr.sh example debounce @ 1
hostile "pnr.sh wants a known placer" 'unknown placer' scripts/pnr/pnr.sh example debounce hx8k 1 @
expect "make pnr wants a known placer" 2 'unknown placer sa; there are heap, static' make SETUP=no pnr MODULE=lcb PLACER=sa
expect "pnr.sh says which placer the device has not" 1 'nextpnr for hx8k has no static placer' scripts/pnr/pnr.sh example debounce hx8k 1 static
hostile "pnr.sh wants a number of seeds" 'a number is' scripts/pnr/pnr.sh example debounce hx8k @
expect "pnr.sh wants an odd number of seeds" 1 'SEEDS=2: an odd number' scripts/pnr/pnr.sh example debounce hx8k 2
expect "pnr.sh says which memory the device has not" 1 'ice40 has no memory.*LUTRAM' scripts/pnr/pnr.sh aries lcb_regs hx8k 1
hostile "bitstream.sh wants names" 'a name is' scripts/pnr/bitstream.sh @ link_bist
hostile "netlist.sh wants a name" 'a name is' scripts/pnr/netlist.sh @ build/x.v
hostile "prove-rtl.sh wants names" 'names are' tb/equiv/prove/prove-rtl.sh @
hostile "prove-rtl.sh wants a number" 'a number is' env SECONDS_MODULE=@ tb/equiv/prove/prove-rtl.sh example/debounce
hostile "prove-checks.sh wants names" 'names are' tb/equiv/prove/prove-checks.sh @
hostile "prove.sh wants a set" 'no property set' tb/equiv/prove/prove.sh @
hostile "run-tests.sh wants a number" 'a number is' scripts/test/run-tests.sh -j @ build/test/no-list
hostile "synth.sh wants names" 'names are' scripts/synth.sh example @ ecp5
hostile "synth.sh wants a known target" 'names are' scripts/synth.sh example debounce @
hostile "test-icarus.sh wants names" 'names are' scripts/test/test-icarus.sh @
hostile "test-list.sh wants a number" 'a number is' env SEED=@ scripts/test/test-list.sh
hostile "test-list.sh wants names" 'names are' env TESTED=@ scripts/test/test-list.sh
hostile "a seed is a number" 'seed .*: a number' build/tb/test_link_golden --seed @
hostile "so is what the environment says" 'SEED .*: a number' env SEED=@ build/tb/test_link_golden
expect "a negative seed is none" 1 'seed -1: a number' build/tb/test_link_golden --seed -1
expect "a number of clocks is one" 1 'cycles 1e30: a number' build/cosim/proto/loaded-router --cycles 1e30
hostile "an unknown network is refused" 'netsim: ' build/bin/netsim @
expect "hand-written Verilog is no module to compare" 2 'no module "hand/fifo".*debounce' \
    make cosim MODULE=hand/fifo
expect "make mutate needs what records the module's inputs" 0 'record-lcb.*unit-lcb/test_link_registers' \
    make -n -W tb/equiv/lockstep/record.c _mutate MODULE=lcb
expect "set-up forbidden prints the line to run" 1 'apt-get install .*verilator' \
    env PATH="$bare" SETUP=no sh scripts/setup.sh
expect "set-up without apt-get names what is missing" 1 'no apt-get.*verilator' \
    env PATH="$bare" SETUP= sh scripts/setup.sh
expect "set-up with nothing missing is silent" 0 '^ $' sh scripts/setup.sh
expect "lockstep refuses an unknown option" 1 'no option "--nonsense"' build/cosim/example/debounce --nonsense 1
expect "lockstep refuses what is not a number" 1 'cycles many: a number' \
    build/cosim/example/debounce --info build/rtl/example/debounce.json --cycles many
expect "lockstep refuses to compare nothing" 1 'cycles 0: a number from 1' \
    build/cosim/example/debounce --info build/rtl/example/debounce.json --cycles 0
expect "lockstep names a file it cannot read" 1 'cannot read nothing.json' \
    build/cosim/example/debounce --info nothing.json

# Of these nets one is named like something in hls/, the others like a word of its comments and of a file's name.
names=build/test/names
rm -rf "$names"
mkdir -p "$names/rtl"
ln -s ../../../hls "$names/hls"
printf '    reg %s;\n' self SPDX lcb_micropacket >"$names/rtl/x.v"
expect "names.sh counts names of the C alone" 1 '3 nets: 1 source, 0 described, 2 without' \
    env -C "$names" ../../../scripts/names.sh rtl
expect "names.sh without Verilog says so" 1 'no Verilog in' scripts/names.sh build/test/no-folder

# config NAME PATTERN HEADER MACHINE LINE...: HEADER of hls/ with the sizes of MACHINE, changed by LINE...
config() {
    local name=$1 pattern=$2 header=$3 machine=$4 line
    shift 4
    mkdir -p "$sizes/config"
    {
        echo "#include \"$PWD/hls/config/$machine.h\""
        for line in "$@"; do
            printf '#undef %s\n#define %s\n' "${line% *}" "$line"
        done
    } >"$sizes/config/machine.h"
    expect "$name" "$([ -z "$pattern" ] && echo 0 || echo 1)" "$pattern" \
        clang-19 -std=c23 -E -o /dev/null -I"$sizes" -Ihls -x c "hls/$header"
}

sizes=build/test/sizes # a folder with a config/machine.h in front of that of hls/
router=router/input/inq_store.h
link=chip/link_port.h
config "sizes: those of proto are good" '' $link proto
config "sizes: no rows" 'error: "config: RTR_ROWS and RTR_COLS' $router proto 'RTR_ROWS 0'
config "sizes: nine columns" 'error: "config: RTR_ROWS and RTR_COLS' $router yarc 'RTR_COLS 9'
config "sizes: more links than ports" 'error: "config: RTR_LINKS' $router proto 'RTR_LINKS 5'
config "sizes: more VCs than the head can name" 'error: "config: RTR_VCS' $router yarc \
    'RTR_VCS 4' 'RTR_VC_BITS 2'
config "sizes: a packet longer than its length field" 'error: "config: RTR_PACKET' $router proto \
    'RTR_PACKET 17'
config "sizes: a head wider than a flit" 'error: "config: the fields of the head' $router gemini \
    'RTR_HASH_BITS 1'
config "sizes: a mode of two bits" 'error: "config: RTR_MODE_BITS' $router gemini 'RTR_MODE_BITS 2'
for buffer in STAGE ROW COL; do
    config "sizes: RTR_${buffer}_LOG2 below a packet" 'error: "config: a buffer holds less' $router \
        aries "RTR_${buffer}_LOG2 3"
done
config "sizes: an input queue below three packets per VC" 'error: "config: a VC.s part of the input' $router \
    gemini 'RTR_INQ_LOG2 6'
config "sizes: a shared input queue below its waste" 'error: "config: a shared input queue' $router \
    aries 'RTR_INQ_LOG2 7'
config "sizes: a link that lends more than there is" 'error: "config: LCB_GUARANTEED' $link proto \
    'LCB_SHARED_MOST 25'

# code NAME PATTERN DATA BITS: an instance of ecc.inc with so many data and check bits
code() {
    expect "$1" "$([ -z "$2" ] && echo 0 || echo 1)" "$2" clang-19 -std=c23 -fsyntax-only -Ihls \
        -include hls.h -DECC=code -DECC_DATA="$3" -DECC_BITS="$4" -x c hls/common/ecc.inc
}

code "codes: 57 data bits take 7 check bits" '' 57 7
code "codes: 58 need more" 'error: "ecc.inc: ECC_BITS are too few' 58 7
code "codes: 64 data bits take 8" '' 64 8
code "codes: 65 are too many" 'error: "ecc.inc: more than 64 data bits' 65 8
code "codes: 27 data bits need more than 6 check bits" 'error: "ecc.inc: ECC_BITS are too few' 27 6
code "codes: 26 do not" '' 26 6
echo "1..$number"
exit "$failed"
