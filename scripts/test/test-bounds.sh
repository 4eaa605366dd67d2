#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-bounds.sh [DIR] - rtlgen on C that is deep, long or without an end: as little stack and memory as its size
# needs, and a budget that names what eats it. Works in DIR (build/test/bounds).
set -euo pipefail

rtlgen=$PWD/${RTLGEN:-build/bin/rtlgen}
hls=$PWD/hls
work=${1:-build/test/bounds}
number=0
failed=0
rm -rf "$work"
mkdir -p "$work"

verdict() {
    number=$((number + 1))
    case $1 in
    0) echo "ok $number - $2" ;;
    *) failed=1 && echo "not ok $number - $2 # $3" ;;
    esac
}

# module NAME INPUTS [BEFORE]: NAME.c, with outputs a, b and c of 32 bits; the body is standard input
module() {
    cat >"$work/$1.c" <<END
#include "hls.h"
${3:-}
struct $1_in { $2 };
struct $1_out { u32 a, b, c; };
struct $1 { struct $1_out out; };
HLS_RESET void $1_reset(struct $1 *self) { *self = (struct $1){0}; }
HLS_MODULE void $1(struct $1 *self, const struct $1_in *in)
{
$(cat)
}
END
}

# run NAME OPTION...: in $work with a stack of 512 KB, which is not enough for anything that calls itself as deep as
# the C is; 60 seconds and it counts as endless
run() {
    status=0
    (
        cd "$work"
        ulimit -s 512
        exec timeout 60 "$rtlgen" -I "$hls" -o "rtl/$1" "${@:2}" "$1.c"
    ) >"$work/$1.log" 2>&1 || status=$?
}

# lowers NAME MB: it does, in that much memory
lowers() {
    run "$1" --memory "$2"
    verdict "$status" "$3" "exit status $status, said: $(head -n 1 "$work/$1.log")"
}

# stops NAME TEXT...: status 1, and the message has each TEXT
stops() {
    local bad=0 text
    [ "$status" -eq 1 ] || bad=1
    for text in "${@:3}"; do grep -qF -- "$text" "$work/$1.log" || bad=1; done
    verdict "$bad" "$2" "exit status $status, said: $(head -n 1 "$work/$1.log")"
}

# ---- deep ---------------------------------------------------------------------------------------------

module chain "u32 x;" <<'END'
    u32 t = in->x;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 4096; j++)
            t = t * 3 + 1;
    self->out.a = t;
END
lowers chain 150 "65,536 operations, each on the one before"

module lanes "u32 x[4];" <<'END'
    for (int k = 0; k < 4; k++) {
        u32 t = in->x[k];
        for (int j = 0; j < 4096; j++)
            t = (t * 3 + 1) ^ (u32)j;
        if (k == 0)
            self->out.a = t;
        else
            self->out.b ^= t;
    }
END
lowers lanes 150 "four chains of 12,288 operations"

module rows "u32 x[8];" <<'END'
    u32 y[8], sum = 0;
    for (int k = 0; k < 8; k++) {
        u32 t = in->x[k];
        for (int j = 0; j < 1000; j++)
            t = t * 3 + 1;
        y[k] = t;
    }
    for (int k = 0; k < 8; k++)
        sum += y[k];
    self->out.a = sum;
END
lowers rows 100 "eight chains side by side"

module gates "u1 x[64]; u32 z;" <<'END'
    u1 t = 0;
    for (int i = 0; i < 4096; i++)
        t = (t | !(in->z == (u32)i * 7)) & in->x[i % 64];
    self->out.a = !t;
    u32 w = in->z;
    for (int i = 0; i < 4096; i++)
        w ^= (u32)i * (w + 5);
    self->out.b = (u8)(w >> 3);
END
lowers gates 300 "slices and inverses of long chains"

module fibonacci "u32 x, y;" <<'END'
    u32 a = in->x * 3, b = in->y * 5;
    for (int i = 0; i < 200; i++) {
        u32 next = a ^ b;
        a = b;
        b = next;
    }
    self->out.a = (u8)a;
    for (int i = 0; i < 64; i++)
        self->out.b = in->x >> (i % 32) & 1 ? self->out.b : self->out.b * 3;
