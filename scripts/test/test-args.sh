#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-args.sh - every program of sim/ says in --help and --usage what its table of options has, and refuses in one line, with exit
# status 1, an option that is not there, a value that is missing and a number that is none. Prints TAP.
# shellcheck disable=SC2317 # check calls the functions
set -euo pipefail

. scripts/test/tap.sh
# folder and source of each program that reads its command line by a table of options
programs=(
    "netsim sim/netsim/options.c" "netspeed sim/speed/netspeed.c" "netcompare sim/compare/compare.c"
    "nethop sim/compare/hop.c" "deadlock sim/deadlock/deadlock_main.c" "failover sim/failover/failover.c"
)

# options SOURCE: names of the rows of its table
options() {
    grep -oE 'args_[a-z]+\($|args_[a-z]+\("--[a-z-]+"' "$1" | grep -oE -- '--[a-z-]+'
    ! grep -qE '&[a-z]+(->|\.)seed' "$1" || echo --seed
    printf '%s\n' --help --usage
}

# says PROGRAM SOURCE --help|--usage: status 0, nothing on standard error, each option is there
says() {
    local out option
    out=$("build/bin/$1" "$3" 2>&1) || return 1
    for option in $(options "$2"); do
        if ! grep -qE -- "(^|[ [])$option([] =]|\$)" <<<"$out"; then
            echo "# $1 $3 does not mention $option"
            return 1
        fi
    done
}

# refuses PATTERN PROGRAM ARGUMENT...: one line, on standard error, status 1
refuses() {
    local pattern=$1 program=$2 out status=0
    shift 2
    out=$("build/bin/$program" "$@" 2>&1 >/dev/null) || status=$?
    [ "$status" -eq 1 ] && [ "$(wc -l <<<"$out")" -eq 1 ] && grep -qe "^$program: .*$pattern" <<<"$out" && return
    echo "# status $status: $out"
    return 1
}

short() {
    build/bin/netsim --load=0.1 --clock 1e2 --json /dev/null --svg /dev/null --html /dev/null torus:2x1x1 >/dev/null
}

for row in "${programs[@]}"; do
    read -r program source <<<"$row"
    check "$program --help has each option" says "$program" "$source" --help
    check "$program --usage has each option" says "$program" "$source" --usage
    check "$program refuses an unknown option" refuses 'no option "--nonsense"; see --help' "$program" --nonsense 1
    check "$program refuses one of a single dash" refuses 'no option "-nonsense"' "$program" -nonsense
    check "$program names the nearest option" refuses '"--json" is near' "$program" --jsom report.json
    check "$program wants a value" refuses 'no value for option "--json"' "$program" --json
done
check "an option without a value takes none" refuses 'option "--lcb" has no value' netsim --lcb=1 torus:2x2x2
check "a name that two options begin with is neither" refuses 'may be "--seeds" or "--seed"' netsim --se 1 torus:2x2x2
check "a name may be cut short, a value may follow =, a number be 1e2" short
check "a number has no sign" refuses '--seed -1: a number' netsim --seed -1 torus:2x2x2
check "nor more than 64 bits" refuses '--seed 1e30: a number' netsim --seed 1e30 torus:2x2x2
export SEED=@
check "SEED of the environment is a number, too" refuses 'SEED @: a number' netsim torus:2x2x2
echo "1..$number"
exit "$failed"
