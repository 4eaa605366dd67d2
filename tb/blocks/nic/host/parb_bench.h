// SPDX-License-Identifier: Apache-2.0
/*
 * parb_bench.h - parb between the ports that send accesses and a memory that stops at any beat and answers late.
 *
 * Each port has a list of what it sent, as it must come out; so has the one fetch of amo that stands before parb. What
 * leaves is compared with the oldest of its port and kind in the clock in which it leaves: whole, unmixed, cut at the ends of
 * pages, a read that must see writes not before their answers.
 */
#ifndef TB_NIC_PARB_BENCH_H
#define TB_NIC_PARB_BENCH_H

#include "nic/host/parb.h"
#include "tb/base/harness.h"

enum {
    BEATS_MOST = 6, /* of an access as it leaves: two heads, 64 bytes of data */
    LAG_MOST = 6,   /* clocks for which amo does not know that there is no room */
    SETTLED = 4,    /* clocks after which parb knows what it was told */
};

/* One read, or one write, of a port. */
struct parb_test_access {
    struct beat beat[BEATS_MOST]; /* as they must come out */
    unsigned beats;               /* how many of them there are */
    bool read;                    /* it reads; else it writes ... */
    bool token;                   /* ... or is an event, whose turn is told */
    bool refused;                 /* a read of LOCAL that only has its reply */
    bool ordered;                 /* it comes behind all of other kinds before it */
    unsigned before[ORDER_KINDS]; /* accesses that parb or amo had when parb saw it */
    uint64_t came;                /* the clock in which its first beat was sent */
};

/* One port: what it sends, what of that has left, what is answered. Counts are of accesses since the reset. */
struct parb_test_port {
    struct parb_test_access *access; /* all of them, in the order of sending */
    unsigned made;                   /* begun */
    unsigned sent;                   /* sent whole */
    unsigned beat;                   /* beats sent of the one that is being sent, 0: none is */
    unsigned written;                /* place in access of the next write to leave */
    unsigned read_out;               /* ... of the next read */
    unsigned done;                   /* writes answered */
    unsigned gone;                   /* left, of both kinds */
    unsigned writes_sent;            /* writes begun */
    unsigned writes_out;             /* writes that have left */
    struct beat drives;              /* what the port's register shows to parb */
    unsigned cq_wait;                /* clocks until PARB_CQ may go on */
};

/* How often each side moves: chances from 0 to 1, per clock if nothing else is said; times in clocks. */
struct parb_load {
    double begin[PARB_PORTS]; /* a port that may begin an access does */
    double read;              /* of an access of PARB_TARGET or PARB_LOCAL: it is a read */
    double
        order; /* of a read: it must see the writes before it; per clock: an operation of amo is done */
    double token;     /* of an access of PARB_QUEUED: it is an event */
    double fetch;     /* a fetch comes, of each client whose last one does not stand before parb */
    double room;      /* memory has room for a beat of writes */
    double read_room; /* ... for reads, multiplied with room */
    unsigned latency; /* from a write to its answer, at least; at most twice that */
    unsigned lag;     /* how old the room is by which amo sends, up to LAG_MOST */
};

/* The bench: parb, its ports, how they are loaded, what was seen. */
struct parb_bench {
    struct parb dut;
    struct rng rng;      /* of all that is random here; the test seeds it */
    uint64_t now;        /* clocks, over all resets */
    struct misses wrong; /* what was not as it must be, since the reset */
    struct parb_load load;
    bool answers;         /* memory answers writes; else it holds all answers back */
    mem_reader_set stuck; /* clients whose reads give no place back */
    struct parb_test_port ports[PARB_PORTS];
    unsigned accepted[ORDER_KINDS],
        done[ORDER_KINDS];               /* accesses that parb has seen, operations of amo */
    uint64_t left[PARB_PORTS];           /* writes of each port that have left */
    unsigned reads_left;                 /* reads of PARB_TARGET that have left */
    unsigned locals_left;                /* ... of PARB_LOCAL */
    unsigned fetches[PARB_FETCHES];      /* that have come */
    unsigned fetches_left[PARB_FETCHES]; /* ... that have left */
    unsigned most_flying; /* writes of one port that were under way at once, the most so far */
};

/* The one bench. */
extern struct parb_bench pb;

/* The head of an access as nic_packet.h says: enum mem_client, address, 1 to 64 bytes; cut in two or not. */
beat_word parb_bench_head(unsigned client, uint64_t addr, unsigned bytes, bool write, bool split);

/*
 * Reset, with empty lists: every port sends as fast as it can, writes alone and no fetch; memory has room in each clock and
 * answers after 20 to 40 clocks. The clock goes on. The first one allocates the lists.
 */
void parb_bench_begin(void);

/* One clock: each side moves by pb.load, and what leaves is checked. */
void parb_bench_step(void);

/* Sends no more, and steps until all has left and is answered, 100000 clocks at most; what has not left then is wrong. */
void parb_bench_finish(void);

/* Frees the lists, at the end of the program. */
void parb_bench_free(void);

#endif
