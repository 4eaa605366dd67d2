#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh [OPTION...] PROGRAM [ARGUMENT...] - a machine, a process of the program on each of its nodes, and the end of it all.
#
# Options are those of machined (--nodes 2, --rtl, --trace FILE, --log FILE ...). The status is that of the last process that fails.
set -euo pipefail
cd "$(dirname "$0")/../.."

nodes=2
options=()
while [[ ${1:-} == --* ]]; do
    case $1 in
    *=* | --quiet | --rtl) options+=("$1") && shift ;;
    *)
        [ $# -gt 1 ] || { echo "run.sh: $1 wants a value" >&2 && exit 1; }
        [ "$1" != --nodes ] || nodes=$2
        options+=("$1" "$2") && shift 2
        ;;
    esac
done
[ $# -gt 0 ] || { echo "run.sh: a program is wanted: run.sh [OPTION...] PROGRAM [ARGUMENT...]" >&2 && exit 1; }

export HEDDLE_MACHINE=/tmp/heddle-run-$$ LD_LIBRARY_PATH=$PWD/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PMI_GNI_PTAG=${PMI_GNI_PTAG:-1} PMI_GNI_COOKIE=${PMI_GNI_COOKIE:-1}
build/bin/machined --socket "$HEDDLE_MACHINE" "${options[@]}" &
machine=$!
trap 'kill "$machine" 2>/dev/null; wait "$machine" 2>/dev/null || true' EXIT
until [ -S "$HEDDLE_MACHINE" ]; do
    kill -0 "$machine" 2>/dev/null || exit 1
    sleep 0.05
done
pids=()
for ((node = 0; node < nodes; node++)); do
    HEDDLE_NODE=$node PMI_RANK=$node PMI_SIZE=$nodes "$@" &
    pids+=($!)
done
status=0
for pid in "${pids[@]}"; do
    wait "$pid" || status=$?
done
exit "$status"
