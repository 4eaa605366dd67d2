// SPDX-License-Identifier: Apache-2.0
/* ss_engine_bench.c - the engine and what it works with. */
#include "tb/blocks/seastar/portals/ss_engine_bench.h"

#include <string.h>

#include "tb/base/harness.h"

static void take_outputs(struct ss_engine_bench *b)
{
    const struct ss_write *w = &b->teller.out.write;
    const struct ss_send_push *s = &b->engine.out.send;
    if (w->valid) {
        const uint64_t at = (w->addr - BENCH_BASE) / 8;
        b->event[at / 8 % BENCH_EVENTS][at % 8] = w->data;
        b->written += at % 8 == 7;
    }
    if (s->valid)
        b->sent[b->sent_put++ % BENCH_SENT] = *s;
    if (b->engine.out.tell.valid || b->commands.out.tell.valid) {
        b->told = b->engine.out.tell.valid ? b->engine.out.tell : b->commands.out.tell;
        b->tells++;
    }
}

/* The wires of ss_nic.c. */
void bench_step(struct ss_engine_bench *b)
{
    struct ss_engine_in *e = &b->in;
    const bool told = b->engine.out.tell.valid, other = b->commands.out.tell.valid;
    e->has_local = b->local.valid && !other;
    e->local_done = b->commands.out.taken;
    e->send_room = 3;
    e->ready = b->scratch.out.ready;
    e->pair = b->scratch.out.pair;
    e->pair_fatal = b->scratch.out.pair_fatal;
    e->third = b->scratch.out.third;
    e->third_fatal = b->scratch.out.third_fatal;
    e->event_room = b->teller.out.room;
    e->told = told;
    for (unsigned s = 0; s < SS_PROCESSES; s++)
        e->process[s] = b->commands.out.process[s];
    const struct ss_commands_in c = {.command = b->local,
                                     .turn = b->engine.out.turn,
                                     .pair = b->scratch.out.pair,
                                     .pair_fatal = b->scratch.out.pair_fatal,
                                     .third = b->scratch.out.third,
                                     .held = b->engine.out.held,
                                     .event_room = b->teller.out.room,
                                     .some = b->teller.out.some,
                                     .told = !told && other};
    const struct ss_event_in t = {.push = b->engine.out.event,
                                  .set = b->commands.out.set,
                                  .index = b->index,
                                  .write_room = 1};
    const bool pair = b->commands.out.pair.read || b->commands.out.pair.write;
    const bool third = b->commands.out.third.read || b->commands.out.third.write;
    const struct ss_scratch_in s = {
        .pair = pair ? b->commands.out.pair : b->engine.out.pair,
        .third = third ? b->commands.out.third : b->engine.out.third,
        .driver = b->driver,
        .scrub_period = 64,
    };
    const bool ended = b->engine.out.ended, taken = b->commands.out.taken;
    b->index.valid = 0;
    ss_engine(&b->engine, e);
    ss_commands(&b->commands, &c);
    ss_event(&b->teller, &t);
    ss_scratch(&b->scratch, &s);
    if (ended)
        e->end.valid = 0;
    if (taken)
        b->local.valid = 0;
    for (unsigned n = 0; n < 2; n++)
        if (b->engine.out.command_taken >> n & 1)
            e->command[n].valid = 0;
    if (b->engine.out.decision.valid)
        e->ask.valid = 0;
    if (b->scratch.out.done)
        b->driver.valid = 0;
    take_outputs(b);
    b->clock++;
}

unsigned bench_local(struct ss_engine_bench *b, unsigned op, const uint64_t words[7],
                     uint64_t length)
{
    const unsigned before = b->tells;
    b->local = (struct ss_command){.valid = 1};
    for (unsigned w = 0; w < 7; w++)
        b->local.word[w] = words[w];
    b->local.word[7] = (uint64_t)op << 56 | (uint64_t)1 << 40 | length;
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
    ss_commands_reset(&b->commands);
    ss_event_reset(&b->teller);
    ss_scratch_reset(&b->scratch);
    bench_local(b, SS_OP_EQ, queue, 0);
    bench_local(b, SS_OP_PROCESS, process, 0);
}

static ss_cell driver_access(struct ss_engine_bench *b, bool write, unsigned bank, unsigned at,
                             ss_cell cell)
{
    b->driver = (struct ss_scratch_driver){
        .valid = 1, .write = write, .bank = (u2)bank, .at = (ss_scratch_index)at, .data = cell};
    for (unsigned n = 0; n < BENCH_LIMIT && b->driver.valid; n++)
        bench_step(b);
    return b->scratch.out.data;
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
    return b->engine.out.decision;
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
        quiet = b->engine.state == SS_ENGINE_IDLE && b->teller.out.room && !b->engine.owes
                    ? quiet + 1
                    : 0;
    }
}

bool bench_event(struct ss_engine_bench *b, uint64_t word[8])
{
    if (b->read == b->written)
        return false;
    memcpy(word, b->event[b->read++ % BENCH_EVENTS], 8 * sizeof *word);
    b->index = (struct ss_index_write){.valid = 1, .index = b->read};
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
