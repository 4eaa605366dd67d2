// SPDX-License-Identifier: Apache-2.0
/*
 * nic_program.c - processes, what they post, and the rings that they read.
 *
 * Process i of every node belongs to job i: domain i + 1, descriptor i, queue i, and handles from PROGRAM_SEGMENTS * i
 * on. Memory of a node: rings at the bottom, then 64 KB a segment.
 */
#include "tb/system/nic/nic_program.h"

#include "tb/golden/router/packet.h"

#include <stdlib.h>
#include <string.h>

enum {
    RING_LOG2 = 12,
    RING = 8 << RING_LOG2,
    SEGMENT = 1 << 18, /* a place is read again only when nobody reads it any more: place_of_get */
};

struct process {
    unsigned node, index;
    uint64_t read;        /* of its ring */
    unsigned loud, quiet; /* transactions in flight that end with an event, and without */
    unsigned given_up;    /* events that may come all the same, of transactions not among those */
    uint64_t blocked;     /* clocks without a place for another transaction */
};

struct program {
    struct nic_bench *bench;
    struct program_knobs knobs;
    struct process *process;
    unsigned processes;
    struct rng rng;
    uint64_t begun, tag, gets;
    bool rests[GN_NODES], shunned[GN_NODES];
};

/* ---- what processes have --------------------------------------------------------------------------- */

static unsigned handle(const struct process *p, unsigned segment)
{
    return p->index * PROGRAM_SEGMENTS + segment;
}

static uint64_t segment_base(unsigned mdh)
{
    /* Not aligned: segments are byte exact. Variables have to be. */
    unsigned odd = mdh % PROGRAM_SEGMENTS == SEGMENT_ATOMIC ? 8 : mdh * 7 % 16;

    return PROGRAM_SEGMENTS_AT + (uint64_t)mdh * SEGMENT + odd;
}

/* The process' NTT block, in which PE i is node i, and its domain's block of handles. */
static void make_virtual(struct program *p, const struct process *q)
{
    struct nic_bench *b = p->bench;
    unsigned first = q->index * b->nodes;
    uint8_t ptag = (uint8_t)(q->index + 1);

    for (unsigned i = 0; i < b->nodes; i++) {
        nic_bench_write(b, q->node, (uint16_t)(NR_NTT + first + i),
                        b->node[i].address | (uint64_t)1 << NR_NTT_VALID_AT);
    }
    nic_bench_write(b, q->node, (uint16_t)(NR_FMA + NR_FMA_STEP * q->index),
                    (uint64_t)ptag << NR_FMA_PTAG_AT | (uint64_t)p->knobs.limit << NR_FMA_LIMIT_AT |
                        (uint64_t)1 << NR_FMA_FLAGS_AT | (uint64_t)1 << NR_FMA_NTT_AT |
                        (uint64_t)first << NR_FMA_BASE_AT | (uint64_t)b->nodes << NR_FMA_SIZE_AT |
                        (uint64_t)1 << NR_FMA_ENABLE_AT);
    nic_bench_domain(b, q->node, ptag,
                     &(struct gn_domain){
                         .valid = true, .base = (uint16_t)handle(q, 0), .size = PROGRAM_SEGMENTS});
}

static void make_segments(struct program *p, const struct process *q)
{
    for (unsigned s = 0; s < PROGRAM_SEGMENTS; s++) {
        struct gn_segment g = {.valid = s != SEGMENT_NONE,
                               .read = s != SEGMENT_WRITE_ONLY && s != SEGMENT_ATOMIC,
                               .write = s != SEGMENT_READ_ONLY && s != SEGMENT_ATOMIC,
                               .atomic = s >= SEGMENT_SHORT && s != SEGMENT_LOCAL,
                               .translated = s == SEGMENT_TRANSLATED,
                               .base = segment_base(handle(q, s)),
                               .length = s == SEGMENT_SHORT ? 100 : SEGMENT - 64,
                               .ptag = (uint8_t)(q->index + 1),
                               .queue = (uint16_t)q->index,
                               .event = true};

        if (s == SEGMENT_OUTSIDE) {
            g.base = BENCH_MEMORY - 1000;
        }
        nic_bench_segment(p->bench, q->node, handle(q, s), &g);
    }
}

