#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# rtl.sh OUT FILE.c... - runs rtlgen (environment RTLGEN) on the files and brings OUT up to date.
#
# Only files whose content changed are touched, so that a change in one module does not rebuild the
# models of all others. OUT/done is written last and is as new as the run.
set -euo pipefail

out=$1
shift
if [ $# -eq 0 ]; then
    echo "rtl.sh: no C files for $out" >&2
    exit 1
fi
new=$out.new
rm -rf "$new"
mkdir -p "$new" "$out"
echo "  rtlgen  $out"
"$RTLGEN" -Ihls -o "$new" "$@"

if rmdir "$out" 2>/dev/null; then # the first time
    mv "$new" "$out"
else
    # what the C no longer describes
    for file in "$out"/*; do
        [ -e "$new/${file##*/}" ] || [ -d "$file" ] || rm -f "$file"
    done
    for file in "$new"/*; do
        cmp -s "$file" "$out/${file##*/}" || mv "$file" "$out/"
    done
    rm -rf "$new"
fi
touch "$out/done"
