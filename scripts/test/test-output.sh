#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-output.sh [DIR] - what rtlgen leaves behind when something is in its way: all files of a run or those that
# were there before, one line that says why, and nothing that hangs. Works in DIR (build/test/output).
set -euo pipefail

rtlgen=$PWD/${RTLGEN:-build/bin/rtlgen}
hls=$PWD/hls
work=${1:-build/test/output}
number=0
failed=0

verdict() {
    number=$((number + 1))
    case $1 in
    0) echo "ok $number - $2" ;;
    *) failed=1 && echo "not ok $number - $2 # $3" ;;
    esac
}

# blink NAME STEP: a module that counts by STEP, on standard output
blink() {
    cat <<END
#include "hls.h"
struct $1_in { u1 enable; };
struct $1_out { u8 led; };
struct $1 { struct $1_out out; };
HLS_RESET void $1_reset(struct $1 *self) { *self = (struct $1){0}; }
HLS_MODULE void $1(struct $1 *self, const struct $1_in *in)
{
    if (in->enable)
        self->out.led += $2;
    hls_assert(in->enable || self->out.led != 255);
}
END
}

# run WORD...: rtlgen in $work; its status in $status, what it said in $work/log; 10 seconds and it counts as hanging
run() {
    status=0
    (cd "$work" && exec timeout 10 "$rtlgen" -I "$hls" "$@") >"$work/stdout" 2>"$work/log" || status=$?
}

said() {
    echo "exit status $status, said: $(head -n 1 "$work/log")"
}

# refused NAME TEXT: the last run ended with status 1 and one message that has TEXT
refused() {
    local bad=0
    [[ $status -eq 1 && $(grep -c 'error:' "$work/log") -eq 1 ]] && grep -qF -- "$2" "$work/log" || bad=1
    verdict "$bad" "$1" "$(said)"
}

# unchanged NAME: rtl/ holds what old/ holds, and nothing besides
unchanged() {
    local bad=0 why=""
    why=$(diff -rq "$work/old" "$work/rtl" 2>&1 | grep -v ' is a fifo while .* is a fifo$' | head -n 1) || true
    [ -z "$why" ] || bad=1
    verdict "$bad" "$1" "$why"
}

# Two modules of step 1 in rtl/, and the same in old/; the C then has step 2
fresh() {
    rm -rf "$work"
    mkdir -p "$work"
    blink blink 1 >"$work/blink.c"
    blink wink 1 >"$work/wink.c"
    run -o rtl blink.c wink.c
    blink blink 2 >"$work/blink.c"
    blink wink 2 >"$work/wink.c"
}

# in_the_way NAME COMMAND TEXT: the command, in rtl/, makes something that stands where a file should go
in_the_way() {
    fresh
    (cd "$work/rtl" && eval "$2")
    cp -a "$work/rtl" "$work/old"
    run -o rtl blink.c wink.c
    refused "$1" "$3"
    unchanged "$1: the old files stay"
}

in_the_way "a folder where the bench goes" "rm blink_tb.v && mkdir blink_tb.v" "blink_tb.v"
in_the_way "a folder that is not empty" "rm wink_raw.cpp && mkdir wink_raw.cpp && touch wink_raw.cpp/x" "wink_raw.cpp"
in_the_way "a FIFO where the list goes" "rm wink.f && mkfifo wink.f" "wink.f"

fresh
cp -a "$work/rtl" "$work/old"
(
    ulimit -f 1 # no file above 1,024 bytes: as a disk that gets full
    run -o rtl blink.c wink.c
    echo "$status" >"$work/status"
)
status=$(<"$work/status")
refused "a disk that gets full" "cannot write"
unchanged "a disk that gets full: the old files stay"

# the rename to wink.v fails once, as on a disk that breaks
cat >"$work/rename.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
int rename(const char *from, const char *to)
{
    static int n;
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (strstr(to, "/wink.v") && n++ == 0) {
        errno = EIO;
        return -1;
    }
    return real(from, to);
}
END
gcc -shared -fPIC -o "$work/rename.so" "$work/rename.c" -ldl
status=0
(cd "$work" && LD_PRELOAD=./rename.so timeout 10 "$rtlgen" -I "$hls" -o rtl blink.c wink.c) 2>"$work/log" || status=$?
refused "a rename that fails half way" "wink.v"
unchanged "a rename that fails half way: the old files stay"
(cd "$work" && LD_PRELOAD=./rename.so timeout 10 "$rtlgen" -I "$hls" -o new blink.c wink.c) 2>"$work/log" || true
verdict $(($(find "$work/new" -type f | wc -l) != 0)) "a rename that fails half way: no new files alone" \
    "$(find "$work/new" -type f | head -n 1)"

fresh
run -o rtl blink.c wink.c
verdict $((status != 0 || $(find "$work/rtl" -name '.*' -type f | wc -l) != 0 || $(grep -c "8'd2" "$work/rtl/wink.v") == 0)) \
    "new files in place of old ones, nothing beside them" "$(said)"

# ---- standard output that takes nothing ------------------------------------------------------------

