// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_wide.c - every bit of what is wide: registers, tables, addresses, nodes, handles, offsets, events and words of pages take any value
 * that they can, not only the small ones of a bench with three nodes and 16 MB. One NIC alone, which asks itself.
 *
 * Built for aries: fast; proto: san. Recorded for nic, nic_initiator, nic_target.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_program.h"

#include <string.h>

enum {
    QUARTER = BENCH_MEMORY / 4, /* rings; remote bytes, in two of them; local ones */
    RING_LOG2 = 8,
    OPERATIONS = 5, /* of a round */
    PATIENCE = 20000,
    MARGIN = 16, /* bytes beside those of an operation that must stay as they are */
    IRQS = 32,
    HANDLE_BITS = 12,
    NODE_BITS = 18
};

static struct nic_bench *b;
static struct rng rng;

/* ---- random numbers ---------------------------------------------------------------------------------- */

/* Of so many bits, 1 to 63, or less: as often small ones as large ones. */
static uint64_t any(unsigned bits)
{
    return rng_next(&rng) >> (64 - bits + rng_below(&rng, bits));
}

static uint64_t any_below(uint64_t n)
{
    unsigned bits = 1;

    while (bits < 63 && n >> bits != 0) {
        bits++;
    }
    return any(bits) % n;
}

static uint64_t ones(unsigned bits)
{
    return ((uint64_t)1 << bits) - 1;
}

/* ---- one thing at a time ------------------------------------------------------------------------------- */

static void post(struct driver_burst burst)
{
    driver_burst(&b->node[0].driver, &burst);
}

/* A word of a page, when all before it is done. */
static uint64_t ask(struct driver_burst word)
{
    word.read = true;
    post(word);
    nic_bench_settle_driver(b, 0);
    return b->node[0].driver.answer;
}

static void write(unsigned address, uint64_t data)
{
    nic_bench_write(b, 0, (uint16_t)address, data);
}

static uint8_t *memory(void)
{
    return host_memory(b->node[0].host);
}

/* The word at this place once it is not 0, or 0; then it is 0 again. */
static uint64_t await(uint64_t place)
{
    uint64_t word = 0;

    for (unsigned i = 0; word == 0 && i < PATIENCE; i++) {
        nic_bench_clock(b);
        memcpy(&word, memory() + place, 8);
    }
    memset(memory() + place, 0, 8);
    return word;
}

/* ---- registers ----------------------------------------------------------------------------------------- */

struct wide_register {
    uint16_t address;
    unsigned bits;
    uint64_t always; /* bits without which a value is refused */
};

static const struct wide_register registers[] = {
    {NR_NODE, NR_NODE_NODE_BITS, 0},
    {NR_ORB_EPOCH, NR_ORB_EPOCH_CLOCKS_BITS, 4 * NIC_TAGS},
    {NR_PHYS_BASE, NR_PHYS_BASE_BASE_BITS, 0},
    {NR_PHYS_SIZE, NR_PHYS_SIZE_SIZE_BITS, 0},
    {NR_IRQ_MASK, NR_IRQ_MASK_QUEUES_BITS + NR_IRQ_MASK_CLASSES_BITS, 0},
    {NR_IRQ_TIMER, NR_IRQ_TIMER_CLOCKS_BITS, 0},
};
enum { REGISTERS = sizeof(registers) / sizeof(registers[0]) };

/* Each keeps a one that walks, a zero that walks, and noise, whatever the others are. */
static void test_registers(void)
{
    struct misses wrong = {0};
    uint64_t kept[REGISTERS] = {0}, values = 0;

    for (unsigned i = 0; i < REGISTERS; i++) {
        kept[i] = nic_bench_read(b, 0, registers[i].address);
    }
    for (unsigned i = 0; i < REGISTERS; i++) {
        const struct wide_register *r = &registers[i];

        for (unsigned n = 0; n < 3 * r->bits; n++, values++) {
            uint64_t one = (uint64_t)1 << n % r->bits;
            uint64_t value = n < r->bits ? one : n < 2 * r->bits ? ~one : rng_next(&rng);
            unsigned other = rng_below(&rng, REGISTERS);

            kept[i] = (value & ones(r->bits)) | r->always;
            write(r->address, kept[i]);
            const uint64_t seen = nic_bench_read(b, 0, r->address);
            const uint64_t beside = nic_bench_read(b, 0, registers[other].address);
            must_equal(&wrong, seen, kept[i], "register %#x, just written", r->address);
            must_equal(&wrong, beside, kept[other], "register %#x, with register %#x written",
                       registers[other].address, r->address);
        }
    }
    tap_misses(&wrong, "%llu values of registers, read again", (unsigned long long)values);
    write(NR_ORB_EPOCH, NR_ORB_EPOCH_CLOCKS_RESET);
    write(NR_IRQ_TIMER, 0);
}

