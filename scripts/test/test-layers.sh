#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-layers.sh [TABLE] - rooms include from themselves and from rooms that stand before them, as the table says
# (TABLE: scripts/test/layers.txt). An include is a path from the project's root, from hls/, or from the file's own folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

table=${1:-scripts/test/layers.txt}
number=0
failed=0

# verdict WHAT FINDINGS: passed if there are none
verdict() {
    number=$((number + 1))
    [ -n "$2" ] || { echo "ok $number - $1" && return; }
    failed=1
    echo "not ok $number - $1"
    printf '%s\n' "$2" | sed 's/^/# /'
}

declare -A allowed=() # by room
rooms=()
while IFS=: read -r room names; do
    [[ $room =~ ^(#|$) ]] && continue
    rooms+=("$room")
    allowed[$room]=$names
done <"$table"

# room_of PATH: the longest room that it begins with goes into $room
room_of() {
    room=${1%/*}
    while [[ -z ${allowed[$room]+x} && $room == */* ]]; do
        room=${room%/*}
    done
    [[ -n ${allowed[$room]+x} ]] || room=
}

# a row that names a later one, or one that there is not
order() {
    local room name other before=" "
    for room in "${rooms[@]}"; do
        [ -d "$room" ] || echo "$room: there is no such folder"
        for name in ${allowed[$room]}; do
            [ -d "$name" ] || echo "$room: $name: there is no such folder"
            for other in "${rooms[@]}"; do
                [[ $other != "$name" || $before == *" $name "* ]] || echo "$room: $name stands behind it"
            done
        done
        before+="$room "
    done
}

# each include of our own files from a room that the file's own may not use
upward() {
    local file name target name_of own ok
    while IFS=: read -r file name; do
        for target in "$name" "hls/$name" "${file%/*}/$name" ""; do
            [ ! -e "${target:-.}" ] || break
        done
        [ -n "$target" ] || { echo "$file includes $name, which is not there" && continue; }
        room_of "$file"
        own=$room
        room_of "$target"
        ok=$([[ $room != "$own" ]] || echo yes)
        for name_of in ${allowed[$own]}; do
            [[ $target/ != "$name_of"/* ]] || ok=yes
        done
        [ -n "$ok" ] || echo "$file includes $target: $own may include from: ${allowed[$own]:- nothing}"
    done < <(for name in "${rooms[@]}"; do
        find "$name" -maxdepth 1 -name '*.[ch]' -print0
    done | xargs -0 grep -HE '^ *# *include *"' | sed 's/: *# *include *"\(.*\)".*/:\1/' | sort -u)
}

# folders of C beside rooms of the table, without a row
unlisted() {
    local folder trees
    mapfile -t trees < <(printf '%s\n' "${rooms[@]%%/*}" | sort -u)
    while read -r folder; do
        [[ -n ${allowed[$folder]+x} ]] || echo "$folder has no row in $table"
    done < <(find "${trees[@]}" -name '*.[ch]' -printf '%h\n' | sort -u)
}

verdict "each room stands behind those that it builds upon" "$(order)"
verdict "rooms include from rooms that they may use" "$(upward)"
verdict "each folder of C is a room" "$(unlisted)"
echo "1..$number"
exit "$failed"
