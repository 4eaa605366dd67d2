// SPDX-License-Identifier: Apache-2.0
/*
 * netlink_bench.h - netlink between NICs and a router of a few lines: what each side sends and has to get.
 */
#ifndef TB_NIC_NETLINK_BENCH_H
#define TB_NIC_NETLINK_BENCH_H

#include "nic/netlink/netlink.h"
#include "tb/models/nic_beats.h"

enum {
    IDS = 1 << 12, /* tag and gen */
    WAY = 2,       /* clocks from the router's choice to its flit */
    QUEUE = 64,    /* packets of a class that wait behind a tile */
    NODES = 6,
    MOST = 512,
    RECENT = 64, /* packets dropped for one reason between which and their count netlink may be */
    ALLOWED = RTR_INQ_GUARANTEED + RTR_INQ_CREDIT_SHARED / 2,
};

struct load {
    const char *name;
    unsigned
        kind; /* 0: anything, 1: puts of 64 bytes, acks coming, 2: gets and their data, 3: gets and acks */
    double begin[2];  /* how often a NIC begins a packet of a class */
    double push;      /* how often it has the next beat */
    double free[2];   /* how often the router gives a place of a class back */
    double choose[2]; /* how often the router sends a packet of a class */
    double room[2];   /* how often a NIC has room for a class */
    double fault;     /* of the packets from the router */
    bool ordered;     /* modes with a fixed way only */
    bool adaptive;    /* the others only */
    double slow;      /* how often tile 0 gives a place back, if not 0 */
    double reset;     /* how often a NIC is reset, per clock */
    unsigned bits;    /* so many fall over beside one of 16 beats that wait for their tile */
};

struct sent {
    bool out;
    unsigned cut; /* its NIC was reset when so many of its beats had come; 0: it is whole */
    bool astray;  /* a double-bit error beside one of its beats: it may take any tile */
    struct nic_packet packet;
    unsigned source;
    uint64_t number;
};

/* A stream of a NIC: beats that it sends, beats that it has to get. */
struct side {
    struct beat beat[BEATS];
    unsigned beats, at;
    unsigned id;       /* of the packet that it sends */
    bool rests;        /* no room for what comes */
    unsigned quiet;    /* clocks in which it sends nothing, and has no room: it was reset */
    unsigned seen;     /* beats of the packet that comes in */
    unsigned may_skip; /* so often it was reset between packets: one that began then is gone */
};

struct port {
    uint64_t flit[NIC_FLITS]; /* that goes into the router */
    unsigned flits, got;
    bool bad;
    unsigned used[2];
    uint64_t total, arrived; /* flits into the router, packets from it */
    /* out of the router */
    uint64_t out[NIC_FLITS + 1];
    unsigned out_flits, out_at;
    bool out_open, out_bad, out_response;
    struct port_out way[WAY];
    unsigned room;
    /* what has to come to each NIC from here, per class */
    struct beat want[2][NL_NICS][MOST];
    unsigned written[2][NL_NICS], read[2][NL_NICS];
};

struct bench {
    struct sent sent[2][IDS];
    unsigned next_id[2];
    struct side side[NL_STREAMS];
    struct port tile[NL_TILES];
    int from[NL_STREAMS]; /* the tile whose packet comes to a stream; -1: none */
    uint64_t seen[NL_STREAMS][NODES * 7 * 256]; /* number of the last packet on a fixed way */
    uint64_t waiting;                           /* beats of requests behind tile 0, times clocks */
    uint32_t node[NODES];
    unsigned next_in;   /* id of a packet from the router */
    struct misses bugs; /* since the start */
    uint64_t number, packets[NL_STREAMS], flits[NL_STREAMS], arrived[NL_STREAMS], lost;
    uint64_t want[NETLINK_COUNTS], count[NETLINK_COUNTS];
    uint64_t dropped[NETLINK_COUNTS][RECENT]; /* first flits of packets that are dropped */
    uint64_t told, untold;                    /* drops that netlink says the head of, or does not */
    /* By class and beats of a packet: resets in front of which beat, of what goes out and what comes in. */
    unsigned cut[2][BEATS + 1][BEATS + 1], lost_at[2][BEATS + 1][BEATS + 1], skipped;
};

extern struct netlink netlink_dut;
extern struct bench netlink_bench;
extern uint64_t netlink_now;

void netlink_bench_start(struct bench *b, struct rng *rng);
void netlink_bench_clock(struct bench *b, struct rng *rng, const struct load *load);
/* Nothing more begins, everything is taken: what is still to come comes, and counts are right. */
void netlink_bench_finish(struct bench *b, struct rng *rng, const struct load *load);

#endif