static void make_process(struct program *p, const struct process *q)
{
    make_segments(p, q);
    nic_bench_queue(p->bench, q->node, q->index,
                    &(struct gn_ring){.enabled = true,
                                      .base = (uint64_t)q->index * RING,
                                      .log2 = RING_LOG2,
                                      .ptag = (uint8_t)(q->index + 1)});
    nic_bench_descriptor(p->bench, q->node, q->index, (uint8_t)(q->index + 1), p->knobs.limit);
    if (p->knobs.virtually) {
        make_virtual(p, q);
    }
}

struct program *program_new(struct nic_bench *b, uint64_t seed, const struct program_knobs *knobs)
{
    struct program *p = calloc(1, sizeof(*p));

    if (p == NULL) {
        abort();
    }
    p->bench = b;
    p->knobs = *knobs;
    p->processes = b->nodes * knobs->processes;
    p->process = calloc(p->processes, sizeof(*p->process));
    if (p->process == NULL) {
        abort();
    }
    rng_seed(&p->rng, seed);
    b->paged = knobs->paged;
    for (unsigned i = 0; i < p->processes; i++) {
        p->process[i] =
            (struct process){.node = i / knobs->processes, .index = i % knobs->processes};
        make_process(p, &p->process[i]);
    }
    for (unsigned i = 0; i < b->nodes; i++) {
        uint8_t *memory = host_memory(b->node[i].host);

        b->node[i].driver.pause = knobs->pause;
        for (uint64_t k = PROGRAM_SEGMENTS_AT; k < BENCH_MEMORY; k += 8) {
            uint64_t word = rng_next(&p->rng);

            memcpy(memory + k, &word, 8);
        }
        if (knobs->paged) {
            nic_bench_pages(b, i);
        }
    }
    return p;
}

void program_restart(struct program *p, unsigned node)
{
    memset(host_memory(p->bench->node[node].host), 0, PROGRAM_PROCESSES * RING);
    for (unsigned i = 0; i < p->processes; i++) {
        struct process *q = &p->process[i];

        if (q->node == node) {
            *q = (struct process){.node = q->node, .index = q->index};
            make_process(p, q);
        }
    }
    nic_bench_enable_node(p->bench, node);
}

void program_segments(struct program *p, unsigned node)
{
    for (unsigned i = 0; i < p->processes; i++) {
        if (p->process[i].node == node) {
            make_segments(p, &p->process[i]);
        }
    }
}

void program_rest(struct program *p, unsigned node, bool rests)
{
    p->rests[node] = rests;
}

void program_shun(struct program *p, unsigned node, bool shunned)
{
    p->shunned[node] = shunned;
}

void program_free(struct program *p)
{
    free(p->process);
    free(p);
}

uint64_t program_begun(const struct program *p)
{
    return p->begun;
}

/* ---- what processes post ---------------------------------------------------------------------------- */

/* The global offset that names node and offset in this PE mask mode (hls/nic/PROGRAMMING.md). */
static uint64_t global_offset(unsigned mode, uint64_t pe, uint64_t offset)
{
    static const unsigned shift[8] = {40, 35, 21, 12, 10, 9, 8, 6};
    unsigned s = shift[mode];

    return offset >> s << (s + 18) | pe << s | (offset & (((uint64_t)1 << s) - 1));
}

static void post(struct program *p, const struct process *q, struct driver_burst burst)
{
    driver_burst(&p->bench->node[q->node].driver, &burst);
}

static void set_modes(struct program *p, const struct process *q, const struct gn_operation *o,
                      unsigned pe_mode, unsigned mode)
{
    unsigned command = o->kind == GN_AMO && !o->fetch ? o->opcode : o->kind == GN_MESSAGE;

    post(p, q,
         store_word(q->index, WORD_MODES,
                    o->mdh | (uint64_t)o->local_mdh << 12 | (uint64_t)pe_mode << 24 |
                        (uint64_t)mode << 27 | (uint64_t)q->index << 30 | (uint64_t)command << 40 |
                        (uint64_t)o->flagged << 47));
}

