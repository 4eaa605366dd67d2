// SPDX-License-Identifier: Apache-2.0
/*
 * ssid_bench.h - ssid between fma and ntt, orb and cq: random programs of many channels, answers in any order with any status.
 *
 * The model knows transactions, not ids: each has a number of its own as its event's data. Every event must be one that is
 * wanted, now and once. After each clock every id is in one place (I4): free, open or closed, in a list of what is to be
 * reported, or stale.
 */
#ifndef TB_NIC_SSID_BENCH_H
#define TB_NIC_SSID_BENCH_H

#include "tb/base/harness.h"
#include "tb/models/nic_beats.h"
#include "tb/blocks/nic/packet/trans_bits.h"
#include "nic/initiator/ssid.h"

enum { CHANNELS = NIC_FMAS, IDS = NIC_SSIDS };

/* A transaction that has an id. */
struct txn {
    bool closed, over, local_due, end_due;
    bool counted, any; /* OPEN said that packets are counted; some are, to this node: */
    unsigned node, packets;
    bool ends, end_back; /* END went, is answered */
    bool heard;          /* an answer had a note */
    bool spoiled;        /* something failed or had a note: CLOSE does not go on as END */
    bool noting, noted;  /* NOTE is next, has gone */
    bool noting_ok;      /* the status was OK when it was due */
    unsigned mdh;        /* of CLOSE */
    uint64_t target_event, flag, offset; /* the same */
    unsigned number, channel, wants, queue, ptag, status, outstanding;
    uint64_t reported; /* epoch in which its end was */
    int id;            /* as OPEN was given it; -1: not yet */
};

struct channel {
    bool open, has_id;
    unsigned txn;     /* place in txn[] */
    unsigned orphans; /* notes still to come of transactions without id */
    unsigned held;    /* tags: of requests that went on and are not back */
    unsigned limit;   /* of those; 0: none */
};

/* A tag that comes back to a channel, not before this clock. */
struct back {
    unsigned channel;
    uint64_t due;
};

/* How things go; rates of 16, those of errors of 256. */
struct manners {
    unsigned channels, opens, closes, beats, answers, takes, refused;
    unsigned fails, timeouts, bad, bad_close, epochs;
    unsigned counts,
        hears; /* transactions whose packets are counted, of 16; notes in their answers, of 256 */
    unsigned limits; /* writes of limits, of 256 */
    bool overbooks;  /* OPEN when no id is left */
};

/* A packet of the stream. */
struct packet {
    struct beat beat[5];
    unsigned beats, next;
    bool passes, over;
    int txn, opens, refuses, closes; /* places in txn[], or -1 */
    bool counts, elsewhere;          /* END counts it; it goes to another node than those before */
    bool ends, notes;                /* a CLOSE that goes on as END; a NOTE */
};

/* The bench, and in `seen` what was missed and how often things happened at all. */
struct ssid_bench {
    struct ssid dut;
    struct rng r;
    uint64_t now, epochs;
    struct manners how;
    struct txn txn[IDS];
    bool used[IDS];
    unsigned use[IDS]; /* of each id, modulo 4; 4: not known */
    struct channel channel[CHANNELS];
    unsigned numbers, in_use, freed_ago;
    unsigned outs;
    struct back back[NIC_TAGS];
    unsigned backs, held; /* tags on their way back; held by all channels */
    struct {
        struct misses wrong_event, wrong_note, wrong_beat, wrong_id, wrong_count, not_whole,
            missing, idle, wrong_notice;
        unsigned ends, spared, noticed, forgets,
            flags; /* spared: CLOSEs that wanted it, and END did not go; NOTEs with a flag */
        unsigned events, locals, notes, orphans, stale, met, clashes, over, txns;
    } seen;
    uint64_t counted[SSID_COUNTS], wanted[SSID_COUNTS];
};

extern struct ssid_bench sb;

/* A clock: everything goes on as sb.how says, and is checked. */
void ssid_bench_step(void);

void ssid_bench_run(unsigned clocks);

/* Wipes ssid and forgets all transactions. */
void ssid_bench_reset(void);

#endif
