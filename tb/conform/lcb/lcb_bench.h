// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_bench.h - somebody's LCB at a cable, and at its other end ours or the same again.
 *
 *     source ─► end 0 ─► cable[0] ─► end 1 ─► sink       flow of end 0: what it sent
 *       sink ◄─ end 0 ◄─ cable[1] ◄─ end 1 ◄─ source     flow of end 1
 *
 * End 0 is the design. Nothing but ports is looked at, so outputs may come at any time; what is between them is judged by
 * the golden flows, and what is on the wire by wire.h.
 */
#ifndef TB_CONFORM_LCB_BENCH_H
#define TB_CONFORM_LCB_BENCH_H

#include "hls/link/lcb.h"
#include "tb/conform/lcb/wire.h"
#include "tb/golden/link/link.h"
#include "tb/models/channel.h"
#include "tb/models/traffic.h"

enum {
    LCB_TAKEN = 4096,
    LCB_CHIP = 0x51, /* identity of end 0; that of end 1 is one more */
    LCB_PORT = 7,
};

struct lcb_bench_config {
    bool same; /* end 1 is the design, too */
    struct traffic_config traffic[2];
    struct channel_config cable[2]; /* from end i to the other */
};

struct lcb_end {
    void *foreign;     /* null: ours */
    struct lcb native; /* ours, or beside the design with EXACT=yes */
    struct lcb_out out;
    struct lcb_in in;
    unsigned in_reset; /* clocks of it that are left */
    struct traffic_source source;
    struct traffic_sink sink;
    struct golden_flow flow; /* from here to the other end */
    struct wire wire;
    uint64_t taken_at[LCB_TAKEN]; /* clocks, by number of the flit */
    uint64_t skipped_at;          /* a younger flit came before the one that was due */
    char skipped[GOLDEN_TEXT];
    bool was_reset;      /* in this epoch, so that nobody reports what it had sent */
    bool peer_was_reset; /* so some of what it had sent may be gone */
    unsigned epoch;
    uint64_t times;      /* notes of the peer's time */
    uint64_t runs_since; /* clock, if it runs */
    uint64_t
        delay; /* from a snapshot of the peer's time to its first part here, as the latest one said, */
    uint64_t delay_at; /* in this clock */
};

struct lcb_bench {
    struct lcb_bench_config config;
    uint64_t clock;
    bool over; /* the run is to end */
    struct lcb_end end[2];
    struct channel cable[2];
    unsigned epoch; /* last one that both ends were in */
    uint64_t epochs;
};

/* Saturated traffic of packets of 1 to 14 flits on 8 VCs, error-free cables of delay 5. */
struct lcb_bench_config lcb_bench_defaults(bool same);

void lcb_bench_start(struct lcb_bench *b, const struct lcb_bench_config *config, uint64_t seed);
void lcb_bench_free(struct lcb_bench *b);

void lcb_bench_step(struct lcb_bench *b);
void lcb_bench_run(struct lcb_bench *b, uint64_t clocks);

/* Until both ends run; false, and a failure of that check, after so many clocks. */
bool lcb_bench_up(struct lcb_bench *b, unsigned check, uint64_t limit);

/* Until both are in this state; no failure if not. */
bool lcb_bench_await(struct lcb_bench *b, enum link_state state, uint64_t limit);

/* On a good cable from now on: all that was sent arrives, and all room comes back. */
void lcb_bench_finish(struct lcb_bench *b);

void lcb_bench_cable(struct lcb_bench *b, unsigned from, const struct channel_config *config);
void lcb_bench_lanes(struct lcb_bench *b, unsigned from, unsigned lanes, enum lane_state state);

/* One end, or both for 2. */
void lcb_bench_reset(struct lcb_bench *b, unsigned end);
void lcb_bench_restart(struct lcb_bench *b, unsigned end);

/* Register bus; takes some clocks. */
uint64_t lcb_bench_read(struct lcb_bench *b, unsigned end, unsigned addr);
void lcb_bench_write(struct lcb_bench *b, unsigned end, unsigned addr, uint64_t data);

#endif
