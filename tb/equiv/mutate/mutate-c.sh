#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate-c.sh - the share of errors in a module's C that tests against the golden models catch.
#
# With "again" those that nobody caught last time are tried once more, after a test has been written for them; what was
# not proved to be the same then is not proved now.
# Errors that tb/equiv/mutate/mutate.c can make in the module's file (or in the template that the file includes) are drawn by the
# seed until there are N, or none is left. Each is compiled natively, as a library that the test programs of its folder are
# linked with; they run on it until the first one that fails a check, crashes or takes ten times as long; first
# those that have caught most for their time so far. RTL takes no part. Modules of hls/link and hls/nic/netlink are those of aries,
# those of hls/example and rtl_gen/test/processes of none,
# others those of proto.
#
# No mutant is what does not compile, and of what nobody catches: what rtlgen refuses (a register that the reset leaves
# out), what gives the same Verilog, and what build/bin/prove proves: its Verilog computes what the C without the error says, for all
# states and inputs. Needs build/bin/rtlgen, build/bin/prove and build/rtl of the machine. Works in build/mutate/c, prints the survivors and writes
# build/reports/mutation-MODULE-c.json: {module, kind, machine, seed, mutants, killed, equivalent, refused, tests, kinds: {name:
# [mutants, killed]}, survivors}.
set -euo pipefail

usage() {
    echo "usage: mutate-c.sh MODULE [MUTANTS [SEED]]    defaults: 200 1; all takes every one, again the survivors" >&2
    exit 1
}

