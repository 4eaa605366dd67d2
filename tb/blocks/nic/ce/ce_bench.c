// SPDX-License-Identifier: Apache-2.0
/* ce_bench.c - what surrounds collective engines. */
#include "tb/blocks/nic/ce/ce_bench.h"

#include <string.h>

uint64_t ce_now;

enum {
    REGISTERS = 0x400,
    STEP = 64,
    PARENT = 1,
    CHILD = 2,
    STATUS = 34,
    PUT = 1,
    OPEN = 14,
    CLOSE = 15,
    UP = 10,
    DOWN = 11,
    BUS = 13,
    PROTECTION = 6,
    TIMEOUT = 9,
};

static uint64_t field(beat_word w, unsigned at, unsigned bits)
{
    return (uint64_t)(w >> at) & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
}

/* The offset of a request, which lies in three places of its head. */
static uint64_t offset_of(beat_word w)
{
    return field(w, 4, 14) | field(w, 52, 6) << 14 | field(w, 96, 20) << 20;
}

static beat_word with(beat_word w, unsigned at, unsigned bits, uint64_t value)
{
    const beat_word mask = (((beat_word)1 << bits) - 1) << at;

    return (w & ~mask) | (((beat_word)value << at) & mask);
}

static beat_word with_offset(beat_word w, uint64_t offset)
{
    return with(with(with(w, 4, 14, offset), 52, 6, offset >> 14), 96, 20, offset >> 20);
}

unsigned ce_bench_address(unsigned node)
{
    return (node * 7919 + 12345) & 0x3FFFF;
}

static int node_at(const struct ce_bench *b, unsigned address)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        if (ce_bench_address(i) == address) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- the driver ----------------------------------------------------------------------------------- */

void ce_bench_write(struct ce_bench *b, unsigned node, unsigned addr, uint64_t data)
{
    b->node[node].in.write = (struct nic_write){.valid = 1, .addr = (u16)addr, .data = data};
    ce_bench_step(b);
    b->node[node].in.write.valid = 0;
}

uint64_t ce_bench_status(struct ce_bench *b, unsigned node, unsigned engine)
{
    struct ce_node *n = &b->node[node];

    n->in.read = (u16)(REGISTERS + STEP * engine + STATUS);
    ce_bench_step(b);
    must_hold(&b->wrong, n->dut.out.owned.known);
    n->in.read = 0;
    return n->dut.out.owned.data;
}

void ce_bench_start(struct ce_bench *b, unsigned nodes, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    b->nodes = nodes;
    b->network = 20;
    b->memory = 20;
    b->room = 1;
    b->timeout = 2000;
    rng_seed(&b->rng, seed);
    for (unsigned i = 0; i < nodes; i++) {
        ce_reset(&b->node[i].dut);
    }
    for (unsigned k = 0; k < CE_BENCH_PLACES; k++) {
        for (unsigned i = 0; i < nodes; i++) {
            b->node[i].in.wipe = (struct nic_wipe){1, (u13)k};
        }
        ce_bench_step(b);
    }
    for (unsigned i = 0; i < nodes; i++) {
        b->node[i].in.wipe.valid = 0;
    }
}

static uint64_t config_of(const struct ce_tree_engine *t)
{
    return (uint64_t)t->ptag | (uint64_t)t->rounding << 8 | (uint64_t)t->mode << 10 |
           (uint64_t)t->event << 13 | (uint64_t)t->errors << 14 | (uint64_t)t->children << 15 |
           (uint64_t)t->timeout << 21 | (uint64_t)t->root << 62;
}

void ce_bench_configure(struct ce_bench *b, unsigned node, unsigned engine)
{
    const struct ce_tree_engine *t = &b->node[node].tree[engine];
    const unsigned at = REGISTERS + STEP * engine;

    ce_bench_write(b, node, at + PARENT,
                   ce_bench_address(t->parent) | (uint64_t)t->parent_engine << 18 |
                       (uint64_t)t->as << 20);
    for (unsigned k = 0; k < t->children && k < CE_BENCH_CHILDREN; k++) {
        const struct ce_tree_child *c = &t->child[k];
        struct ce_party *p = &b->node[node].party[CE_BENCH_CHILDREN * engine + k];

        ce_bench_write(b, node, at + CHILD + k,
                       ce_bench_address(c->node) | (uint64_t)c->engine << 18 |
                           (uint64_t)c->kind << 20 | (uint64_t)c->fma << 22);
        p->mdh = CE_BENCH_CHILDREN * engine + k;
        p->queue = CE_QUEUE + CE_BENCH_CHILDREN * engine + k;
        p->fma = c->fma;
        p->ptag = t->ptag;
        p->offset = 0x1234500000 + 64 * (uint64_t)k + 8 * (k % 8);
    }
    ce_bench_write(b, node, at, config_of(t) | UINT64_C(1) << 63);
}

