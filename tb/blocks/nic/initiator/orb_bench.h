// SPDX-License-Identifier: Apache-2.0
/*
 * orb_bench.h - orb between a stream of requests, a network that loses, delays, repeats and corrupts responses, and a memory
 * that refuses, fails and takes its time.
 *
 * The model knows requests by their tags: what each was answered with, what must be written for it, and what ssid must hear,
 * once.
 */
#ifndef TB_NIC_ORB_BENCH_H
#define TB_NIC_ORB_BENCH_H

#include "tb/base/harness.h"
#include "tb/models/nic_beats.h"
#include "tb/blocks/nic/packet/trans_bits.h"
#include "nic/initiator/orb.h"

enum { TAGS = NIC_TAGS, WAY = 5, POSTS = 4 * NIC_TAGS, NODE = 0x2BEEF };

enum state { FREE, SENT, AT_MEMORY, AT_FLAG, RESTS };

/* The request that has a tag, or had it last. */
struct request {
    enum state state;
    unsigned gen, ssid, cmd, mdh, ptag, bytes, status, uses;
    unsigned place; /* of the descriptor that sent it */
    bool owed;      /* its end was reported, that its tag is free again was not */
    uint64_t offset, sent, rests, serial; /* epochs; its number */
    uint64_t clock, ended;                /* in which it was sent, answered */
    bool flagged, lost, data;
    bool note;       /* the response that fits says so */
    bool posted;     /* a response that fits has come: */
    unsigned answer; /* its status; OK with data: the data has to be written */
    bool writes;
    bool done;      /* memory or rat_local answered, with status */
    unsigned beats; /* of its data that were seen */
};

/* A response on its way. */
struct post {
    uint64_t due;
    struct beat beat[5];
    unsigned beats;
    int tag; /* of the request that it answers, if it fits; else -1 */
    unsigned gen, answer;
    bool writes, wrong; /* wrong: never looked up */
    uint64_t serial;
};

/* How things go; rates of 16, those of errors of 256. */
struct manners {
    unsigned requests, responses, delay, room_request, room_local, done, epochs;
    unsigned memory; /* clocks until a write is done, at least */
    unsigned only;   /* PUTs of 8 bytes, GETs of 4, GETs of 60 or 64 */
    unsigned lost, twice, late, misfit, error, stray, bad, refused, fails, flagged;
};

/* The bench, and in `seen` what was missed and how often things happened at all. */
struct orb_bench {
    struct orb dut;
    struct rng r;
    uint64_t now, epochs, serials;
    struct manners how;
    struct request req[TAGS];
    unsigned beats, next;
    struct post post[POSTS];
    unsigned posts;
    struct post current;
    unsigned current_next;
    struct {
        struct misses forward, tag, gen, local, answer, early, missing, idle, count, time, back;
        unsigned slow; /* responses that took 511 times 16 clocks and more */
        unsigned requests, answers, timeouts, flags, unknown, datas, late;
        uint64_t soonest, latest; /* clocks from a request to its timeout */
    } seen;
    uint64_t counted[ORB_COUNTS], wanted[ORB_COUNTS], heads;
};

extern struct orb_bench ob;

/* Its state in words. */
const char *orb_bench_state(const struct request *q);

/* A clock: everything goes on as ob.how says, and is checked. */
void orb_bench_step(void);

void orb_bench_run(unsigned clocks);

/* Generations go on over a reset; what was sent before fits nothing after it. */
void orb_bench_reset(void);

#endif
