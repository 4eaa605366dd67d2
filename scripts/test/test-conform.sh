#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-conform.sh [NAME...] - scripts/conform.sh on modules around ours: those of tb/conform/variants must conform, of those
# of tb/conform/broken the check that their first line tells must not hold. Without names all of them; "bad-input" is what
# is wrong before anything is checked, "exact" lockstep with another latency. Needs what CONFORM_LONG in scripts/make/conform.mk lists, five names that make test plays CONFORM_TESTED. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
. scripts/given.sh
names "${@//-/_}" none
work=build/test/conform
number=0
failed=0
mkdir -p "$work"

verdict() {
    number=$((number + 1))
    if [[ -z $1 ]]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2 # $1"
    fi
}

# ---- modules around ours ------------------------------------------------------------------------------------

declare -A machine_of=([lcb]=aries [nic]=proto [router]=proto)
declare -A ports_of=([nic]=endpoint) # the module with its ports, if it has another name

# conform PART [EXACT]: scripts/conform.sh on the module around ours that PART says, or is; its exit status in status. What stands around
# a whole block gets the model of ours (OBJECTS), what stands around a part of one ("in:") is compiled with the rest.
conform() {
    local part=$1 exact=${2:-no} name block ports machine rtl inside to
    name=$(basename "$part" .v)
    block=$(basename "$(dirname "$part")")
    machine=${machine_of[$block]}
    ports=${ports_of[$block]:-$block}
    rtl=build/rtl/$machine
    inside=$(sed -n 's,^// in: ,,p' "$part")
    to=$work/$name
    rm -rf "$to"
    mkdir -p "$to"
    if grep -q '^module ' "$part"; then
        set -- "$part"
        export TOP=$name OBJECTS=
    elif [[ -z $inside ]]; then
        tb/conform/ports.py around "$rtl/$ports.json" "$part" "$name" "$ports" >"$to/$name.v"
        tb/conform/ports.py front "$rtl/$ports.json" >"$to/$ports.sv"
        set -- "$to/$name.v" "$to/$ports.sv"
        export TOP=$name OBJECTS=build/verilated/$machine/$ports/model.o
    else
        tb/conform/ports.py around "$rtl/$inside.json" "$part" "$inside" "${inside}_own" >"$to/$inside.v"
        sed "s/^module $inside /module ${inside}_own /" "$rtl/$inside.v" >"$to/${inside}_own.v"
        set -- "$to/$inside.v" "$to/${inside}_own.v" "$rtl/$ports.v"
        export TOP=$ports OBJECTS=
    fi
    status=0
    EXACT=$exact MACHINE=$machine REPORT=conform-$name scripts/conform.sh "$block" "$@" >"$work/$name.log" 2>&1 || status=$?
}

# The check that must not hold is named with the first time, and there is a waveform.
broken() {
    local name check
    name=$(basename "$1" .v)
    check=$(sed -n '1s,^// breaks: ,,p' "$1")
    conform "$1"
    verdict "$(python3 - "build/reports/conform-$name.json" "$check" "$status" 2>&1 <<'END' | tail -n 1
import json
import os
import sys

report, check, status = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2], sys.argv[3]
first = {c["name"]: c["first"] for c in report["checks"] if not c["held"] and not c["first"].startswith("not reached")}
if status != "1":
    print(f"exit status {status}")
elif check not in first:
    print(f"not named, but: {', '.join(first) or 'nothing'}")
elif not os.path.exists(report["waveform"]):
    print("no waveform")
END
    )" "$name: $check does not hold"
}

# One that says "exact" on its first line is so in lockstep.
variant() {
    local name exact=no
    name=$(basename "$1" .v)
    [[ $(head -n 1 "$1") != "// exact" ]] || exact=yes
    conform "$1" "$exact"
    verdict "$([[ $status -eq 0 ]] || grep -A 2 -m 1 'NOT HELD' "$work/$name.log" | tr -s ' \n' ' ' || echo "see $work/$name.log")" \
        "$name conforms"
}

# All that one with other latency fails with EXACT=yes is the lockstep.
exact() {
    local name
    name=$(basename "$1" .v)
    conform "$1" yes
    verdict "$([[ $status -eq 1 && $(grep -c 'NOT HELD' "$work/$name.log") -eq 1 ]] && grep -q 'NOT HELD *exact' "$work/$name.log" ||
        echo "see $work/$name.log")" "$name is not ours clock by clock, and nothing else does not hold"
}

# ---- bad input ----------------------------------------------------------------------------------------------

