// SPDX-License-Identifier: Apache-2.0
/*
 * bte_send.h - ports and registers of the sending half of the block transfer engine: descriptors in their slots become
 * OPEN, requests and CLOSE of the request stream, and reads of local memory for what puts carry.
 */
#ifndef BTE_SEND_H
#define BTE_SEND_H

#include "nic/bte/bte_types.h"

#define BTE_PIECES (1 << NIC_BTE_READS_LOG2)
typedef uint(NIC_BTE_READS_LOG2) bte_piece_at;
typedef uint(NIC_BTE_READS_LOG2 + 1) bte_piece_count;

/* Clocks from room_reply of 1 to the head of the reply that begins by it: axi_read's stages. */
#define BTE_REPLY_CLOCKS 3

#define BTE_OWED 8 /* clocks in which a reply may begin behind each packet that is inserted */

/* Clocks that CLOSE waits for a descriptor, in whose reply it has its place, before replies wait for it. */
#define BTE_LATE 63

/* ssid: a request of this transaction failed. */
struct bte_fault {
    u1 valid;
    bte_place first;
};

/* rat_local refused a local read. */
struct bte_refusal {
    u1 valid;
    bte_place first; /* as the read named it */
    nic_status_field status;
};

struct bte_send_in {
    struct bte_words words;
    bte_count limit[BTE_CHANNELS];
    struct bte_refusal
        refusal;       /* the reply to that read comes later, with a status that is not DONE */
    struct beat reply; /* of local reads, in their order, each without gaps */
    u1 descriptor;     /* the head of one comes to bte_ring: four clocks in which no reply begins */
    u1 local_taken;    /* rat_local has out.local */
    u1 room;           /* of tarb: BEAT_ROOM */
    u1 tags;           /* ssid: a few more requests may go out */
    struct bte_over over;
    struct bte_fault fault;
    struct nic_write write; /* NR_FMA: who may launch */
    struct nic_wipe wipe;
};

struct bte_send_out {
    struct beat beat; /* to tarb */
    struct beat
        local; /* to rat_local: a head alone: {GET, z: bytes - 1, mdh, offset, ptag, tag: first slot of its chain} */
    u1 room_reply;
    struct bte_sent sent;
    u1 idle;
};

/* What the worker needs of a descriptor. */
struct bte_job {
    u6 align; /* of the remote offset in its line */
    nic_mdh mdh;
    nic_ptag ptag;
    enum bte_op op;
    u1 fence;
    u1 concatenate;
    u1 source;   /* mode SOURCE */
    u1 launched; /* by a process, with this FMA descriptor: */
    bte_unit unit;
};

struct bte_extent {
    nic_offset offset;
    u33 bytes;
};

/* A piece on its way through local memory. */
struct bte_piece {
    bte_place place;
    bte_place first; /* of its chain */
    u1 last;         /* of its descriptor */
    u1 closes;       /* and of its transaction */
};

/* OPEN, or a GET, that waits for its place in the stream. */
struct bte_insert {
    u1 valid;
    u1 get;
    bte_place place;
    bte_place first;
    u6 bytes; /* - 1 */
};

/* A descriptor of which all was sent. */
struct bte_close {
    u1 valid;
    bte_place place;
    bte_place first;
    u1 closes; /* its transaction ends with it */
};

enum bte_work_at { WORK_CHOOSE, WORK_READ, WORK_SUM, WORK_OPEN, WORK_CUT, WORK_END, WORK_ROOM };
enum bte_insert_at { INSERT_IDLE, INSERT_LOCAL, INSERT_CLOSE, INSERT_CLOSE2 };

struct bte_send {
    struct bte_send_out out;

