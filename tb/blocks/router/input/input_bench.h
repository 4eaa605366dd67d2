// SPDX-License-Identifier: Apache-2.0
/*
 * input_bench.h - the input side of a tile with a link in front of it and row buffers behind.
 *
 * The bench plays the link (credits, whole packets) and the row buffers (credits), and knows for each VC which flits
 * must come next. Heads are put together and taken apart from the layout in words; which route is allowed is
 * worked out from the bench's own copy of the tables.
 */
#ifndef TB_INPUT_BENCH_H
#define TB_INPUT_BENCH_H

#include "tb/base/harness.h"
#include "router/input/input_queue.h"

enum {
    VCS = RTR_VCS,
    NAMES = 1 << RTR_HEAD_VC_BITS, /* VCs that a head can name */
    NARROW = RTR_LENGTH_BITS == 0, /* the end frames; IN_ORDER, MIN_HASH, ADAPTIVE0, SOURCE */
    LONGEST = NARROW ? 40 : 16,    /* flits that a packet may be said or seen to have */
    GROUPS = 1 << RTR_GLOBAL_BITS,
    NEARS = RTR_NEAR_BITS == 0 ? 0 : 1 << RTR_NEAR_BITS, /* groups that share their far part */
    FARS = 1 << (RTR_GLOBAL_BITS - RTR_NEAR_BITS),
    WAYS = FARS + NEARS, /* in the table of groups: by far or whole number, then by near */
    ROUTERS = 1 << RTR_LOCAL_BITS,
    LIST_BITS = RTR_GLOBAL_BITS + RTR_LOCAL_BITS + RTR_SUB_BITS, /* of hops */
    PHASES = 1 << RTR_PHASE_BITS,
    WAITING = 1 << 11, /* flits of a VC inside at most; a power of two */
};

struct head {
    unsigned vc, length, mode, phase, global, local, sub, hash, rest;
};

uint64_t put_head(const struct head *h);
struct head get_head(uint64_t flit);

/* Flits of its packet; 0 stands for 16. Where the end frames a head read back has no length. */
static inline unsigned head_flits(const struct head *h)
{
    return h->length == 0 ? 16 : h->length;
}

/* A candidate; row in one-step machines, rows (a mask) in two-step ones. */
struct candidate {
    bool valid;
    unsigned type, row, col, rows;
};

struct tables {
    struct candidate candidate[2][2][WAYS][4][2]; /* [non-minimal][local][local or way][draw] */
    struct {
        unsigned vc, phase;
    } map[2][4][VCS][PHASES]; /* [non-minimal][type][vc][phase] */
    struct {
        unsigned add;
        bool halve, add_minimal, halve_minimal; /* on minimal candidates, not on the others */
    } bias[4];
    unsigned global, local; /* of this router */
    unsigned row, col;      /* of this tile */
};

struct expected {
    uint64_t flit;
    bool head, tail, bad, any; /* any: its content is corrupted */
};

struct input_vc {
    struct expected flit[WAITING]; /* sent and not yet come out */
    uint64_t in, out;
    unsigned outstanding; /* places the link believes taken */
    bool busy;            /* a packet has begun to come out */
    unsigned row, taken_before;
};

/* What is sent. */
struct input_traffic {
    unsigned vcs;     /* mask */
    unsigned length;  /* of packets; 0: any */
    unsigned illegal; /* percent of packets with an illegal length or VC */
    unsigned bad;     /* percent of flits with the mark */
    unsigned rewrite; /* percent of clocks in which a table entry is written as it is */
};

struct input_bench {
    struct input_queue dut;
    struct input_queue_in in;
    struct tables t;
    struct rng rng;
    struct input_vc vc[VCS];
    unsigned nameless[NAMES]; /* places taken, of VCs that do not exist */
    uint64_t dead;
    unsigned load[2][8][8]; /* for requests and responses, by row and column */

    /* Link. */
    struct head sending;
    unsigned left;    /* flits of its packet still to be sent */
    bool lost;        /* that packet is not to come out */
    bool spoils_head; /* the head that comes next will be lost */
    unsigned gap;     /* percent of clocks without a flit */

    /* Row buffers. */
    unsigned row_taken[RTR_COLS][VCS];
    int row_owner[RTR_COLS][VCS]; /* VC of the packet under way, or -1 */
    unsigned drain;               /* percent of clocks in which a row buffer frees a flit */
    unsigned blocked;             /* bit c: the row buffer in column c frees nothing */
    int last_vc;                  /* of the row bus: VC of a packet that is under way, or -1 */

    /* What the last clock brought. */
    bool came;
    struct row_flit row;
    struct head head; /* as it left */

    uint64_t flits_in, flits_out, notes;
    struct misses wrong;
    uint64_t packets, nonminimal_out, unmarked, breaks;
    uint64_t incoming, refused, dropped, nonminimal, stalls, corrected, fatal; /* events */
};

void input_bench_start(struct input_bench *b, uint64_t seed);
/* One clock. */
void input_bench_clock(struct input_bench *b);
void input_bench_idle(struct input_bench *b, unsigned clocks);

/* Puts the next flit on the link; h is the head of a packet that begins. */
void input_bench_send(struct input_bench *b, const struct head *h, bool bad);

/* Flits that VC v may send when each VC has `taken` places: what is its own, and what the others leave of the shared part. */
unsigned input_room(const unsigned taken[VCS], unsigned v);

/* Flits that VC v may send now. */
unsigned input_bench_room(const struct input_bench *b, unsigned v);

/* The mode that the machine has in the place of this one. */
static inline unsigned input_mode(unsigned mode)
{
    return !NARROW || mode >= MODE_IN_ORDER ? mode
           : mode <= MODE_ADAPTIVE3         ? MODE_ADAPTIVE0
                                            : MODE_MIN_HASH;
}

/* Our group, any, or another one with our far part. */
unsigned input_bench_group(struct input_bench *b);

/* Where the entries for a destination stand: tables.candidate[...][global is ours][this]. */
unsigned input_bench_at(const struct input_bench *b, const struct head *h);

/* A head for VC v that no other VC's can be taken for. */
struct head input_bench_head(struct input_bench *b, unsigned v, const struct input_traffic *t);

/* A flit on the link, if there is room; or that for so many clocks and until the packet is whole. */
void input_bench_offer(struct input_bench *b, const struct input_traffic *t);
void input_bench_run(struct input_bench *b, unsigned clocks, const struct input_traffic *t);

/* Waits until nothing more comes and checks that nothing is missing. */
void input_bench_drain(struct input_bench *b);

/* Writes one entry, or all: every destination known, random candidates; merge: the VC map mixes VCs. */
void input_bench_write(struct input_bench *b, unsigned kind, unsigned index, uint64_t data);
void input_bench_write_entry(struct input_bench *b, bool nonminimal, unsigned local, unsigned at,
                             unsigned draw);
void input_bench_fill(struct input_bench *b, bool merge);

/* Whether the tables, the dead ports aside, lead to a port. */
bool input_bench_lives(const struct input_bench *b, const struct candidate *w);

#endif
