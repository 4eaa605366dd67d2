// SPDX-License-Identifier: Apache-2.0
/*
 * fma_packet.h - ports and registers of the second half of the FMA unit: an order becomes the beats of a packet.
 */
#ifndef FMA_PACKET_H
#define FMA_PACKET_H

#include "nic/host/pio.h"

enum fma_word {
    FMA_WORD_BASE = 0,
    FMA_WORD_MODES = 1,
    FMA_WORD_FLAG = 3,        /* of a transfer its bytes */
    FMA_WORD_FLAG_OFFSET = 4, /* ... and its local offset */
    FMA_WORD_EVENT = 5,
    FMA_WORD_OPERANDS = 6, /* and 7 */
    FMA_WORD_OPEN = 8,
    FMA_WORD_CQWRITE = 9,
    FMA_WORD_TRANSFER = 10,
    FMA_WORD_CE = 11,
    FMA_WORD_CLOSE = 13,
    FMA_WORD_STATUS = PAGE_WORD_STATUS,
    FMA_WORD_LAUNCH = PAGE_WORD_LAUNCH, /* and 25 */
};

#define MODES_MDH_AT     0  /* 12 */
#define MODES_LOCAL_AT   12 /* 12: mdh of the local segment */
#define MODES_PE_AT      24 /* 3: where the PE is in a global offset */
#define MODES_MODE_AT    27 /* 3: enum rtr_mode */
#define MODES_QUEUE_AT   30 /* 10: of source events */
#define MODES_COMMAND_AT 40 /* 7: of the put window: 0 PUT, 1 PUT_MSG, else an AMO */
#define MODES_FLAGGED_AT 47 /* 1: gets write a word behind their data */
#define MODES_SHORT_AT   48 /* 1: LAUNCH puts 4 bytes, not 8 */

#define CONTROL_OFFSET_AT  0  /* 40: of the local segment */
#define CONTROL_WORDS_AT   40 /* 4: - 1 */
#define CONTROL_OPCODE_AT  44 /* 7: 0 GET */
#define CONTROL_FLAGGED_AT 51 /* 1 */

#define CLOSE_FLAG_BIT 59 /* of word CLOSE: the flag is written */

#define LAUNCH_GET_AT 63 /* 1; the global offset below */

/* Word CE: an engine of this NIC is joined. */
#define REDUCE_ID_AT         0  /* 15 */
#define REDUCE_CHILD_AT      16 /* 5: which one its process is */
#define REDUCE_ENGINE_AT     21 /* 2 */
#define REDUCE_TWO_AT        23 /* 1: both words OPERANDS, else the first one and 0 */
#define REDUCE_EXCEPTIONS_AT 24 /* 4: so far */

/* Word TRANSFER: {events at the target 1, global 1, local 1, fence 1, operation 2, channel 2, source event 56}. */
#define TRANSFER_CHANNEL_AT 56
#define TRANSFER_OP_AT      58
#define TRANSFER_FENCE_AT   60
#define TRANSFER_WANTS_AT   61 /* 3: WANT_LOCAL, WANT_GLOBAL, WANT_TARGET */

#define STATUS_FLIGHT_AT  0  /* 9: transactions in flight */
#define STATUS_OPEN_AT    9  /* 1 */
#define STATUS_ERRORS_AT  10 /* 6: enum fma_error */
#define STATUS_DROPPED_AT 16 /* 16: writes; wraps */

typedef u58 fma_global; /* global offset: PE and offset */
typedef u37 fma_modes;  /* of word MODES: {queue 10, mode 3, local mdh 12, mdh 12} */
typedef u43
    fma_place; /* of the privileged part: {ntt 1, granularity 3, size 18, base 13, ptag 8} */

/* A word of a descriptor behind a code, long or short. */
#define ECC      fma_long
#define ECC_DATA 64
#define ECC_BITS 8
#include "common/ecc.inc"
#define ECC      fma_short
#define ECC_DATA 43
#define ECC_BITS 7
#include "common/ecc.inc"