/* ---- a round: tables --------------------------------------------------------------------------------------- */

struct queue {
    unsigned number, irq;
    uint64_t ring, read; /* where it begins; events that were taken */
};

struct round {
    unsigned descriptor, remote, local, mdh; /* mdh: what names remote */
    uint8_t domain;
    uint64_t pe;
    struct queue source, target; /* of transactions, of messages */
    struct gn_segment there, here;
};

static uint64_t quarter(unsigned number, unsigned first)
{
    return (uint64_t)((number + first) % 4) * QUARTER;
}

static void make_queue(struct queue *q, unsigned number, unsigned irq, uint64_t from,
                       uint8_t domain)
{
    unsigned at = NR_CQ + NR_CQ_STEP * number;

    *q = (struct queue){.number = number,
                        .irq = irq,
                        .ring = from + (any_below(QUARTER / 2 - (8 << RING_LOG2)) & ~(uint64_t)63)};
    memset(memory() + q->ring, 0, 8 << RING_LOG2);
    write(at, q->ring);
    write(at + 1, (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT |
                      (uint64_t)domain << NR_CQ1_PTAG_AT | (uint64_t)q->irq << NR_CQ1_IRQ_AT |
                      (uint64_t)1 << NR_CQ1_THRESHOLD_AT);
}

/* A node with any address; processes name it by that, or by a PE of an NTT. Returns the descriptor's part of this. */
static uint64_t make_node(struct round *r)
{
    uint64_t address = any(NODE_BITS), low, first, base, size;
    unsigned granularity = rng_below(&rng, 8);
    const unsigned most =
        NODE_BITS - granularity < NIC_NTT_LOG2 ? NODE_BITS - granularity : NIC_NTT_LOG2;

    b->node[0].address = (uint32_t)address;
    write(NR_NODE, address);
    r->pe = address;
    if (rng_below(&rng, 4) == 0) {
        return 0;
    }
    low = ones(granularity);
    first = any_below(ones(most)); /* so that a size is larger than the PE */
    r->pe = first << granularity | (address & low);
    base = any_below((1 << NIC_NTT_LOG2) - first);
    size = r->pe + 1 + any_below(ones(NODE_BITS) - r->pe);
    write(NR_NTT + (unsigned)(base + first),
          (address & ~low) | (rng_next(&rng) & low) | (uint64_t)1 << NR_NTT_VALID_AT);
    return (uint64_t)1 << NR_FMA_NTT_AT | base << NR_FMA_BASE_AT | size << NR_FMA_SIZE_AT |
           (uint64_t)granularity << NR_FMA_GRANULARITY_AT;
}

/* Two segments; a process names the remote one by its number, or by a handle of its domain's block. */
static void make_segments(struct round *r, unsigned first)
{
    const bool outside = rng_below(&rng, 4) == 0;
    uint64_t length = any(40), base, mdh;

    r->remote = (unsigned)any_below(((uint64_t)1 << NIC_MDD_LOG2) - 1);
    r->local = (r->remote + 1 + (unsigned)any_below(((uint64_t)1 << NIC_MDD_LOG2) - 1)) %
               (1 << NIC_MDD_LOG2);
    r->there = (struct gn_segment){.valid = true,
                                   .read = true,
                                   .write = true,
                                   .event = true,
                                   .base = outside ? any_below(((uint64_t)1 << 48) - length)
                                                   : quarter(1, first) + any_below(QUARTER),
                                   .length = length,
                                   .ptag = r->domain,
                                   .queue = (uint16_t)r->target.number};
    r->here = (struct gn_segment){.valid = true,
                                  .write = true,
                                  .base = quarter(3, first) + MARGIN + any_below(QUARTER / 4),
                                  .length = QUARTER / 2,
                                  .ptag = r->domain};
    base = any_below(r->remote + 1);
    mdh = r->remote - base;
    if (r->domain >> NIC_VMDH_LOG2 == 0 && base != 0 && mdh < ones(HANDLE_BITS)) {
        nic_bench_domain(b, 0, r->domain,
                         &(struct gn_domain){
                             .valid = true,
                             .base = (uint16_t)base,
                             .size = (uint16_t)(mdh + 1 + any_below(ones(HANDLE_BITS) - mdh)),
                         });
    } else {
        mdh = r->remote;
    }
    r->mdh = (unsigned)mdh;
    nic_bench_segment(b, 0, r->remote, &r->there);
    nic_bench_segment(b, 0, r->local, &r->here);
}

static void make_round(struct round *r)
{
    const unsigned first = rng_below(&rng, 4), queue = rng_below(&rng, NIC_CQS);
    const unsigned irq = rng_below(&rng, IRQS);

    *r = (struct round){.descriptor = rng_below(&rng, NIC_FMAS), .domain = (uint8_t)any(8)};
    make_queue(&r->source, queue, irq, quarter(0, first), r->domain);
    make_queue(&r->target, (queue + 1 + rng_below(&rng, NIC_CQS - 1)) % NIC_CQS,
               (irq + 1 + rng_below(&rng, IRQS - 1)) % IRQS, quarter(0, first) + QUARTER / 2,
               r->domain);
    make_segments(r, first);
    write(NR_FMA + NR_FMA_STEP * r->descriptor,
          make_node(r) | (uint64_t)r->domain << NR_FMA_PTAG_AT |
              (1 + any_below(NIC_SSIDS - 1)) << NR_FMA_LIMIT_AT | (uint64_t)1 << NR_FMA_ENABLE_AT);
}

static void end_round(const struct round *r)
{
    if (r->mdh != r->remote) {
        nic_bench_domain(b, 0, r->domain, &(struct gn_domain){0});
    }
    nic_bench_segment(b, 0, r->remote, &(struct gn_segment){.length = 1});
    nic_bench_segment(b, 0, r->local, &(struct gn_segment){.length = 1});
    write(NR_FMA + NR_FMA_STEP * r->descriptor, 0);
}

/* ---- a round: operations ----------------------------------------------------------------------------------- */

struct operation {
    enum gn_kind kind;
    uint64_t offset, local_offset, event;
    unsigned bytes;
    uint8_t data[64];
    uint64_t from, to; /* the physical window */
    uint64_t address, local_address;
};

static unsigned by_status[16];
static unsigned operations;
static struct misses wrong_ends, wrong_bytes, wrong_events;

/* Nothing but what an operation may touch stands there: two quarters, or no memory at all. */
static bool may_touch(const struct round *r, const struct operation *o)
{
    const uint64_t ring = r->source.ring / QUARTER, last = o->address + o->bytes + MARGIN;

    if (o->address >= BENCH_MEMORY) {
        return true;
    }
    return o->address >= MARGIN && last < BENCH_MEMORY && (o->address - MARGIN) / QUARTER != ring &&
           last / QUARTER != ring && (o->address - MARGIN) / QUARTER != (ring + 3) % 4 &&
           last / QUARTER != (ring + 3) % 4;
}

/* In the segment, at its end, or anywhere. */
static uint64_t draw_offset(const struct round *r, unsigned bytes)
{
    switch (rng_below(&rng, 4)) {
    case 0:
        return any(40);
    case 1:
        return (r->there.length - bytes + 1 - rng_below(&rng, 3)) & ones(40);
    default:
        return r->there.length == 0 ? any(40) : any_below(r->there.length);
    }
}

/* Around the operation, with an edge at its first or last byte, or near it; the rings lie in it, so that events come. */
static void draw_window(const struct round *r, struct operation *o)
{
    const uint64_t most = ones(48), end = o->address + o->bytes;
    const uint64_t a = r->source.ring, z = r->target.ring, low = a < z ? a : z;
    const uint64_t high = (a < z ? z : a) + (8 << RING_LOG2);
    const uint64_t froms[] = {0, 0, o->address, o->address + 1, any_below(o->address + 1), any(48)};
    const uint64_t tos[] = {most, most, end, end - 1, end + any(48), any(48)};

    o->from = froms[rng_below(&rng, 6)];
    o->to = tos[rng_below(&rng, 6)];
    o->from = o->from > low ? any_below(low + 1) : o->from;
    o->to = o->to < high ? high + any_below(most - high + 1) : o->to;
    o->from = o->address < low && rng_below(&rng, 2) ? o->address + rng_below(&rng, 2) : o->from;
    o->to = o->address >= high && rng_below(&rng, 2) ? end - rng_below(&rng, 2) : o->to;
    if (o->to - o->from > most) {
        o->to = o->from + most;
    }
}

static void draw_operation(const struct round *r, struct operation *o)
{
    static const enum gn_kind kinds[] = {GN_PUT, GN_GET, GN_MESSAGE};

    *o = (struct operation){.kind = kinds[rng_below(&rng, 3)], .event = rng_next(&rng)};
    do {
        o->bytes = o->kind == GN_GET ? 4 * (1 + rng_below(&rng, 16))
                                     : 1 + rng_below(&rng, o->kind == GN_MESSAGE ? 56 : 64);
        o->offset = draw_offset(r, o->bytes) & (o->kind == GN_GET ? ~(uint64_t)3 : ~(uint64_t)0);
        o->address = (r->there.base + o->offset) & ones(48);
    } while (!may_touch(r, o));
    o->local_offset = any_below(QUARTER / 2 - 64) & ~(uint64_t)3;
    o->local_address = r->here.base + o->local_offset;
    for (unsigned i = 0; i < sizeof(o->data); i++) {
        o->data[i] = (uint8_t)rng_next(&rng);
    }
    draw_window(r, o);
}

static bool in_window(const struct operation *o, uint64_t address)
{
    return address >= o->from && address + o->bytes <= o->to;
}

/* How it must end. */
static unsigned expected(const struct round *r, const struct operation *o)
{
    const uint64_t length = r->there.length == 0 ? (uint64_t)1 << 40 : r->there.length;

    if (o->offset + o->bytes > length) {
        return GN_BOUNDS;
    }
    if (!in_window(o, o->address)) {
        return GN_TRANSLATION;
    }
    if (o->address >= BENCH_MEMORY) {
        return GN_BUS;
    }
    return o->kind == GN_GET && !in_window(o, o->local_address) ? GN_TRANSLATION : GN_OK;
}

/* PE and offset in the places that a PE mask mode gives them (hls/nic/PROGRAMMING.md). */
static uint64_t global_offset(uint64_t pe, uint64_t offset, unsigned mode)
{
    static const unsigned shifts[8] = {40, 35, 21, 12, 10, 9, 8, 6};
    const unsigned s = shifts[mode];

    return (offset >> s) << (s + NODE_BITS) | pe << s | (offset & ones(s));
}

/* The operation anywhere in a window, which BASE makes the right place of. */
static void store_operation(const struct round *r, const struct operation *o)
{
    const unsigned mode = rng_below(&rng, 8);
    const uint64_t global = global_offset(r->pe, o->offset, mode);
    const uint64_t line = any_below((1 << NIC_WINDOW_LOG2) / 64) * 64;
    const uint64_t place =
        o->kind == GN_GET ? line + 8 * rng_below(&rng, 8) : line + rng_below(&rng, 65 - o->bytes);
    const uint64_t base = (global - (o->kind == GN_GET ? place / 2 : place)) & ones(58);

    post(store_word(r->descriptor, WORD_MODES,
                    r->mdh | (uint64_t)r->local << 12 | (uint64_t)mode << 24 |
                        (uint64_t)rng_below(&rng, 7) << 27 | (uint64_t)r->source.number << 30 |
                        (uint64_t)(o->kind == GN_MESSAGE) << 40));
    post(store_word(r->descriptor, WORD_BASE, base));
    post(store_word(r->descriptor, WORD_EVENT, o->event));
    post(store_word(r->descriptor, WORD_OPEN, 0));
    if (o->kind == GN_GET) {
        post(store_get(r->descriptor, place, o->local_offset, o->bytes, false));
    } else {
        post(store_put(r->descriptor, place, o->data, o->bytes));
    }
}

/* The next event of a queue; the process says that it has it, reads how many came, and its interrupt. */
static uint64_t take_event(struct queue *q)
{
    const uint64_t word = await(q->ring + 8 * q->read++);

    post(store_queue(q->number, q->read));
    const uint64_t index = ask(store_queue(q->number, 0));
    const uint64_t pending = nic_bench_read(b, 0, NR_IRQ_PENDING);
    must_equal(&wrong_events, index, (uint64_t)1 << 33 | q->read, "queue %u: its page", q->number);
    must(&wrong_events, pending >> q->irq & 1,
         "queue %u: interrupts that are pending %#llx, expected %u among them", q->number,
         (unsigned long long)pending, q->irq);
    write(NR_IRQ_PENDING, (uint64_t)1 << q->irq);
    return word;
}

/* The bytes where it wrote, and those beside them. */
static void check_bytes(const struct operation *o, const uint8_t *before, bool done)
{
    uint8_t wanted[64 + 2 * MARGIN];
    const uint64_t at = o->kind == GN_GET ? o->local_address : o->address;

    if (at >= BENCH_MEMORY) {
        return;
    }
    memcpy(wanted, before, sizeof(wanted));
    if (done) {
        memcpy(wanted + MARGIN, o->kind == GN_GET ? memory() + o->address : o->data, o->bytes);
    }
    for (unsigned i = 0; i < o->bytes + 2 * MARGIN; i++) {
        must_equal(&wrong_bytes, memory()[at - MARGIN + i], wanted[i],
                   "kind %d, %u bytes at %#llx, %s: byte at %#llx", o->kind, o->bytes,
                   (unsigned long long)at, done ? "done" : "refused",
                   (unsigned long long)(at - MARGIN + i));
    }
}

static void operate(struct round *r)
{
    struct operation o;
    uint8_t before[64 + 2 * MARGIN] = {0};
    const uint64_t tag = rng_next(&rng) >> 8;
    unsigned status;
    uint64_t at, event;

    draw_operation(r, &o);
    status = expected(r, &o);
    at = o.kind == GN_GET ? o.local_address : o.address;
    if (at < BENCH_MEMORY) {
        memcpy(before, memory() + at - MARGIN, o.bytes + 2 * MARGIN);
    }
    write(NR_PHYS_BASE, o.from);
    write(NR_PHYS_SIZE, o.to - o.from);
    store_operation(r, &o);
    post(store_word(r->descriptor, WORD_CLOSE, tag | (uint64_t)2 << 56));
    event = take_event(&r->source);
    must_equal(&wrong_ends, event, (uint64_t)status << 59 | (uint64_t)3 << 56 | tag,
               "event of an operation that ends with %u: kind %d, address %#llx, %u bytes", status,
               o.kind, (unsigned long long)o.address, o.bytes);
    check_bytes(&o, before, status == GN_OK);
    if (o.kind == GN_MESSAGE && status == GN_OK) {
        event = take_event(&r->target);
        must_equal(&wrong_events, event, (uint64_t)5 << 56 | (o.event & ones(56)),
                   "queue %u: event of a message", r->target.number);
    }
    by_status[status]++;
    operations++;
}

static void test_rounds(uint64_t rounds)
{
    struct round r;

    for (uint64_t i = 0; i < BENCH_MEMORY; i += 8) {
        const uint64_t noise = rng_next(&rng);

        memcpy(memory() + i, &noise, 8);
    }
    for (uint64_t i = 0; i < rounds && wrong_ends.count < 10; i++) {
        make_round(&r);
        for (unsigned n = 0; n < OPERATIONS; n++) {
            operate(&r);
        }
        end_round(&r);
    }
    write(NR_PHYS_BASE, 0);
    write(NR_PHYS_SIZE, BENCH_MEMORY);
    tap_misses(&wrong_ends,
               "%u operations between any nodes, segments and queues end as they must: %u OK, %u "
               "BOUNDS, %u TRANSLATION, %u BUS",
               operations, by_status[GN_OK], by_status[GN_BOUNDS], by_status[GN_TRANSLATION],
               by_status[GN_BUS]);
    tap_misses(&wrong_bytes, "their bytes are there, and none beside them");
    tap_misses(&wrong_events, "events, indices and interrupts");
    tap_ok(by_status[GN_OK] != 0 && by_status[GN_BOUNDS] != 0 && by_status[GN_TRANSLATION] != 0 &&
               by_status[GN_BUS] != 0,
           "all of these ends were seen");
}

/* ---- STATUS -------------------------------------------------------------------------------------------- */

enum { UNIT = NIC_FMAS - 1, SEGMENT = 1, STATUS_OPEN = 1 << 9, STATUS_NOT_OPEN = 1 << 11 };

static uint64_t status(void)
{
    return ask(store_word(UNIT, WORD_STATUS, 0));
}

/* As many transactions as a descriptor may have are in flight while memory answers nothing; STATUS counts each. */
static void test_flight(void)
{
    struct host_knobs knobs = {.dead = true};
    const unsigned limit = NIC_SSIDS - 1;
    struct misses wrong = {0};
    uint64_t begin, now;

    nic_bench_descriptor(b, 0, UNIT, 0, limit);
    nic_bench_segment(
        b, 0, SEGMENT,
        &(struct gn_segment){.valid = true, .write = true, .length = 4096, .base = QUARTER});
    host_set(b->node[0].host, &knobs);
    post(store_word(UNIT, WORD_MODES, SEGMENT));
    post(store_word(UNIT, WORD_BASE, (uint64_t)b->node[0].address << 40));
    for (unsigned i = 1; i <= limit; i++) {
        post(store_word(UNIT, WORD_OPEN, 0));
        post(store_put(UNIT, 0, (const uint8_t *)&i, 4));
        now = status();
        must_equal(&wrong, now, i | STATUS_OPEN, "STATUS, transaction %u open", i);
        post(store_word(UNIT, WORD_CLOSE, 0));
        now = status();
        must_equal(&wrong, now, i, "STATUS, transaction %u closed", i);
    }
    knobs.dead = false;
    host_set(b->node[0].host, &knobs);
    for (begin = b->clock; (now = status()) != 0 && b->clock - begin < PATIENCE;) {
    }
    must_equal(&wrong, now, 0, "STATUS, memory has answered");
    tap_misses(&wrong, "STATUS: up to %u transactions in flight", limit);
}

/* Stores outside of a transaction are dropped and counted, up to all ones of the 16 bits. */
static void test_dropped(void)
{
    enum { RUNS = 32, MOST = 0xFFFF };
    struct driver_burst holes = store_put(UNIT, 0, (const uint8_t[64]){0}, 64);
    struct misses wrong = {0};
    unsigned dropped = 0;
    uint64_t now;

    holes.strobes = 0x5555555555555555; /* each byte is a run */
    while (dropped < MOST) {
        if (MOST - dropped >= RUNS) {
            post(holes);
            dropped += RUNS;
        } else {
            post(store_put(UNIT, 0, holes.data, 1));
            dropped++;
        }
        if (rng_below(&rng, 32) == 0 || dropped == MOST) {
            now = status();
            must_equal(&wrong, now, (uint64_t)dropped << 16 | STATUS_NOT_OPEN,
                       "STATUS, %u writes dropped", dropped);
        }
    }
    post(store_word(UNIT, WORD_STATUS, 0));
    now = status();
    must_equal(&wrong, now, 0, "STATUS, cleared");
    tap_misses(&wrong, "STATUS: up to %u writes dropped", dropped);
}

int main(int argc, char **argv)
{
    uint64_t seed, rounds = 100;

    test_options(argc, argv, &seed,
                 args_number("--rounds", &rounds, 1, UINT64_MAX,
                             "rounds of operations between random tables"));
    rng_seed(&rng, seed);
    b = channel_bench_new(1, seed, NULL);
    channel_of(b)->knobs.delay = 2;
    host_set(b->node[0].host, &(struct host_knobs){.latency = 5});
    test_registers();
    test_rounds(rounds);
    test_flight();
    test_dropped();
    tap_why("%llu packets astray, %llu stores and %llu accesses of registers refused",
            (unsigned long long)channel_of(b)->stray, (unsigned long long)b->node[0].driver.refused,
            (unsigned long long)b->node[0].driver.lite_refused);
    tap_ok(channel_of(b)->stray == 0 && b->node[0].driver.refused == 0 &&
               b->node[0].driver.lite_refused == 0,
           "every packet names the node, and nothing is refused");
    tap_why("%s", host_broken(b->node[0].host)->first);
    tap_ok(host_broken_rules(b->node[0].host) == 0, "the rules of AXI4 are kept");
    write(NR_ORB_EPOCH, 4 * NIC_TAGS);
    nic_bench_drain(b, PATIENCE);
    nic_bench_whole(b);
    tap_misses(&b->unrest, "the NIC is drained and whole");
    nic_bench_free(b);
    return tap_done();
}