END
lowers fibonacci 50 "operations whose operands share all below them"

module sets "u12 at[64];" <<'END'
    u1 v[1024] = {0};
    for (int i = 0; i < 1500; i++)
        v[in->at[i % 64] % 1024] ^= 1;
    self->out.a = v[7];
END
lowers sets 400 "1,500 changes of an array by variable indices"

module breaks "u1 stop[1024]; u32 z;" <<'END'
    for (int i = 0; i < 2000; i++) {
        if (in->stop[i % 1024] && in->z != (u32)i * 5)
            break;
        self->out.a++;
        if (in->z == (u32)i * 11)
            self->out.b = in->z + (u32)i;
    }
END
lowers breaks 400 "2,000 rounds, each of which may be the last"

# ---- long ---------------------------------------------------------------------------------------------

# cases NAME N: a switch in which every case computes something else
cases() {
    { echo "    switch (in->x) {" &&
        seq 0 $(($2 - 1)) | sed 's/.*/    case &: self->out.a = in->z + &; if (in->z == &) self->out.b++; break;/' &&
        echo "    default: self->out.c = in->z; break;" && echo "    }"; } | module "$1" "u16 x; u32 z;"
}

# chain_of NAME N CONDITION: an if and its else-ifs, # being their number
chain_of() {
    { echo "    if (in->z == 0) self->out.b = 1;" &&
        seq 1 "$2" | sed "s/.*/    else if ($3) self->out.a = in->z * 3 + #;/; s/#/&/g" &&
        echo "    else self->out.b = in->z;"; } | module "$1" "u16 x; u32 z;"
    awk '/else if/ { n++; gsub(/#/, n) } { print }' "$work/$1.c" >"$work/$1.new"
    mv "$work/$1.new" "$work/$1.c"
}

cases switch2 2000
lowers switch2 80 "a switch of 2,000 cases"
cases switch6 6000
lowers switch6 240 "one of 6,000 cases in three times the memory"

{ echo "    switch (in->x) {" && seq 0 4999 | sed 's/.*/    case &: self->out.a = 5 + & % 3 * in->z; break;/' &&
    seq 5000 9999 | sed 's/.*/    case &:/' && echo "    self->out.b = in->z; break;" && echo "    }"; } |
    module shared "u16 x; u32 z;"
lowers shared 300 "cases that share their statements"

{ seq 1 200 | sed 's/.*/    case & * 100 ... & * 100 + 80: self->out.a = in->z + &; break;/' |
    sed '1i\    switch (in->x) {' && echo "    }"; } | module ranges "u16 x; u32 z;"
lowers ranges 40 "ranges of cases"

chain_of equal 2000 "in->x == #"
lowers_deep() { # clang itself calls itself for every else-if
    status=0
    (cd "$work" && exec timeout 60 "$rtlgen" -I "$hls" -o "rtl/$1" --memory "$2" "$1.c") >"$work/$1.log" 2>&1 || status=$?
    verdict "$status" "$3" "exit status $status, said: $(head -n 1 "$work/$1.log")"
}
lowers_deep equal 60 "2,000 else-ifs"
chain_of above 2000 "in->x > # \\&\\& in->z % 7 == # % 7"
lowers_deep above 150 "2,000 else-ifs of any conditions"
chain_of above4 4000 "in->x > # \\&\\& in->z % 7 == # % 7"
lowers_deep above4 300 "4,000 in twice the memory"

{ seq 1 3000 | sed 's/.*/    if (in->x > & \&\& in->z == & * 5) return;\n    self->out.a += in->z;/'; } |
    module returns "u16 x; u32 z;"
lowers returns 150 "3,000 early returns"

# ---- without an end -----------------------------------------------------------------------------------

{ echo "    u32 t = in->x;" && for i in 0 1 2 3 4 5; do echo "    for (int i$i = 0; i$i < 16; i$i++)"; done &&
    echo "        t = t * 3 + 1;" && echo "    self->out.a = t;"; } | module nest "u32 x;"