void ce_bench_disable(struct ce_bench *b, unsigned node, unsigned engine)
{
    ce_bench_write(b, node, REGISTERS + STEP * engine, config_of(&b->node[node].tree[engine]));
}

/* ---- joins ---------------------------------------------------------------------------------------- */

void ce_bench_post(struct ce_bench *b, unsigned node, const struct ce_join *join)
{
    struct ce_node *n = &b->node[node];

    while (n->joins_in - n->joins_out == CE_JOINS) {
        ce_bench_step(b);
    }
    n->join[n->joins_in++ % CE_JOINS] = *join;
}

void ce_bench_join(struct ce_bench *b, unsigned node, unsigned engine, unsigned child, unsigned id,
                   unsigned operation, struct gn_ce_value value)
{
    struct ce_party *p = &b->node[node].party[CE_BENCH_CHILDREN * engine + child];

    p->event = rng_next(&b->rng) >> 8;
    ce_bench_post(b, node,
                  &(struct ce_join){.party = *p,
                                    .engine = engine,
                                    .child = child,
                                    .id = id,
                                    .operation = operation,
                                    .first = value.first,
                                    .second = value.second,
                                    .exceptions = value.exceptions});
}

static uint64_t ce_fields(unsigned id, unsigned engine, unsigned child, unsigned operation,
                          unsigned exceptions)
{
    return (uint64_t)id | (uint64_t)engine << 15 | (uint64_t)child << 17 |
           (uint64_t)operation << 22 | (uint64_t)exceptions << 28;
}

/* Three beats, begun when there was room. */
static void send_join(struct ce_bench *b, struct ce_node *n)
{
    const struct ce_join *j = &n->join[n->joins_out % CE_JOINS];
    beat_word w = 0;

    n->in.join.valid = 0;
    if (n->joins_in == n->joins_out || (n->join_beat == 0 && !n->dut.out.room_join) ||
        !rng_chance(&b->rng, b->room)) {
        return;
    }
    if (n->join_beat == 0) {
        w = with_offset(w, ce_fields(j->id, j->engine, j->child, j->operation, j->exceptions));
        w = with(w, 0, 4, UP);
        w = with(w, 58, 8, j->party.ptag);
        w = with(w, 86, 10, j->party.fma);
        w = with(w, 116, 12, j->party.mdh);
    } else if (n->join_beat == 1) {
        w = (beat_word)j->first | (beat_word)j->second << 64;
    } else {
        w = (beat_word)j->party.offset | (beat_word)j->party.queue << 40 |
            (beat_word)j->party.event << 64;
    }
    n->in.join = (struct beat){.valid = 1,
                               .head = n->join_beat == 0,
                               .tail = n->join_beat == 2,
                               .bad = (j->bad_head && n->join_beat != 1) ||
                                      (j->bad_data && n->join_beat == 1),
                               .word = w};
    n->join_beat = (n->join_beat + 1) % 3;
    n->joins_out += n->join_beat == 0;
    b->joined = ce_now;
}

/* ---- the channel ---------------------------------------------------------------------------------- */

static uint64_t way(struct ce_bench *b)
{
    return ce_now + b->network + (b->spread == 0 ? 0 : rng_below(&b->rng, b->spread + 1));
}

