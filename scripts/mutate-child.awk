# SPDX-License-Identifier: Apache-2.0
#
# mutate-child.awk READ FILE.v - for mutate-equal.sh, with child=MODULE: a techmap that makes pins of an instance of the
# module in FILE.v. READ lists its input bits that are read, one a line: MODULE/name or MODULE/name[bit].

FNR == NR {
    sub(/.*\//, "")
    read[$0] = 1
    next
}

/^module / { header = 1 }

# "    input  wire [47:0] name, // what it is"
header && $1 ~ /^(input|output)$/ {
    sub(/ *\/\/.*/, "")
    gsub(/,/, "")
    width = match($0, /\[[0-9]+:0\]/) ? substr($0, RSTART + 1) + 1 : 1
    name = $NF
    ports = ports (ports == "" ? "" : ", ") $1 " [" width - 1 ":0] " name
    for (bit = 0; bit < width; bit++) {
        if ($1 == "output")
            pins = pins sprintf("    cut_from from_%s_%d (.Y(%s[%d]));\n", name, bit, name, bit)
        else if (read[name "[" bit "]"] || (width == 1 && read[name]))
            pins = pins sprintf("    cut_to to_%s_%d (.A(%s[%d]));\n", name, bit, name, bit)
    }
}

/^\);/ { header = 0 }

END {
    printf "(* techmap_celltype = \"%s\" *)\nmodule cut_%s (%s);\n%sendmodule\n\n", child, child, ports, pins
}
