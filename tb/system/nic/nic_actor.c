// SPDX-License-Identifier: Apache-2.0
/*
 * nic_actor.c - a process that does one thing after the other.
 */
#include "tb/system/nic/nic_actor.h"

#include <stdlib.h>
#include <string.h>

enum { DELAY = 10, DRAIN = 100000 };

const uint8_t actor_data[64] = "what is right comes whole, once, and to the place that it is for";

/* ---- what it has ----------------------------------------------------------------------------------- */

uint64_t actor_place(unsigned mdh)
{
    return mdh == ACTOR_OUTSIDE ? BENCH_MEMORY - 64
                                : ACTOR_AT + 0x10000 * (uint64_t)(mdh - ACTOR_HERE + 1);
}

uint8_t *actor_bytes(const struct actor *a, unsigned node, unsigned mdh)
{
    return host_memory(a->bench->node[node].host) + actor_place(mdh);
}

void actor_memory(struct actor *a, unsigned node, unsigned latency)
{
    /* holes: of what came with a double-bit error nothing is written */
    host_set(a->bench->node[node].host, &(struct host_knobs){.latency = latency, .holes = true});
}

static void make_segments(const struct actor *a, unsigned node)
{
    for (unsigned mdh = ACTOR_HERE; mdh < ACTOR_NONE; mdh++) {
        nic_bench_segment(a->bench, node, mdh,
                          &(struct gn_segment){
                              .valid = true,
                              .read = mdh != ACTOR_WRITE_ONLY,
                              .write = mdh != ACTOR_READ_ONLY,
                              .atomic = mdh != ACTOR_READ_ONLY && mdh != ACTOR_WRITE_ONLY,
                              .translated = mdh == ACTOR_TRANSLATED,
                              .ptag = (uint8_t)(ACTOR_DOMAIN + (mdh == ACTOR_ALIEN)),
                              .length = ACTOR_BYTES,
                              .base = actor_place(mdh),
                              .queue = ACTOR_QUEUE,
                              .event = true,
                          });
    }
}

static void make_queue(const struct actor *a, unsigned queue, uint8_t ptag, uint64_t base)
{
    for (unsigned node = 0; node < ACTOR_NODES; node++) {
        nic_bench_queue(a->bench, node, queue,
                        &(struct gn_ring){
                            .enabled = true, .base = base, .log2 = ACTOR_RING_LOG2, .ptag = ptag});
    }
}

void actor_start(struct actor *a, uint64_t seed, const struct program_knobs *others,
                 struct nic_cover *cover)
{
    struct nic_bench *b;

    *a = (struct actor){.golden = gn_new(ACTOR_NODES, false)};
    b = a->bench = channel_bench_new(ACTOR_NODES, seed, a->golden);
    b->hidden = ACTOR_AT;
    b->hidden_end = ACTOR_END;
    channel_of(b)->knobs = (struct channel_knobs){.delay = DELAY};
    channel_of(b)->cover = cover;
    for (unsigned node = 0; node < ACTOR_NODES; node++) {
        actor_memory(a, node, ACTOR_LATENCY);
        make_segments(a, node);
        nic_bench_write(b, node, NR_ORB_EPOCH, ACTOR_EPOCH);
    }
    make_queue(a, ACTOR_QUEUE, ACTOR_DOMAIN, ACTOR_RING_AT);
    make_queue(a, ACTOR_OTHER_QUEUE, ACTOR_DOMAIN + 1, ACTOR_RING_AT + 0x1000);
    actor_descriptor(a, true, false);
    a->others = program_new(b, seed + 1, others);
    for (unsigned node = 0; node < ACTOR_NODES; node++) { /* where programs begin with noise */
        memset(host_memory(b->node[node].host) + ACTOR_RING_AT, 0, 0x2000);
    }
}

void actor_finish(struct actor *a, const char *where)
{
    const struct gn_count *c;

    a->traffic = false;
    nic_bench_judge_hosts(a->bench, where);
    program_finish(a->others, DRAIN);
    nic_bench_whole(a->bench);
    tap_misses(&a->bench->unrest, "%s: all NICs are drained and whole afterwards", where);
    c = gn_finish(a->golden);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: %llu transactions of others did not notice", where,
           (unsigned long long)c->transactions);
    program_free(a->others);
    nic_bench_free(a->bench);
    gn_free(a->golden);
}

/* ---- one step ---------------------------------------------------------------------------------------- */

void actor_run(struct actor *a, unsigned clocks)
{
    /* a step of the programs may take longer than a clock */
    for (uint64_t end = a->bench->clock + clocks; a->bench->clock < end;) {
        program_clock(a->others, a->traffic);
    }
}

bool actor_store(struct actor *a, struct driver_burst burst)
{
    struct nic_driver *d = &a->bench->node[0].driver;
    uint64_t begin = a->bench->clock, refused = d->refused, place;

    driver_burst(d, &burst);
    for (place = d->bursts_in;
         d->bursts_done < place && a->bench->clock - begin < ACTOR_PATIENCE;) {
        program_clock(a->others, a->traffic);
    }
    return d->refused == refused;
}