/* A request leaves its node, and perhaps once more. */
static void fly(struct ce_bench *b, unsigned from, unsigned channel, beat_word head, beat_data data)
{
    const int to = node_at(b, (unsigned)field(head, 18, 18));
    const unsigned copies = 1 + rng_chance(&b->rng, b->repeat);
    uint64_t due = way(b);
    bool first = true;

    must_equal(&b->wrong, field(head, 0, 4), channel & 1 ? DOWN : UP, "command of a packet");
    must_equal(&b->wrong, field(head, 128, 6), 15, "bytes of a packet, less one");
    must_equal(&b->wrong, offset_of(head) >> 36, 0, "unused bits of a packet");
    b->packets++;
    for (unsigned i = 0, left = copies; i < CE_FLYING && left > 0; i++) {
        struct ce_flying *f = &b->flying[i];

        if (f->used) {
            continue;
        }
        *f = (struct ce_flying){
            .used = true,
            .answered = !first, /* nobody waits for the answer of a copy */
            .lost = to < 0 || rng_chance(&b->rng, b->loss),
            .from = from,
            .to = to < 0 ? 0 : (unsigned)to,
            .channel = channel,
            .due = due,
            .expires = ce_now + b->timeout,
            .head = with(with(head, 66, 18, ce_bench_address(from)), 86, 10, i),
            .data = data,
        };
        due = way(b) + 1 + b->spread; /* a copy comes later than what it is a copy of */
        first = false;
        left--;
        b->most = i < b->most ? b->most : i + 1;
    }
}

static void answer(struct ce_bench *b, struct ce_flying *f, unsigned status)
{
    struct ce_transaction *t = &b->node[f->from].transaction[f->channel];

    if (!f->answered) {
        f->answered = true;
        t->outstanding--;
        t->status = t->status == 0 ? status : t->status;
        t->over = ce_now + 3;
    }
}

/* A packet whose time has come goes in, one at a time per node; packets that nobody answers are over. */
static void deliver(struct ce_bench *b, unsigned number)
{
    struct ce_node *n = &b->node[number];

    n->in.request.valid = 0;
    if (n->asking == 1) {
        n->in.request =
            (struct beat){.valid = 1, .tail = 1, .word = (beat_word)b->flying[n->asked].data};
        n->asking = 0;
        return;
    }
    if (!n->dut.out.room_request) {
        return;
    }
    for (unsigned i = 0; i < b->most; i++) {
        struct ce_flying *f = &b->flying[i];

        if (f->used && !f->lost && f->to == number && f->due != 0 && ce_now >= f->due) {
            f->due = 0; /* it is in */
            n->asked = i;
            n->asking = 1;
            n->in.request = (struct beat){.valid = 1, .head = 1, .word = f->head};
            return;
        }
    }
}

static void expire(struct ce_bench *b)
{
    for (unsigned i = 0; i < b->most; i++) {
        struct ce_flying *f = &b->flying[i];

        if (f->used && !f->answered && ce_now >= f->expires) {
            answer(b, f, TIMEOUT);
        }
        if (f->used && f->answered && (f->lost || ce_now >= f->expires + b->timeout)) {
            f->used = false;
        }
    }
}

/* npt: an answer is taken some time after it came, and goes back over the channel. */
static void take_answer(struct ce_bench *b, struct ce_node *n)
{
    const struct amo_answer *a = &n->dut.out.answer;
    const unsigned tag = (unsigned)(a->whom >> 18 & 0x3FF);
    struct ce_flying *f = &b->flying[tag % CE_FLYING];

    if (n->in.answer_taken || !a->valid) {
        n->in.answer_taken = 0;
        return;
    }
    if (n->answer_due == 0) {
        n->answer_due = ce_now + 1 + rng_below(&b->rng, 4);
    }
    if (ce_now < n->answer_due) {
        return;
    }
    n->answer_due = 0;
    n->in.answer_taken = 1;
    must(&b->wrong, f->used && f->due == 0, "an answer to nobody: tag %u", tag);
    must_equal(&b->wrong, a->whom & 0x3FFFF, ce_bench_address(f->from), "node that is answered");
    must_hold(&b->wrong, !a->fetch && !a->note);
    b->refused += a->status != 0;
    must(&b->wrong, b->whatever || a->status == 0, "a packet is refused: status %u",
         (unsigned)a->status);
    if (!rng_chance(&b->rng, b->answer_loss)) {
        answer(b, f, a->status);
        f->used = false;
    }
}

/* ---- the request stream --------------------------------------------------------------------------- */

