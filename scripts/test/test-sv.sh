#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-sv.sh - SystemVerilog of rtlgen --sv in build/rtl/sv: of each set given here Verilator (-Wall) and slang (-Wextra -Wpedantic)
# say nothing, plain and with registers and assertions; a design of somebody else has a module by its struct types; and Verilator finds
# what a struct connected wrongly is. slang comes with the private environment build/newer; without a network it is left out. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
out=build/test/sv
number=0
failed=0
mkdir -p "$out"

verdict() {
    number=$((number + 1))
    if [[ -z $2 ]]; then
        echo "ok $number - $1"
    else
        failed=1
        echo "not ok $number - $1 # $2"
    fi
}

# lint SET TOP FLAG...: the first warning of Verilator
lint() {
    local dir=build/rtl/sv/$1 top=$2 files
    shift 2
    mapfile -t files < <(sed "s|^|$dir/|" "$dir/$top.f")
    verilator --lint-only -Wall -Wno-VARHIDDEN "$@" --top-module "$top" "${files[@]}" 2>&1 | grep -m 1 '^%' || true
}

slang() {
    build/newer/bin/python scripts/slang.py -Wextra -Wpedantic -Werror "$@" 2>&1 | grep -m 1 -E 'error|warning' || true
}

# own_files SET: the package, then the modules
own_files() {
    find "build/rtl/sv/$1" -name '*_pkg.sv'
    find "build/rtl/sv/$1" -name '*.sv' ! -name '*_pkg.sv' | sort
}

for name in "$@"; do
    found=$(lint "${name%/*}" "${name##*/}")
    [[ -n $found ]] || found=$(lint "${name%/*}" "${name##*/}" --assert -DHLS_STATE -DHLS_ASSERT)
    verdict "$name: Verilator" "$found"
done

user=rtl_gen/test/systemverilog/sv_user.sv
mapfile -t files < <(own_files test/sv_types)
uses() {
    verilator --lint-only -Wall -Wno-UNUSEDSIGNAL --top-module sv_user "${files[@]}" "$1" 2>&1 | grep -m 1 '^%' || true
}
verdict "a design with a module by its types" "$(uses "$user")"
sed 's/\.in(to_lane)/.in(from_lane)/' "$user" >"$out/wrong.sv"
found=$(uses "$out/wrong.sv")
verdict "the struct of the outputs for that of the inputs is found" "$([[ -n $found ]] || echo "nothing is said")"

if ! scripts/python.sh newer >"$out/python.log" 2>&1; then
    verdict "slang # SKIP it cannot be installed: $(tail -n 1 "$out/python.log")" ""
else
    for set in $(printf '%s\n' "${@%/*}" | sort -u); do
        mapfile -t files < <(own_files "$set")
        users=()
        [[ $set != test/sv_types ]] || users=("$user")
        found=$(slang "${files[@]}" "${users[@]}")
        [[ -n $found ]] || found=$(slang -DHLS_STATE -DHLS_ASSERT "${files[@]}")
        verdict "$set: slang" "$found"
    done
fi

echo "1..$number"
exit $failed