    /* Descriptors, by slot: for the stream, and what the worker needs. */
    HLS_LUTRAM(1) uint(DESC_HOW_BITS) to[BTE_PLACES];  /* word 0 */
    HLS_LUTRAM(1) uint(DESC_HOW_BITS) how[BTE_PLACES]; /* word 1 */
    HLS_LUTRAM(1) nic_offset from[BTE_PLACES];
    HLS_LUTRAM(1) u13 bases[BTE_PLACES];
    HLS_LUTRAM(1) u56 events[BTE_PLACES];
    HLS_LUTRAM(1) u64 targets[BTE_PLACES];
    HLS_LUTRAM(1) u18 sizes[BTE_PLACES];
    HLS_LUTRAM(1) struct bte_job jobs[BTE_PLACES];
    HLS_LUTRAM(1) struct bte_extent extents[BTE_PLACES];
    bte_places filled;
    u1 brief;   /* of the one that is launched now words 0 and 1 alone are here, */
    u1 partial; /* or not all of them */
    bte_places unread;

    /* Channels: the slot that they are at. */
    bte_slot run[BTE_CHANNELS];
    bte_channels moving;  /* some of its pieces went out */
    bte_channels chained; /* its transaction is open */
    bte_channels blocked; /* wait for transactions, or pieces, before it */
    bte_slot first[BTE_CHANNELS];
    HLS_LUTRAM(1) u33 issued[BTE_CHANNELS]; /* bytes of pieces, while it is moving */
    bte_count flying[BTE_CHANNELS];         /* transactions */
    bte_piece_count in_air[BTE_CHANNELS];   /* pieces on their way through local memory */

    /* The worker: one step of one channel. */
    enum bte_work_at work_at;
    bte_channel turn;
    bte_place place;
    bte_place chain; /* its first slot */
    struct bte_job job;
    struct bte_extent extent;
    u33 at;                 /* bytes so far */
    u33 left;               /* all others */
    u6 align;               /* of the next remote byte in its line */
    u1 wrong;               /* it is no descriptor */
    u1 alone;               /* its process has lost its FMA descriptor */
    u1 stops;               /* nothing more of it is sent */
    u1 ends;                /* its transaction ends with it */
    struct bte_close ended; /* a descriptor that ends without a piece: a get, or one that stops */

    /* Pieces, in the order of their reads. */
    HLS_LUTRAM(1) struct bte_piece pieces[BTE_PIECES];
    bte_piece_at put, got;
    bte_piece_count waiting;
    bte_piece_count reading; /* of them: local reads whose reply has not begun */
    u1 piece_valid;
    struct bte_piece piece; /* the next one */

    /* Transactions, by the slot of their first descriptor. */
    bte_places messages; /* what is sent is one */
    bte_places faults;   /* nothing more of it is sent */
    bte_places wrongs;   /* ... because a descriptor is none */
    bte_places deserted; /* ... because the FMA descriptor that launched it is disabled */
    HLS_LUTRAM(1) u1 enabled[1 << NIC_FMA_LOG2]; /* those that are not */
    bte_places failed;                           /* ... because of this here: */
    HLS_LUTRAM(1) nic_status_field statuses[BTE_PLACES];
    bte_places refused; /* by rat_local: */
    HLS_LUTRAM(1) nic_status_field refusals[BTE_PLACES];

    /* The stream. */
    HLS_LUTRAM(1) u33 sent[BTE_PLACES]; /* bytes that went out, or were asked for */
    HLS_LUTRAM(1)
    u32 lasts[BTE_PLACES]; /* of a message: offset of its last byte so far, by its first slot */
    u1 passes;             /* the reply that comes goes out */
    enum bte_insert_at insert_at;
    struct bte_insert insert;
    HLS_LUTRAM(1) struct bte_close closes[BTE_PLACES];
    struct bte_close closes_now; /* the one whose CLOSE goes out */
    bte_place close_put, close_got;
    uint(NIC_BTE_LOG2 + NIC_BTE_SLOTS_LOG2 + 1) closing;
    uint(BTE_REPLY_CLOCKS - 1) shown; /* room_reply in the clocks before, the last one lowest */
    u4 owed;                          /* clocks in which a reply may begin, */
    u6 late;                          /* while no more than a CLOSE waits */
};

HLS_RESET void bte_send_reset(struct bte_send *self);
HLS_MODULE void bte_send(struct bte_send *self, const struct bte_send_in *in);

#endif
