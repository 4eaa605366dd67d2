// SPDX-License-Identifier: Apache-2.0
/* ss_engine_bench.c - the engine and what is around it. */
#include "tb/blocks/seastar/portals/ss_engine_bench.h"

#include <string.h>

#include "tb/base/harness.h"

static void take_outputs(struct ss_engine_bench *b)
{
    const struct ss_engine_out *o = &b->engine.out;
    if (o->write.valid) {
        const uint64_t at = (o->write.addr - BENCH_BASE) / 8;
        b->event[at / 8 % BENCH_EVENTS][at % 8] = o->write.data;
        b->written += at % 8 == 7;
    }
    for (unsigned n = 0; n < 2; n++)
        if (o->send[n].valid)
            b->sent[b->sent_put++ % BENCH_SENT] = o->send[n];
    if (o->tell.valid || o->command_tell.valid) {
        b->told = o->tell.valid ? o->tell : o->command_tell;
        b->tells++;
    }
}

/* What ss_nic and its other parts do around the engine. */
void bench_step(struct ss_engine_bench *b)
{
    struct ss_engine_in *e = &b->in;
    const struct ss_engine_out *o = &b->engine.out;
    const bool ended = o->ended, taken = o->local_taken || o->released;
    e->send_room = 3;
    e->scrub_period = 64;
    e->write_room = 1;
    e->told = o->tell.valid;
    e->command_told = !o->tell.valid && o->command_tell.valid;
    ss_engine(&b->engine, e);
    e->index.valid = 0;
    if (ended)
        e->end.valid = 0;
    if (taken)
        e->local.valid = 0;
    for (unsigned n = 0; n < 2; n++)
        if (o->command_taken >> n & 1)
            e->command[n].valid = 0;
    if (o->decision[0].valid || o->decision[1].valid)
        e->ask.valid = 0;
    if (o->scratch_done)
        e->driver.valid = 0;
    take_outputs(b);
    b->clock++;
}

unsigned bench_local(struct ss_engine_bench *b, unsigned op, const uint64_t words[7],
                     uint64_t length)
{
    const unsigned before = b->tells;
    b->in.local = (struct ss_command){.valid = 1};
    for (unsigned w = 0; w < 7; w++)
        b->in.local.word[w] = words[w];
    b->in.local.word[7] = (uint64_t)op << 56 | (uint64_t)1 << 40 | length;
    for (unsigned n = 0; n < BENCH_LIMIT && b->tells == before; n++)
        bench_step(b);
    bench_step(b);
    return b->tells == before ? 99 : b->told.status;
}

void bench_start(struct ss_engine_bench *b, unsigned pid, uint32_t user, uint32_t job)
{
    const uint64_t queue[7] = {(BENCH_EVENTS_LOG2 - 1) << 12, BENCH_BASE};
    const uint64_t process[7] = {(uint64_t)pid << 4 | 1 << 20 | 1 << 21,
                                 user | (uint64_t)job << 32};
    memset(b, 0, sizeof *b);
    harness_clock = &b->clock;
    ss_engine_reset(&b->engine);
    bench_local(b, SS_OP_EQ, queue, 0);
    bench_local(b, SS_OP_PROCESS, process, 0);
}

static ss_cell driver_access(struct ss_engine_bench *b, bool write, unsigned bank, unsigned at,
                             ss_cell cell)
{
    b->in.driver = (struct ss_scratch_driver){
        .valid = 1, .write = write, .bank = (u2)bank, .at = (ss_scratch_index)at, .data = cell};
    for (unsigned n = 0; n < BENCH_LIMIT && b->in.driver.valid; n++)
        bench_step(b);
    return b->engine.out.scratch_read;
}

ss_cell bench_peek(struct ss_engine_bench *b, unsigned bank, unsigned at)
{
    return driver_access(b, false, bank, at, 0);
}

void bench_poke(struct ss_engine_bench *b, unsigned bank, unsigned at, ss_cell cell)
{
    driver_access(b, true, bank, at, cell);
}

struct ss_decision bench_ask(struct ss_engine_bench *b, const struct ss_ask *ask)
{
    b->in.ask = *ask;
    b->in.ask.valid = 1;
    for (unsigned n = 0; n < BENCH_LIMIT && b->in.ask.valid; n++)
        bench_step(b);
    return b->engine.out.decision[b->engine.out.decision[1].valid];
}

void bench_end(struct ss_engine_bench *b, unsigned place, unsigned status)
{
    b->in.end = (struct ss_end){.valid = 1, .place = (ss_place)place, .status = (ss_status)status};
    for (unsigned n = 0; n < BENCH_LIMIT && b->in.end.valid; n++)
        bench_step(b);
}

void bench_settle(struct ss_engine_bench *b)
{
    unsigned quiet = 0;
    for (unsigned n = 0; n < BENCH_LIMIT && quiet < 4; n++) {
        bench_step(b);
        quiet = b->engine.turns.out.turn == SS_TURN_NONE && b->engine.teller.out.idle &&
                        !b->engine.open.out.owes && !b->engine.open.starts
                    ? quiet + 1
                    : 0;
    }
}

bool bench_event(struct ss_engine_bench *b, uint64_t word[8])
{
    if (b->read == b->written)
        return false;
    memcpy(word, b->event[b->read++ % BENCH_EVENTS], 8 * sizeof *word);
    b->in.index = (struct ss_index_write){.valid = 1, .index = b->read};
    bench_step(b);
    bench_step(b);
    return true;
}

bool bench_sent(struct ss_engine_bench *b, struct ss_send_push *sent)
{
    if (b->sent_get == b->sent_put)
        return false;
    *sent = b->sent[b->sent_get++ % BENCH_SENT];
    return true;
}