/* Sets BASE so that a window offset, which is drawn, means G; returns that window offset. step: window bytes a byte of G. */
static uint64_t aim(struct program *p, const struct process *q, uint64_t g, unsigned low,
                    unsigned low_mask, unsigned step)
{
    uint64_t window = rng_below(&p->rng, 1u << (NIC_WINDOW_LOG2 > 16 ? 16 : NIC_WINDOW_LOG2));

    window = (window & ~(uint64_t)low_mask) | low;
    if (window / step > g) {
        window = low;
    }
    post(p, q, store_word(q->index, WORD_BASE, (g - window / step) & (((uint64_t)1 << 58) - 1)));
    return window;
}

/* Operands in the put window; or in the page, if the old value is fetched. */
static void post_atomic(struct program *p, const struct process *q, const struct gn_operation *o,
                        uint64_t g)
{
    bool two = gn_amo_of(o->opcode, o->fetch).two_operands;
    uint8_t operands[16];

    if (o->fetch) {
        post(p, q, store_word(q->index, WORD_OPERANDS, o->a));
        post(p, q, store_word(q->index, WORD_OPERANDS + 1, o->b));
        post(p, q,
             store_fetch(q->index, aim(p, q, g, 0, 7, 2), o->local_offset, o->opcode, o->flagged));
        return;
    }
    memcpy(operands, &o->a, 8);
    memcpy(operands + 8, &o->b, 8);
    post(p, q, store_put(q->index, aim(p, q, g, 0, 63, 1), operands, two ? 16 : 8));
}

static void post_operation(struct program *p, const struct process *q, const struct gn_operation *o)
{
    unsigned pe_mode = rng_below(&p->rng, 8);
    unsigned mode = p->knobs.in_order  ? PACKET_IN_ORDER
                    : p->knobs.ordered ? rng_below(&p->rng, 7)
                                       : rng_below(&p->rng, 4);
    unsigned to = o->to < 0 ? 0 : (unsigned)o->to;
    uint64_t pe = p->knobs.virtually ? to : p->bench->node[to].address;
    uint64_t g = global_offset(pe_mode, pe, o->offset);
    unsigned first;

    set_modes(p, q, o, pe_mode, mode);
    switch (o->kind) {
    case GN_PUT:
    case GN_MESSAGE:
        if (o->kind == GN_MESSAGE) {
            post(p, q, store_word(q->index, WORD_EVENT, o->event));
        }
        first = rng_below(&p->rng, 65 - o->bytes);
        if (first > g) {
            first = 0;
        }
        post(p, q, store_put(q->index, aim(p, q, g, first, 63, 1), o->data, o->bytes));
        break;
    case GN_GET:
        post(p, q,
             store_get(q->index, aim(p, q, g, 0, 7, 2), o->local_offset, o->bytes, o->flagged));
        break;
    case GN_CQWRITE:
        post(p, q, store_word(q->index, WORD_BASE, g));
        post(p, q, store_word(q->index, WORD_CQWRITE, o->event));
        break;
    case GN_AMO:
        post_atomic(p, q, o, g);
        break;
    }
}

