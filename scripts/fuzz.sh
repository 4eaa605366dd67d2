#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh - random programs through rtlgen: native C, Verilator, Icarus and the Yosys netlist must
# agree on every output and every register at every clock. rtl_gen/fuzz/README.md tells how.
#
# Reads build/bin/fuzz*, build/fuzz/run.a and build/verilated/libverilated.a; works in build/fuzz/ (FUZZ_WORK), with
# --invalid in mutants/ there. A difference is reduced and kept in fail-<program>/ there.
set -euo pipefail

usage() {
    cat <<'END'
usage: fuzz.sh [--programs N] [--seed S] [--batch B] [--clocks C] [--jobs J]
               [--icarus K] [--netlists N] [--reduce N] [--report FILE]
       fuzz.sh --invalid [--programs N] [--seed S] ...
       fuzz.sh --one FILE.c
       fuzz.sh --check KIND FILE.c
       fuzz.sh --reduce-one KIND FILE.c

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
  --check        exit status 0 if FILE fails in the way KIND says
  --reduce-one   make FILE smaller while it fails in the way KIND says

  KIND: crash, hang, refused, undefined, native, verilator, outputs, assertion, icarus, netlist
END
}

fail() {
    echo "fuzz.sh: $*" >&2
    exit 2
}

cd "$(dirname "$0")/.."
. scripts/given.sh
programs=1000 seed=1 batch=100 clocks=1000 icarus=200 netlists=20 jobs=2 reduce=3
report=build/reports/fuzz.json mode=run what='random programs' kind='' file=''
work=${FUZZ_WORK:-build/fuzz}
net_clocks=60
patience=20 # seconds of processor time for one program
includes=(-Ihls -Irtl_gen/test)
rtlgen=${RTLGEN:-build/bin/rtlgen}
bin=${FUZZ_BIN:-build/bin}
export RTLGEN=$rtlgen FUZZ_BIN=$bin

while [[ $# -gt 0 ]]; do
    case $1 in
    --programs | --seed | --batch | --clocks | --icarus | --netlists | --jobs | --reduce)
        numbers "${2:-}"
        declare "${1#--}=$2"
        shift
        ;;
    --report) report=${2:?} && shift ;;
    --invalid) mode=invalid what=mutants work+=/mutants report=build/reports/fuzz-invalid.json ;;
    --one) mode=one file=${2:?} && shift ;;
    --check) mode=check kind=${2:?} file=${3:?} && shift 2 ;;
    --reduce-one) mode=reduce kind=${2:?} file=${3:?} && shift 2 ;;
    --batch-of) mode=batch file=${2:?} && shift ;;
    --mutants) mode=mutants file=${2:?} && shift ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
    shift
done
[[ $batch -gt 0 && $jobs -gt 0 ]] || fail "--batch and --jobs are at least 1"
[[ $mode != one && $mode != check && $mode != reduce ]] || names "$(basename "$file" .c)" # the module's

CHECKED=(-fsanitize=undefined -fsanitize=bounds -fsanitize-trap=all)
NATIVE=(-std=c23 -D_GNU_SOURCE -fstrict-flex-arrays=3 -w -fPIC -I. -Ihls -Irtl_gen/test)
CXX=(-w -std=gnu++17 -O0 -faligned-new -DVL_USER_FINISH -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0
    -isystem "$PWD/build/fuzz/include" -isystem "$PWD/build/fuzz/include/vltstd")

# ---- the parts of a comparison: DIR has src/, rtl/, names ---------------------------------------------

# lower OUT FILE... LOG: runs rtlgen, and once more with ten times the time before it says that it hangs; what does not
# repeat is told as "SLOW". Status: 0 lowered, 1 refused, 2 crashed, 3 hung.
lower() {
    local status=0
    lower_within "$patience" "$@" || status=$?
    [[ $status -eq 3 ]] || return "$status"
    status=0
    find "$1" -name '*.part*' -delete # of what was stopped
    lower_within $((10 * patience)) "$@" || status=$?
    [[ $status -eq 3 ]] || echo "SLOW ${module:-$(basename "$2" .c)}: no end in $patience s, but at the second attempt"
    return "$status"
}

