// SPDX-License-Identifier: Apache-2.0
/*
 * clock_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/chip/clock.rdl`.
 *
 * CLK_REG_<REGISTER> is an address in words of 64 bits, CLK_REG_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef CLOCK_MAP_H
#define CLOCK_MAP_H

/* clang-format off */

/* Whom the clock follows */
#define CLK_REG_CLOCK 0x0000
#define CLK_REG_CLOCK_SOURCE_AT 0
#define CLK_REG_CLOCK_SOURCE_BITS 6
#define CLK_REG_CLOCK_ROOT_AT 6
#define CLK_REG_CLOCK_ROOT_BITS 1
#define CLK_REG_CLOCK_VALID_AT 7
#define CLK_REG_CLOCK_VALID_BITS 1

/* Delay of the link that it follows, one way: from a snapshot to one clock behind its first part */
#define CLK_REG_DELAY 0x0001
#define CLK_REG_DELAY_PART_AT 0
#define CLK_REG_DELAY_PART_BITS 8
#define CLK_REG_DELAY_CLOCKS_AT 8
#define CLK_REG_DELAY_CLOCKS_BITS 16

/* The loop */
#define CLK_REG_LOOP 0x0002
#define CLK_REG_LOOP_KP_AT 0
#define CLK_REG_LOOP_KP_BITS 4
#define CLK_REG_LOOP_KP_RESET 0x2
#define CLK_REG_LOOP_KI_AT 4
#define CLK_REG_LOOP_KI_BITS 4
#define CLK_REG_LOOP_KI_RESET 0x8

/* How much faster than its own clock it goes */
#define CLK_REG_RATE 0x0003
#define CLK_REG_RATE_RATE_AT 0
#define CLK_REG_RATE_RATE_BITS 16

/* State */
#define CLK_REG_STATUS 0x0004
#define CLK_REG_STATUS_LOCKED_AT 0
#define CLK_REG_STATUS_LOCKED_BITS 1
#define CLK_REG_STATUS_HOLDOVER_AT 1
#define CLK_REG_STATUS_HOLDOVER_BITS 1
#define CLK_REG_STATUS_LINK_AGAIN_AT 2
#define CLK_REG_STATUS_LINK_AGAIN_BITS 1
#define CLK_REG_STATUS_STEPS_AT 16
#define CLK_REG_STATUS_STEPS_BITS 16
#define CLK_REG_STATUS_ERROR_AT 32
#define CLK_REG_STATUS_ERROR_BITS 17

/* Pulses */
#define CLK_REG_PULSE_PERIOD 0x0005
#define CLK_REG_PULSE_PERIOD_N_AT 0
#define CLK_REG_PULSE_PERIOD_N_BITS 6

/* Time */
#define CLK_REG_NOW 0x0006
#define CLK_REG_NOW_NOW_AT 0
#define CLK_REG_NOW_NOW_BITS 52

#endif
