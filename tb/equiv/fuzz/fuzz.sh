#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh - random programs through rtlgen: native C, Verilator, Icarus and the Yosys netlist must
# agree on every output and every register at every clock. tb/equiv/fuzz/README.md tells how.
#
# Reads build/bin/fuzz*, build/fuzz/run.a and build/verilated/libverilated.a; works in build/fuzz/ (FUZZ_WORK), with
# --invalid in mutants/ there. A difference is reduced and kept in fail-<program>/ there. One batch is
# tb/equiv/fuzz/programs.sh or mutants.sh.
set -euo pipefail

usage() {
    cat <<'END'
usage: fuzz.sh [--programs N] [--seed S] [--batch B] [--clocks C] [--jobs J]
               [--icarus K] [--netlists N] [--reduce N] [--report FILE]
       fuzz.sh --invalid [--programs N] [--seed S] ...
       fuzz.sh --one FILE.c

  --programs N   random programs in all (1000)
  --seed S       of the first program; program i has seed S + i (1)
  --batch B      programs in one Verilated model (100)
  --clocks C     compared natively and in Verilator (1000; 0 of mutants: the Verilog is only elaborated)
  --icarus K     of these, compared in Icarus, too (200; 0: none)
  --netlists N   every N-th program also as netlist of Yosys, for 60 clocks (20; 0: none)
  --reduce N     failures that are reduced (3)
  --jobs J       batches at a time (2)
  --report FILE  where the figures go (build/reports/fuzz.json)
  --invalid      mutants of valid descriptions: a diagnostic, or Verilog that agrees with the C
  --one FILE     all comparisons for one program, whose module is named like the file
END
}

fail() {
    echo "fuzz.sh: $*" >&2
    exit 2
}

cd "$(dirname "$0")/../../.."
. scripts/given.sh
programs=1000 seed=1 batch=100 clocks=1000 icarus=200 netlists=20 jobs=2 reduce=3
report=build/reports/fuzz.json what='random programs' file=''
work=${FUZZ_WORK:-build/fuzz}
bin=${FUZZ_BIN:-build/bin}

while [[ $# -gt 0 ]]; do
    case $1 in
    --programs | --seed | --batch | --clocks | --icarus | --netlists | --jobs | --reduce)
        numbers "${2:-}"
        declare "${1#--}=$2"
        shift
        ;;
    --report) report=${2:?} && shift ;;
    --invalid) what=mutants work+=/mutants report=build/reports/fuzz-invalid.json ;;
    --one) file=${2:?} && shift ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
    shift
done
[[ $batch -gt 0 && $jobs -gt 0 ]] || fail "--batch and --jobs are at least 1"
export batch clocks icarus netlists # for tb/equiv/fuzz/

# ---- batches --------------------------------------------------------------------------------------------------

# run_batch DIR FIRST COUNT: the lines of one
run_batch() {
    if [[ $what == mutants ]]; then
        tb/equiv/fuzz/mutants.sh "$@"
    else
        mkdir "$1/src" && "$bin/fuzzgen" --seed "$2" --programs "$3" --folder "$1/src" && tb/equiv/fuzz/programs.sh "$1" "$2"
    fi
}

# keep_batch FIRST COUNT: one, with its lines in batch-<first>.result; of what went well no more is left
keep_batch() {
    local first=$1 count=$2 dir=$work/batch-$1
    mkdir "$dir"
    run_batch "$dir" "$first" "$count" >"$dir.part" 2>"$dir.err" ||
        echo "FAIL batch $first: $(tail -n1 "$dir.err")" >>"$dir.part"
    { grep '^FAIL' "$dir.part" || true; } | while read -r _ _ name _; do
        name=${name%:}
        [[ ! -f $dir/src/$name.c ]] || cp "$dir/src/$name.c" "$work/failed/"
    done
    mv "$dir.part" "$dir.result"
    grep -q "FAIL .* batch" "$dir.result" || rm -rf "$dir"
}

# All of them, J at a time.
run_batches() {
    local first left=$programs done_batches=0 total
    total=$(((programs + batch - 1) / batch))
    for ((first = seed; left > 0; first += batch, left -= batch)); do
        while [[ $(jobs -rp | wc -l) -ge $jobs ]]; do
            wait -n || true
            done_batches=$((done_batches + 1))
            progress "$done_batches" "$total"
        done
        keep_batch "$first" $((left < batch ? left : batch)) &
    done
    wait
    progress "$total" "$total"
}

progress() {
    local failed
    failed=$(cat "$work"/batch-*.result 2>/dev/null | grep -c '^FAIL' || true)
    echo "# $1 of $2 batches, $failed failures, $((SECONDS - started)) s"
}

# ---- failures and figures -------------------------------------------------------------------------------------

# reduce_one KIND FILE: makes it smaller while it fails in that way; what shows in Icarus is faster there
reduce_one() {
    local kind=$1 file=$2 check=tb/equiv/fuzz/check.sh
    if [[ $kind =~ ^(verilator|outputs)$ ]] && "$check" icarus "$file"; then
        kind=icarus
    fi
    "$check" "$kind" "$file" || { echo "$file alone does not fail in the way \"$kind\"" && return; }
    "$bin/fuzzreduce" "$file" "$check" "$kind"
}

