// SPDX-License-Identifier: Apache-2.0
/*
 * reg_port_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/router/reg_port.rdl`.
 *
 * REG_PORT_<REGISTER> is an address in words of 64 bits, REG_PORT_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef REG_PORT_MAP_H
#define REG_PORT_MAP_H

/* clang-format off */

/* What packets may do */
#define REG_PORT_ACCESS 0x0000
#define REG_PORT_ACCESS_KEY_AT 0
#define REG_PORT_ACCESS_KEY_BITS 48
#define REG_PORT_ACCESS_READS_AT 62
#define REG_PORT_ACCESS_READS_BITS 1
#define REG_PORT_ACCESS_WRITES_AT 63
#define REG_PORT_ACCESS_WRITES_BITS 1

/* Packets refused, by their first fault; each count wraps */
#define REG_PORT_REFUSED 0x0001
#define REG_PORT_REFUSED_UNASKED_AT 0
#define REG_PORT_REFUSED_UNASKED_BITS 16
#define REG_PORT_REFUSED_MALFORMED_AT 16
#define REG_PORT_REFUSED_MALFORMED_BITS 16
#define REG_PORT_REFUSED_DENIED_AT 32
#define REG_PORT_REFUSED_DENIED_BITS 16

#endif
