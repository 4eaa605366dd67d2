#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-small-change.sh - a changed line of C changes few lines of Verilog, and only in its module.
# Works in build/test/small.
set -euo pipefail

rtlgen=$PWD/${RTLGEN:-build/bin/rtlgen}
work=build/test/small
number=0
failed=0

verdict() {
    number=$((number + 1))
    case $1 in
    0) echo "ok $number - $2" ;;
    *) failed=1 && echo "not ok $number - $2 # $3" ;;
    esac
}

# change MOST FILE SED: at most MOST lines of Verilog come, and only in FILE's own module.
change() {
    local most=$1 file=$2 edit=$3 lines others before=before-${2%%/*}
    rm -rf "$work/hls" "$work/after"
    cp -r hls "$work/hls"
    sed -i "$edit" "$work/hls/$file"
    if [[ $(diff "hls/$file" "$work/hls/$file" | grep -c '^>') -ne 1 ]]; then
        verdict 1 "$file: $edit" "no line, or several, are like that now"
        return
    fi
    if ! lower "${file%%/*}" after; then
        verdict 1 "$file: $edit" "$(head -n 1 "$work/log")"
        return
    fi
    differences -x '*_tb.v' -x '*.json' "$before" >"$work/lines"
    differences -q "$before" >"$work/files"
    lines=$(grep -c '^>' "$work/lines" || true)
    others=$(grep '\.v differ' "$work/files" | grep -vc "/$(basename "$file" .c)[._]" || true)
    verdict $((lines < 1 || lines > most || others > 0)) "$file: $edit: $lines lines of Verilog, at most $most" \
        "$others other modules differ"
}

# differences OPTION... FOLDER: between it and after/
differences() {
    (cd "$work" && diff -r "$@" after) || true
}

# lower FOLDER OUT, of the copy of hls/
lower() {
    local files
    mapfile -t files < <(scripts/room.sh "$1")
    (cd "$work" && "$rtlgen" -Ihls -o "$2" "${files[@]}") 2>"$work/log"
}

rm -rf "$work"
mkdir -p "$work"
cp -r hls "$work/hls"
for folder in link router; do
    lower "$folder" "before-$folder"
done
change 2 link/lane/lane_train.c 's/good = self->score >= SCORE_GOOD/good = self->score > SCORE_GOOD/'
change 4 link/lcb_fault.c 's/in->crc_error && plausible/in->crc_error || plausible/'
change 4 link/micropacket/lcb_credit.c 's/self->out.drained = self->held == 0/self->out.drained = self->held == 1/'
change 4 router/input/vc_room.c 's/(used + 2) == known/(used + 1) == known/'
echo "1..$number"
exit "$failed"
