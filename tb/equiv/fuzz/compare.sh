# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# compare.sh - the parts of a comparison, read by the scripts that compare programs. Those of a batch stand in a folder DIR:
# src/, rtl/, and names, which lists the modules that were lowered. What differs is a line "FAIL kind program why" on
# standard output, what took long "SLOW program: why".
#
# Environment, which fuzz.sh sets: clocks and icarus, as its options; RTLGEN, FUZZ_BIN, FUZZ_WORK; STATES: for rtlgen's --states.

. scripts/given.sh
clocks=${clocks:-1000} icarus=${icarus:-200}
numbers "$clocks" "$icarus"
rtlgen=${RTLGEN:-build/bin/rtlgen}
# shellcheck disable=SC2034 # those that read this file use it
bin=${FUZZ_BIN:-build/bin}
# shellcheck disable=SC2034
net_clocks=60
patience=20 # seconds of processor time for one program
includes=(-Ihls -Irtl_gen/test/operators -Irtl_gen/test/hierarchy)
[[ -z ${STATES:-} ]] || includes+=(--states "$STATES")

CHECKED=(-fsanitize=undefined -fsanitize=bounds -fsanitize-trap=all)
NATIVE=(-std=c23 -D_GNU_SOURCE -fstrict-flex-arrays=3 -w -fPIC -I. -Ihls -Irtl_gen/test/operators -Irtl_gen/test/hierarchy)
CXX=(-w -std=gnu++17 -O0 -faligned-new -DVL_USER_FINISH -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0
    -isystem "$PWD/build/fuzz/include" -isystem "$PWD/build/fuzz/include/vltstd")

# ---- C to Verilog -----------------------------------------------------------------------------------------

# lower OUT FILE... LOG: runs rtlgen, and once more with ten times the time before it says that it hangs; what does not
# repeat is reported as "SLOW". Status: 0 lowered, 1 refused, 2 crashed, 3 hung.
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
    if timeout 300 "$rtlgen" "${includes[@]}" -o "$dir/rtl" "$dir"/src/*.c >"$dir/rtlgen.log" 2>&1; then
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

# ---- Verilator, Icarus, Yosys ---------------------------------------------------------------------------------

# compile_native DIR LEVEL: plain.so at -O LEVEL and checked.so, in which undefined behaviour traps
compile_native() {
    compile_shared "$1" plain "-O$2"
    compile_checked "$1"
}

compile_checked() { compile_shared "$1" checked -O0 "${CHECKED[@]}"; }

# compile_shared DIR NAME FLAG...: NAME.so of the C of all programs
compile_shared() {
    local dir=$1 name=$2 source
    for source in "$dir"/native*.c; do
        clang-19 "${NATIVE[@]}" "-I$dir" "-I$dir/rtl" "${@:3}" -c "$source" -o "${source%.c}.$name.o"
    done
    clang-19 -shared "$dir"/native*."$name.o" -o "$dir/$name.so"
}

compile_model() {
    build_model "$1" >"$1/model.log" 2>&1 && return
    echo "FAIL verilator batch: $(grep -m1 -E 'Error|error' "$1/model.log")"
    return 1
}

build_model() {
    local dir=$1 part
    (
        cd "$dir" || exit
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

# run_programs DIR COMMAND...: fuzzrun, alone or with a model in it; its FAIL lines.
run_programs() {
    local dir=$1
    shift
    "$@" "$dir/rtl" "$dir/plain.so" "$dir/checked.so" >"$dir/run.log" 2>&1 || true
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