[[ $# -ge 1 && $# -le 3 ]] || usage
cd "$(dirname "$0")/../../.."
. scripts/given.sh
names "$@"
module=$1
mutants=${2:-200}
seed=${3:-1}
again=no
[[ $mutants != again ]] || again=yes
[[ $mutants != all && $again == no ]] || mutants=1000000
numbers "$mutants" "$seed"
source=$(find hls rtl_gen/test/processes -name "$module.c")
[[ -n $source ]] || { echo "mutate-c.sh: there is no $module.c in hls/ or rtl_gen/test/processes/" >&2 && exit 1; }
room=${source#hls/}
room=${room%%/*}
mutated=$source # the file that gets the errors
template=$(sed -n 's/^#include "\(.*\.inc\)"$/\1/p' "${source%.c}.h" | head -n 1)
! grep -q '^#define \(VC.\|BQ\)_BODY' "$source" || mutated=hls/$template
top=$module # whose Verilog is looked at
if [[ $module == *_lists ]]; then
    mutated=hls/$template
    top=$(sed -n 's/^#define LIST  *//p' "${source%.c}.h" | head -n 1) # stands for all of the file
fi

# Tests of a room beside those in whose first comment the module is named ("Recorded for"); what each is linked with: links.py
link_tests="lcb_regs lcb_link lcb_clock lcb_fault lcb_watch lane_train lane_tx_rx lcb_tx lcb_tx_window lcb_rx lcb_credit_guaranteed lcb_credit lcb_axis
    link_patterns link_ecc link_registers link_sideband link_watch link_reset link_death link_lanes link_delivery"
router_tests="route route_draw reg_port tile_ctl router_join vc_queue output_mux inq_store input_queue router_codes subswitch
    router_registers router_latency router_maintenance router_throughput router_delivery router_bits"
machine=proto
flags=(-std=c23 -D_GNU_SOURCE -fstrict-flex-arrays=3 -w -fPIC -I. -Ihls -DMACHINE_PROTO=1)
case $room in
link) machine=aries tests=$link_tests flags=("${flags[@]:0:7}") ;;
router) tests=$router_tests ;;
chip) tests="link_port device_manage device" ;;
rtl_gen) machine=test/$module tests=$module flags=("${flags[@]:0:7}") ;;
nic | axi | common | example)
    tests="nic_zero nic_counts nic_put nic_errors nic_together"
    [[ $room != example ]] || machine=example tests='' flags=("${flags[@]:0:7}")
    if [[ $source == */netlink/* || $module == beat_queue2 ]]; then # no NIC has it inside; there are two of them in aries
        machine=aries tests="netlink_bits" flags=("${flags[@]:0:7}")
    fi
    read -ra units < <(sed -n "s/^UNIT_${module%_lists} *:= *//p" build/make/tests.mk) || true
    for unit in "${units[@]}"; do
        [[ " $tests " == *" ${unit#test_} "* ]] || tests="${unit#test_} $tests"
    done
    ;;
*) echo "mutate-c.sh: no tests are known for hls/$room" >&2 && exit 1 ;;
esac
read -ra tests <<<"${TESTS:-${tests//$'\n'/ }}" # TESTS in the environment names others

objects=build/mutate/c/$machine
work=$objects/$module
copy=$work/tree/${mutated#hls/}
from=$copy # what is compiled: a template by the file that includes it
[[ $mutated == "$source" ]] || from=$source
report=build/reports/mutation-$module-c.json
mutate=build/bin/mutate
results=$work/results.txt # lines "verdict number kind line: old => new"
if [[ $again == yes ]]; then
    rm -rf "$work/tree"
else
    rm -rf "$work"
fi
mkdir -p "$work"/{rtl,original,left,proof/"$machine"} "$work/tree/$(dirname "${mutated#hls/}")" build/reports
declare -A kills millis noisy

# object FILE.c: its name; compiled unless it is newer than all of hls/ and tb/
object() {
    local name=$objects/${1//\//-}.o
    if [[ ! -e $name || -n $(find hls tb -type f -newer "$name" -print -quit) ]]; then
        clang-19 "${flags[@]}" -O2 -c "$1" -o "$name"
    fi
    echo "$name"
}

# The tests, and what they are made of besides the module.
prepare() {
    local file name parts objs
    gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -I. -o "$mutate" tb/equiv/mutate/mutate.c \
        sim/base/args.c sim/base/program.c -lm
    cp "$mutated" "$copy" # without an error, from where those with one will be
    library "$from"
    for name in "${tests[@]}"; do
        read -ra parts < <(sed -n "s/^test_${name}_LINK := //p" build/make/tests.mk)
        objs=()
        for file in "${parts[@]/%/.c}"; do
            # of the link's two framings the machines here have one (OMIT in scripts/make/machines.mk)
            [[ $file == "$source" || $file == hls/link/packet/* ]] || objs+=("$(object "$file")")
        done
        clang-19 "${objs[@]}" -L"$work" -lmutant -lcjson -lm -o "$work/test_$name"
    done
}

# library FILE.c: what the tests run on from now on; undefined behaviour ends it, as the sanitizers of make test would.
# Its covers are those of the file in hls/, or all tests that ask for them would fail.
library() {
    clang-19 -I"$work/tree" "${flags[@]}" -I"$(dirname "$source")" -O1 -fsanitize=undefined -fsanitize-trap=undefined \
        -fmacro-prefix-map="$work/tree=hls" -shared -o "$work/libmutant.so" "$1" 2>/dev/null
}

# Once without an error: how long each test takes, and which ones want an assertion to fail.
measure() {
    local test before
    for test in "${tests[@]}"; do
        kills[$test]=0
        before=${EPOCHREALTIME/[.,]/}
        if ! LD_LIBRARY_PATH=$work "$work/test_$test" >"$work/$test.log" 2>&1; then
            echo "mutate-c.sh: test_$test fails without an error" >&2
            exit 1
        fi
        millis[$test]=$(((${EPOCHREALTIME/[.,]/} - before) / 1000 + 1))
        ! grep -q 'assertion failed\|assumption failed' "$work/$test.log" || noisy[$test]=1
    done
}

# fails TEST: a check fails, and then it is stopped, or its exit status is not 0
fails() {
    local pid output signs='^not ok|(assertion|assumption) failed'
    [[ -z ${noisy[$1]:-} ]] || signs='^not ok'
    exec {output}< <(ulimit -t $((millis[$1] / 100 + 2)) && LD_LIBRARY_PATH=$work exec "$work/test_$1" 2>&1)
    pid=$!
    if grep -qE "$signs" <&"$output"; then
        kill "$pid" 2>/dev/null || true
        exec {output}<&-
        return 0
    fi
    exec {output}<&-
    ! wait "$pid" 2>/dev/null
}

# in_order: puts those tests first that have caught most for their time
in_order() {
    local name
    mapfile -t tests < <(for name in "${tests[@]}"; do
        echo "$(((1 + kills[$name]) * 1000000 / millis[$name])) $name"
    done | sort -rn | cut -d' ' -f2)
}

# caught: some test fails
caught() {
    local name
    for name in "${tests[@]}"; do
        if fails "$name"; then
            kills[$name]=$((kills[$name] + 1))
            [[ $name == "${tests[0]}" ]] || in_order
            return 0
        fi
    done
    return 1
}

# verilog FILE.c DIR: DIR/TOP.v; fails if rtlgen refuses it
verilog() {
    local files=("${needs[@]/#"$source"/$1}")
    build/bin/rtlgen -I"$work/tree" -Ihls -I"$(dirname "$source")" "${flags[@]:7}" -o "$2" --top "$top" "${files[@]}" \
        >"$work/rtlgen.log" 2>&1
}

# same FILE.v FILE.v: but for comments and the texts of checks
same() {
    local strip='s| *//.*||; /HLS_CHECK/,/text")/d'
    cmp -s <(sed "$strip" "$1") <(sed "$strip" "$2")
}

# proved NUMBER: its Verilog computes what the C without the error says
proved() {
    local file
    rm -f "$work/proof/$machine"/*
    for file in "$PWD/build/rtl/$machine"/*; do
        ln -s "$file" "$work/proof/$machine/"
    done
    rm "$work/proof/$machine/$top.v"
    cp "$work/left/$1.v" "$work/proof/$machine/$top.v"
    RTL=$work/proof ENTRIES=$work/proof/entry REPORT=$work/proof/report OPEN=/dev/null SECONDS_EACH=20 SECONDS_MODULE=120 \
        tb/equiv/prove/prove-rtl.sh "$machine/$top" >"$work/proof/log" 2>&1
}

# judge NUMBER: verdict is killed, survives, equivalent or refused; fails if the mutant does not compile
judge() {
    "$mutate" --number "$1" "$mutated" >"$copy"
    library "$from" || return 1
    verdict=survives
    if caught; then
        verdict=killed
    elif [[ $again == yes ]]; then
        return
    elif ! verilog "$from" "$work/rtl"; then
        verdict=refused
    else
        cp "$work/rtl/$top.v" "$work/left/$1.v"
        ! { same "$work/left/$1.v" "$work/original/$top.v" || proved "$1"; } || verdict=equivalent
    fi
}

# count PATTERN: lines of the results
count() {
    grep -cE "$1" "$results" || true
}

prepare
measure
needs=("$source") # a parent needs the C of its children
verilog "$source" "$work/rtl" || mapfile -t needs < <(case $room in link) scripts/room.sh link ;; example) printf '%s\n' hls/example/*.c ;; *) scripts/room.sh common axi link router nic chip ;; esac)
verilog "$source" "$work/original"

"$mutate" "$mutated" >"$work/all.txt"
if [[ $again == yes ]]; then
    cmp -s "$work/all.txt" "$work/all.before" || { echo "mutate-c.sh: $mutated is not what it was" >&2 && exit 1; }
    sed -n 's/^survives //p' "$results" >"$work/list.txt"
    sed -i '/^survives/d' "$results"
else
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$work/all.txt" | sort -n | cut -d' ' -f2- >"$work/list.txt"
    : >"$results"
fi
cp "$work/all.txt" "$work/all.before"

made=$(count '^(killed|survives)')
while [[ $made -lt $mutants ]] && read -r number rest; do
    judge "$number" || continue
    echo "$verdict $number $rest" >>"$results"
    [[ $verdict != survives ]] || echo "survives: $number $rest"
    [[ $verdict != killed && $verdict != survives ]] || made=$((made + 1))
    [[ $verdict != killed || $((made % 20)) -ne 0 ]] || echo "# $made mutants, $(count ^killed) killed, $SECONDS s"
done <"$work/list.txt"

kinds=()
for kind in condition off-by-one assignment operand; do
    kinds+=("\"$kind\": [$(count "^(killed|survives) [0-9]+ $kind "), $(count "^killed [0-9]+ $kind ")]")
done
printf '{"module": "%s", "kind": "c", "machine": "%s", "seed": %d, "mutants": %d, "killed": %d, "equivalent": %d, "refused": %d, "tests": "%s", "kinds": {%s}, "survivors": [%s]}\n' \
    "$module" "$machine" "$seed" "$(count '^(killed|survives)')" "$(count ^killed)" "$(count ^equivalent)" "$(count ^refused)" \
    "${tests[*]}" "$(IFS=,; echo "${kinds[*]}")" \
    "$(sed -n 's/[\"]/\&/g; s/^survives \(.*\)/"\1"/p' "$results" | paste -sd,)" >"$report.part"
mv "$report.part" "$report"
echo "$module: $(count ^killed) of $(count '^(killed|survives)') mutants of the C killed, $(count ^equivalent) more the same," \
    "$(count ^refused) refused by rtlgen; report: $report"