/* Against the rules, in one way; messages and puts at the edge of what they may, too. */
static void break_rule(struct program *p, const struct process *q, struct gn_operation *o)
{
    static const unsigned here[] = {SEGMENT_NONE, SEGMENT_READ_ONLY, SEGMENT_SHORT,
                                    SEGMENT_TRANSLATED, SEGMENT_OUTSIDE};

    if (o->kind == GN_GET && rng_below(&p->rng, 4) == 0) { /* where its data go */
        o->local_mdh = (uint16_t)handle(q, here[rng_below(&p->rng, 5)]);
        o->flagged = false;
        return;
    }
    switch (rng_below(&p->rng, 6)) {
    case 0:
        o->mdh = (uint16_t)handle(q, SEGMENT_NONE);
        break;
    case 1:
        o->mdh = (uint16_t)(((q->index + 1) % PROGRAM_PROCESSES) * PROGRAM_SEGMENTS + SEGMENT_OPEN);
        break;
    case 2:
        o->mdh = (uint16_t)handle(q, o->kind == GN_GET ? SEGMENT_WRITE_ONLY : SEGMENT_READ_ONLY);
        break;
    case 3:
        o->mdh = (uint16_t)handle(q, SEGMENT_SHORT);
        o->offset = (o->kind == GN_GET   ? 100
                     : o->kind == GN_AMO ? 104
                                         : 60) +
                    (o->kind == GN_AMO ? 8 : 4) * rng_below(&p->rng, 20);
        if (o->kind == GN_AMO && p->knobs.late) { /* of eight bytes or of four, not both */
            o->offset = o->offset / 16 * 16 + (o->bytes == 8 ? 0 : 8);
        }
        break;
    case 4:
        o->mdh = (uint16_t)handle(q, SEGMENT_TRANSLATED);
        break;
    default:
        o->mdh = (uint16_t)handle(q, SEGMENT_OUTSIDE);
        o->offset = (o->kind == GN_GET || o->kind == GN_AMO ? 1000 : 960) +
                    (o->kind == GN_AMO ? 8 : 4) * rng_below(&p->rng, 40);
        break;
    }
}

/*
 * The golden model cannot tell two reads of one place at once apart, nor two flags that say the same at one place: no two gets in
 * flight have one. Each node has places of its own, for reads there and for flags here, and takes them in a scattered order.
 */
static uint64_t place_of_get(struct program *p, const struct process *q)
{
    uint64_t places = SEGMENT / 4 / p->bench->nodes - 32;

    return 4 * (p->gets++ * 613 % places * p->bench->nodes + q->node);
}

/* Not all are shunned. */
static int draw_node(struct program *p)
{
    unsigned node;

    do {
        node = rng_below(&p->rng, p->bench->nodes);
    } while (p->shunned[node]);
    return (int)node;
}

/*
 * An atomic operation that changes its variable in a way of its own: so no two that wait can be mistaken for each other. Few
 * variables are often wanted, many seldom; every fourth place of eight bytes has two of four.
 */
static void draw_atomic(struct program *p, const struct process *q, struct gn_operation *o)
{
    static const unsigned first[] = {0x08, 0x0B, 0x0C}, second[] = {0x04, 0x06, 0x08, 0x14};
    bool hot = rng_below(&p->rng, 2) == 0, cached = rng_below(&p->rng, 2) == 0;
    unsigned place = rng_below(&p->rng, hot ? 4 : 1024);
    unsigned which = p->knobs.late ? 2 : rng_below(&p->rng, 4);
    bool narrow = place % 4 == 0;

    o->kind = GN_AMO;
    o->mdh = (uint16_t)handle(q, SEGMENT_ATOMIC);
    o->fetch = rng_below(&p->rng, 2) == 0;
    o->bytes = narrow ? 4 : 8;
    o->offset = 8 * place + (narrow ? 4 * rng_below(&p->rng, 2) : 0);
    o->opcode = narrow || rng_below(&p->rng, 3) != 0
                    ? 0x40 + 0x20 * cached + second[which] + !narrow
                    : first[p->knobs.late ? 2 : rng_below(&p->rng, 3)] + 0x10 * cached;
    o->a = rng_next(&p->rng);
    o->b = rng_next(&p->rng);
    o->local_offset = 4 * rng_below(&p->rng, (SEGMENT - 256) / 4);
}

static struct gn_operation draw(struct program *p, const struct process *q)
{
    struct gn_operation o = {.to = draw_node(p),
                             .mdh = (uint16_t)handle(q, SEGMENT_OPEN),
                             .local_mdh = (uint16_t)handle(q, SEGMENT_LOCAL)};
    bool message = rng_chance(&p->rng, p->knobs.messages);

