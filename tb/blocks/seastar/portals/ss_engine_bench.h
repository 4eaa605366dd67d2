// SPDX-License-Identifier: Apache-2.0
/*
 * ss_engine_bench.h - the engine; around it a driver, a receiver of messages and a sender, of which tests see what they were told.
 */
#ifndef TB_SS_ENGINE_BENCH_H
#define TB_SS_ENGINE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "hls/seastar/portals/ss_engine.h"

enum {
    BENCH_EVENTS_LOG2 = 8, /* of queue 0, which bench_start makes */
    BENCH_EVENTS = 1 << BENCH_EVENTS_LOG2,
    BENCH_BASE = 0x10000,
    BENCH_SENT = 64,
    BENCH_LIMIT = 20000, /* clocks that anything may take */
};

struct ss_engine_bench {
    struct ss_engine engine;
    struct ss_engine_in in;
    uint64_t clock;
    uint64_t event[BENCH_EVENTS][8];
    unsigned written, read; /* events */
    struct ss_send_push sent[BENCH_SENT];
    unsigned sent_put, sent_get;
    struct ss_entry_push told; /* the last entry for the ring */
    unsigned tells;
};

/* Wiped, with queue 0 and a process in slot 0 that is accelerated. */
void bench_start(struct ss_engine_bench *b, unsigned pid, uint32_t user, uint32_t job);
void bench_step(struct ss_engine_bench *b);

/* A local command; the status that the driver is told, its entry in `told`. */
unsigned bench_local(struct ss_engine_bench *b, unsigned op, const uint64_t words[7],
                     uint64_t length);

/* Reads or writes a cell by the driver's port. */
ss_cell bench_peek(struct ss_engine_bench *b, unsigned bank, unsigned at);
void bench_poke(struct ss_engine_bench *b, unsigned bank, unsigned at, ss_cell cell);

/* A header that asks; what was decided. */
struct ss_decision bench_ask(struct ss_engine_bench *b, const struct ss_ask *ask);

/* The message of a place has ended. */
void bench_end(struct ss_engine_bench *b, unsigned place, unsigned status);

/* Until the engine has nothing to do. */
void bench_settle(struct ss_engine_bench *b);

/* The next event, which is read then; false if there is none. */
bool bench_event(struct ss_engine_bench *b, uint64_t word[8]);

/* The next message that was sent. */
bool bench_sent(struct ss_engine_bench *b, struct ss_send_push *sent);

#endif