# lower_within SECONDS OUT FILE... LOG
lower_within() {
    local seconds=$1 out=$2 log=${*: -1} status=0
    (
        [[ $rtlgen == *-test ]] || ulimit -v 8000000 # the address sanitizer reserves terabytes
        ulimit -t "$seconds" # of the processor: a busy machine is no hang
        timeout $((10 * seconds)) "$rtlgen" "${includes[@]}" -o "$out" "${@:3:$#-3}"
    ) >"$log" 2>&1 || status=$?
    case $status in
    0) return 0 ;;
    1) grep -q 'error:' "$log" && return 1 ;;
    124 | 137 | 152) return 3 ;; # out of time: timeout, or the kernel's SIGXCPU, SIGKILL
    esac
    return 2
}

# All at once; one by one if that fails, so that one bad program does not hide the others.
lower_all() {
    local dir=$1 source name
    mkdir -p "$dir/rtl"
    if timeout 300 "$rtlgen" -Ihls -o "$dir/rtl" "$dir"/src/*.c >"$dir/rtlgen.log" 2>&1; then
        for source in "$dir"/src/*.c; do basename "$source" .c; done >"$dir/names"
        return
    fi
    : >"$dir/names"
    for source in "$dir"/src/*.c; do
        name=$(basename "$source" .c)
        local status=0
        lower "$dir/rtl" "$source" "$dir/$name.log" || status=$?
        case $status in
        0) echo "$name" >>"$dir/names" ;;
        3) echo "FAIL hang $name: no end in $((10 * patience)) s" ;;
        1) echo "FAIL refused $name: $(grep -m1 'error:' "$dir/$name.log" | sed 's/.*error: //')" ;;
        *) echo "FAIL crash $name: $(tail -n1 "$dir/$name.log" | cut -c1-120)" ;;
        esac
    done
}

compile_native() {
    local dir=$1 level=$2 source object
    for source in "$dir"/native*.c; do
        object=${source%.c}
        clang-19 "${NATIVE[@]}" "-I$dir" "-I$dir/rtl" "-O$level" -c "$source" -o "$object.plain.o"
        clang-19 "${NATIVE[@]}" "-I$dir" "-I$dir/rtl" -O0 "${CHECKED[@]}" -c "$source" \
            -o "$object.checked.o"
    done
    clang-19 -shared "$dir"/native*.plain.o -o "$dir/plain.so"
    clang-19 -shared "$dir"/native*.checked.o -o "$dir/checked.so"
}

compile_model() {
    local dir=$1 part
    (
        cd "$dir"
        # constant bit-op trees: Verilator 5.006 computes some of them wrong (issues 4059, 4832 ...);
        # dedup: it stops (V3Gate.cpp:970) where a kept function turns out constant
        verilator --cc -Wno-lint -Wno-style -fno-const-bit-op-tree -fno-dedup -DHLS_STATE -DHLS_ASSERT -y rtl \
            --prefix Vfuzz_top --top-module fuzz_top --Mdir model w*.v top.v
        {
            echo '#include "top.cpp"'
            for part in model/*.cpp; do echo "#include \"$part\""; done
        } >model.cc
        clang++-19 "${CXX[@]}" -I. -Imodel -c model.cc -o model.o # three times as fast as g++ 12
    )
    g++ -rdynamic -Wl,--whole-archive build/fuzz/run.a -Wl,--no-whole-archive "$dir/model.o" \
        build/verilated/libverilated.a -lcjson -ldl -lz -lpthread -o "$dir/fuzz"
}

# within SECONDS COMMAND...: of processor time
within() {
    (ulimit -t "$1" && exec "${@:2}")
}

# fuzzrun, alone or with a model in it; its FAIL lines.
run_programs() {
    local dir=$1
    shift
    "$@" "$dir/rtl" "$dir/plain.so" "$dir/checked.so" \
        >"$dir/run.log" 2>&1 || true
    grep '^FAIL' "$dir/run.log" || true
    grep -q '^DONE' "$dir/run.log" || echo "FAIL native batch: $(tail -n1 "$dir/run.log")"
}

# Netlists of the programs whose numbers are given, as modules net_<i>. Where Yosys takes too long, net_<i> is the
# RTL, and "SLOW <name>" says so.
netlists_of() {
    local dir=$1 i name status
    shift
    for i in "$@"; do
        name=$(sed -n "$((i + 1))p" "$dir/names")
        status=0
        (
            ulimit -v 8000000
            ulimit -t $((3 * patience))
            cd "$dir"
            yosys -q -p "read_verilog -DHLS_STATE w$i.v \
                $(sed 's|^|rtl/|' "rtl/$name.f" | tr '\n' ' ');
                synth -noabc -noshare -flatten -top fuzz_$i; splitnets; opt_clean;
                rename fuzz_$i net_$i; write_verilog -noattr net_$i.v"
        ) >"$dir/yosys.log" 2>&1 || status=$?
        case $status in
        0) ;;
        137 | 152)
            echo "SLOW $name: no netlist in $((3 * patience)) s"
            sed "s/\bfuzz_$i\b/net_$i/" "$dir/w$i.v" >"$dir/net_$i.v"
            ;;
        *) echo "FAIL netlist $name: Yosys: $(grep -m1 ERROR "$dir/yosys.log")" && return 1 ;;
        esac
    done
}

# Icarus on the RTL (w*.v), or on the netlists: prints the bench's FAIL lines.
play() {
    local dir=$1 bench=$2 pattern=$3 status=0
    (
        cd "$dir"
        # shellcheck disable=SC2086
        iverilog -g2005 -DHLS_STATE -y rtl -s fuzz_bench -o "$bench.vvp" "$bench.v" $pattern &&
            ulimit -t 600 && vvp -n "$bench.vvp"
    ) >"$dir/$bench.log" 2>&1 || status=$?
    grep '^FAIL' "$dir/$bench.log" || true
    [[ $status -eq 0 ]] && grep -q '^DONE' "$dir/$bench.log" ||
        echo "FAIL icarus batch: $bench.log: $(grep -m1 -i error "$dir/$bench.log" || tail -n1 "$dir/$bench.log")"
}

# Everything for the programs of DIR/src; FAIL lines and "CLOCKS n" on stdout.
compare_all() {
    local dir=$1 chosen=() i n
    lower_all "$dir"
    n=$(wc -l <"$dir/names")
    [[ $n -gt 0 ]] || return 0
    for ((i = 0; netlists > 0 && i < n; i++)); do
        (((i + seed) % netlists)) || chosen+=("$i")
    done
    mapfile -t names <"$dir/names"
    list=$(IFS=, && echo "${chosen[*]:--}")
    "$bin/fuzzglue" "$dir" 20 "$icarus" "$net_clocks" "$list" "${names[@]}"
    recorded=$((icarus > net_clocks ? icarus : net_clocks))
    compile_native "$dir" $((seed / batch % 3)) # the C means the same at every level
    compile_model "$dir" >"$dir/model.log" 2>&1 ||
        { echo "FAIL verilator batch: $(grep -m1 -E 'Error|error' "$dir/model.log")" && return; }
    run_programs "$dir" "$dir/fuzz" --clocks "$clocks" --record "$recorded" "$dir"
    [[ $icarus -eq 0 ]] || play "$dir" bench 'w[0-9]*.v'
    if [[ ${#chosen[@]} -gt 0 ]]; then
        ! netlists_of "$dir" "${chosen[@]}" || play "$dir" net_bench 'net_[0-9]*.v'
    fi
    echo "CLOCKS $((n * clocks))"
}

# ---- one program ------------------------------------------------------------------------------------------

# DIR/src with a copy of FILE
fresh_dir() {
    local dir=$1 file=$2
    rm -rf "$dir"
    mkdir -p "$dir/src" "$dir/rtl"
    cp "$file" "$dir/src/"
    basename "$file" .c >"$dir/names"
}

# Native vectors for Icarus and netlists; fails if the C is not defined.
record_natively() {
    local dir=$1
    mapfile -t names <"$dir/names"
    "$bin/fuzzglue" "$dir" 1 "$clocks" "$clocks" 0 "${names[@]}"
    compile_native "$dir" 1
    run_programs "$dir" "$bin/fuzzrun" --clocks "$clocks" --record "$clocks" "$dir"
}

# Does FILE fail like that? Cheap things first: this is called a few hundred times by the reducer.
check_one() {
    local kind=$1 file=$2 dir=$work/check-$$ status=0 found
    # shellcheck disable=SC2064
    trap "rm -rf '$dir'" EXIT
    fresh_dir "$dir" "$file"
    lower_within "$patience" "$dir/rtl" "$file" "$dir/log" || status=$?
    case $kind in
    crash) return $((status != 2)) ;;
    hang) return $((status != 3)) ;;
    refused=*)
        [[ $status -eq 1 ]] && grep -qF -- "${kind#*=}" "$dir/log"
        return
        ;;
    esac
    [[ $status -eq 0 ]] || return 1
    found=$(record_natively "$dir" 2>/dev/null) || return 1
    case $kind in
    undefined | native)
        grep -q "^FAIL $kind " <<<"$found"
        return
        ;;
    esac
    [[ -z $found ]] || return 1
    case $kind in
    icarus) found=$(play "$dir" bench 'w[0-9]*.v') ;;
    netlist)
        found=$(netlists_of "$dir" 0) || return 1
        found=$(play "$dir" net_bench 'net_[0-9]*.v')
        ;;
    *)
        compile_model "$dir" >"$dir/model.log" 2>&1 || return 1
        found=$(run_programs "$dir" "$dir/fuzz" --clocks "$clocks" "$dir")
        ;;
    esac
    grep -q "^FAIL $kind [a-z0-9_]* clock" <<<"$found"
}

# Makes FILE smaller, which fails in the way KIND says; what shows in Icarus is faster there.
reduce_one() {
    local kind=$1 file=$2
    check_again() { "$0" --check "$@" --clocks "$clocks"; }
    if [[ $kind =~ ^(verilator|outputs)$ ]] && check_again icarus "$file"; then
        kind=icarus
    fi
    check_again "$kind" "$file" || { echo "$file alone does not fail in the way \"$kind\"" && return; }
    "$bin/fuzzreduce" "$file" "$0" --clocks "$clocks" --check "$kind"
}

# ---- many -------------------------------------------------------------------------------------------------------

one_batch() {
    local dir=$1
    mkdir -p "$dir/src"
    "$bin/fuzzgen" "$seed" "$programs" "$dir/src"
    compare_all "$dir"
}

# Number i of a batch of mutants: of a random program, of a module of rtl_gen/test or, every twentieth, of a
# file of hls/, lowered with its folder. A batch has no module twice, so that what is accepted can
# stand side by side. Sets files, includes, module and top.
mutant() {
    local dir=$1 i=$2 number=$((seed + $2)) tests
    includes=(-Ihls -Irtl_gen/test)
    if ((i % 20 == 19)); then
        folder_mutant "$dir" "$number"
        return
    fi
    tests=(rtl_gen/test/*.c)
    source=${tests[$(((seed + i / 2) % ${#tests[@]}))]}
    # a module declared in a header of its own would need two files here
    if ! ((i % 2)) || [[ -f ${source%.c}.h || -e $dir/src/${source##*/} ]]; then
        source=$dir/f$number.c
        "$bin/fuzzgen" "$number" >"$source"
    fi
    module=$(basename "$source" .c)
    top=$module
    files=("$dir/src/$module.c")
    "$bin/fuzzmutate" "$number" "$source" >"${files[0]}"
}

