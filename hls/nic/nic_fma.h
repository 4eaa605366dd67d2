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

#include "nic/nic_map.h"
#include "nic/pio.h"

enum fma_word {
    FMA_WORD_BASE = 0,
    FMA_WORD_MODES = 1,
    FMA_WORD_FLAG = 3,
    FMA_WORD_FLAG_OFFSET = 4,
    FMA_WORD_EVENT = 5,
    FMA_WORD_OPERANDS = 6, /* and 7 */
    FMA_WORD_OPEN = 8,
    FMA_WORD_CQWRITE = 9,
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

#define LAUNCH_GET_AT 63 /* 1; the global offset below */

#define STATUS_FLIGHT_AT  0  /* 9: transactions in flight */
#define STATUS_OPEN_AT    9  /* 1 */
#define STATUS_ERRORS_AT  10 /* 6: enum fma_error */
#define STATUS_DROPPED_AT 16 /* 16: writes; wraps */

/* Errors of a descriptor, one bit each in STATUS; the first five are counted in out.count, bit by bit. */
enum fma_error {
    FMA_NO_ID,       /* OPEN: as many in flight as it may have */
    FMA_NOT_OPEN,    /* or opened twice */
    FMA_BAD_COMMAND, /* no such word, opcode, message of more than 56 bytes, flagged get of 16 words */
    FMA_BAD_ALIGNMENT, /* of the write, the remote or the local address */
    FMA_DISABLED,      /* answered SLVERR, too */
    FMA_FAILED,        /* a transaction that wanted no event did not end well */
};
#define FMA_REFUSALS FMA_FAILED

/* What is counted: the refusals, all INFORMATIONAL, and */
#define FMA_COUNT_ABORTED                                                                          \
    FMA_REFUSALS /* TRANSACTION: a descriptor was disabled or given away while it was open */
#define FMA_COUNTS (FMA_REFUSALS + 1)

typedef u58 fma_global; /* global offset: PE and offset */
typedef u5 fma_refusal; /* one bit per enum fma_error */

struct nic_fma_in {
    struct pio_run run;
    struct pio_chunk chunk;
    struct channel_note note; /* from ssid */
    u1 room;                  /* of tarb */
    struct nic_write write;
    struct nic_wipe wipe;
};

struct nic_fma_out {
    struct page_reply answer; /* to in.run: it was taken, or its word is this */
    struct beat beat;         /* to tarb */
    uint(FMA_COUNTS) count;
};

/* Tables: a small machine's are cheaper as LUTRAM. */
#if NIC_FMA_LOG2 <= 5
#define FMA_TABLE HLS_LUTRAM(1)
#else
#define FMA_TABLE HLS_BRAM
#endif

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

/* Clock 1: what was asked for. */
struct fma_asked {
    u1 valid;
    u1 wanted; /* there is a request, if nothing speaks against it */
    u1 clear;  /* STATUS was written */
    fma_index unit;
    u4 cmd;
    u4 x;
    u6 z;
    u1 aborted;
    u1 flagged;
    u3 beats; /* of the packet */
    u4 ends;  /* last byte of its last data beat */
    u6 begin; /* of payload in the line */
    u3 align; /* address bits that must be 0 */
    u1 local; /* of a local address two bits must be 0 */
    u3 pe;
    fma_global global;
    u64 word; /* control word, word of CLOSE */
    fma_refusal refused;
};

/* Clock 2: PE and offset; from clock 3 on its beats go out. */
struct fma_request {
    u1 valid;
    fma_index unit;
    u4 cmd;
    u4 x;
    u6 z;
    u1 aborted;
    u1 flagged;
    u3 beats;
    u3 step; /* beats that went */
    u4 ends;
    u4 rotation;
    nic_node pe;
    nic_offset offset;
    u64 word;
};

/* Words of a descriptor that clock 1 needs, read in clock 0 ... */
struct fma_first {
    fma_global base;
    u12 modes; /* {short 1, flagged 1, command 7, place of the PE 3} */
    u9 limit;  /* of transactions in flight */
};

/* ... and those that beats are made of, read in clock 2. */
struct fma_second {
    u37 modes; /* {queue 10, mode 3, local mdh 12, mdh 12} */
    u43 place; /* {ntt 1, granularity 3, size 18, base 13, ptag 8} */
    u64 flag;
    u40 flag_offset;
    u64 event;
    u64 operand_a;
    u64 operand_b;
};

struct nic_fma {
    struct nic_fma_out out;
    struct fma_taken taken;
    struct fma_asked asked;
    struct fma_request request;
    u3 wait;                /* clocks until the next run may be taken */
    struct nic_write write; /* of a privileged part, that waits */
    fma_index looked;       /* descriptor whose gate is looked at when no run comes */
    u1 found;               /* it has a transaction to abort */

    /* Payload: where the next chunk is, and the last two, rotated. */
    pio_place at;
    u4 rotation;
    beat_data before;
    beat_data behind;
    HLS_LUTRAM(2) beat_data chunks[4 << PIO_LINES_LOG2];

    struct fma_first first;
    FMA_TABLE fma_global bases[NIC_FMAS];
    FMA_TABLE u12 first_modes[NIC_FMAS];
    FMA_TABLE u9 limits[NIC_FMAS];
    struct fma_second second;
    FMA_TABLE u37 second_modes[NIC_FMAS];
    FMA_TABLE u43 places[NIC_FMAS];
    FMA_TABLE u64 flags[NIC_FMAS];
    FMA_TABLE u40 flag_offsets[NIC_FMAS];
    FMA_TABLE u64 events[NIC_FMAS];
    FMA_TABLE u64 operands_a[NIC_FMAS];
    FMA_TABLE u64 operands_b[NIC_FMAS];

    /* State that is changed in place: no code. */
    HLS_LUTRAM(1) u2 gates[NIC_FMAS]; /* {to be aborted, enabled} */
    HLS_LUTRAM(1) u1 opens[NIC_FMAS];
    HLS_LUTRAM(1) u9 opened[NIC_FMAS];  /* transactions so far */
    HLS_LUTRAM(2) u9 freed[NIC_FMAS];   /* those that are over */
    HLS_LUTRAM(1) u21 faults[NIC_FMAS]; /* {dropped 16, refusals 5} */
    HLS_LUTRAM(2) u1 failed[NIC_FMAS];  /* differs from seen: FMA_FAILED */
    HLS_LUTRAM(2) u1 seen[NIC_FMAS];
};

HLS_RESET void nic_fma_reset(struct nic_fma *self);
HLS_MODULE void nic_fma(struct nic_fma *self, const struct nic_fma_in *in);

#endif