static void begin_packet(struct ce_bench *b, struct ce_node *n, beat_word w)
{
    const unsigned channel = (unsigned)field(w, 135, 9);
    struct ce_transaction *t;

    must_equal(&b->wrong, channel >> 3, (0x80 + 64) >> 3, "channel of a packet");
    n->head = w;
    n->cmd = (unsigned)field(w, 0, 4);
    n->channel = channel & 7;
    t = &n->transaction[n->channel];
    must_equal(&b->wrong, field(w, 58, 8), n->tree[n->channel / 2].ptag, "domain of a packet");
    must_equal(&b->wrong, field(w, 38, 3), n->tree[n->channel / 2].mode, "mode of a packet");
    must_equal(&b->wrong, n->in.room, 1, "room when a packet begins");
    if (n->cmd == OPEN) {
        must(&b->wrong, !t->open, "opened twice");
        *t = (struct ce_transaction){.open = true};
    } else {
        must(&b->wrong, t->open && !t->closed, "a packet outside of a transaction");
        must_equal(&b->wrong, n->in.tags || n->cmd == CLOSE, 1, "tags when a request begins");
    }
}

static void watch_stream(struct ce_bench *b, unsigned number)
{
    struct ce_node *n = &b->node[number];
    const struct beat *x = &n->dut.out.beat;
    struct ce_transaction *t;

    if (x->valid) {
        must_equal(&b->wrong, x->head, n->beat == 0, "head of a packet");
        if (x->head) {
            begin_packet(b, n, x->word);
        }
        t = &n->transaction[n->channel];
        if (n->cmd == CLOSE && n->beat > 0) {
            must_equal(&b->wrong, x->word != 0, 0, "events of CLOSE");
        }
        n->beat++;
        must_equal(&b->wrong, x->tail,
                   n->beat == (n->cmd == OPEN    ? 1
                               : n->cmd == CLOSE ? 3
                                                 : 2),
                   "tail of a packet");
        if (x->tail) {
            n->beat = 0;
            t->closed |= n->cmd == CLOSE;
            t->over = ce_now + 3;
            if (n->cmd == UP || n->cmd == DOWN) {
                t->outstanding++;
                fly(b, number, n->channel, n->head, (beat_data)x->word);
            }
        }
    }
    n->in.over.valid = 0;
    for (unsigned c = 0; c < 2 * CE_BENCH_ENGINES && !n->in.over.valid; c++) {
        t = &n->transaction[c];
        if (t->open && t->closed && t->outstanding == 0 && ce_now >= t->over) {
            n->in.over = (struct ce_over){1, (ce_channel)c, (u4)t->status};
            t->open = false;
        }
    }
}

/* ---- memory and queue ----------------------------------------------------------------------------- */

/* A word of an endpoint is taken: where it goes is one that its join named. */
static void take_word(struct ce_bench *b, struct ce_node *n, const struct local_word *x)
{
    const unsigned mdh = (unsigned)field(x->head, 116, 12),
                   bytes = (unsigned)field(x->head, 128, 6);
    const uint64_t offset = offset_of(x->head);
    struct ce_party *p = &n->party[mdh % CE_BENCH_PLACES];
    const bool control = bytes == 7;

    must_hold(&b->wrong, bytes == 7 || bytes == 15);
    must_equal(&b->wrong, field(x->head, 0, 4), PUT, "command of a word");
    must_equal(&b->wrong, mdh, p->mdh, "handle of a word");
    must_equal(&b->wrong, field(x->head, 58, 8), p->ptag, "domain of a word");
    must_equal(&b->wrong, offset, (p->offset & ~7ull) + (control ? 0 : 8), "offset of a word");
    must(&b->wrong, n->words_in - n->words_out < CE_WORDS, "too many words");
    n->word[n->words_in++ % CE_WORDS] = (struct ce_written){
        .due = ce_now + b->memory,
        .child = (unsigned)field(x->head, 86, 10),
        .party = mdh % CE_BENCH_PLACES,
        .control = control,
        .refused = (mdh & 0xF00) == CE_REFUSED_MDH,
        .first = (uint64_t)x->data,
        .second = (uint64_t)(x->data >> 64),
        .status = (mdh & 0xF00) == CE_BROKEN_MDH ? MEM_BUS_ERROR : MEM_DONE,
    };
}

