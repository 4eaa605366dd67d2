# SPDX-License-Identifier: Apache-2.0
#
# describe.awk - descriptions of any length for scripts/bench/bench-compile.sh:
#
#   awk -v shape=many -v lines=10000 -f describe.awk   # modules of 50 lines, each on its own
#   awk -v shape=one -v lines=10000 -f describe.awk    # one module that does the work of all of them
#
# The work of one piece: an input queue in LUTRAM with its pointers, a table of credits, a state machine, a
# checksum. Pieces differ in their constants, so that nothing is shared between them.

function put(format, i) { gsub(/@/, i, format); gsub(/#/, i % 251 + 1, format); print format }

function ports(i) {
    put("    u1 valid@, pop@;", i)
    put("    u3 vc@;", i)
    put("    u16 data@;", i)
}

function outputs(i) {
    put("    u1 ready@, busy@;", i)
    put("    u16 front@;", i)
    put("    u8 sum@;", i)
}

function registers(i) {
    put("    HLS_LUTRAM(1) u16 queue@[16];", i)
    put("    u4 head@, tail@;", i)
    put("    u5 fill@;", i)
    put("    u6 credit@[8];", i)
    put("    u2 state@;", i)
}

function reset(i) {
    put("    self->state@ = 0;", i)
    put("    self->head@ = self->tail@ = 0;", i)
    put("    self->fill@ = 0;", i)
    put("    for (int i = 0; i < 8; i++) {", i)
    put("        self->credit@[i] = # % 64;", i)
    put("    }", i)
}

function work(i) {
    put("    u16 front@ = self->queue@[self->head@];", i)
    put("    u1 room@ = self->fill@ < 16;", i)
    put("    u1 put@ = in->valid@ && room@ && self->credit@[in->vc@] != 0;", i)
    put("    u1 get@ = in->pop@ && self->fill@ != 0;", i)
    put("    if (put@) {", i)
    put("        self->queue@[self->tail@] = in->data@ ^ #;", i)
    put("        self->tail@++;", i)
    put("        self->credit@[in->vc@]--;", i)
    put("    }", i)
    put("    if (get@) {", i)
    put("        self->head@++;", i)
    put("        self->credit@[front@ >> 13]++;", i)
    put("        for (int b = 0; b < 8; b++) {", i)
    put("            u1 top = (self->out.sum@ >> 7 ^ front@ >> b) & 1;", i)
    put("            self->out.sum@ = self->out.sum@ << 1 ^ (top ? # : 0);", i)
    put("        }", i)
    put("    }", i)
    put("    self->fill@ = self->fill@ + put@ - get@;", i)
    put("    switch (self->state@) {", i)
    put("    case 0: self->state@ = put@; break;", i)
    put("    case 1: self->state@ = get@ ? 2 : self->fill@ > 12 ? 3 : 1; break;", i)
    put("    case 2: self->state@ = self->out.sum@ == # ? 3 : 0; break;", i)
    put("    default: self->state@ = get@ && front@ < # * 7 ? 0 : 3; break;", i)
    put("    }", i)
    put("    self->out.ready@ = room@;", i)
    put("    self->out.busy@ = self->state@ != 0;", i)
    put("    self->out.front@ = get@ ? front@ : self->out.front@ + #;", i)
}

# A module with the pieces from .. to - 1.
function module(name, from, to,   i) {
    print "struct " name "_in {"
    for (i = from; i < to; i++) ports(i)
    print "};\nstruct " name "_out {"
    for (i = from; i < to; i++) outputs(i)
    print "};\nstruct " name " {\n    struct " name "_out out;"
    for (i = from; i < to; i++) registers(i)
    print "};\n\nHLS_RESET void " name "_reset(struct " name " *self)\n{"
    print "    self->out = (struct " name "_out){0};"
    for (i = from; i < to; i++) reset(i)
    print "}\n\nHLS_MODULE void " name "(struct " name " *self, const struct " name "_in *in)\n{"
    for (i = from; i < to; i++) work(i)
    print "}\n"
}

BEGIN {
    print "#include \"hls.h\"\n"
    if (shape == "one") {
        module("piece", first, first + int((lines - 16) / 45 + 0.5))
    } else {
        for (k = first; k < first + int(lines / 61 + 0.5); k++) module("piece" k, k, k + 1)
    }
}
