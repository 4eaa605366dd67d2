// SPDX-License-Identifier: Apache-2.0
/*
 * ssid.h - ids of transactions: opened and closed by what comes in the stream of requests, counted by requests and answers,
 * reported by events.
 *
 * A transaction's id is FREE (in the list of free ones), OPEN, CLOSED (waits for answers), DONE (in one of the lists of
 * what is to be reported) or STALE (a request of it timed out: three epochs until it is free, as its tags rest). It is free again when its events
 * have been taken and nothing of it is outstanding.
 *
 * Events: local (EVENT_SSID_SREQ, status OK) at CLOSE, if wanted. At the end, if the global one is wanted, or any was and
 * the status is not OK: EVENT_SSID_SRSP; EVENT_SSID_DREQ if the status is SEQUENCE. The first status that is not OK counts, but TIMEOUT before others.
 */
#ifndef SSID_H
#define SSID_H

#include "nic/initiator/ssid_lists.h"
#include "nic/regs/nic_map.h"

/* Bits of out.count; the class of errors in brackets. */
enum ssid_count {
    SSID_OPENED = 0,      /* transactions opened [INFORMATIONAL] */
    SSID_ENDED = 1,       /* ended, with whatever status [INFORMATIONAL] */
    SSID_FAILED = 2,      /* of these: not OK [TRANSACTION] */
    SSID_UNREACHABLE = 3, /* requests that ntt refused [ADDRESS_TRANSLATION] */
    SSID_NO_ID = 4, /* OPEN with no id left, or a packet of a channel without one [TRANSACTION] */
    SSID_HEAD_LOST = 5,  /* packets whose head has a double-bit error [CRITICAL] */
    SSID_EVENT_LOST = 6, /* a double-bit error in what an event is made of [CRITICAL] */
    SSID_CORRECTED = 7,  /* one there [CORRECTABLE_MEMORY] */
    SSID_OLD = 8,        /* transactions that are 7 epochs old, open or unanswered [TRANSIENT] */
    SSID_OVERFLOW = 9,   /* requests over their descriptor's limit [INFORMATIONAL] */
    SSID_COUNTS = 10,
};

typedef uint(NIC_FMA_LOG2) ssid_fma; /* an FMA descriptor */
typedef uint(NIC_TAG_LOG2 + 1) ssid_requests;

/* Tags that block transfers, and collective engines with them, leave to others; requests of them that may come when there is no room. */
#define BTE_SPARE (NIC_TAGS / 4)
#define BTE_AHEAD 8

struct ssid_in {
    struct beat request;
    struct ssid_answer answer;
    u1 note_taken;        /* tarb has sent out.note */
    struct tag_back back; /* from orb: a request is outstanding no longer, and its tag has rested */
    u1 room_event;
    struct nic_write write; /* NR_FMA, word 1 */
    struct nic_wipe wipe;
    struct nic_config config;
};

struct ssid_out {
    struct beat
        forward; /* request, and a CLOSE that wants something at the target as END; without OPEN and what was refused */
    struct ssid_notice note; /* to tarb, from where it comes back in the stream */
    struct nic_event event;
    struct channel_note done;
    struct channel_fault fault; /* to bte */
    u1 room_bte;                /* to bte: BTE_AHEAD more requests may go out */
    u1 idle;                    /* every id is free or open, and no packet is here */
    uint(SSID_COUNTS) count;
};

/* The transaction that a channel has open. */
struct ssid_current {
    u1 valid;
    ssid_id id;
};

/* What the stream did in the clock before. */
enum ssid_kind { SSID_NOTHING, SSID_OPEN, SSID_REQUEST, SSID_REFUSED, SSID_CLOSE, SSID_NOTE };

struct ssid_op {
    enum ssid_kind kind;
    ssid_id id;
    nic_place place;
    nic_status_field
        status; /* of CLOSE: why it fails whatever the answers are; of what is refused */
    u1 counted; /* of REQUEST: END counts it */
    u1 ends;    /* of CLOSE: it went on as END */
    u4 wants;
    u10 queue;
    nic_ptag ptag;
    u56 data;
};

/* Of an id, what the stream reads and writes as heads come: its use, and packets that END counts. */
struct ssid_seq {
    u2 use;     /* which use of the id this is, modulo */
    u1 counted; /* OPEN said that packets are counted */
    u1 failed;  /* a request was refused, or went to another node than those before */
    u1 any;     /* some are counted, all to one node: */
    nic_node node;
    u32 packets;
};

/* What NOTE needs of CLOSE. */
struct ssid_to {
    nic_node node;
    nic_mdh mdh;
    u3 mode;
    nic_place place;
    u56 event;
    nic_offset offset; /* of a flag, */
    u64 flag;
    u1 message; /* of SENDs */
};

