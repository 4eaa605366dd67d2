# SPDX-License-Identifier: Apache-2.0
#
# ecp5_path.awk - prints the longest path of a netlist of ECP5 cells (BLIF of Yosys' write_blif, one
# flat module) in picoseconds of cells, without wires. Paths begin and end at flip-flops, block
# memories, ports and at the write side of LUT memories. Delays are those of Yosys' ECP5 library, for
# a LUT of its slowest pin: which pin a signal takes is decided by place and route.

BEGIN {
    LUT = 379
    DATA_TO_SUM = 630
    DATA_TO_CARRY = 516
    CARRY_TO_SUM = 273
    CARRY_TO_CARRY = 43
}

function arc(from, to, delay) {
    if (from ~ /^\$(true|false|undef)$/ || from == "")
        return
    arcs[to] = arcs[to] " " from " " delay
}

# When the net is stable; what no cell here drives is so at 0. A net on a loop would end awk.
function arrival(net,    list, n, i, t, late) {
    if (net in at)
        return at[net]
    n = split(arcs[net], list, " ")
    for (i = 1; i < n; i += 2) {
        t = arrival(list[i]) + list[i + 1]
        if (t > late)
            late = t
    }
    return at[net] = late + 0
}

/^\.(gate|subckt) / {
    split("", pin)
    for (i = 3; i <= NF; i++) {
        split($i, part, "=")
        pin[part[1]] = substr($i, length(part[1]) + 2)
    }
    if ($2 == "LUT4") {
        for (i = 1; i <= 4; i++)
            arc(pin[substr("ABCD", i, 1)], pin["Z"], LUT)
    } else if ($2 == "TRELLIS_DPR16X4") {
        for (i = 0; i < 16; i++)
            arc(pin["RAD[" int(i / 4) "]"], pin["DO[" i % 4 "]"], LUT)
    } else if ($2 == "CCU2C") {
        for (half = 0; half < 2; half++) {
            for (i = 1; i <= 4; i++) {
                data = pin[substr("ABCD", i, 1) half]
                for (sum = half; sum < 2; sum++)
                    arc(data, pin["S" sum], DATA_TO_SUM)
                arc(data, pin["COUT"], DATA_TO_CARRY)
            }
            arc(pin["CIN"], pin["S" half], CARRY_TO_SUM)
        }
        arc(pin["CIN"], pin["COUT"], CARRY_TO_CARRY)
    }
}

END {
    for (net in arcs)
        if (arrival(net) > longest)
            longest = arrival(net)
    print longest + 0
}
