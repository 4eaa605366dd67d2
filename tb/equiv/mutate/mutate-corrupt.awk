# SPDX-License-Identifier: Apache-2.0
#
# mutate-corrupt.awk - wrong bits in some of the words that a module writes into its memories, as tb/equiv/lockstep/memnoise.c makes them.
#
# awk -v memories="buffer:72 list:12" -f mutate-corrupt.awk M.v: name and width of each. A write is a statement
# "name[address] <= word;" that may go on over several lines; each goes through a function behind the last of them. It changes
# words if mutate_noise() of mutate-choice.c says so, and none that is what stands there already.

BEGIN {
    n = split(memories, parts, "[: ]")
    for (i = 1; i < n; i += 2)
        width[parts[i]] = parts[i + 1]
}

# begins a write: its word becomes the argument of the function
match($0, /^ *(if \(.*\) )?[A-Za-z_][A-Za-z_0-9]*\[/) && !writing {
    name = substr($0, RSTART, RLENGTH - 1)
    sub(/.* /, "", name)
    if (name in width && (at = index($0, "] <= "))) {
        place = substr($0, RSTART + RLENGTH, at - RSTART - RLENGTH)
        $0 = substr($0, 1, at + 4) "corrupted_" width[name] "(" place ", " substr($0, at + 5)
        writing = 1
    }
}

# ends at the first semicolon that is not in a comment
writing {
    code = $0
    sub(/ *\/\/.*/, "", code)
    if (at = index(code, ";")) {
        $0 = substr($0, 1, at - 1) ", " name "[" place "])" substr($0, at)
        writing = 0
    }
}

/^endmodule/ {
    if (n > 1)
        print "import \"DPI-C\" function int mutate_noise();\nreg noisy;\ninitial noisy = mutate_noise() != 0;"
    for (name in width)
        if (!(width[name] in done))
            corrupt(width[name])
    split("", done)
}

{ print }

function corrupt(w) {
    done[w] = 1
    printf "function [%d:0] corrupted_%d;\n    input [31:0] place;\n    input [%d:0] word, standing;\n    reg [127:0] hash;\n    begin\n", w - 1, w, w - 1
    print "        hash = ({32'd0, place, 64'd0} ^ word) * 128'h9e3779b97f4a7c15f39cc0605cedc835;"
    print "        if (!noisy || word === standing) hash = {128{1'd1}};"
    printf "        corrupted_%d = word ^ (hash[127:124] == 0 ? %d'd1 << hash[121:96] %% %d : %d'd0)\n", w, w, w, w
    printf "            ^ (hash[127:122] == 0 ? %d'd1 << hash[95:64] %% %d : %d'd0);\n    end\nendfunction\n", w, w, w
}