    o.flow = p->knobs.in_order ? 1 + q->node * p->bench->nodes + (unsigned)o.to : 0;
    o.kind = message ? (rng_below(&p->rng, 4) == 0 ? GN_CQWRITE : GN_MESSAGE)
                     : (rng_below(&p->rng, 2) == 0 ? GN_GET : GN_PUT);
    o.bytes = 1 + rng_below(&p->rng, o.kind == GN_MESSAGE ? 56 : 64);
    o.offset = rng_below(&p->rng, SEGMENT - 256);
    o.event = (p->tag++ & 0xFFFFFFFFFFFF) | (uint64_t)2 << 48;
    if (o.kind == GN_GET) {
        o.flagged = p->knobs.flagged && rng_below(&p->rng, 4) == 0;
        o.bytes = 4 * (1 + rng_below(&p->rng, o.flagged ? 15 : 16));
        o.offset = place_of_get(p, q);
        o.local_offset =
            o.flagged ? o.offset + 64 - o.bytes : 4 * rng_below(&p->rng, (SEGMENT - 256) / 4);
    }
    if (!message && rng_chance(&p->rng, p->knobs.atomics)) {
        draw_atomic(p, q, &o);
        o.flagged = false;
    }
    for (unsigned i = 0; i < o.bytes; i++) {
        o.data[i] = (uint8_t)rng_next(&p->rng);
    }
    if (rng_chance(&p->rng, p->knobs.illegal)) {
        break_rule(p, q, &o);
    }
    if (p->knobs.virtually) {
        o.mdh = (uint16_t)(o.mdh - handle(q, 0)) % GN_SEGMENTS;
    }
    return o;
}

/* A flag at the target, at a multiple of eight in the first 100 bytes, or, seldom, at the edge of what it may. */
static void want_flag(struct program *p, const struct process *q, struct gn_wants *w)
{
    bool breaks = rng_chance(&p->rng, p->knobs.illegal / 2);

    w->flag = true;
    w->flag_offset = breaks ? 80 + 4 * rng_below(&p->rng, 12) : 8 * rng_below(&p->rng, 12);
    w->flag_value = p->tag++ << 16 | rng_below(&p->rng, 1 << 16);
    post(p, q, store_word(q->index, WORD_FLAG, w->flag_value));
    post(p, q, store_word(q->index, WORD_FLAG + 1, w->flag_offset));
}

/* What CLOSE says of the target: the process of this job on the node that all went to, or, seldom, another one. */
static void want_at_target(struct program *p, const struct process *q, int to, struct gn_wants *w)
{
    unsigned pe_mode = rng_below(&p->rng, 8);
    unsigned mode = rng_below(&p->rng, 4);
    struct gn_operation close = {
        .to = rng_chance(&p->rng, p->knobs.illegal / 2) ? draw_node(p) : to,
        .mdh = (uint16_t)handle(q, rng_chance(&p->rng, p->knobs.illegal / 2) ? SEGMENT_NONE
                                                                             : SEGMENT_SHORT),
    };

    if (p->knobs.virtually) {
        close.mdh = (uint16_t)(close.mdh - handle(q, 0)) % GN_SEGMENTS;
    }
    unsigned which = rng_below(&p->rng, 4); /* half of them an event alone */

    w->target = which != 0;
    w->to = close.to;
    w->mdh = close.mdh;
    w->target_event = (p->tag++ & 0xFFFFFFFFFFFF) | (uint64_t)3 << 48;
    set_modes(p, q, &close, pe_mode, p->knobs.in_order ? PACKET_IN_ORDER : mode);
    post(p, q,
         store_word(q->index, WORD_BASE,
                    global_offset(pe_mode,
                                  p->knobs.virtually ? (unsigned)close.to
                                                     : p->bench->node[close.to].address,
                                  0)));
    post(p, q, store_word(q->index, WORD_EVENT, w->target_event));
    if (which < 2) {
        want_flag(p, q, w);
    }
}

