# SPDX-License-Identifier: Apache-2.0
#
# mutate-child.awk READ FILE.il FILE.v - for mutate-equal.sh, with child=MODULE: a techmap that makes pins of an instance of
# the module in FILE.v. READ lists its input bits that are read, one a line: MODULE/name or MODULE/name[bit]; in FILE.il
# Yosys has found out which bits never change.

FILENAME ~ /\.txt$/ {
    sub(/.*\//, "")
    read[$0] = 1
}

# "  connect \\name [bit] 1'0", "  connect \\name 1'0"
FILENAME ~ /\.il$/ && $1 == "connect" && $NF ~ /^1'[01]$/ {
    value[substr($2, 2) (NF == 4 ? $3 : "")] = substr($NF, 3)
}

FILENAME !~ /\.v$/ { next }

/^module / { header = 1 }

# "    input  wire [47:0] name, // what it is"
header && $1 ~ /^(input|output)$/ {
    sub(/ *\/\/.*/, "")
    gsub(/,/, "")
    width = match($0, /\[[0-9]+:0\]/) ? substr($0, RSTART + 1) + 1 : 1
    name = $NF
    ports = ports (ports == "" ? "" : ", ") $1 " [" width - 1 ":0] " name
    for (bit = 0; bit < width; bit++) {
        bit_name = width == 1 ? name : name "[" bit "]"
        if ($1 == "output" && bit_name in value)
            pins = pins sprintf("    assign %s[%d] = 1'b%d;\n", name, bit, value[bit_name])
        else if ($1 == "output")
            pins = pins sprintf("    cut_from from_%s_%d (.Y(%s[%d]));\n", name, bit, name, bit)
        else if (bit_name in read)
            pins = pins sprintf("    cut_to to_%s_%d (.A(%s[%d]));\n", name, bit, name, bit)
    }
}

/^\);/ { header = 0 }

END {
    printf "(* techmap_celltype = \"%s\" *)\nmodule cut_%s (%s);\n%sendmodule\n\n", child, child, ports, pins
}