/* A word of a page. */
static uint64_t ask(struct actor *a, struct driver_burst word)
{
    word.read = true;
    driver_burst(&a->bench->node[0].driver, &word);
    nic_bench_settle_driver(a->bench, 0);
    return a->bench->node[0].driver.answer;
}

uint64_t actor_status(struct actor *a)
{
    return ask(a, store_word(ACTOR_FMA, WORD_STATUS, 0));
}

uint64_t actor_queue(struct actor *a)
{
    return ask(a, store_queue(ACTOR_QUEUE, 0));
}

bool actor_dropped(struct actor *a, unsigned reason)
{
    uint64_t status = actor_status(a);

    return (status >> 16 & 0xFFFF) == 1 && (status >> 10 & 0x3F) == 1u << reason;
}

uint64_t actor_counter(const struct actor *a, unsigned node, unsigned address)
{
    return nic_bench_read(a->bench, node, (uint16_t)address);
}

bool actor_counted(const struct actor *a, unsigned node, unsigned address, uint64_t before,
                   uint64_t more)
{
    return actor_counter(a, node, address) == before + more;
}

void actor_fault(struct actor *a, unsigned node, uint64_t from, uint64_t bytes, bool poison)
{
    host_add_fault(a->bench->node[node].host,
                   &(struct host_fault){
                       .from = from, .to = from + bytes, .bus_error = !poison, .poison = poison});
}

void actor_heal(struct actor *a, unsigned node)
{
    host_clear_faults(a->bench->node[node].host);
}

uint64_t actor_event(struct actor *a, unsigned clocks)
{
    uint64_t word = 0;
    uint8_t *place = host_memory(a->bench->node[0].host) + ACTOR_RING_AT +
                     8 * (a->ring_read & ((1 << ACTOR_RING_LOG2) - 1));

    for (; word == 0 && clocks > 0; clocks--) {
        program_clock(a->others, a->traffic);
        memcpy(&word, place, 8);
    }
    if (word != 0) {
        memset(place, 0, 8);
        a->ring_read++;
        actor_store(a, store_queue(ACTOR_QUEUE, a->ring_read));
    }
    return word;
}

int actor_ending(struct actor *a)
{
    uint64_t word = actor_event(a, ACTOR_PATIENCE);

    return word == 0 || (word & 0xFFFFFFFFFFFFFF) != a->tag ? NO_EVENT : (int)(word >> 59 & 15);
}

/* ---- transactions -------------------------------------------------------------------------------------- */

void actor_descriptor(struct actor *a, bool enabled, bool ntt)
{
    nic_bench_write(a->bench, 0, NR_FMA + NR_FMA_STEP * ACTOR_FMA,
                    (uint64_t)ACTOR_DOMAIN << NR_FMA_PTAG_AT |
                        (uint64_t)ACTOR_LIMIT << NR_FMA_LIMIT_AT |
                        (uint64_t)enabled << NR_FMA_ENABLE_AT | (uint64_t)ntt << NR_FMA_NTT_AT |
                        (uint64_t)ACTOR_NTT << NR_FMA_BASE_AT | (uint64_t)2 << NR_FMA_SIZE_AT);
}

void actor_modes(struct actor *a, unsigned mdh, unsigned local, unsigned queue, unsigned command)
{
    actor_store(a, store_word(ACTOR_FMA, WORD_MODES,
                              mdh | (uint64_t)local << 12 | (uint64_t)queue << 30 |
                                  (uint64_t)command << 40));
}

void actor_begin(struct actor *a, unsigned to, unsigned mdh, uint64_t offset)
{
    actor_modes(a, mdh, ACTOR_HERE, ACTOR_QUEUE, 0);
    actor_store(a, store_word(ACTOR_FMA, WORD_BASE, (uint64_t)to << 40 | offset));
    actor_store(a, store_word(ACTOR_FMA, WORD_OPEN, 0));
}

void actor_end(struct actor *a, unsigned wants)
{
    actor_store(a, store_word(ACTOR_FMA, WORD_CLOSE, ++a->tag | (uint64_t)wants << 56));
}

int actor_put(struct actor *a, unsigned to, unsigned mdh, uint64_t offset)
{
    actor_begin(a, to, mdh, offset);
    actor_store(a, store_put(ACTOR_FMA, 0, actor_data, 8));
    actor_end(a, WANTS_GLOBAL);
    return actor_ending(a);
}

int actor_get(struct actor *a, unsigned to, unsigned mdh, uint64_t offset, uint64_t local)
{
    actor_begin(a, to, mdh, offset);
    actor_store(a, store_get(ACTOR_FMA, 0, local, 8, false));
    actor_end(a, WANTS_GLOBAL);
    return actor_ending(a);
}

int actor_cqwrite(struct actor *a, unsigned to, unsigned mdh)
{
    actor_begin(a, to, mdh, 0);
    actor_store(a, store_word(ACTOR_FMA, WORD_CQWRITE, 1));
    actor_end(a, WANTS_GLOBAL);
    return actor_ending(a);
}