static void write_word(struct ce_bench *b, struct ce_node *n)
{
    struct ce_written *w = &n->word[n->words_out % CE_WORDS];
    struct ce_party *p;

    n->in.done.valid = 0;
    n->in.refused.valid = 0;
    if (n->words_in == n->words_out || ce_now < w->due) {
        return;
    }
    n->words_out++;
    p = &n->party[w->party];
    if (w->refused) {
        n->in.refused = (struct ce_failure){1, (u12)w->child, PROTECTION};
        return;
    }
    n->in.done = (struct mem_done){1, MEM_LOCAL, (u12)w->child, (u2)w->status};
    if (w->status != MEM_DONE) {
        return;
    }
    if (w->control) {
        p->control = w->first;
        p->controls++;
        p->done = ce_now;
        must(&b->wrong, (w->first & 15) != 0 || p->has_results, "control before its results");
        p->has_results = false;
    } else {
        p->first = w->first;
        p->second = w->second;
        p->has_results = true;
    }
}

/* A word stands until it is taken, which is told in the third clock: rat_local takes head and data one after the other. */
static void watch_memory(struct ce_bench *b, struct ce_node *n)
{
    const struct local_word *x = &n->dut.out.local;

    n->taking = n->in.local_taken || !x->valid ? 0 : n->taking;
    n->taking += x->valid && rng_chance(&b->rng, b->room);
    n->in.local_taken = n->taking == 3;
    if (n->in.local_taken) {
        take_word(b, n, x);
    }
    write_word(b, n);
}

static void watch_events(struct ce_bench *b, struct ce_node *n)
{
    const struct nic_event *e = &n->dut.out.event;
    struct ce_party *p;

    if (!e->valid) {
        return;
    }
    must(&b->wrong, e->queue >= CE_QUEUE && e->queue < CE_QUEUE + CE_BENCH_PLACES,
         "an event in queue %u", (unsigned)e->queue);
    p = &n->party[(e->queue - CE_QUEUE) % CE_BENCH_PLACES];
    must_equal(&b->wrong, n->in.room_event, 1, "room of an event");
    must_equal(&b->wrong, e->ptag, p->ptag, "domain of an event");
    p->events++;
    p->word = e->word;
}

/* ---- together ------------------------------------------------------------------------------------- */

bool ce_bench_idle(const struct ce_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        const struct ce_node *n = &b->node[i];

        if (!n->dut.out.idle || n->joins_in != n->joins_out || n->words_in != n->words_out) {
            return false;
        }
    }
    for (unsigned i = 0; i < b->most; i++) {
        if (b->flying[i].used && !b->flying[i].lost && b->flying[i].due != 0) {
            return false;
        }
    }
    return true;
}

void ce_bench_drain(struct ce_bench *b, uint64_t clocks)
{
    const uint64_t end = ce_now + clocks;

    for (unsigned calm = 0; calm < 40 && ce_now < end;) {
        ce_bench_step(b);
        calm = ce_bench_idle(b) ? calm + 1 : 0;
    }
    must(&b->wrong, ce_bench_idle(b), "engines are not idle after %llu clocks",
         (unsigned long long)clocks);
}

static void step_node(struct ce_bench *b, unsigned number)
{
    struct ce_node *n = &b->node[number];

    /* what it sent was judged by the room that it saw */
    watch_stream(b, number);
    watch_memory(b, n);
    watch_events(b, n);
    take_answer(b, n);
    send_join(b, n);
    deliver(b, number);
    n->in.room = rng_chance(&b->rng, b->room);
    n->in.tags = rng_chance(&b->rng, b->room);
    n->in.room_event = rng_chance(&b->rng, b->room);
    n->in.epoch = b->epoch != 0 && ce_now % b->epoch == 0;
    for (unsigned i = 0; i < CE_COUNTS; i++) {
        n->counts[i] += (unsigned)(n->dut.out.count >> i & 1);
    }
}

void ce_bench_step(struct ce_bench *b)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        ce(&b->node[i].dut, &b->node[i].in);
    }
    ce_now++;
    for (unsigned i = 0; i < b->nodes; i++) {
        step_node(b, i);
    }
    expire(b);
}
