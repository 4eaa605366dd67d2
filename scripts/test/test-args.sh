#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-args.sh - every program says in --help and --usage what its table of options has, and refuses in one line, with its exit
# status, an option that is not there, a value that is missing and a number that is none; so does every test. Prints TAP.
# shellcheck disable=SC2317 # check calls the functions
set -euo pipefail

. scripts/test/tap.sh
# each program, the source with its table, an option that has a value, the exit status of an error
programs=(
    "build/bin/netsim sim/netsim/options.c --json 1" "build/bin/netspeed sim/speed/netspeed.c --json 1"
    "build/bin/netcompare sim/compare/compare.c --json 1" "build/bin/nethop sim/compare/hop.c --json 1"
    "build/bin/deadlock sim/deadlock/deadlock_main.c --json 1" "build/bin/failover sim/failover/failover.c --json 1" "build/bin/bglsim sim/bgl/options.c --json 1"
    "build/bin/campaign tb/system/programs/campaign.c --json 1" "build/tb/test_link_episodes tb/system/link/episode/episode_result.c --json 1"
    "build/tb/test_nic_abuse-proto tb/system/chip/abuse/test_nic_abuse.c --json 1"
    "build/cosim/example/debounce tb/equiv/lockstep/options.c --json 1" "build/cosim/proto/loaded-chip tb/equiv/lockstep/loaded_chip.c --json 1"
    "build/cosim/proto/loaded-router tb/equiv/lockstep/loaded.c --json 1"
    "build/board/link_bist/native tb/blocks/board/board_sim.c --cycles 1"
    "build/bin/fuzzgen tb/equiv/fuzz/gen.c --folder 1" "build/bin/fuzzglue tb/equiv/fuzz/glue.c --folder 1"
    "build/bin/fuzzrun tb/equiv/fuzz/run.c --folder 2" "build/bin/fuzzmutate tb/equiv/fuzz/mutate.c --seed 1"
    "build/bin/prove-test tb/equiv/prove/main.c --json 2" "build/bin/rtlgen-test rtl_gen/base/options.c --top 1"
)

# options SOURCE: names of the rows of its table
options() {
    tr '\n' ' ' <"$1" | grep -oE 'args_[a-z]+\( *"--[a-z-]+"' | grep -oE -- '--[a-z-]+'
    ! grep -qE '&[a-z.>-]*seed\b' "$1" || echo --seed
    printf '%s\n' --help --usage
}

# says PROGRAM SOURCE --help|--usage: status 0, nothing on standard error, each option is there
says() {
    local out option
    out=$("$1" "$3" 2>&1) || return 1
    for option in $(options "$2"); do
        if ! grep -qE -- "(^|[ [])$option([] =]|\$)" <<<"$out"; then
            echo "# $1 $3 does not mention $option"
            return 1
        fi
    done
}

# refuses PATTERN STATUS PROGRAM ARGUMENT...: one line, on standard error, that status
refuses() {
    local pattern=$1 wanted=$2 out status=0
    shift 2
    out=$("$@" 2>&1 >/dev/null) || status=$?
    [ "$status" -eq "$wanted" ] && [ "$(wc -l <<<"$out")" -eq 1 ] && grep -qe "^[a-z_]*[-a-z0-9]*: .*$pattern" <<<"$out" && return
    echo "# $*: status $status: $out"
    return 1
}

# each test of tb/ and sim/ that is there: an option that none has, and one as make has it
tests_refuse() {
    local program
    for program in build/tb/test_*; do
        [ -x "$program" ] || continue
        refuses 'no option "--nonsense"; see --help' 1 "$program" --nonsense 1 && refuses 'no option "SED=7"' 1 "$program" SED=7 || return 1
    done
}

short() {
    build/bin/netsim --load=0.1 --clock 1e2 --json /dev/null --svg /dev/null --html /dev/null torus:2x1x1 >/dev/null
}

for row in "${programs[@]}"; do
    read -r program source option status <<<"$row"
    name=${program##*/}
    check "$name --help has each option" says "$program" "$source" --help
    check "$name --usage has each option" says "$program" "$source" --usage
    check "$name refuses an unknown option" refuses 'no option "--nonsense"; see --help' "$status" "$program" --nonsense 1
    check "$name refuses one of a single dash" refuses 'no option "-nonsense"' "$status" "$program" -nonsense
    check "$name names the nearest option" refuses "\"$option\" is near" "$status" "$program" "${option}x" value
    check "$name wants a value" refuses "no value for option \"$option\"" "$status" "$program" "$option"
done
check "tests refuse what they do not know" tests_refuse
check "NAME=value is make's" refuses 'no option "SEED=7"; "--seed" is near' 1 build/tb/test_link_golden SEED=7
check "an option without a value takes none" refuses 'option "--lcb" has no value' 1 build/bin/netsim --lcb=1 torus:2x2x2
check "a name that two options begin with is neither" refuses 'may be "--seeds" or "--seed"' 1 build/bin/netsim --se 1 torus:2x2x2
check "a name may be cut short, a value may follow =, a number be 1e2" short
check "a number has no sign" refuses '--seed -1: a number' 1 build/bin/netsim --seed -1 torus:2x2x2
check "nor more than 64 bits" refuses '--seed 1e30: a number' 1 build/bin/netsim --seed 1e30 torus:2x2x2
export SEED=@
check "SEED of the environment is a number, too" refuses 'SEED @: a number' 1 build/bin/netsim torus:2x2x2
echo "1..$number"
exit "$failed"