run nest --steps 200000
stops nest "six loops within each other: the steps run out" "nest.c:7:17: error: 'nest' takes more than 200000 steps" \
    "help:" "--steps" "nest.c:15:5: note: in this loop, which came round" "nest.c:10:5: note: in this loop"
run nest --memory 50
stops nest "the same: the memory runs out" "'nest' takes more than 50 MB of memory" "nest.c:15:5: note: in this loop"

helpers=$(echo "static u32 f0(u32 x) { return x * 3 + 1; }" &&
    for i in $(seq 1 24); do echo "static u32 f$i(u32 x) { return f$((i - 1))(f$((i - 1))(x)); }"; done)
echo "    self->out.a = f24(in->x);" | module calls "u32 x;" "$helpers"
run calls --steps 200000
stops calls "24 helpers that each call the one below twice" "'calls' takes more than 200000 steps" \
    "'f15', which ran" " more loops and calls around"

helpers=$(echo "static u32 f0(u32 x) { return x * 3 + 1; }" &&
    for i in $(seq 1 400); do echo "static u32 f$i(u32 x) { return f$((i - 1))(x); }"; done)
echo "    self->out.a = f400(in->x);" | module deep_calls "u32 x;" "$helpers"
run deep_calls
stops deep_calls "400 calls within each other" "calls within each other, more than 256 deep"
helpers=$(head -n 201 <<<"$helpers")
echo "    self->out.a = f200(in->x);" | module calls200 "u32 x;" "$helpers"
lowers calls200 50 "200 calls within each other"

{ echo '#include "hls.h"' && echo 'struct m0_in { u8 x; }; struct m0_out { u8 y; }; struct m0 { struct m0_out out; };' &&
    echo 'HLS_RESET void m0_reset(struct m0 *self) { *self = (struct m0){0}; }' &&
    echo 'HLS_MODULE void m0(struct m0 *self, const struct m0_in *in) { self->out.y = in->x; }' &&
    for i in $(seq 1 300); do
        k=$((i - 1))
        cat <<END
struct m${i}_in { u8 x; }; struct m${i}_out { u8 y; }; struct m$i { struct m${i}_out out; struct m$k below; };
HLS_RESET void m${i}_reset(struct m$i *self) { self->out = (struct m${i}_out){0}; m${k}_reset(&self->below); }
HLS_MODULE void m$i(struct m$i *self, const struct m${i}_in *in)
{
    self->out.y = self->below.out.y;
    m$k(&self->below, &(struct m${k}_in){in->x});
}
END
    done; } >"$work/levels.c"
run levels
stops levels "300 modules within each other" "instances within each other, more than 256 deep"

sed 's/below;/below, more;/; s/m\([0-9]*\)_reset(&self->below);/& m\1_reset(\&self->more);/; s/    m\([0-9]*\)(&self->below,\(.*\)/&\n    m\1(\&self->more,\2/' \
    "$work/levels.c" | sed '/^struct m31_in/,$d' >"$work/tree.c"
run tree
stops tree "a billion modules in 30 levels" "more than 67108864 bits of registers"
sed '/^struct m13_in/,$d' "$work/tree.c" >"$work/tree12.c"
lowers tree12 1000 "4,095 modules in 12 levels"

pairs=$(echo "struct s0 { u8 a, b; };" && for i in $(seq 1 23); do echo "struct s$i { struct s$((i - 1)) x, y; };"; done)
echo "self->out.a = in->x;" | module pairs "u8 x; struct s16 y;" "$pairs"
run pairs --memory 30
stops pairs "a struct of 131,072 members" "'pairs' takes more than 30 MB of memory"

for words in "--steps 0" "--steps 1k" "--memory -5" "--memory" "--steps 99999999999999999999"; do
    # shellcheck disable=SC2086 # two words
    run chain $words
    stops chain "$words" "rtlgen: " "${words%% *}"
done

echo "1..$number"
exit "$failed"
