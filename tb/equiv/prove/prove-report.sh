#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# prove-report.sh [DIR] - all entries of DIR (build/prove/entry: one file for each proof, as prove.sh and
# prove-rtl.sh left them) as one list in REPORT (build/reports/prove.json), with a line of totals.
set -euo pipefail

entries=${1:-build/prove/entry}
report=${REPORT:-build/reports/prove.json}
mkdir -p "${report%/*}"
{
    echo "["
    for file in "$entries"/*.json; do
        [[ ! -e $file ]] || sed '$!d; s/$/,/' "$file"
    done | sed '$s/,$//'
    echo "]"
} >"$report.part"
mv "$report.part" "$report"
echo "$(grep -c '"proved": true' "$report" || true) proved, $(grep -c '"proved": false' "$report" || true) not; report: $report"
