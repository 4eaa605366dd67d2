#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# prove-broken.sh [SET ...] - a proof that cannot fail says nothing: each edit below breaks the design that a set of prove.sh is about,
# and that set must not be proved then. Prints a line per edit. Exit status 1 when a broken design is proved, or an edit
# no longer fits its file. Work: build/prove/broken.
set -euo pipefail

cd "$(dirname "$0")/../../.."
. scripts/given.sh
names "$@"
out=build/prove/broken
failed=0
count=0

# broken SET FILE EDIT: FILE of hls/, edited by sed
broken() {
    local set=$1 file=$2 edit=$3 tree=$out/hls log=$out/$1.log
    [[ $wanted == " " || $wanted == *" $set "* ]] || return 0
    count=$((count + 1))
    rm -rf "$tree"
    mkdir -p "$out"
    cp -r hls "$tree"
    sed -i -E "$edit" "$tree/$file"
    if cmp -s "$tree/$file" "hls/$file"; then
        echo "$set: the edit no longer fits $file: $edit"
        failed=1
    elif HLS=$tree PROOFS=$out tb/equiv/prove/prove.sh "$set" >"$log" 2>&1 || ! grep -q "Assert failed" "$log"; then
        echo "$set: proved, or not lowered, with $file edited by $edit: see $log"
        failed=1
    else
        echo "$set: not proved, as it should be, with $file edited by $edit"
    fi
}

wanted=" $* "
while read -r set file edit; do
    [[ -z $set || $set == \#* ]] || broken "$set" "$file" "$edit"
done <tb/equiv/prove/prove-broken.txt
echo "$count broken designs"
exit "$failed"