full() {
    fresh
    cp -a "$work/rtl" "$work/old"
    status=0
    (cd "$work" && timeout 10 "$rtlgen" -I "$hls" "$@") 2>"$work/log" >/dev/full || status=$?
    # what reads the command line says so without the place of an error
    [ "$1" != --help ] || sed -i 's/^rtlgen: /rtlgen: error: /' "$work/log"
    refused "$1 to a full device" "cannot write to standard output"
    unchanged "$1 to a full device: the old files stay"
}

full --report -o rtl blink.c wink.c
full -dbuild -o rtl blink.c wink.c
full --help
full --version

# ---- names ------------------------------------------------------------------------------------------

strange() {
    fresh
    blink blink 1 >"$work/$1"
    run -o new "$1"
    refused "a file called $(printf '%q' "$1")" "file name"
}

strange $'a\nmodule.c'
strange 'a"b.c'
# shellcheck disable=SC2016
strange 'a`b.c'
strange 'a\.c'

fresh
blink blink 3 >"$work/-v.c"
run -o new -- -v.c
verdict $((status != 0 || $(grep -sc "8'd3" "$work/new/blink.v") != 1)) "-- -v.c" "$(said)"

fresh
mkdir "$work/a\`b" "$work/plain"
mv "$work/blink.c" "$work/plain/blink.c"
sed -i 's/hls.h"/hls.h"\n#include "odd.h"/; s/self->out.led += 2;/odd(\&self->out.led);/' "$work/plain/blink.c"
printf 'static void odd(u8 *led)\n{\n    *led += 7;\n    hls_assert(*led);\n}\n' >"$work/a\`b/odd.h"
mv "$work/a\`b/odd.h" "$work/a\`b/o\`d\"d.h"
sed -i 's/odd\.h"/o`d"d.h>/; s/include "o/include <o/' "$work/plain/blink.c"
run -I 'a`b' -o new plain/blink.c
# shellcheck disable=SC2016
verdict $((status != 0 || $(grep -sc 'o_d_d.h:' "$work/new/blink.v") == 0 || $(grep -c 'o`d' "$work/new/blink.v") != 0)) \
    "a header with a strange name" "$(said)"

fresh
sed -i "s/hls_assert(/&in->enable != '\`' \&\& /" "$work/blink.c"
run -o new blink.c
# shellcheck disable=SC2016
verdict $((status != 0 || $(grep -c '".*`' "$work/new/blink.v") != 0)) "a backtick in an assertion" "$(said)"

fresh
sed '2,5!d' "$work/blink.c" >"$work/a\"b.h"
sed '2,5d; 1s/$/\n#include <a"b.h>/' "$work/blink.c" >"$work/apart.c"
run -I . -o new apart.c
refused "a struct in a header with a strange name" "the struct of module 'blink'"

# ---- files together -----------------------------------------------------------------------------------

# folds NAME ARGUMENTS A B CALL CALL: a module that calls a static helper, fold, twice
folds() {
    cat <<END
#include "hls.h"
struct $1_in { u12 x, y; };
struct $1_out { u12 sum; };
struct $1 { struct $1_out out; };
struct $1_pair { u12 a, b; };
static u12 fold($2)
{
    return (u12)(($3 ^ (u12)($4 >> 1)) + ($3 & (u12)($4 << 2)) + ($3 | $4) + (u12)($3 >> 3) + (u12)($4 * 5));
}
HLS_RESET void $1_reset(struct $1 *self) { *self = (struct $1){0}; }
HLS_MODULE void $1(struct $1 *self, const struct $1_in *in)
{
    self->out.sum = fold($5) ^ fold($6);
}
END
}

fresh
folds numbers "u12 a, u12 b" a b "in->x, in->y" "in->y, self->out.sum" >"$work/numbers.c"
folds pairs "struct pairs_pair p" p.a p.b "(struct pairs_pair){in->x, in->y}" \
    "(struct pairs_pair){in->y, self->out.sum}" | sed 's/^static/\n&/' >"$work/pairs.c"
together=0
for x in numbers pairs; do
    run -o alone "$x.c"
    [ "$status" -eq 0 ] || together=1
done
for files in "numbers.c pairs.c" "pairs.c numbers.c"; do
    read -ra words <<<"$files"
    rm -rf "$work/both"
    run -o both "${words[@]}"
    for x in numbers pairs; do
        cmp -s "$work/alone/$x.v" "$work/both/$x.v" || together=1
    done
done
verdict "$together" "two files with static helpers of one name and other arguments: as each alone" "$(said)"

# ---- what is no file --------------------------------------------------------------------------------

fresh
mkfifo "$work/fifo.c"
run -o new fifo.c
refused "a FIFO as input" "fifo.c"
mkdir "$work/folder.c"
run -o new folder.c
refused "a folder as input" "folder.c"
ln -s /dev/zero "$work/zero.c"
run -o new zero.c
refused "a device as input" "zero.c"
blink alone 1 >"$work/alone.c"
status=0
(cd "$work" && PATH=$work "$rtlgen" -I "$hls" -o new alone.c) >"$work/stdout" 2>"$work/log" || status=$?
refused "no clang in PATH" "cannot run clang-19"

echo "1..$number"
exit "$failed"
