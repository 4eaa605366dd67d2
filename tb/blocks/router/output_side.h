// SPDX-License-Identifier: Apache-2.0
/*
 * output_side.h - the bench of the output side of a tile: models of the column busses and of the link around output_mux.
 */
#ifndef OUTPUT_SIDE_H
#define OUTPUT_SIDE_H

#include "tb/base/harness.h"
#include "router/output/output_mux.h"

enum { RING = 64, HALF = RTR_VCS / 2, NUMBERS = 1 << 11 };

extern uint64_t output_side_clock;

/* What one VC of one column bus brings. */
struct source {
    unsigned credit;
    unsigned left;
    uint16_t sent, popped, got;
    bool losing; /* the packet that leaves the buffer is dropped */
    bool cut;    /* the head that came last came alone */
    struct {
        bool head, tail, bad, gone; /* gone: dropped */
        unsigned flips;             /* wrong bits that the test made */
        bool in_mark;               /* in the copies of its tail mark, not in its data */
    } flit[RING];
};

struct output_side {
    struct output_mux dut;
    struct rng rng;
    struct source source[RTR_ROWS][RTR_VCS];
    int row, vc;    /* whose packet is on the link, or -1 */
    bool corrupted; /* a flit of it was */
    bool held;      /* the link has not taken the flit yet */
    rtr_flit last;
    bool started;
    uint64_t early; /* heads of row 0 whose tail had not come */
    struct misses wrong, load_wrong, stall_wrong;
    uint64_t moved, packets, mixed, flipped;
    uint64_t corrected, fatal, bad, cuts;
    uint64_t from[RTR_ROWS][RTR_VCS];
    unsigned doubt;      /* rows that hold a flit with a wrong tail mark */
    double offer, ready; /* chances per clock */
    double slow;         /* as offer, for row 0; 0: as the others */
    bool slow_vc;        /* for its VC 0 alone */
    unsigned shortest, longest, rows, vcs, room;
    unsigned spare; /* of the VCs in room */
    unsigned first; /* rows that go first */
    bool tick;      /* in this clock, of a port's patience */
    uint64_t dropped,
        lost; /* packets: that the port dropped as it says, and that left their buffer so to the tail */
    bool whims;       /* room comes and goes */
    bool quiet;       /* no new packets */
    bool marks;       /* some flits come marked */
    unsigned waiting; /* flits in the column buffers */
};

/* From reset: every row and VC brings packets of any length, the link takes all. */
void output_side_start(struct output_side *w, uint64_t seed);
void output_side_step(struct output_side *w);
void output_side_run(struct output_side *w, unsigned clocks);
/* No new packets until all is out; true if every flit came and every credit is back. */
bool output_side_drain(struct output_side *w);
/* Flits a clock that the link takes, over so many clocks. */
double output_side_rate(struct output_side *w, unsigned clocks);

#endif
