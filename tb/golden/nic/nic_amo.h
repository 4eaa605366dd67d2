// SPDX-License-Identifier: Apache-2.0
/*
 * nic_amo.h - the NIC's atomic operations: which opcodes there are, and what each makes of a variable.
 *
 * Plain C11, shares nothing with hls/: integers are the host's, and so is its floating point unit, whose rounding is set
 * for one addition and then set back. The host has IEEE 754 binary32 and binary64, and rounds a float as a float.
 */
#ifndef GOLDEN_NIC_AMO_H
#define GOLDEN_NIC_AMO_H

#include <stdbool.h>
#include <stdint.h>

/* What an opcode means. */
struct gn_amo {
    bool exists;       /* if not: BAD_COMMAND, and all else here is false */
    bool wide;         /* 64 bits, else 32 */
    bool two_operands; /* b too, not a alone */
    bool cached;
};

/* The meaning of an opcode (7 bits; none above exists) of a command with fetch, or without. */
struct gn_amo gn_amo_of(unsigned opcode, bool fetch);

/* Of FPADD; the numbers are those of the register. */
enum gn_rounding { GN_NEAREST = 0, GN_UP = 1, GN_DOWN = 2, GN_ZERO = 3 };

/*
 * New value of the variable m. Of 32-bit operations the low halves of m, a and b count, and the high half of the result
 * is 0. An opcode that does not exist leaves m as it is.
 */
uint64_t gn_amo_apply(unsigned opcode, enum gn_rounding rounding, uint64_t m, uint64_t a,
                      uint64_t b);

#endif