# stops NAME TEXT BLOCK FILE...: exit status 1, one line on standard error with TEXT, and no report
stops() {
    local name=$1 text=$2 wrong=
    status=0
    REPORT=conform-bad PATIENCE=2 MACHINE=aries scripts/conform.sh "${@:3}" >"$work/bad.out" 2>"$work/bad.log" || status=$?
    [[ $status -eq 1 ]] || wrong="exit status $status"
    [[ $(wc -l <"$work/bad.log") -eq 1 ]] || wrong="$(wc -l <"$work/bad.log") lines on standard error"
    grep -qF -- "$text" "$work/bad.log" || wrong="said: $(head -n 1 "$work/bad.log")"
    [[ ! -e build/reports/conform-bad.json ]] || wrong="there is a report"
    verdict "$wrong" "$name"
}

bad_input() {
    local rtl=build/rtl/aries bad=$work/bad.v
    export TOP=my_lcb OBJECTS=
    tb/conform/ports.py list "$rtl/lcb.json" >"$work/empty.v"
    stops "a block that is none" 'BLOCK=lca: lcb, nic and router can be checked' lca "$work/empty.v"
    CONFORM_ON="aries/lcb proto/router" stops "a machine without a bench" 'MACHINE=aries: router can be checked as one of proto' router "$work/empty.v"
    stops "no file" "$work/none.v: there is no such file" lcb "$work/none.v"
    sed 's/^endmodule/assign room = ;\nendmodule/' "$work/empty.v" >"$bad"
    stops "a syntax error: Verilator's first line" "bad.v:" lcb "$bad"
    TOP=other stops "no such module" "'other' was not found" lcb "$work/empty.v"
    grep -v ' rx_flit\b' "$work/empty.v" >"$bad"
    stops "a port that is missing" 'my_lcb has no port rx_flit (output, 48 bits)' lcb "$bad"
    sed 's/\[47:0\] rx_flit/[31:0] rx_flit/' "$work/empty.v" >"$bad"
    stops "a port of another width" 'my_lcb has the port rx_flit with 32 bits, not with 48' lcb "$bad"
    sed 's/output wire *rx_head/input wire rx_head/' "$work/empty.v" >"$bad"
    stops "a port of the other direction" 'my_lcb has the port rx_head as input, not as output' lcb "$bad"
    sed 's/^);/, input wire extra);/' "$work/empty.v" >"$bad"
    stops "a port too many" 'my_lcb has a port extra (input) which lcb has not' lcb "$bad"
    # shellcheck disable=SC2016 # $finish of Verilog
    sed 's/^endmodule/reg [2:0] n = 0;\nalways @(posedge clk) begin n <= n + 1; if (\&n) $finish; end\nendmodule/' \
        "$work/empty.v" >"$bad"
    stops "an end of the simulation" 'my_lcb ended the simulation' lcb "$bad"
    sed 's/^endmodule/reg on = 1;\nalways @(posedge clk) while (on) on = on | rst;\nendmodule/' "$work/empty.v" >"$bad"
    stops "a clock without an end" 'a clock of the design does not end' lcb "$bad"
}

# What repeated says of a design of many tiles, of one of few, and of one without any.
large() {
    local said wrong=
    for design in "proto/router:" "p16/router:tile" "aries/lcb:"; do
        verilator --xml-only --xml-output "$work/large.xml" --Mdir "$work" -Wno-lint -Wno-style -Wno-fatal -y "build/rtl/${design%/*}" \
            "build/rtl/${design%:*}.v" >"$work/large.log" 2>&1 || wrong="Verilator fails, see $work/large.log"
        said=$(tb/conform/ports.py repeated "$work/large.xml")
        [[ $said == "${design#*:}" ]] || wrong="of $design: $said"
    done
    verdict "$wrong" "in a design of many tiles the tile is compiled once"
}

# ---- all of it ------------------------------------------------------------------------------------------------

wanted() { [[ $# -eq 1 || " ${*:2} " == *" $1 "* ]]; }

if wanted bad-input "$@"; then
    bad_input
    large
fi
if wanted exact "$@"; then
    exact tb/conform/variants/lcb/lcb_late.v
    exact tb/conform/variants/router/router_late.v
fi
for part in tb/conform/variants/*/*.v; do
    if wanted "$(basename "$part" .v)" "$@"; then
        variant "$part"
    fi
done
for part in tb/conform/broken/*/*.v; do
    if wanted "$(basename "$part" .v)" "$@"; then
        broken "$part"
    fi
done

echo "1..$number"
exit "$failed"