/* Of an id; written by the stream. */
struct ssid_sent {
    ssid_requests count; /* requests, modulo */
    u1 closed;
    u1 counted;              /* the target counts some */
    u1 wants;                /* CLOSE wants an event or a flag there */
    u1 ends;                 /* END is one of them */
    u1 noting;               /* NOTE is next since CLOSE ... */
    u1 noted;                /* ... or has been sent */
    nic_status_field status; /* not OK: the first failure was one of the stream */
};

/* The same, written by answers, and wiped when the id becomes free. */
struct ssid_answered {
    ssid_requests count;
    u1 note;   /* one said that something was not counted */
    u1 end;    /* END is answered */
    u1 noting; /* NOTE is next since one of them */
    u1 late;   /* one timed out: the id rests */
    nic_status_field status;
};

/* When an id was given out; it is in use if `turn` differs from what was there when it became free. */
struct ssid_birth {
    u1 turn;
    u3 epoch;
};

#define ECC      ssid_data_ecc
#define ECC_DATA 56
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      ssid_where_ecc
#define ECC_DATA 22 /* {wants 4, queue 10, ptag 8} */
#define ECC_BITS 6
#include "common/ecc.inc"

#if NIC_SSID_LOG2 <= 6
#define SSID_COLD HLS_LUTRAM(1)
#else
#define SSID_COLD HLS_BRAM_READ_FIRST
#endif

struct ssid {
    struct ssid_out out;
    struct ssid_free_list free;
    struct ssid_closed_list closed;
    struct ssid_over_list over;
    struct ssid_stale_list stale;

    /* The packet that is coming in. */
    u1 passes;                 /* it goes on to orb */
    u1 closing;                /* it is a CLOSE ... */
    u1 close_bad;              /* with a double-bit error in its head ... */
    struct ssid_current close; /* ... of this */
    nic_place place;
    nic_ptag ptag;
    u1 rmt;      /* its head goes on with rmt ... */
    u2 use;      /* ... and this use of its id */
    u1 ends;     /* CLOSE goes on as END, */
    u32 packets; /* with this count */
    u1 misses;   /* or cannot: */
    nic_status_field miss;
    struct ssid_to close_to;
    struct ssid_op op;
    u1 orphan; /* a CLOSE without id, in the clock before: its note has to be sent */
    nic_place orphan_place;

    /* What is being reported: entry of the lists, its words of CLOSE, and how far it is. */
    u1 reports;
    struct ssid_closed report;
    ssid_data_ecc_word report_data;
    ssid_where_ecc_word report_where;
    u1 local_posted;
    u1 end_posted;
    u1 note_sent;
    struct ssid_to report_to;

    u3 epoch; /* that is now */
    ssid_free_list_words open;
    u1 looks; /* ids from `look` on are looked at for old ones */
    ssid_id look;

    uint(NIC_TAG_LOG2 + 1) of_bte; /* requests of block transfers whose tag is not free */

    HLS_LUTRAM(1) struct ssid_current current[1 << NIC_CHANNEL_LOG2];
    HLS_LUTRAM(1) struct ssid_seq seqs[NIC_SSIDS];
    HLS_LUTRAM(1) u11 limits[NIC_FMAS];           /* of requests outstanding; 0: none */
    HLS_LUTRAM(1) ssid_requests passed[NIC_FMAS]; /* requests that went on, modulo, */
    HLS_LUTRAM(2)
    ssid_requests returned[NIC_FMAS]; /* and tags of them that are free again: stream; back */
    HLS_LUTRAM(2) struct ssid_sent sent[NIC_SSIDS]; /* op; answer */
    HLS_LUTRAM(3)
    struct ssid_answered answered[NIC_SSIDS]; /* op; answer, or id that becomes free; CLOSE */
    HLS_LUTRAM(2) struct ssid_birth birth[NIC_SSIDS]; /* op; look */
    HLS_LUTRAM(2) u1 gone[NIC_SSIDS];                 /* id that becomes free; look */
    HLS_LUTRAM(2) nic_place channel[NIC_SSIDS];       /* id that becomes free; answer */
    SSID_COLD ssid_data_ecc_word cold_data[NIC_SSIDS];
    SSID_COLD ssid_where_ecc_word cold_where[NIC_SSIDS];
    HLS_LUTRAM(1) struct ssid_to cold_to[NIC_SSIDS]; /* no code */
};

HLS_RESET void ssid_reset(struct ssid *self);
HLS_MODULE void ssid(struct ssid *self, const struct ssid_in *in);

#endif
