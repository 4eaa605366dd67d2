#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# mpi.sh [--nodes N] [--each K] [--rtl] [--limit SECONDS] [--wall] [--folder FOLDER] [--uncounted] [--until WORDS] PROGRAM [ARGUMENT...] - Debian's Open MPI over the NICs of a modelled machine.
#
# A machine of N nodes (2), native or Verilated (--rtl), K ranks of the program on each (1); between ranks UCX's ugni transports and nothing else. Afterwards what Open MPI's
# monitoring counted is compared with the NICs' counters: build/reports/mpi.json. The program's clock is the machine's, but with --wall; it runs in FOLDER.
# --uncounted: without the monitoring, which some programs end; the NICs' counters alone are judged. --until: the program is ended when a file that it writes in FOLDER has these words.
# mpi.sh suite: our programs, the same without a machine, NetPIPE to 1 MB with its curve build/reports/netpipe.svg. With --rtl our programs and NetPIPE to 64 bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly TOP=$PWD WORK=$PWD/build/clients/mpi
nodes=2 each=1 limit=600 wall=no folder=$PWD counted=yes until='' rtl=()

fail() { echo "mpi: $*" >&2; exit 1; }

needs() {
    local tool
    for tool in mpirun mpicc; do
        command -v "$tool" >/dev/null || fail "there is no $tool: packages openmpi-bin, libopenmpi-dev bring it"
    done
    mpirun --version | grep -q 'Open MPI' || fail "mpirun is not Open MPI's: package openmpi-bin brings it"
    [ -e build/clients/libuct_ugni.so ] || fail "UCX's transport is not built: scripts/clients/ucx.sh plugin"
}

# The line that all runs share; ugni-only: no other transport, no shared memory of Open MPI's, no InfiniBand.
launch() {
    local root=() monitoring=',monitoring' log=$WORK/ucx.%p preload=$TOP/build/clients/libuct_ugni.so:$TOP/build/clients/libucx_ugni.so
    [ "$(id -u)" -ne 0 ] || root=(--allow-run-as-root)
    [ "$wall" = yes ] || preload+=:$TOP/build/lib/libheddle_time.so
    [ "$counted" = yes ] || monitoring=''
    # who is ended writes no buffers
    [ -z "$until" ] || log=stderr
    timeout "$limit" mpirun "${root[@]}" --report-pid "$WORK/mpirun.pid" --oversubscribe --bind-to none -wdir "$folder" -n $((nodes * each)) \
        --mca pml ucx$monitoring --mca osc ucx$monitoring --mca btl self --mca coll ^sm,han --mca pml_ucx_tls any --mca pml_ucx_devices any \
        --mca pml_monitoring_enable "$([ "$counted" = yes ] && echo 1 || echo 0)" --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$WORK/count" \
        -x UCX_TLS=ugni,self -x UCX_NET_DEVICES=ARIES:0 -x UCX_MODULES='^cma' -x UCX_ADDRESS_VERSION=v2 \
        -x UCX_LOG_LEVEL=info -x UCX_LOG_FILE="$log" -x HEDDLE_MACHINE -x HEDDLE_RANKS_PER_NODE="$each" -x PMI_GNI_PTAG=1 -x PMI_GNI_COOKIE=1 \
        -x LD_LIBRARY_PATH="$TOP/build/lib" -x LD_PRELOAD="$preload" "$@"
}

# What the machine took, by its report.
clocks() { sed -n 's/^ *"clocks": \([0-9]*\).*/\1/p' "$WORK/machine.json"; }

# Ends the program when it has written those words; 0 if it has.
watched() {
    launch "$@" 2>"$WORK/ucx.all" &
    local program=$! status=0
    until grep -qsr -- "$until" "$folder" || ! kill -0 "$program" 2>/dev/null; do
        sleep 1
    done
    if grep -qsr -- "$until" "$folder"; then
        kill "$(cat "$WORK/mpirun.pid")" 2>/dev/null || true
        wait "$program" 2>/dev/null || true
        return 0
    fi
    wait "$program" || status=$?
    [ "$status" -ne 0 ] || fail "${1##*/} has ended without a word of: $until"
    return "$status"
}