# Reduces some failures and leaves each with the command that shows it again.
keep_failures() {
    local lines=$1 n=0 verdict kind name why dir
    while read -r verdict kind name why; do
        name=${name%:}
        [[ $verdict == FAIL && -f $work/failed/$name.c ]] || continue
        dir=$work/fail-$name
        [[ ! -d $dir ]] || continue
        mkdir -p "$dir"
        cp "$work/failed/$name.c" "$dir/$name.c"
        cp "$work/failed/$name.c" "$dir/$name.whole"
        [[ $kind != refused ]] || kind="refused=${why#: }"
        echo "tb/equiv/fuzz/fuzz.sh --one $dir/$name.c --clocks $clocks" >"$dir/command"
        echo "$kind $why" >"$dir/failure"
        n=$((n + 1))
        [[ $n -gt $reduce ]] || reduce_one "$kind" "$dir/$name.c" || true
        echo "# $name: $kind $why"
        echo "#   $dir/$name.c, $(wc -l <"$dir/$name.c") lines; again: $(cat "$dir/command")"
    done <"$lines"
}

count_of() {
    awk -v kind="^($2)\$" '$1 == "FAIL" && $2 ~ kind { print $3 }' "$1" | sort -u | wc -l
}

# As fields of the report. Of programs: how many had no netlist in time; of mutants: how many got a diagnostic and how
# many became Verilog.
more_counts() {
    if [[ $what != mutants ]]; then
        printf '"without_netlist": %d, ' "$(cat "$work"/batch-*.result | grep -c '^SLOW .*netlist')"
        awk '{ n++ } $3 > 0 { drawn++ } $3 == 0 { never = never sep "\"" $1 " in " $2 "\""; sep = ", " }
            END { printf "\"pairs\": %d, \"pairs_drawn\": %d, \"pairs_never\": [%s], ", n, drawn, never }' "$work/pairs"
        return
    fi
    printf '"diagnosed": %d, "lowered": %d, ' \
        "$(cat "$work"/batch-*.result | grep -c '^DIAGNOSED')" \
        "$(cat "$work"/batch-*.result | grep -c '^LOWERED')"
}

# How many constructs stood in how many others; those that never did, where these are few.
tell_pairs() {
    local drawn all
    all=$(wc -l <"$work/pairs")
    drawn=$(awk '$3 > 0' "$work/pairs" | wc -l)
    echo "# $drawn of $all pairs of constructs, one in the other: $work/pairs"
    [[ $((all - drawn)) -gt 20 ]] || awk '$3 == 0 { print "# never: " $1 " in " $2 }' "$work/pairs"
}

run_all() {
    local lines=$work/lines ran mismatches refused crashed
    mkdir -p "$work/failed" build/reports
    rm -rf "$work"/batch-* "$work"/failed/*
    echo "# $programs $what from seed $seed, $clocks clocks each"
    run_batches
    cat "$work"/batch-*.result | grep -v '^PAIR' | sort -u >"$lines"
    refused=$(count_of "$lines" refused)
    crashed=$(count_of "$lines" 'crash|hang')
    mismatches=$(count_of "$lines" 'undefined|native|verilator|outputs|assertion|icarus|netlist|batch|left')
    awk '/^PAIR/ { n[$2 " " $3] += $4 } END { for (p in n) print p, n[p] }' "$work"/batch-*.result | sort >"$work/pairs"
    ran=$(awk '/^CLOCKS/ { n += $2 } END { printf "%.0f", n }' "$work"/batch-*.result)
    printf '{"programs": %d, "mismatches": %d, "refused": %d, "crashed": %d, %s"clocks": %s, "seconds": %d, "seed": %d}\n' \
        "$programs" "$mismatches" "$refused" "$crashed" "$(more_counts)" "$ran" \
        "$((SECONDS - started))" "$seed" >"$report.part"
    mv "$report.part" "$report"
    sed -n 's/^SLOW/# slow:/p' "$lines"
    [[ $what == mutants ]] || tell_pairs
    keep_failures "$lines"
    echo "# report: $report"
    echo "$((programs - mismatches - refused - crashed)) passed, $((mismatches + refused + crashed)) failed"
    [[ $((mismatches + refused + crashed)) -eq 0 ]]
}

# Everything for one program, whose module is named like the file.
run_one() {
    local dir=$work/one
    names "$(basename "$file" .c)"
    rm -rf "$dir"
    mkdir -p "$dir/src"
    cp "$file" "$dir/src/"
    netlists=1 tb/equiv/fuzz/programs.sh "$dir" "$seed" | cut -c1-300 | tee "$dir.result"
    ! grep -q '^FAIL' "$dir.result"
}

started=$SECONDS
mkdir -p "$work"
if [[ -n $file ]]; then
    run_one
else
    run_all
fi
