// SPDX-License-Identifier: Apache-2.0
/*
 * nic_fma.h - ports and registers of the FMA unit: runs of bytes that a processor stored become requests. (A function named
 * fma is the C library's.)
 *
 * Words of a descriptor's page (FMA_WORD_*) are kept here; a run in a window, or in LAUNCH, is a request; OPEN and CLOSE
 * are packets of one beat and of three for ssid.
 */
#ifndef NIC_FMA_H
#define NIC_FMA_H

#include "nic/initiator/fma_packet.h"
#include "nic/regs/nic_map.h"

/* Errors of a descriptor, one bit each in STATUS; the first five are counted in out.count, bit by bit. */
enum fma_error {
    FMA_NO_ID,       /* OPEN, TRANSFER: as many in flight as it may have; or the channel is full */
    FMA_NOT_OPEN,    /* or opened twice */
    FMA_BAD_COMMAND, /* no such word, opcode, mode, message of more than 56 bytes, flagged get of 16 words, flag or channel without right */
    FMA_BAD_ALIGNMENT, /* of the write, the remote or the local address */
    FMA_DISABLED,      /* or it was since the store: answered SLVERR, too */
    FMA_FAILED,        /* a transaction that wanted no event did not end well */
};
#define FMA_REFUSALS FMA_FAILED

/* What is counted: the refusals, all INFORMATIONAL, and */
#define FMA_COUNT_ABORTED                                                                          \
    FMA_REFUSALS /* TRANSACTION: a descriptor was disabled while it was open */
#define FMA_COUNTS (FMA_REFUSALS + 1)

typedef u5 fma_refusal; /* one bit per enum fma_error */

struct nic_fma_in {
    struct pio_run run;
    struct pio_chunk chunk;
    struct channel_note note;    /* from ssid */
    struct launch_note launched; /* from bte */
    struct launch_room launch;   /* the same */
    u1 room;                     /* of tarb */
#if NIC_CE
    u1 room_join; /* of ce */
#endif
    struct nic_write write;
    struct nic_wipe wipe;
};

struct nic_fma_out {
    struct page_reply answer;   /* to in.run: it was taken, or its word is this */
    struct beat beat;           /* to tarb */
    struct launch_words launch; /* to bte */
#if NIC_CE
    struct beat join; /* to ce */
#endif
    u1 launched_taken;
    uint(FMA_COUNTS) count;
    u1 corrected; /* a word of a descriptor had a single-bit error */
    u1 fatal;     /* ... a double-bit error */
};

/* Clock 0: a run was taken. */
struct fma_taken {
    u1 valid;
    u1 abort; /* no run: the transaction that the descriptor has open is closed */
    u2 region;
    fma_index unit;
    fma_offset offset;
    u6 bytes; /* - 1 */
    pio_line line;
    u1 enabled;
    u1 open;
    u9 opened; /* transactions so far */
    u9 flight; /* those that are not over */
    beat_data chunk;
};

typedef u14
    fma_rights; /* {channels where it may launch 4, CLOSE may write the flag 1, limit of transactions in flight 9} */

/* Two of the words that clock 1 needs have few bits. */
#define ECC      fma_few
#define ECC_DATA 14
#define ECC_BITS 6
#include "common/ecc.inc"

/* Words of a descriptor that clock 1 needs. */
struct fma_first {
    fma_global base;
    u13 modes; /* {SOURCE 1, short 1, flagged 1, command 7, place of the PE 3} */
    fma_rights may;
};

/* ... with their codes. */
struct fma_first_codes {
    fma_long_word base;
    fma_few_word modes;
    fma_few_word may;
};

/* The privileged part of a descriptor. */
struct fma_part {
    u1 valid;
    fma_index unit;
    u58 data;
};

struct nic_fma {
    struct nic_fma_out out;
    struct fma_packet packet;

    struct fma_taken taken;
    HLS_LUTRAM(1) beat_data chunks[4 << PIO_LINES_LOG2];
    struct fma_first_codes first;
    u1 mended; /* they had errors: `right` is in their place */
    u1 lost;   /* one had a double-bit error */
    struct fma_first right;
    FMA_TABLE fma_long_word bases[NIC_FMAS];
    FMA_TABLE fma_few_word modes[NIC_FMAS];
    FMA_TABLE fma_few_word limits[NIC_FMAS];
    u3 wait; /* clocks until the next run may be taken */

    /* Clock 1: what it asked for. */
    u1 asked;
    u1 clear; /* STATUS was written */
    fma_refusal refused;
    struct fma_order order;

    /* A privileged part that waits to be written; then its place goes to packet. */
    struct fma_part write;
    u1 place_valid;
    fma_index place_unit;
    fma_place place;

    fma_index looked; /* descriptor that is scanned when no run comes, or that a run found doomed */
    u1 found;         /* it has a transaction to abort */

    /* State that is changed in place: no code. */
    HLS_LUTRAM(1) u2 gates[NIC_FMAS]; /* {to be aborted, enabled} */
    HLS_LUTRAM(1) u1 opens[NIC_FMAS];
    HLS_LUTRAM(1) u9 opened[NIC_FMAS];  /* transactions so far */
    HLS_LUTRAM(2) u9 freed[NIC_FMAS];   /* those that are over */
    HLS_LUTRAM(1) u21 faults[NIC_FMAS]; /* {dropped 16, refusals 5} */
    HLS_LUTRAM(1) u1 failed[NIC_FMAS];  /* differs from seen: FMA_FAILED */
    HLS_LUTRAM(2) u1 seen[NIC_FMAS];
};

HLS_RESET void nic_fma_reset(struct nic_fma *self);
HLS_MODULE void nic_fma(struct nic_fma *self, const struct nic_fma_in *in);

#endif
