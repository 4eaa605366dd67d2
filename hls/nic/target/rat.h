// SPDX-License-Identifier: Apache-2.0
/*
 * rat.h - ports and registers of the address translation of a request: {domain, handle, offset} to an address, or why
 * not. The same module twice: rat_net for requests of other nodes, rat_local for data that came for this host.
 */
#ifndef RAT_H
#define RAT_H

#include "common/beat/beat_queue.h"
#include "common/beat/beat_valve.h"
#include "nic/regs/nic_counts.h"
#include "nic/packet/nic_types.h"

/* Contexts that may still come when npt's room falls: heads in the four stages, and one that saw room just before. */
#define RAT_AHEAD 5

/* Bits of out.count; class of each. */
enum rat_count {
    RAT_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    RAT_LOST,      /* two in a head: its packet is dropped: CRITICAL */
    RAT_STRAY, /* a packet for another node, or behind a memory that stands still, is dropped: TRANSACTION */
    RAT_UNCORRECTABLE, /* and so on: refused with this status: TRANSACTION */
    RAT_BAD_COMMAND,
    RAT_TRANSLATION, /* ADDRESS_TRANSLATION */
    RAT_VMDH,
    RAT_MDD,
    RAT_PROTECTION,
    RAT_BOUNDS,
    RAT_UNREACHABLE, /* INFORMATIONAL */
    RAT_COUNTS
};

typedef uint(RAT_COUNTS) rat_counts;
typedef uint(NIC_VMDH_LOG2) rat_domain; /* index of a vMDH */
typedef uint(NIC_MDD_LOG2) rat_handle;  /* index of an MDD */

#define ECC      vmdh_ecc
#define ECC_DATA 25
#define ECC_BITS 6
#include "common/ecc.inc"

#define ECC      mdd_ecc
#define ECC_DATA 39
#define ECC_BITS 7
#include "common/ecc.inc"

#define MDD_WORD0_BITS 59  /* of the two registers of an MDD, one above the other: */
#define MDD_BITS       117 /* 59 and 58 */
#define MDD_CODE_BITS  (39 + 7)
typedef uint(MDD_BITS) mdd_data;
typedef uint(3 * MDD_CODE_BITS) mdd_code; /* three words of 39 bits, each with its check bits */

struct rat_in {
    struct beat
        request; /* rat_net: as packets.md says; rat_local: PUTs alone, their tag is the place of the access */
    u1 is_local; /* constant: for this host's own data: handles are real ones, and any node and ENABLE will do */
    u4 client;        /* constant: enum mem_client */
    struct beat read; /* rat_local: a GET of z + 1 bytes, a head alone; is held until it is taken */
    struct rmt_write
        flag; /* rat_local: the flag of a whole transaction; is held until it is taken */
#if NIC_CE
    struct local_word word; /* rat_local: of an endpoint, the same */
    u1 room_collective;     /* ce's; constant for rat_local */
#endif
    u1 room_memory; /* parb's */
    u1 room_read;   /* npt has places for RAT_AHEAD contexts of reads; constant for rat_local */
    u1 room_write;  /* ... and of writes */
    u1 room_atomic; /* amo's; constant for rat_local */
    u1 room_queued; /* of parb's queue of writes in ordered modes; constant for rat_local */
    u1 mark;        /* order's: what is accepted by now ... */
    struct message_found found; /* of bte_receive, two clocks after out.find; rat_local: none */
    struct nic_write write;
    struct nic_wipe wipe;
    struct nic_config config;
};

struct rat_out {
    u1 room;       /* for request */
    u1 read_taken; /* for one clock: in.read was taken */
    u1 flag_taken; /* the same of in.flag */
#if NIC_CE
    u1 word_taken;   /* the same of in.word, both its beats */
    u1 collective;   /* memory is a packet of a reduction, as it came, for ce */
    u1 refused_word; /* context is of in.word */
#endif
    struct beat memory; /* to parb, or ... */
    u1 atomic;          /* ... an operation of amo ... */
    u1 queued;          /* ... or, of rat_net, a write in an ordered mode */
    u1 token;           /* an event in an ordered mode, which needs no memory */
    u1 marked;          /* ... has left, or leaves in this clock */
    struct npt_context
        context; /* one per packet in their order; of rat_local only the refused ones: a read that is refused leaves for memory, too, its head bad, so that its reply has its place */
    u1 refused_read;          /* context is of in.read, not of request */
    u1 refused_flag;          /* ... of in.flag */
    struct message_find find; /* rat_net: for one clock, a head of a message */
    u1 idle;                  /* no packet is in here */
    rat_counts count;
    nic_info
        info; /* the head of the packet that is refused or dropped behind the queue; of a stray one in front of it 0 */
};

/* Fields of an MDD that packets need. */
struct rat_mdd {
    u48 base;
    u40 length;
    nic_ptag ptag;
    u10 queue;
    u1 valid;
    u1 read;
    u1 write;
    u1 atomic;
    u1 event; /* events for its queue are allowed */
    mem_space space;
};

struct rat {
    struct rat_out out;
    struct beat_valve valve; /* rat_net */
    struct beat_queue queue;

    u1 inside;      /* of the packet that left the queue last a beat is still to come */
    u1 packet_last; /* it left after the last read */
#if NIC_CE
    u1 word_inside; /* of in.word the data is next */
    u1 word_last;   /* it was taken after the last read */
    u1 asked_ce;    /* of stages: it is in.word */
    u1 named_ce;
    u1 placed_ce;
#endif

    /* Clock 1: its vMDH is there. */
    struct beat asked;
    u1 asked_read;  /* of stages: it is in.read */
    u1 asked_flag;  /* of stages: it is in.flag */
    u1 flag_inside; /* its data is next */
    u1 asked_mark;  /* of stages: what is in them was accepted before a mark */
    u1 asked_find;  /* of stages: bte_receive looks for its buffer */
    vmdh_ecc_word vmdh_code;

    /* Clock 2: its MDD is there. */
    struct beat named;
    u1 named_read;
    u1 named_flag;
    u1 named_mark;
    u1 named_find;
    nic_status_field named_status; /* the first check that failed so far */
    u1 beyond;                     /* no MDD has this handle */
    u41 named_end;                 /* offset + bytes */
    nic_mdh named_mdh;             /* its real handle */
    mdd_code code;

    /* Clock 3: its address. */
    struct beat placed;
    u1 placed_read;
    u1 placed_flag;
    u1 placed_mark;
    u1 placed_message; /* bte_receive has a buffer for it: */
    u4 placed_slot;
    nic_status_field placed_status;
    struct rat_mdd mdd;
    nic_mdh placed_mdh;
    u41 end;
    u48 address;
    u49 behind; /* address + bytes */

    /* Of the packet that is going out. */
    u1 passes;       /* its data is for memory */
    u1 event_wanted; /* its context waits for the first data beat */
    nic_info head;   /* of the one that was decided in the clock before: */
    u1 lost;         /* dropped, uncorrectable */
    u1 stray;        /* dropped, for another node */

    HLS_BRAM vmdh_ecc_word vmdhs[1 << NIC_VMDH_LOG2];
    HLS_BRAM mdd_code mdds[1 << NIC_MDD_LOG2];
};

HLS_RESET void rat_reset(struct rat *self);
HLS_MODULE void rat(struct rat *self, const struct rat_in *in);

#endif
