#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutants.sh DIR SEED COUNT - that many descriptions, with something changed, through rtlgen: "DIAGNOSED name" or "LOWERED name"
# of each, or FAIL and SLOW lines (compare.sh). What became Verilog is compared, unless clocks is 0: "CLOCKS n". Works in
# DIR, where src/ keeps them. Environment: compare.sh.
#
# Changed are random programs, modules of rtl_gen/test and, every twentieth, a file of hls/, lowered with its folder. A
# batch has no module twice, so that what is accepted can stand side by side.
set -euo pipefail

cd "$(dirname "$0")/../../.."
. tb/equiv/fuzz/compare.sh
dir=$1 seed=$2 count=$3
numbers "$seed" "$count"
patience=10
[[ $rtlgen != *-test ]] || patience=40

# What the two below choose: the C that is lowered, how the mutant is called, the module that others hang from.
files=() module='' top=''

# Number i: of a module of rtl_gen/test, or of a random program.
file_mutant() {
    local i=$1 number=$((seed + $1)) tests source
    mapfile -t tests < <(find rtl_gen/test -name "*.c" | grep -vE "/(err|hand|ub|words)/" | sort)
    source=${tests[$(((seed + i / 2) % ${#tests[@]}))]}
    # a module declared in a header of its own would need two files here
    if ! ((i % 2)) || [[ -f ${source%.c}.h || -e $dir/src/${source##*/} ]]; then
        source=$dir/f$number.c
        "$bin/fuzzgen" --seed "$number" >"$source"
    fi
    includes=(-Ihls -Irtl_gen/test/operators -Irtl_gen/test/hierarchy)
    module=$(basename "$source" .c)
    top=$module
    files=("$dir/src/$module.c")
    "$bin/fuzzmutate" --seed "$number" "$source" >"${files[0]}"
}

# Number i: of a file of hls/, headers and templates too, in a copy of hls/.
folder_mutant() {
    local number=$((seed + $1)) all folders=(link router example link) folder source
    local -A whole=([link]=lcb [router]=tile [example]=debounce)
    folder=${folders[$((number / 20 % 4))]}
    mapfile -t all < <(find "hls/$folder" -name "*.[ch]" ! -path "*/formal/*" | sort; echo hls/hls.h)
    source=${all[$((number / 80 % ${#all[@]}))]}
    rm -rf "$dir/hls"
    cp -r hls "$dir/hls"
    "$bin/fuzzmutate" --seed "$number" "$source" >"$dir/$source"
    cp "$dir/$source" "$dir/src/hls$number.c" # kept when it fails
    includes=("-I$dir/hls")
    module=hls$number
    top=$(basename "$source" .c) # and of a header
    [[ $source == *.c ]] || top=${whole[$folder]}
    mapfile -t files < <(scripts/room.sh "$folder" | sed "s|^|$dir/|")
}

# What rtlgen accepted, from the top module down, through Verilator's parser and elaboration.
elaborates() {
    verilator --lint-only -Wno-lint -Wno-style -DHLS_STATE -DHLS_ASSERT -y "$dir/out" --top-module "$top" \
        "$dir/out/$top.v" >"$dir/out.lint" 2>&1 && return
    echo "FAIL verilator $module: $top: $(grep -m1 -E '%Error' "$dir/out.lint")"
    return 1
}

# rtlgen on the chosen mutant; what it accepts, and is no file of hls/, goes to DIR/rtl and DIR/names.
try_mutant() {
    local out=$dir/out status=0
    rm -rf "$out" && mkdir "$out"
    lower "$out" "${files[@]}" "$dir/log" || status=$?
    if [[ $status -eq 3 ]]; then
        echo "FAIL hang $module: no end in $((10 * patience)) s"
    elif [[ $status -eq 2 ]]; then
        echo "FAIL crash $module: $(grep -m1 -E 'ERROR|runtime error|Assertion' "$dir/log" | cut -c1-160)"
    elif [[ -n $(find "$out" -name '*.part*') || ($status -eq 1 && -n $(ls "$out")) ]]; then
        echo "FAIL left $module: status $status, but wrote $(cd "$out" && echo *)"
    elif [[ $status -eq 1 ]]; then
        echo "DIAGNOSED $module"
    elif [[ ! -f $out/$top.v ]]; then
        echo "LOWERED $module" # the file's module is no module any more
    elif ! elaborates; then
        :
    elif [[ $module != "$top" ]]; then # of hls/
        echo "LOWERED $module"
    elif ! clang-19 "${NATIVE[@]}" "-I$out" -fsyntax-only "$out/${module}_shim.c" 2>"$dir/log"; then
        echo "FAIL native $module: accepted, but its shim does not compile"
    else
        echo "LOWERED $module"
        cp "$out"/* "$dir/rtl/"
        echo "$module" >>"$dir/names"
    fi
}

mkdir -p "$dir/src" "$dir/rtl"
for ((i = 0; i < count; i++)); do
    if ((i % 20 == 19)); then
        folder_mutant "$i"
    else
        file_mutant "$i"
    fi
    try_mutant
done
[[ -s $dir/names && $clocks -gt 0 ]] || exit 0
mapfile -t names <"$dir/names"
"$bin/fuzzglue" --folder "$dir" "${names[@]}"
compile_native "$dir" 1
compile_model "$dir" || exit 0
ulimit -t 300
run_programs "$dir" "$dir/fuzz" --mutants --clocks "$clocks"
echo "CLOCKS $((${#names[@]} * clocks))"
