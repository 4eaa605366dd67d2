#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-readme.sh - what pages say of the repository holds: the ten figures of the README are those of figures.json, its example is
# the file, the programs of the NIC's guide are those that its test runs; files and functions that pages name are there; no page is too long. Prints TAP.
# shellcheck disable=SC2016 # backticks of Markdown
set -euo pipefail

number=0
failed=0

verdict() {
    number=$((number + 1))
    if [ -z "$1" ]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2 # $1"
    fi
}

# figures README: what is wrong about its table of figures
figures() {
    python3 - "$1" <<'END'
import json
import re
import sys

config = json.load(open("scripts/report/figures.json", encoding="utf-8"))
command = {r["file"]: r["command"] for r in config["reports"]}
want = [[f["figure"], f["wanted"].replace(">=", "at least").replace("<=", "at most").replace("== ", ""),
         f.get("command") or command.get(f.get("report"), "make test")] for f in config["figures"] if f.get("readme")]
table = re.search(r"## Figures\n(.*?)\n## ", open(sys.argv[1], encoding="utf-8").read(), re.S).group(1)
got = [[what, wanted, made] for what, wanted, _, made in
       re.findall(r"^\| ([^|]*) \| ([^|]*) \| ([^|]*) \| `([^|`]*)` \|$", table, re.M)]
wrong = [f"wanted {a}, there is {b}" for a, b in zip(want, got) if a != b]
if len(got) != 10 or len(want) != 10:
    wrong.append(f"{len(want)} figures, {len(got)} in the README, ten wanted")
print(*wrong[:1])
END
}

# example README: lines of its C that debounce.c has not, of the functions
example() {
    awk '/^```/ { inside = $0 == "```c" } inside && /^(void|    |{|})/' "$1" | sort -u |
        while IFS= read -r line; do
            grep -qxF -- "$line" hls/example/debounce.c || echo "$line"
        done | head -n 1
}

# quoted PAGE FILE...: a line of its C that none of the files has
quoted() {
    awk '/^```/ { inside = $0 == "```c"; next } inside && NF' "$1" | sort -u |
        while IFS= read -r line; do
            grep -qxF -- "$line" "${@:2}" || echo "$line"
        done | head -n 1
}

# named README: what stands in ` ` and is no file of the repository, or no function of the file behind it
named() {
    local path function
    grep -o '`[a-z_]*/[A-Za-z_/.]*`' "$1" | tr -d '`' | sort -u | while read -r path; do
        [[ $path == build/* || -e $path || -e $path.c ]] || echo "$path"
    done
    grep -oE '`[a-z_]+` in `[a-z_/]+\.[ch]`' "$1" | tr -d '`' | while read -r function _ path; do
        grep -qw -- "$function" "$path" || echo "$function in $path"
    done
}

# guide PAGE [OF]: a line of its programs that is not in the test that runs them, in its guide OF something, or the reverse
guide() {
    diff <(awk '/^```/ { inside = $0 == "```c"; next } inside && NF' "$1") \
        <(awk -v mark="/* ---- guide ${2:-}-" '/^\/\* ---- end of the guide/ { inside = 0 } inside && NF; index($0, mark) == 1 { inside = 1 }' tb/system/nic/test_nic_guide.c) |
        sed -n 's/^[<>] *//p' | head -n 1
}

# too_long LINES PAGE...: pages of more lines
too_long() {
    local most=$1
    shift
    awk -v most="$most" 'FNR == most + 1 { print FILENAME " has more than " most " lines" }' "$@"
}

verdict "$(figures README.md)" "the ten figures of the README are those of figures.json"
verdict "$(example README.md)" "the example of the README is debounce.c"
verdict "$(quoted hls/example/STREAM.md hls/example/mean.[ch])" "the C of STREAM.md is mean.h and mean.c"
verdict "$(guide hls/nic/PROGRAMMING.md)" "the programs of the NIC's guide are those of its test"
verdict "$(guide hls/nic/bte/PROGRAMMING.md "of block transfers ")" "those of its guide of block transfers, too"
verdict "$(too_long 120 README.md | head -n 1)" "the README has at most 120 lines"
mapfile -t pages < <(find . -path ./build -prune -o \( -name README.md -o -name PROGRAMMING.md \) -print)
verdict "$(too_long 250 "${pages[@]}" | head -n 1)" "no page has more than 250"
for readme in README.md hls/example/README.md hls/example/STREAM.md hls/lib/README.md tb/blocks/example/README.md scripts/report/README.md hls/nic/PROGRAMMING.md hls/nic/bte/PROGRAMMING.md hls/{nic,router,link}/README.md hls/{nic,router,link}/*/README.md; do
    verdict "$(named "$readme" | head -n 1)" "$readme: files and functions that it names are there"
done

# and each of these would be noticed
work=build/test/readme
mkdir -p "$work"
sed 's/at most 20000/at most 30000/' README.md >"$work/README.md"
verdict "$([ -n "$(figures "$work/README.md")" ] || echo "not noticed")" "another figure would be noticed"
sed 's/self->out.edges++/self->out.edges--/' README.md >"$work/README.md"
verdict "$([ -n "$(example "$work/README.md")" ] || echo "not noticed")" "so would another example"
sed 's/self->samples++/self->samples--/' hls/example/STREAM.md >"$work/STREAM.md"
verdict "$([ -n "$(quoted "$work/STREAM.md" hls/example/mean.[ch])" ] || echo "not noticed")" "and another line in STREAM.md"
sed 's/choose_stage/choose_it/' README.md >"$work/README.md"
verdict "$([ -n "$(named "$work/README.md")" ] || echo "not noticed")" "and a function that is gone"
sed 's/NR_ORB_EPOCH, 100000/NR_ORB_EPOCH, 1/' hls/nic/PROGRAMMING.md >"$work/PROGRAMMING.md"
verdict "$([ -n "$(guide "$work/PROGRAMMING.md")" ] || echo "not noticed")" "and another program in the guide"
seq 121 >"$work/long.md"
verdict "$([ -n "$(too_long 120 "$work/long.md")" ] || echo "not noticed")" "and a page of 121 lines"
echo "1..$number"
exit "$failed"
