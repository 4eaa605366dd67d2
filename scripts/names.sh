#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# names.sh [DIR] - how many nets of the Verilog in DIR (build/rtl/aries) have a name of the C.
#
#   source     an identifier of hls/ (a word in a comment, a string or an #error is none), identifiers joined by _ (nested members, instance and port), with _q, _d or a
#              number behind
#   described  such names and what is done with them: credit_at_vc, fill_is_3, head_plus_1, go_and_run; ports of memories:
#              buffer_raddr; sums of so many bits: word_pairs, word_fours, word_sums
#   nameless   of something and the kind of operation: close_sel, state_and
#   numbered   _ and a number behind, where the C has no such name
#
# Ports are counted for the first three, as they are the C's, and not for numbered. Writes build/reports/names.json, a list of
# {module, nets, numbered, nameless}, nets without ports. Exit status 1 when more than 7 % of these are numbered or 5 % nameless.
set -euo pipefail

rtl=${1:-build/rtl/aries}
[[ -n $(find "$rtl" -maxdepth 1 -name '*.v' 2>/dev/null) ]] || { echo "names.sh: no Verilog in $rtl; make rtl" >&2 && exit 1; }
report=build/reports/names.json
mkdir -p build/reports

# code FILE...: the C without comments, strings and #error; file by file, as what is left is copied at every word of these
code() {
    awk '
        FNR == 1 { print_code() }
        { text = text $0 "\n" }
        END { print_code() }
        function print_code(   what, end) {
            while (match(text, /\/\*|\/\/|"|\x27|#[ \t]*error/)) {
                printf "%s ", substr(text, 1, RSTART - 1)
                what = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                if (what == "/*") end = "\\*/"
                else if (what == "\"") end = "^([^\"\\\\\n]|\\\\.)*\""
                else if (what == "\x27") end = "^([^\x27\\\\\n]|\\\\.)*\x27"
                else end = "\n"
                if (!match(text, end)) break
                text = substr(text, RSTART + RLENGTH)
                printf "\n"
            }
            print text
            text = ""
        }' "$@"
}

# one_each FILE: the Verilog with a declaration of several nets, also over several lines, as one line for each
one_each() {
    awk '
        /^ *(wire|reg) [^=\/;]*,$/ || more { more = !/;/; list = list " " $0; if (more) next }
        list == "" && /^ *(wire|reg) [^=\/;]*, / { list = $0 }
        list != "" {
            sub(/^ */, "", list)
            kind = list
            sub(/[^ ]*,.*/, "", kind)
            n = split(substr(list, length(kind) + 1), name, /[,;] */)
            for (i = 1; i <= n; i++) if (name[i] != "") print kind name[i] ";"
            list = ""
            next
        }
        { print }' "$1"
}

# Identifiers of the C first ("c NAME"), then the declarations of the Verilog ("v FILE NAME").
{
    find -L hls \( -name "*.[ch]" -o -name "*.inc" \) -print0 | sort -z | { mapfile -d '' -t files && code "${files[@]}"; } | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u | sed 's/^/c /'
    for file in "$rtl"/*.v; do
        [[ $file != *_tb.v ]] || continue
        # the wires of an instance's ports: net NAME of .port(NAME), where NAME ends in _port
        { grep -oE '\.[a-z_0-9A-Z]+\([a-z_0-9A-Z]+\)' "$file" || true; } | sed -nE "s|^\.(.*)\((.*_\1)\)$|w $(basename "$file" .v) \2|p"
        one_each "$file" |
            sed -nE 's/^ *(input|output) +(wire|reg) +(signed +)?(\[[^]]*\] +)?([a-z_0-9A-Z]+).*/port \5/p
                 s/^ *(\(\*[^)]*\*\) *)?(wire|reg) +(signed +)?(\[[^]]*\] +)?([a-z_0-9A-Z]+).*/net \5/p' |
            sed "s|^|v $(basename "$file" .v) |"
    done
} | awk -v report="$report" '
    # Can it be cut at underscores into identifiers of the C?
    function known(name) {
        if (!(name in asked)) asked[name] = cut(name)
        return asked[name]
    }
    function cut(name,   at) {
        if (name in c) return 1
        for (at = length(name) - 1; at > 1; at--)
            if (substr(name, at, 1) == "_" && substr(name, 1, at - 1) in c && known(substr(name, at + 1)))
                return 1
        return 0
    }
    function kind(name,   last) {
        if (known(name)) return cut_off(name) && !(name in c) ? "without" : "source"
        sub(/_[0-9]+$/, "", name)
        if (cut_off(name) && !(name in c)) return "without"
        if (name ~ /_(q|d)$/) sub(/_[qd]$/, "", name)
        if (known(name)) return "source"
        return said(name) || port(name) ? "described" : "without"
    }
    function said(name) {
        return name ~ /(^|_)(at|is|plus|minus|below|above|eq|and|or|xor|not)_/ || name ~ /_(is|is_not|plus|minus|below|above)$/ ||
            name ~ /_(pairs|fours|eights|sixteens|most|sums)$/
    }
    function port(name) { return name in c == 0 && sub(/_(re|we|raddr|waddr|wdata)$/, "", name) && known(name) }
    function cut_off(name) {
        sub(/_[0-9]+$/, "", name)
        return name ~ /_(sum|diff|product|quotient|rest|test|sel|read|new|bits|shifted|table|and|or|xor|net|padded)$/
    }
    $1 == "c" { c[$2] = 1 }
    $1 == "w" { wire[$2 " " $3] = 1 }
    $1 == "v" && $4 !~ /^(clk|rst|(.*_)?hls_state|unused.*)$/ {
        k = ($2 " " $4) in wire && known($4) ? "source" : kind($4)
        n[k]++
        all++
        m[$2 " " k]++
        if ($3 != "net") next
        files[$2] = 1
        nets[$2]++
        total++
        if ($4 ~ /_[0-9]+$/ && !($4 in c)) {
            numbered[$2]++
            n["numbered"]++
        }
    }
    function line(f) {
        return sprintf("{\"module\": \"%s\", \"nets\": %d, \"numbered\": %d, \"nameless\": %d}", f, nets[f], numbered[f], m[f " without"])
    }
    END {
        for (f in files) {
            printf "  %-24s %5d source %5d described %5d nameless; %3d of %4d numbered\n", f, m[f " source"],
                m[f " described"], m[f " without"], numbered[f], nets[f] | "sort"
            print line(f) | ("sort | sed \"\\$!s/\\$/,/; 1s/^/[/; \\$s/\\$/]/\" >" report)
        }
        close("sort")
        printf "%d nets: %d source, %d described, %d without a name of the C: %.1f %% of those that are no ports, wanted at most 5; ", all,
            n["source"], n["described"], n["without"], 100 * n["without"] / total
        printf "%d numbered: %.1f %%, wanted at most 7\n", n["numbered"], 100 * n["numbered"] / total
        exit n["without"] > total / 20 || n["numbered"] > total * 7 / 100
    }'
