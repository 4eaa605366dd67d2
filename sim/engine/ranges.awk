# SPDX-License-Identifier: Apache-2.0
#
# ranges.awk - tells the optimiser of clang 19 what it knows of a number of hls: an unsigned _BitInt(N) stands in memory with zeroes above
# bit N - 1. clang stores it so, but loads the whole word and cuts it, an instruction more for most loads of a register. Between llvm-dis
# and opt: each load whose type in the aliasing metadata is _BitInt(N), N bits of a word of 8, 16, 32 or 64, gets that range.
#
#     llvm-dis-19 <x.bc | awk -f ranges.awk | opt-19 ...
#
# The metadata has no signs: a model with an sint is not for this.

# A load as clang writes it, with its !tbaa at the end of the line; types of the metadata follow the code.
{ text[NR] = $0 }

match($0, /^![0-9]+ = ![{]!"_BitInt\([0-9]+\)"/) {
    bits = $0
    gsub(/^[^(]*\(|\).*/, "", bits)
    width[$1] = bits
}

# an access tag: !{base type, access type, offset}
/^![0-9]+ = ![{]![0-9]+, ![0-9]+, i64 [0-9]+[}]$/ {
    of = $4
    sub(/,/, "", of)
    access[$1] = of
}

/^![0-9]+ = / {
    number = substr($1, 2) + 0
    last = number > last ? number : last
}

function ranged(line,    word, tag, bits, size, key) {
    split(line, word, " ")
    tag = line
    if (!sub(/.*!tbaa /, "", tag))
        return line
    sub(/,.*/, "", tag)
    bits = width[access[tag]]
    size = substr(word[4], 2) + 0
    if (bits == "" || bits + 0 >= size)
        return line
    key = size " " bits
    if (!(key in range))
        range[key] = ++last
    return line ", !range !" range[key]
}

END {
    found = last
    for (i = 1; i <= NR; i++)
        print text[i] ~ /^ +%[0-9a-z.]+ = load i(8|16|32|64), ptr / ? ranged(text[i]) : text[i]
    for (key in range) {
        split(key, word, " ")
        printf "!%d = !{i%d 0, i%d %.0f}\n", range[key], word[1], word[1], 2 ^ word[2]
    }
    if (last == found) {
        print "ranges.awk: no load of a _BitInt: does clang name them otherwise?" >"/dev/stderr"
        exit 1
    }
}