# A file of hls/, headers and templates too, with something changed in a copy of hls/.
folder_mutant() {
    local dir=$1 number=$2 all folders=(link router example link) folder source
    local -A whole=([link]=lcb [router]=tile [example]=debounce)
    folder=${folders[$((number / 20 % 4))]}
    all=(hls/"$folder"/*.[ch] hls/hls.h)
    source=${all[$((number / 80 % ${#all[@]}))]}
    rm -rf "$dir/hls"
    cp -r hls "$dir/hls"
    "$bin/fuzzmutate" "$number" "$source" >"$dir/$source"
    cp "$dir/$source" "$dir/src/hls$number.c" # kept when it fails
    includes=("-I$dir/hls")
    module=hls$number
    top=$(basename "$source" .c) # and of a header
    [[ $source == *.c ]] || top=${whole[$folder]}
    files=("$dir/hls/$folder"/*.c)
}

# What rtlgen accepted, from module TOP down, through Verilator's parser and elaboration.
lint() {
    local out=$1 top=$2
    verilator --lint-only -Wno-lint -Wno-style -DHLS_STATE -DHLS_ASSERT -y "$out" --top-module "$top" \
        "$out/$top.v" >"$out.lint" 2>&1 && return
    echo "FAIL verilator $module: $top: $(grep -m1 -E '%Error' "$out.lint")"
    return 1
}

# rtlgen on one mutant; what it accepts goes to DIR/rtl and DIR/names.
try_mutant() {
    local dir=$1 out=$1/out status=0
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
    elif ! lint "$out" "$top"; then
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

mutant_batch() {
    local dir=$1 i names files module top includes
    mkdir -p "$dir/src" "$dir/rtl"
    patience=10
    [[ $rtlgen != *-test ]] || patience=40
    for ((i = 0; i < programs; i++)); do
        mutant "$dir" "$i"
        try_mutant "$dir"
    done
    [[ -s $dir/names && $clocks -gt 0 ]] || return 0
    mapfile -t names <"$dir/names"
    "$bin/fuzzglue" "$dir" 1 1 1 - "${names[@]}"
    compile_native "$dir" 1
    compile_model "$dir" >"$dir/model.log" 2>&1 ||
        { echo "FAIL verilator batch: $(grep -m1 -E 'Error|error' "$dir/model.log")" && return; }
    run_programs "$dir" within 300 "$dir/fuzz" --mutants --clocks "$clocks"
    echo "CLOCKS $((${#names[@]} * clocks))"
}

# Starts the batches, J at a time; each leaves its lines in build/fuzz/batch-<seed>.result
run_batches() {
    local part=$1 first left=$programs count done_batches=0 total
    total=$(((programs + batch - 1) / batch))
    for ((first = seed; left > 0; first += batch, left -= batch)); do
        count=$((left < batch ? left : batch))
        while [[ $(jobs -rp | wc -l) -ge $jobs ]]; do
            wait -n || true
            done_batches=$((done_batches + 1))
            progress "$done_batches" "$total"
        done
        one_batch_job "$part" "$first" "$count" &
    done
    wait
    progress "$total" "$total"
}

one_batch_job() {
    local part=$1 first=$2 count=$3 dir=$work/batch-$2
    rm -rf "$dir"
    mkdir -p "$dir"
    "$0" "$part" "$dir" --seed "$first" --programs "$count" --batch "$batch" --clocks "$clocks" \
        --icarus "$icarus" --netlists "$netlists" >"$dir.part" 2>"$dir.err" ||
        echo "FAIL batch $first: $(tail -n1 "$dir.err")" >>"$dir.part"
    { grep '^FAIL' "$dir.part" || true; } | while read -r _ _ name _; do
        name=${name%:}
        [[ ! -f $dir/src/$name.c ]] || cp "$dir/src/$name.c" "$work/failed/"
    done
    mv "$dir.part" "$dir.result"
    grep -q "FAIL .* batch" "$dir.result" || rm -rf "$dir"
}

progress() {
    local failed
    failed=$(cat "$work"/batch-*.result 2>/dev/null | grep -c '^FAIL' || true)
    echo "# $1 of $2 batches, $failed failures, $((SECONDS - started)) s"
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
        echo "scripts/fuzz.sh --one $dir/$name.c --clocks $clocks" >"$dir/command"
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
    if [[ $mode != invalid ]]; then
        printf '"without_netlist": %d, ' "$(cat "$work"/batch-*.result | grep -c '^SLOW .*netlist')"
        return
    fi
    printf '"diagnosed": %d, "lowered": %d, ' \
        "$(cat "$work"/batch-*.result | grep -c '^DIAGNOSED')" \
        "$(cat "$work"/batch-*.result | grep -c '^LOWERED')"
}

run_all() {
    local part=$1 lines=$work/lines ran mismatches refused crashed
    mkdir -p "$work/failed" build/reports
    rm -rf "$work"/batch-* "$work"/failed/*
    echo "# $programs $what from seed $seed, $clocks clocks each"
    run_batches "$part"
    cat "$work"/batch-*.result | sort -u >"$lines"
    refused=$(count_of "$lines" refused)
    crashed=$(count_of "$lines" 'crash|hang')
    mismatches=$(count_of "$lines" 'undefined|native|verilator|outputs|assertion|icarus|netlist|batch|left')
    ran=$(awk '/^CLOCKS/ { n += $2 } END { printf "%.0f", n }' "$work"/batch-*.result)
    printf '{"programs": %d, "mismatches": %d, "refused": %d, "crashed": %d, %s"clocks": %s, "seconds": %d, "seed": %d}\n' \
        "$programs" "$mismatches" "$refused" "$crashed" "$(more_counts)" "$ran" \
        "$((SECONDS - started))" "$seed" >"$report.part"
    mv "$report.part" "$report"
    sed -n 's/^SLOW/# slow:/p' "$lines"
    keep_failures "$lines"
    echo "# report: $report"
    echo "$((programs - mismatches - refused - crashed)) passed, $((mismatches + refused + crashed)) failed"
    [[ $((mismatches + refused + crashed)) -eq 0 ]]
}

started=$SECONDS
mkdir -p "$work"
case $mode in
run) run_all --batch-of ;;
batch) one_batch "$file" ;;
invalid) run_all --mutants ;;
mutants) mutant_batch "$file" ;;
check) check_one "$kind" "$file" ;;
reduce) reduce_one "$kind" "$file" ;;
one)
    netlists=1
    fresh_dir "$work/one" "$file"
    compare_all "$work/one" | cut -c1-300 | tee "$work/one.result"
    ! grep -q '^FAIL' "$work/one.result"
    ;;
esac