# A machine for the time of one program, then the books.
run() {
    local machine status=0
    rm -rf "$WORK" && mkdir -p "$WORK" build/reports
    export HEDDLE_MACHINE=/tmp/heddle-mpi-$$
    build/bin/machined --quiet "${rtl[@]}" --socket "$HEDDLE_MACHINE" --nodes "$nodes" --report "$WORK/machine.json" --log "$WORK/machine.log" &
    machine=$!
    # shellcheck disable=SC2064 # this machine
    trap "kill $machine 2>/dev/null || true" EXIT
    until [ -S "$HEDDLE_MACHINE" ]; do
        kill -0 "$machine" 2>/dev/null || fail "the machine does not start"
        sleep 0.05
    done
    if [ -n "$until" ]; then
        watched "$@" || status=$?
    else
        launch "$@" || status=$?
    fi
    kill "$machine" 2>/dev/null || true
    wait "$machine" || fail "the machine has failed: $WORK/machine.log"
    [ "$status" -ne 124 ] || fail "${1##*/} has not ended within $limit s, after $(clocks) clocks: --limit"
    [ "$status" -eq 0 ] || fail "${1##*/} ends with $status; what UCX says is in build/clients/mpi"
    python3 scripts/clients/mpi_books.py "$WORK" build/reports/mpi.json "${1##*/}" "$nodes" "$each" "$counted"
}

# The same line without a machine: it must not find another way.
without() {
    wall=yes
    rm -rf "$WORK" && mkdir -p "$WORK"
    if HEDDLE_MACHINE=/nowhere/machine launch "$@" >"$WORK/without.log" 2>&1; then
        fail "${1##*/} runs without a machine: something else carries its messages"
    fi
    grep -q 'no machine runs there' "$WORK/without.log" || fail "without a machine it fails for another reason: build/clients/mpi/without.log"
    echo "mpi: without a machine ${1##*/} fails, as it must"
    wall=no
}

suite() {
    local program
    for program in mpi_messages mpi_windows; do
        mpicc -std=c11 -Wall -Wextra -Werror -O2 "scripts/clients/$program.c" -o "build/clients/$program"
    done
    rm -f build/reports/mpi.json
    without build/clients/mpi_messages
    run build/clients/mpi_messages
    run build/clients/mpi_windows
    command -v NPopenmpi >/dev/null || fail "there is no NetPIPE: package netpipe-openmpi brings it"
    if [ ${#rtl[@]} -gt 0 ]; then
        run NPopenmpi -l 1 -u 64 -n 1 -p 0 -o build/clients/netpipe-rtl.out
        return
    fi
    nodes=4
    run build/clients/mpi_messages
    run build/clients/mpi_windows
    nodes=2
    run NPopenmpi -l 1 -u 4096 -n 20 -p 0 -o build/clients/netpipe-short.out
    run NPopenmpi -l 6144 -u 1048576 -n 1 -p 0 -o build/clients/netpipe-long.out
    cat build/clients/netpipe-{short,long}.out >build/clients/netpipe.out
    scripts/clients/netpipe.sh build/clients/netpipe.out build/reports/netpipe.svg
}

needs
while [[ ${1:-} == --* ]]; do
    case $1 in
    --wall) wall=yes && shift ;;
    --rtl) rtl=(--rtl) && shift ;;
    --nodes | --each | --limit)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || fail "$1 wants a number"
        printf -v "${1#--}" %s "$2" && shift 2
        ;;
    --uncounted) counted=no && shift ;;
    --until)
        [ -n "${2:-}" ] || fail "--until wants words"
        until=$2 && shift 2
        ;;
    --folder)
        [ -d "${2:-}" ] || fail "--folder wants a folder"
        folder=$(realpath "$2") && shift 2
        ;;
    *) fail "$1 is no option: --nodes, --each, --rtl, --limit, --wall, --folder, --uncounted, --until" ;;
    esac
done
[ $# -gt 0 ] || fail "a program is wanted, or suite: mpi.sh [--nodes N] PROGRAM [ARGUMENT...]"
if [ "$1" = suite ]; then
    suite
else
    command -v "$1" >/dev/null || fail "there is no program $1"
    run "$@"
fi
