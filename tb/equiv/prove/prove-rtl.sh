#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# prove-rtl.sh SET/MODULE... - proves that the Verilog of a module ("aries/lcb_tx") computes what its C says: next
# state, outputs and what goes into instances, for all states and inputs; and the same for its reset.
#
# One side is clang's IR before any pass, the other the Verilog as Yosys reads it; build/bin/prove (tb/equiv/prove)
# compares them and asks z3. Results: one line per module, build/prove/entry/rtl-*.json, and with those of
# prove.sh together build/reports/prove.json. Exit status 1 when a module is different, or is not proved within the
# time (SECONDS_EACH of a processor per register, SECONDS_MODULE per module) or not at all and OPEN does not list it; or
# when it is proved and OPEN lists it. What was proved from the same C and Verilog by the same tools, as build/prove/rtl/*/*/key says, is not
# proved again: its line is that of the run before, which it says. Environment: PROVE, RTL, ENTRIES, OPEN (tb/equiv/prove/open.txt).
set -euo pipefail

cd "$(dirname "$0")/../../.."
. scripts/given.sh
prove=${PROVE:-build/bin/prove}
rtl=${RTL:-build/rtl}
entries=${ENTRIES:-build/prove/entry}
open=${OPEN:-tb/equiv/prove/open.txt}
each=${SECONDS_EACH:-30}
whole=${SECONDS_MODULE:-300}
numbers "$each" "$whole"
paths_of_names "$@"
[[ $prove == *-test ]] || ulimit -v 8000000 # sanitizers reserve more
mkdir -p "$entries"

# The C file that describes a module, as its JSON names it
c_file() {
    sed -n 's/^ "file": "\(.*\)",$/\1/p' "$1"
}

# The files of a module: what is instantiated (a black box), kept helpers (flattened), C of both
collect() {
    local dir=$1 module=$2 other
    boxes=() helpers=() sources=("$(c_file "$dir/$module.json")")
    while read -r other; do
        if [[ ! -e $dir/$other.json ]]; then
            helpers+=("$dir/$other.v")
        elif [[ $other != "$module" ]]; then
            boxes+=("$dir/$other.v")
        fi
    done < <(instantiated "$dir" "$module")
    while read -r other; do
        [[ " ${sources[*]} " == *" $other "* ]] || sources+=("$other")
    done < <(descendants "$dir" "$module")
}