/* Tables by descriptor: a small machine's are cheaper as LUTRAM. */
#if NIC_FMA_LOG2 <= 5
#define FMA_TABLE HLS_LUTRAM(1)
#else
#define FMA_TABLE HLS_BRAM
#endif

/* A packet to be sent, or a word of a page to be kept. */
struct fma_order {
    u1 valid; /* a packet; not before the beats of the one before have gone */
    u1 store; /* a word: number, word */
    u1 lost;  /* a word that it was made of has a double-bit error */
    u3 number;
    fma_index unit;
    u4 cmd;
    u4 x;
    u6 z;
    u1 aborted;
    u1 flagged;
    u1 transfer;   /* for bte, not for tarb */
    u3 beats;      /* of the packet */
    u4 ends;       /* last byte of its last data beat */
    pio_line line; /* where payload is, */
    u6 begin;      /* from this byte on */
    u3 pe;         /* where the PE is in global: `pe_begin` */
    fma_global global;
    u64 word; /* control word, word of CLOSE */
};

struct fma_packet_in {
    struct fma_order order;
    struct pio_chunk chunk;
    u1 place_valid; /* a privileged part is written, for one clock */
    fma_index place_unit;
    fma_place place;
    struct nic_wipe wipe;
};

struct fma_packet_out {
    struct beat beat; /* bad: of a packet with such a word */
    u1 mends;         /* for one clock: its words have errors, the packet takes a clock more */
    u1 corrected;     /* ... a single-bit error, */
    u1 fatal;         /* a double-bit error: the packet is lost */
#if NIC_CE
    struct beat join; /* to ce: ce_types.h */
#endif
    struct launch_words launch;
};

/* A packet that is going out. */
struct fma_request {
    u1 valid;
    fma_index unit;
    u4 cmd;
    u4 x;
    u6 z;
    u1 aborted;
    u1 flagged;
    u1 transfer;
    u1 mended; /* its words are those in `mended` */
    u1 lost;
    u3 beats;
    u3 step; /* beats that went */
    u4 ends;
    u4 rotation;
    nic_node pe;
    nic_offset offset;
    u64 word;
};

/* Words of its descriptor with their codes: read with the order, they stand until the last beat. */
struct fma_codes {
    fma_short_word modes;       /* fma_modes */
    fma_short_word place;       /* fma_place */
    fma_short_word flag_offset; /* 40 bits */
    fma_long_word flag;
    fma_long_word event;
    fma_long_word operand_a;
    fma_long_word operand_b;
};

/* ... and without. */
struct fma_words {
    fma_modes modes;
    fma_place place;
    u40 flag_offset;
    u64 flag;
    u64 event;
    u64 operand_a;
    u64 operand_b;
};

struct fma_packet {
    struct fma_packet_out out;
    struct fma_request request;

    /* Payload: where the next chunk is, and the last two, rotated. */
    pio_place at;
    u4 rotation;
    beat_data before;
    beat_data behind;
    HLS_LUTRAM(1) beat_data chunks[4 << PIO_LINES_LOG2];

    struct fma_codes codes;
    struct fma_words mended; /* in place of codes with errors */
    FMA_TABLE fma_short_word modes[NIC_FMAS];
    FMA_TABLE fma_short_word places[NIC_FMAS];
    FMA_TABLE fma_short_word flag_offsets[NIC_FMAS];
    FMA_TABLE fma_long_word flags[NIC_FMAS];
    FMA_TABLE fma_long_word events[NIC_FMAS];
    FMA_TABLE fma_long_word operands_a[NIC_FMAS];
    FMA_TABLE fma_long_word operands_b[NIC_FMAS];
};

HLS_RESET void fma_packet_reset(struct fma_packet *self);
HLS_MODULE void fma_packet(struct fma_packet *self, const struct fma_packet_in *in);

#endif
