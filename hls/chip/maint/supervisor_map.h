// SPDX-License-Identifier: Apache-2.0
/*
 * supervisor_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/chip/maint/supervisor.rdl`.
 *
 * SUP_REG_<REGISTER> is an address in words of 64 bits, SUP_REG_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef SUPERVISOR_MAP_H
#define SUPERVISOR_MAP_H

/* clang-format off */

/* Which chip of the system this is */
#define SUP_REG_CHIP 0x0000
#define SUP_REG_CHIP_IDENTITY_AT 0
#define SUP_REG_CHIP_IDENTITY_BITS 16

/* Links that carry packets */
#define SUP_REG_UP 0x0001
#define SUP_REG_UP_LINKS_AT 0
#define SUP_REG_UP_LINKS_BITS 64

/* Links with less than all lanes */
#define SUP_REG_DEGRADED 0x0002
#define SUP_REG_DEGRADED_LINKS_AT 0
#define SUP_REG_DEGRADED_LINKS_BITS 64

/* Links that are dead */
#define SUP_REG_DEAD 0x0003
#define SUP_REG_DEAD_LINKS_AT 0
#define SUP_REG_DEAD_LINKS_BITS 64

/* Links to restart */
#define SUP_REG_RESTART 0x0004
#define SUP_REG_RESTART_LINKS_AT 0
#define SUP_REG_RESTART_LINKS_BITS 64

/* First link that was lost or lost a lane since this was written; any write clears it */
#define SUP_REG_FIRST_ERROR 0x0005
#define SUP_REG_FIRST_ERROR_LINK_AT 0
#define SUP_REG_FIRST_ERROR_LINK_BITS 6
#define SUP_REG_FIRST_ERROR_DIED_AT 6
#define SUP_REG_FIRST_ERROR_DIED_BITS 1
#define SUP_REG_FIRST_ERROR_VALID_AT 7
#define SUP_REG_FIRST_ERROR_VALID_BITS 1
#define SUP_REG_FIRST_ERROR_CLOCK_AT 16
#define SUP_REG_FIRST_ERROR_CLOCK_BITS 48

/* What happened; a one written clears the bit */
#define SUP_REG_IRQ 0x0006
#define SUP_REG_IRQ_DIED_AT 0
#define SUP_REG_IRQ_DIED_BITS 1
#define SUP_REG_IRQ_DEGRADED_AT 1
#define SUP_REG_IRQ_DEGRADED_BITS 1
#define SUP_REG_IRQ_DROPPED_AT 2
#define SUP_REG_IRQ_DROPPED_BITS 1

/* What of IRQ raises the interrupt */
#define SUP_REG_MASK 0x0007
#define SUP_REG_MASK_BITS_AT 0
#define SUP_REG_MASK_BITS_BITS 3

/* Clocks since the reset */
#define SUP_REG_BEAT 0x0008
#define SUP_REG_BEAT_CLOCKS_AT 0
#define SUP_REG_BEAT_CLOCKS_BITS 48

/* Maintenance taps; 0 in a chip without */
#define SUP_REG_TAPS 0x0009
#define SUP_REG_TAPS_ON_AT 0
#define SUP_REG_TAPS_ON_BITS 16
#define SUP_REG_TAPS_ON_RESET 0xffff

/* What taps did, modulo 2^32 */
#define SUP_REG_TAPPED 0x000a
#define SUP_REG_TAPPED_SERVED_AT 0
#define SUP_REG_TAPPED_SERVED_BITS 32
#define SUP_REG_TAPPED_DROPPED_AT 32
#define SUP_REG_TAPPED_DROPPED_BITS 32

/* Quiesce */
#define SUP_REG_QUIESCE 0x000b
#define SUP_REG_QUIESCE_ON_AT 0
#define SUP_REG_QUIESCE_ON_BITS 1

/* What is quiet; a network is, when all its chips have all three bits twice with a round of reads between */
#define SUP_REG_QUIET 0x000c
#define SUP_REG_QUIET_ROUTER_AT 0
#define SUP_REG_QUIET_ROUTER_BITS 1
#define SUP_REG_QUIET_LINKS_AT 1
#define SUP_REG_QUIET_LINKS_BITS 1
#define SUP_REG_QUIET_NICS_AT 2
#define SUP_REG_QUIET_NICS_BITS 1

#endif
