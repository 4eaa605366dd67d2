// SPDX-License-Identifier: Apache-2.0
/*
 * errors_target.c - rows of the table of errors: flag and event at the target of a whole transaction.
 */
#include "tb/system/nic/errors/errors.h"

#include <string.h>

enum {
    TAG = 0xBEEF,
    WANTS_FLAG = 8,
    FLAG_AT = 256,
    SHORT = 1 << 10, /* clocks of RMT_TIMEOUT */
    SOURCE = 7,      /* of such an event */
};

/* Events in the ring of a node's actor, which are gone then; the last one of them. */
static unsigned take_events(const struct actor *a, unsigned node, uint64_t *last)
{
    uint8_t *ring = host_memory(a->bench->node[node].host) + ACTOR_RING_AT;
    unsigned count = 0;

    for (unsigned i = 0; i < 1 << ACTOR_RING_LOG2; i++) {
        uint64_t word;

        memcpy(&word, ring + 8 * i, sizeof(word));
        if (word != 0) {
            memset(ring + 8 * i, 0, 8);
            *last = word;
            count++;
        }
    }
    return count;
}

/* OPEN, counted at the target, and a put to node 1. */
static void begin(struct actor *a)
{
    actor_modes(a, ACTOR_THERE, ACTOR_HERE, ACTOR_QUEUE, 0);
    actor_store(a, store_word(ACTOR_FMA, WORD_BASE, (uint64_t)1 << 40));
    actor_store(a, store_word(ACTOR_FMA, WORD_OPEN, 1));
    actor_store(a, store_put(ACTOR_FMA, 0, actor_data, 8));
    actor_store(a, store_word(ACTOR_FMA, WORD_EVENT, TAG));
}

/* It ends so; then there have been so many events on node 1. */
static bool ends(struct actor *a, unsigned wants, int status, unsigned events)
{
    uint64_t last = 0;
    unsigned seen;
    int ended;

    actor_end(a, wants);
    ended = actor_ending(a);
    actor_run(a, 500);
    seen = take_events(a, 1, &last);
    if (ended != status || seen != events) {
        tap_note("status %d, expected %d; %u events at the target, expected %u", ended, status,
                 seen, events);
    }
    return ended == status && seen == events &&
           (events == 0 || last == ((uint64_t)SOURCE << 56 | TAG));
}

static bool good_one(struct actor *a)
{
    begin(a);
    return ends(a, WANTS_GLOBAL | WANTS_TARGET, GN_OK, 1);
}

static bool close_elsewhere(struct actor *a)
{
    uint64_t last = 0;
    bool good;

    begin(a);
    actor_store(a, store_word(ACTOR_FMA, WORD_BASE, (uint64_t)2 << 40));
    good = ends(a, WANTS_GLOBAL | WANTS_TARGET, GN_SEQUENCE, 0) && take_events(a, 2, &last) == 0;
    return good_one(a) && good;
}

/* What the target counted is forgotten before CLOSE comes: the event comes all the same, once. */
static bool old_at_target(struct actor *a)
{
    bool good;

    nic_bench_write(a->bench, 1, NR_RMT_TIMEOUT, SHORT);
    begin(a);
    actor_run(a, 4 * SHORT);
    good = ends(a, WANTS_GLOBAL | WANTS_TARGET, GN_OK, 1);
    nic_bench_write(a->bench, 1, NR_RMT_TIMEOUT, 0);
    return good_one(a) && good;
}

static void give_rights(struct actor *a)
{
    nic_bench_write(a->bench, 0, NR_FMA + NR_FMA_STEP * ACTOR_FMA,
                    (uint64_t)ACTOR_DOMAIN << NR_FMA_PTAG_AT |
                        (uint64_t)ACTOR_LIMIT << NR_FMA_LIMIT_AT | (uint64_t)1 << NR_FMA_FLAGS_AT |
                        (uint64_t)1 << NR_FMA_ENABLE_AT);
}

static void want_flag(struct actor *a)
{
    begin(a);
    actor_store(a, store_word(ACTOR_FMA, WORD_FLAG, TAG));
    actor_store(a, store_word(ACTOR_FMA, WORD_FLAG + 1, FLAG_AT));
}

/* The flag cannot be written: no event follows it. */
static bool flag_lost(struct actor *a)
{
    const uint64_t at = actor_place(ACTOR_THERE) + FLAG_AT;
    bool good;

    give_rights(a);
    host_add_fault(a->bench->node[1].host,
                   &(struct host_fault){.from = at, .to = at + 8, .bus_error = true});
    want_flag(a);
    good = ends(a, WANTS_GLOBAL | WANTS_TARGET | WANTS_FLAG, GN_BUS, 0);
    host_clear_faults(a->bench->node[1].host);
    want_flag(a);
    good = ends(a, WANTS_GLOBAL | WANTS_TARGET | WANTS_FLAG, GN_OK, 1) && good;
    actor_descriptor(a, true, false);
    return good_one(a) && good;
}

const struct error_row errors_target[] = {
    {"closed for another node than it went to: SEQUENCE, no event there", close_elsewhere,
     NR_SSID_FAILED, 0},
    {"forgotten at the target before it is closed: its event comes once", old_at_target, 0, 0},
    {"bus error of a flag at the target: BUS, no event", flag_lost, NR_WRITE_ERROR, 1},
    {0},
};
