// SPDX-License-Identifier: Apache-2.0
/*
 * tile_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/router/tile.rdl`.
 *
 * RTR_REG_<REGISTER> is an address in words of 64 bits, RTR_REG_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef TILE_MAP_H
#define TILE_MAP_H

/* clang-format off */

/* Control, and where this tile is */
#define RTR_REG_CONTROL 0x0000
#define RTR_REG_CONTROL_CLEAR_AT 0
#define RTR_REG_CONTROL_CLEAR_BITS 1
#define RTR_REG_CONTROL_COLUMN_AT 0
#define RTR_REG_CONTROL_COLUMN_BITS 3
#define RTR_REG_CONTROL_ROW_AT 3
#define RTR_REG_CONTROL_ROW_BITS 3

/* First clock with an error since reset or the last clear */
#define RTR_REG_FIRST_ERROR 0x0001
#define RTR_REG_FIRST_ERROR_EVENTS_AT 0
#define RTR_REG_FIRST_ERROR_EVENTS_BITS 16
#define RTR_REG_FIRST_ERROR_NOW_AT 16
#define RTR_REG_FIRST_ERROR_NOW_BITS 32
#define RTR_REG_FIRST_ERROR_CAPTURED_AT 63
#define RTR_REG_FIRST_ERROR_CAPTURED_BITS 1

/* Output side */
#define RTR_REG_OUTPUT 0x0002
#define RTR_REG_OUTPUT_FIRST_AT 0
#define RTR_REG_OUTPUT_FIRST_BITS 8
#define RTR_REG_OUTPUT_PATIENCE_AT 8
#define RTR_REG_OUTPUT_PATIENCE_BITS 2

/* Output side: what a port that takes nothing has lost */
#define RTR_REG_VALVE 0x0003
#define RTR_REG_VALVE_DROPPED_AT 0
#define RTR_REG_VALVE_DROPPED_BITS 16

/* One word of a routing memory (route_table.h has their layout) */
#define RTR_REG_ROUTE 0x0010
#define RTR_REG_ROUTE_DATA_AT 0
#define RTR_REG_ROUTE_DATA_BITS 48
#define RTR_REG_ROUTE_INDEX_AT 48
#define RTR_REG_ROUTE_INDEX_BITS 12
#define RTR_REG_ROUTE_KIND_AT 61
#define RTR_REG_ROUTE_KIND_BITS 3

#define RTR_REG_COUNTERS 0x0020 /* the first one */

enum tile_counter {
    RTR_INCOMING_FLIT_VC0, /* Flits from the link, VC 0 */
    RTR_INCOMING_FLIT_VC1, /* Flits from the link, VC 1 */
    RTR_INCOMING_FLIT_VC2, /* Flits from the link, VC 2 */
    RTR_INCOMING_FLIT_VC3, /* Flits from the link, VC 3 */
    RTR_INCOMING_FLIT_VC4, /* Flits from the link, VC 4 */
    RTR_INCOMING_FLIT_VC5, /* Flits from the link, VC 5 */
    RTR_INCOMING_FLIT_VC6, /* Flits from the link, VC 6 */
    RTR_INCOMING_FLIT_VC7, /* Flits from the link, VC 7 */
    RTR_ROWBUS_STALL, /* Clocks in which flits waited in staging and none went to the row bus */
    RTR_COLBUF_STALL_REQUEST, /* Clocks in which requests waited in a column buffer: the link had no room */
    RTR_COLBUF_STALL_RESPONSE, /* Clocks in which responses waited in a column buffer: the link had no room */
    RTR_NONMINIMAL, /* Packets that took a non-minimal route */
    RTR_ILLEGAL, /* Packets with illegal VC or length, refused */
    RTR_NO_ROUTE, /* Packets without any candidate, dropped */
    RTR_CORRECTED, /* Clocks in which a memory had a single-bit error */
    RTR_FATAL, /* Clocks in which a memory had two */
    TILE_COUNTERS,
};

#endif
