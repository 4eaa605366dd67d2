// SPDX-License-Identifier: Apache-2.0
/*
 * pio_door.h - pio with a manager in front of it and fma and cq behind: random AXI4 bursts, legal and not, against runs worked
 * out byte by byte.
 *
 * The manager drives its channels one by one (write data before addresses too) and takes responses when it likes. The answers
 * of fma and cq are registers: at the earliest two clocks after a run stood there. Addresses are put together from the
 * layout in hls/nic/PROGRAMMING.md.
 */
#ifndef TB_NIC_PIO_DOOR_H
#define TB_NIC_PIO_DOOR_H

#include "tb/base/harness.h"
#include "nic/host/pio.h"

enum { WAITING = 64, LINES = 1 << PIO_LINES_LOG2 };

/* What the manager sent: response is worked out when runs are answered. */
struct burst {
    bool read, refused, done; /* done: the last run was answered, or there is none */
    unsigned id, beats, runs, answered;
    uint64_t addr, data;
    unsigned len, size, kind;
    uint8_t byte[64];
    bool strobe[64];
    int region;            /* 0 to 3 */
    unsigned unit, reason; /* reason: which counter, 1 + enum pio_count */
    bool legal, mismatch;
    bool gone; /* its descriptor was disabled when pio had its address already */
    struct {
        unsigned offset, bytes;
        bool dropped;
    } run[64];
};

struct queue {
    struct burst burst[WAITING];
    unsigned in, aw, w, beat, run, out; /* made, address sent, data sent, answered, responded */
};

struct door {
    struct pio dut;
    struct pio_in in;
    struct rng rng;
    struct queue writes, reads;
    uint8_t store[LINES][64];
    /* fma and cq */
    bool pending;      /* a run stands there */
    bool enabled;      /* in the last clock */
    bool shut;         /* the run that stands there has to be */
    unsigned patience; /* clocks until it is answered */
    struct page_reply fma, cq;
    struct page_access access;
    bool accessed;
    /* moods */
    double offer, ready, slow, disables; /* disables: a driver writes a descriptor */
    bool quiet, whole_lines, singles, windows;
    bool no_writes, no_reads; /* none begins */
    unsigned illegal;
    unsigned closed; /* 1: reads of pages of FMA are refused, writes are shut; 2: all is refused */
    bool toggles;    /* the driver enables, disables and drains at any time */
    unsigned
        pattern; /* 1: all strobes of 16 bytes in turn, 2: random lines of up to 4 runs, 3: all */
    uint64_t drawn; /* patterns */
    struct misses wrong;
    uint64_t runs, gone, shuts, responses, refused, illegal_seen, r_beats;
    uint64_t counted[PIO_COUNTS], expected[PIO_COUNTS];
    struct axi_from_sub last;
    bool last_bready, last_rready;
    unsigned rleft;
};

extern uint64_t door_now; /* clocks of all doors so far */

/* Reset; a NIC that works, everybody as fast as they can, a fifth of the bursts illegal. */
void door_start(struct door *d, uint64_t seed);

/* pio_draw.c: a burst more for the queue, and what must come of it */
void door_draw(struct door *d, struct queue *q, bool read);

void door_step(struct door *d);

void door_run(struct door *d, unsigned clocks);

/* Nothing new, until all is answered; true if it is, and nothing was wrong. */
bool door_drain(struct door *d);

#endif
