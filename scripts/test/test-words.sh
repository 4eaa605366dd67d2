#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-words.sh - names that tools could keep for themselves, as ports of one module: those that rtlgen refuses are left out, and
# what is left goes through Icarus, Yosys and Verilator, as a module and as an instance, and through g++. The words are
#
#   words/*.txt                        of standards and tools, a list each with its source
#   macros without arguments, and identifiers of Verilator's headers, of this machine
#
# A list whose head says "refused" has words that must be. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
rtlgen=build/bin/rtlgen
words=rtl_gen/test/words
include=$(verilator --getenv VERILATOR_ROOT)/include
[[ -d $include ]] || include=/usr/share/verilator/include
out=build/test/words
number=0 failed=0
rm -rf "$out"
mkdir -p "$out"

# verdict STATUS WHAT: the first message in $out/log says why not
verdict() {
    number=$((number + 1))
    if [[ $1 -eq 0 ]]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2 # $(grep -m1 -iE 'error|warning|syntax|[a-z]' "$out/log" | cut -c1-160)"
    fi
}

plain() { grep -E '^[A-Za-z][A-Za-z0-9_]*$' | grep -v __; }

# Where the C++ of a model is compiled.
machine_macros() {
    printf '#include "%s"\n' verilated.h verilated_threads.h verilated_dpi.h verilated_fst_c.h verilated_vcd_c.h |
        g++ -std=gnu++17 -I"$include" -I"$include/vltstd" -dM -E -x c++ - | awk '{ print $2 }' | plain
}

header_words() { sed 's://.*::' "$include"/verilated*.h | grep -oE '\b[A-Za-z][A-Za-z0-9_]+\b' | plain; }

# What C itself, or hls.h, has: no name of a member can be that.
c_words='auto bool break case char const constexpr continue default do double else enum extern false float for goto if inline int
    long nullptr register restrict return short signed sizeof static static_assert struct switch thread_local true typedef typeof
    typeof_unqual union unsigned void volatile while alignas alignof defined uint sint'

# description WORDS: a module probe_words with these as input ports
description() {
    sed 's/^/#undef /' "$1"
    echo 'struct probe_words_in {'
    sed 's/.*/    u1 &;/' "$1"
    echo '};
struct probe_words_out { u1 is_any; };
struct probe_words { struct probe_words_out out; };
HLS_RESET void probe_words_reset(struct probe_words *self) { self->out.is_any = 0; }
HLS_MODULE void probe_words(struct probe_words *self, const struct probe_words_in *in)
{
    u1 is_any = 0;'
    sed 's/.*/    is_any ^= in->&;/' "$1"
    echo '    self->out.is_any = is_any;
}'
}

# lower WORDS: messages in $out/log
lower() {
    { echo '#include "hls.h"' && description "$1"; } >"$out/probe_words.c"
    "$rtlgen" -Ihls -o "$out/rtl" "$out/probe_words.c" 2>"$out/log"
}

of_list() { grep -v '^#' "$1" | tr ' ' '\n' | plain | sort -u; }

# The accepted words as the ports of an instance.
instance() {
    echo 'module user_of_words (input wire clk, input wire rst, input wire bit_in, output wire bit_out);'
    echo '    probe_words u_words (.clk(clk), .rst(rst),'
    sed 's/.*/        .&(bit_in),/' "$out/accepted"
    echo '        .is_any(bit_out));'
    echo 'endmodule'
}

model() {
    verilator --cc -DHLS_STATE --trace-fst -Wno-lint --public-flat-rw --Mdir "$out/model" --prefix Vprobe_words "$out/rtl/probe_words.v" &&
        g++ -std=gnu++17 -w -fsyntax-only -I"$out/model" -isystem "$include" -isystem "$include/vltstd" "$out/rtl/probe_words_raw.cpp"
}

{
    of_list <(cat "$words"/*.txt)
    machine_macros
    header_words
} | sort -u | comm -23 - <(of_list <(echo "$c_words")) >"$out/words"

status=0
lower "$out/words" || status=$?
sed -n "s/.*error: the name of input port '\([A-Za-z0-9_]*\)' .*/\1/p" "$out/log" | sort -u >"$out/refused"
comm -23 "$out/words" "$out/refused" >"$out/accepted"
verdict $((status != 1)) "$(wc -l <"$out/refused") words are refused"
for list in "$words"/*.txt; do
    head -n 2 "$list" | grep -q 'refused' || continue
    comm -23 <(of_list "$list") "$out/refused" >"$out/log"
    verdict "$(($(wc -l <"$out/log") > 0))" "all of ${list##*/}"
done
comm -12 <(machine_macros | sort -u) "$out/accepted" >"$out/log"
verdict "$(($(wc -l <"$out/log") > 0))" 'all macros of this machine'

status=0
lower "$out/accepted" || status=$?
verdict "$status" "$(wc -l <"$out/accepted") others are taken"
sed -n "s/.*warning: the name of input port '\([A-Za-z0-9_]*\)' .*/\1/p" "$out/log" | tr '[:upper:]' '[:lower:]' | sort -u >"$out/warned"
comm -23 <(comm -12 <(of_list "$words/vhdl.txt") "$out/accepted") "$out/warned" >"$out/log"
verdict "$(($(wc -l <"$out/log") > 0))" 'with a warning of each word of VHDL'
instance >"$out/user_of_words.v"
for standard in 2005 2012; do
    status=0
    iverilog -g$standard -Wall -tnull "$out/rtl/probe_words.v" "$out/user_of_words.v" >"$out/log" 2>&1 || status=$?
    verdict "$status" "Icarus, $standard"
done
for language in '' -sv -formal; do
    status=0
    yosys -q -p "read_verilog $language $out/rtl/probe_words.v $out/user_of_words.v; hierarchy -check -top user_of_words; check -assert" \
        >"$out/log" 2>&1 || status=$?
    verdict "$status" "Yosys${language:+, $language}"
done
status=0
model >"$out/log" 2>&1 || status=$?
verdict "$status" 'Verilator, and g++ where it is driven'
echo "1..$number"
exit "$failed"
