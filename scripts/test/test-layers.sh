#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-layers.sh [TABLE] - rooms include from themselves and from rooms that stand before them, as the table says
# (TABLE: scripts/test/layers.txt). An include is a path from the project's root, from hls/, rtl_gen/ or tb/equiv/prove/, or from the file's
# own folder. A test of hls/A/B/x.c is tb/blocks/A/B/test_x.c, where there is one of that name. LLVM is seen by those rooms of rtlgen that read C alone, and
# no room has more than 40 files of C. Prints TAP.
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

# C and headers of all rooms, a file a line
sources() {
    find "${rooms[@]}" -maxdepth 1 \( -name '*.[ch]' -o -name '*.inc' \) | sort -u
}

# a row that names a later one, or one that there is not
order() {
    local room name other before=" "
    for room in "${rooms[@]}"; do
        [ -d "$room" ] || echo "$room: there is no such folder"
        for name in ${allowed[$room]}; do
            [ -d "$name" ] || echo "$room: $name: there is no such folder"
            [[ $name == */ || $before == *" $name "* ]] || echo "$room: $name does not stand before it"
            for other in "${rooms[@]}"; do
                [[ $name != */ || $other/ != "$name"* || $other == "$room" || $before == *" $other "* || $room/ == "$name"* ]] ||
                    echo "$room: $other, of $name, does not stand before it"
            done
        done
        before+="$room "
    done
}

# each include of our own files from a room that the file's own may not use; headers that the build makes are in no room
upward() {
    local file name target name_of own ok
    while IFS=: read -r file name; do
        for target in "${file%/*}/$name" "$name" "hls/$name" "rtl_gen/$name" "tb/equiv/prove/$name" ""; do
            [ ! -e "${target:-.}" ] || break
        done
        [ -n "$target" ] || { [[ $name == *_ports.h ]] || echo "$file includes $name, which is not there"; continue; }
        room_of "$file"
        own=$room
        room_of "$target"
        ok=$([[ $room != "$own" ]] || echo yes)
        for name_of in ${allowed[$own]}; do
            [[ $room != "$name_of" && ($name_of != */ || $target != "$name_of"*) ]] || ok=yes
        done
        [ -n "$ok" ] || echo "$file includes $target: $own may include from: ${allowed[$own]:- nothing}"
    done < <(sources | xargs grep -HE '^ *# *include *"' | sed 's/: *# *include *"\(.*\)".*/:\1/' | sort -u)
}

# folders of C beside rooms of the table, without a row
unlisted() {
    local folder trees
    mapfile -t trees < <(printf '%s\n' "${rooms[@]%%/*}" | sort -u)
    while read -r folder; do
        [[ -n ${allowed[$folder]+x} ]] || echo "$folder has no row in $table"
    done < <(find "${trees[@]}" -path rtl_gen/test -prune -o -name '*.[ch]' -printf '%h\n' | sort -u)
}

# tests of tb/blocks/ with a module's name, in another room than the module's
astray() {
    local test module room
    while read -r test; do
        module=${test##*/test_}
        room=$(find hls -name "$module" -printf '%h\n')
        [[ -z $room || tb/blocks/${room#hls/} == "${test%/*}" ]] || echo "$test: $room/$module has its test in tb/blocks/${room#hls/}"
    done < <(find tb -name 'test_*.c' ! -path 'tb/system/*' ! -path 'tb/golden/*')
}

# includes of LLVM's or clang's headers in these folders
llvm() {
    grep -rnE '^ *# *include *<(llvm|clang)-c/' --include='*.[ch]' "$@" || true
}

crowded() {
    sources | sed 's|/[^/]*$||' | uniq -c | while read -r files folder; do
        [ "$files" -le 40 ] || echo "$folder has $files files"
    done
}

verdict "each room stands behind those that it builds upon" "$(order)"
verdict "rooms include from rooms that they may use" "$(upward)"
verdict "each folder of C is a room" "$(unlisted)"
verdict "a test of hls/A/B/x.c is tb/blocks/A/B/test_x.c" "$(astray)"
verdict "LLVM is seen in front and exec alone" "$(llvm rtl_gen/{base,design,graph,passes,plan,emit} rtl_gen/main.c)"
verdict "no room has more than 40 files of C" "$(crowded)"
echo "1..$number"
exit "$failed"
