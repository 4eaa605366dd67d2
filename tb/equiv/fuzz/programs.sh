#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# programs.sh DIR SEED - all comparisons for the programs of DIR/src, of which the first has this seed: FAIL and SLOW lines
# (compare.sh), and "CLOCKS n" that were compared. Environment, which fuzz.sh sets: batch and netlists, as its options;
# those of compare.sh.
set -euo pipefail

cd "$(dirname "$0")/../../.."
. tb/equiv/fuzz/compare.sh
dir=$1 seed=$2 batch=${batch:-100} netlists=${netlists:-20}
numbers "$seed" "$batch" "$netlists"
chosen=() # those that become netlists

lower_all "$dir"
mapfile -t names <"$dir/names"
n=${#names[@]}
[[ $n -gt 0 ]] || exit 0
for ((i = 0; netlists > 0 && i < n; i++)); do
    (((i + seed) % netlists)) || chosen+=("$i")
done
list=$(IFS=, && echo "${chosen[*]}")
"$bin/fuzzglue" --folder "$dir" --chunk 20 --clocks "$icarus" --net-clocks "$net_clocks" --netlists "$list" "${names[@]}"
compile_native "$dir" $((seed / batch % 3)) # the C means the same at every level
compile_model "$dir" || exit 0
run_programs "$dir" "$dir/fuzz" --clocks "$clocks" --record $((icarus > net_clocks ? icarus : net_clocks)) --folder "$dir"
[[ $icarus -eq 0 ]] || play "$dir" bench 'w[0-9]*.v'
if [[ ${#chosen[@]} -gt 0 ]] && netlists_of "$dir" "${chosen[@]}"; then
    play "$dir" net_bench 'net_[0-9]*.v'
fi
# Processes at the end that rtlgen has not chosen, arms or one group, where that is other Verilog.
other_end() {
    local way=$1 to=$dir/$1 name
    mkdir -p "$to/src" "$to/rtl"
    for name in "${names[@]}"; do
        grep -q HLS_PROCESS "$dir/src/$name.c" || continue
        if ! "$rtlgen" "${includes[@]}" --states "$way" -o "$to/rtl" "$dir/src/$name.c" >"$to/$name.log" 2>&1; then
            echo "FAIL refused $name: --states $way: $(grep -m1 'error:' "$to/$name.log" | sed 's/.*error: //')"
        elif ! cmp -s "$dir/rtl/$name.v" "$to/rtl/$name.v"; then
            cp "$dir/src/$name.c" "$to/src/"
            echo "$name" >>"$to/names"
        fi
    done
    [[ -s $to/names ]] || return 0
    mapfile -t others <"$to/names"
    "$bin/fuzzglue" --folder "$to" --chunk 20 "${others[@]}"
    compile_native "$to" 1
    ! compile_model "$to" || run_programs "$to" "$to/fuzz" --clocks "$clocks" --record 1 --folder "$to"
}

for way in arms group; do
    other_end "$way" | sed "s/^\(FAIL [a-z]* [^ ]*\) /\1 --states $way: /"
    [[ ! -f $dir/$way/names ]] || n=$((n + $(wc -l <"$dir/$way/names")))
done
echo "CLOCKS $((n * clocks))"