static void begin_transaction(struct program *p, struct process *q)
{
    struct golden_nic *g = p->bench->golden;
    bool quiet = rng_chance(&p->rng, p->knobs.quiet);
    bool sequence = p->knobs.sequences != 0 && rng_chance(&p->rng, p->knobs.sequences);
    unsigned t = gn_open(g, q->node, (uint8_t)(q->index + 1), sequence);
    unsigned n = 1 + rng_below(&p->rng, p->knobs.most);
    int to = sequence ? draw_node(p) : -1;
    struct gn_wants w = {.queue = (uint16_t)q->index,
                         .event = (p->tag++ & 0xFFFFFFFFFFFF) | (uint64_t)1 << 48,
                         .global = !quiet,
                         .local = !quiet && rng_below(&p->rng, 3) == 0};

    post(p, q, store_word(q->index, WORD_OPEN, sequence));
    for (unsigned i = 0; i < n; i++) {
        struct gn_operation o = draw(p, q);

        if (sequence && !rng_chance(&p->rng, p->knobs.illegal / 2)) {
            o.to = to;
            o.flow = o.flow != 0 ? 1 + q->node * p->bench->nodes + (unsigned)to : 0;
        }
        gn_post(g, t, &o);
        post_operation(p, q, &o);
    }
    if (sequence && !quiet && rng_below(&p->rng, 8) != 0) {
        want_at_target(p, q, to, &w);
    }
    gn_close(g, t, &w);
    post(p, q,
         store_word(q->index, WORD_CLOSE,
                    w.event | (uint64_t)w.local << 56 | (uint64_t)w.global << 57 |
                        (uint64_t)w.target << 58 | (uint64_t)w.flag << 59));
    q->loud += !quiet;
    q->quiet += quiet;
    p->begun++;
}

/* ---- what processes read -------------------------------------------------------------------------------- */

static void read_ring(struct program *p, struct process *q)
{
    uint8_t *ring = host_memory(p->bench->node[q->node].host) + (uint64_t)q->index * RING;
    struct nic_driver *d = &p->bench->node[q->node].driver;
    uint64_t word;
    bool rests; /* its id does, and counts as in flight */
    bool ends;
    uint8_t *place = ring + 8 * (q->read & ((1 << RING_LOG2) - 1));

    memcpy(&word, place, 8);
    if (word == 0) {
        return;
    }
    memset(place, 0, 8);
    rests = (word >> 59 & 15) == GN_TIMEOUT;
    ends = (word >> 56 & 7) == 3 || ((word >> 56 & 7) == 2 && word << 8 != 0);
    q->read++;
    if (ends && !rests && q->given_up != 0) {
        q->given_up--;
    } else if (ends && q->loud != 0) {
        q->loud--;
        q->quiet += rests;
    }
    if (q->read % 16 == 0 && driver_room(d)) {
        post(p, q, store_queue(q->index, q->read & 0xFFFFFFFF));
    }
}

/*
 * Transactions without an event end unseen: the page says how many of all are left. An event is seen after its
 * transaction was freed, so those with an event are not taken from there.
 */
static void ask_status(struct program *p, struct process *q)
{
    struct nic_driver *d = &p->bench->node[q->node].driver;
    struct driver_burst b = store_word(q->index, WORD_STATUS, 0);
    unsigned left;

    b.read = true;
    b.address |= (WORD_STATUS * 8) & 15;
    driver_burst(d, &b);
    nic_bench_settle_driver(p->bench, q->node);
    left = (unsigned)(d->answer & 0x1FF);
    q->quiet = q->quiet < left ? q->quiet : left;
    if (p->knobs.events_lost && q->loud > left) {
        q->given_up += q->loud - left;
        q->loud = left;
    }
    q->blocked = 0;
}

static void run_process(struct program *p, struct process *q, bool more)
{
    struct nic_driver *d = &p->bench->node[q->node].driver;
    bool busy = d->bursts_in - d->bursts_done > 200;

    if (p->rests[q->node]) {
        return;
    }
    read_ring(p, q);
    if (!more || busy) {
        return;
    }
    if (q->loud + q->quiet < p->knobs.limit) {
        begin_transaction(p, q);
    } else if (++q->blocked > 2000) {
        ask_status(p, q);
    }
}

void program_clock(struct program *p, bool more)
{
    nic_bench_clock(p->bench);
    for (unsigned i = 0; i < p->processes; i++) {
        run_process(p, &p->process[i], more);
    }
}

bool program_finish(struct program *p, uint64_t patience)
{
    uint64_t begin = p->bench->clock;

    while (!p->bench->over && gn_waiting(p->bench->golden) != 0 &&
           p->bench->clock - begin < patience) {
        program_clock(p, false);
    }
    return nic_bench_drain(p->bench, patience);
}
