#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# layers.sh [TREE] - the rooms of rtlgen and of prove (TREE: rtl_gen) include from themselves and from rooms that stand
# before them, LLVM is seen by those that read C alone, and no room has more than 30 files of C.
set -euo pipefail

tree=${1:-rtl_gen}
number=0
failed=0

# A room, and those that it may include from; "." is main.c.
rooms='base:
design: base
front: base design
graph: base design
exec: base design front graph
passes: base design graph
plan: base design front graph
emit: base design graph plan
.: base design front graph exec passes plan emit'
prove_rooms='terms:
read: terms
solve: terms
.: terms read solve'

# verdict WHAT FINDINGS: passed if there are none
verdict() {
    number=$((number + 1))
    [ -n "$2" ] || { echo "ok $number - $1" && return; }
    failed=1
    echo "not ok $number - $1"
    printf '%s\n' "$2" | sed 's/^/# /'
}

# files FOLDER: its C and headers, without those of folders in it
files() {
    find "$1" -maxdepth 1 -name '*.[ch]' | sort
}

# upward FOLDER ROOMS: each include from a room that is not among those that its own may use
upward() {
    local room allowed file from
    while IFS=: read -r room allowed; do
        while read -r file; do
            while read -r from; do
                [[ " $room $allowed " == *" ${from%/*} "* ]] || echo "$file includes $from"
            done < <(sed -n 's/^ *# *include *"\(.*\)".*/\1/p' "$file")
        done < <(files "$1/$room")
    done <<<"$2"
}

# llvm FOLDER...: includes of LLVM's or clang's headers in these
llvm() {
    grep -rnE '^ *# *include *<(llvm|clang)-c/' --include='*.[ch]' "$@" || true
}

# unlisted FOLDER ROOMS: folders of C that have no row, but for programs and tests of their own
unlisted() {
    local folder
    while read -r folder; do
        grep -q "^${folder##*/}:" <<<"$2" || [[ ${folder##*/} =~ ^(prove|fuzz|test)$ ]] || echo "$folder"
    done < <(find "$1" -mindepth 1 -maxdepth 1 -type d)
}

crowded() {
    local folder n
    while read -r folder; do
        n=$(files "$folder" | wc -l)
        [ "$n" -le 30 ] || echo "$folder has $n files"
    done < <(find "$tree" -type d ! -path "$tree/test*")
}

verdict "rooms of rtlgen include from rooms before them" "$(upward "$tree" "$rooms")"
verdict "rooms of prove include from rooms before them" "$(upward "$tree/prove" "$prove_rooms")"
verdict "every folder is one of the rooms" "$(unlisted "$tree" "$rooms" && unlisted "$tree/prove" "$prove_rooms")"
verdict "LLVM is seen in front and exec alone" "$(llvm "$tree"/{base,design,graph,passes,plan,emit} "$tree/main.c")"
verdict "no room has more than 30 files of C" "$(crowded)"
echo "1..$number"
exit "$failed"
