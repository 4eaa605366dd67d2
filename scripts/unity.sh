#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# unity.sh DIR [often|seldom] - C++ that includes what Verilator has left in DIR, on standard output: for one run of the compiler, as
# reading the headers takes longer than most models.
#
# Code for start and waveforms comes last, and clang does not optimise it: run once or when somebody looks, it is most of all, and
# not worth the time. often, seldom: without that code, or it alone.
set -euo pipefail

often=()
seldom=()
for file in "$1"/*.cpp; do
    case $file in
    *Slow.cpp | *__Trace__*) seldom+=("$file") ;;
    *) often+=("$file") ;;
    esac
done
includes() { printf '#include "%s"\n' "${@##*/}"; }
[[ ${2:-} == seldom ]] || includes "${often[@]}"
[[ ${2:-} == often ]] && exit
echo '#pragma clang optimize off'
includes "${seldom[@]}"