# The C of all that stands under a module: its reset calls theirs
descendants() {
    local dir=$1 todo=("$2") seen=" $2 " name
    while [[ ${#todo[@]} -gt 0 ]]; do
        local json=$dir/${todo[0]}.json
        todo=("${todo[@]:1}")
        while read -r name; do
            [[ $seen != *" $name "* ]] || continue
            seen+="$name "
            todo+=("$name")
            c_file "$dir/$name.json"
        done < <(sed -n '/"instances"/,/\]/s/.*"module":"\([^"]*\)".*/\1/p' "$json")
    done
}

# Modules that appear in the Verilog of a module, and helpers that appear in helpers
instantiated() {
    local dir=$1 todo=("$2") seen=" $2 " next name
    while [[ ${#todo[@]} -gt 0 ]]; do
        next=${todo[0]}
        todo=("${todo[@]:1}")
        while read -r name; do
            if [[ -e $dir/$name.v && $seen != *" $name "* ]]; then
                seen+="$name "
                echo "$name"
                [[ -e $dir/$name.json ]] || todo+=("$name")
            fi
        done < <(sed -nE 's/^ *([A-Za-z_][A-Za-z0-9_]*) [A-Za-z_][A-Za-z0-9_]* \(.*/\1/p' "$dir/$next.v" | sort -u)
    done
}

netlist() {
    local module=$1 work=$2 top=$3 box='' keep='' file
    sed -f tb/equiv/prove/without-zeros.sed "$top" >"$work/$module.v"
    for file in "${boxes[@]}"; do # an instance that nothing reads stays
        box+="read_verilog -lib $file; "
        keep+="setattr -set keep 1 t:$(basename "$file" .v); "
    done
    yosys -q -p "read_verilog $work/$module.v ${helpers[*]}; $box hierarchy -top $module; proc -norom; flatten
        $keep opt_clean; memory_collect; opt_clean; write_json $work/netlist.json" >"$work/yosys.log" 2>&1
}

# key TOP FLAG...: what a proof depends on: tools, time, Verilog, C with all that it includes
key() {
    sha256sum <"$prove"
    yosys -V
    z3 --version
    clang-19 --version
    echo "$each $whole $*"
    cat tb/equiv/prove/{prove-rtl.sh,without-zeros.sed} "$1" "${helpers[@]}" "${boxes[@]}"
    clang-19 -std=c23 -DHLS_RTLGEN -E -P -Ihls "${@:2}" "${sources[@]}"
}

# One module; prints a line, leaves an entry
one() {
    local set=${1%/*} module=${1##*/} work=$PWD/build/prove/rtl/$1 flags=() status=0 reason
    local dir=$rtl/$set entry
    entry=$entries/rtl-${1//\//-}.json
    case $set in
    aries | example | lib | test/*) ;;
    *) flags=(-D "MACHINE_${set^^}=1") ;;
    esac
    mkdir -p "$work"
    collect "$dir" "$module"
    key "$dir/$module.v" "${flags[@]}" | sha256sum >"$work/key.new"
    if cmp -s "$work/key" "$work/key.new" && grep -qs '"proved": true' "$entry"; then
        echo "$(grep -v '^#' "$work/log" | tail -n 1) (before)"
        expected "$1" 0
        return
    fi
    rm -f "$work"/*.smt2* "$work/key"
    if ! netlist "$module" "$work" "$dir/$module.v"; then
        echo "prove: Yosys refuses $dir/$module.v, see $work/yosys.log" >"$work/log"
        status=2
    else
        (
            ulimit -t $((whole + 120))
            exec "$prove" --module "$module" --netlist "$work/netlist.json" --out "$work" --timeout "$each" \
                --limit "$whole" --json "$entry.part" --set "$set" -Ihls "${flags[@]}" "${sources[@]}"
        ) >"$work/log" 2>&1 || status=$?
    fi
    cat "$work/log"
    if [[ $status -eq 0 || $status -eq 1 || $status -eq 3 ]]; then
        mv "$entry.part" "$entry"
        [[ $status -ne 0 ]] || mv "$work/key.new" "$work/key"
    else
        reason=$(tail -n 1 "$work/log" | tr -dc 'A-Za-z0-9 _.,:;()$[]-')
        [[ $status -le 128 ]] || reason="not followed to its end within $((whole + 120)) s"
        echo "$module: NOT proved: ${reason#prove: }"
        printf '{"module": "%s", "machine": "%s", "method": "equivalence", "proved": false, "result": "%s", "reason": "%s"}\n' \
            "$module" "$set" unsupported "${reason#prove: }" >"$entry"
    fi
    expected "$1" "$status"
}

# expected SET/MODULE STATUS: 0 proved, 1 different, else not proved; as OPEN says
expected() {
    local listed=no
    ! grep -q "^$1 " "$open" || listed=yes
    if [[ $2 -eq 0 && $listed == yes ]]; then
        echo "$1: proved now, so it has to go from $open" && return 1
    elif [[ $2 -gt 1 && $listed == no ]]; then
        echo "$1: not proved, and not listed in $open" && return 1
    fi
    [[ $2 -ne 1 ]]
}

if [[ ! -x $prove ]]; then
    echo "prove-rtl.sh: $prove is missing; run make prove" >&2
    exit 1
fi
failed=0
count=0
for name in "$@"; do
    count=$((count + 1))
    [[ $# -eq 1 ]] || echo "# $count of $#: $name, $SECONDS s"
    one "$name" || failed=1
done
tb/equiv/prove/prove-report.sh "$entries"
exit "$failed"
