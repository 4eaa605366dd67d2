// SPDX-License-Identifier: Apache-2.0
/* nic_mover.c - block transfers through page tables, beside random programs. */
#include "tb/system/nic/transfer/nic_mover.h"

#include <stdlib.h>
#include <string.h>

enum {
    DOMAIN = 12,
    SOURCE_QUEUE = 12,
    TARGET_QUEUE = 13,
    QUEUE_LOG2 = 8,
    HERE = 50,   /* handles: data of puts, */
    BACK = 51,   /* ... of gets, */
    THERE = 52,  /* ... and what is translated */
    CONTEXT = 3, /* behind those of the bench */
    PAGE = 4096,
    PAGES = 65,
    SLOT = 1024, /* of a transfer, at every third end of which a page ends */
    SLOTS = 64,  /* of an initiator */
    MARGIN = 512,
    MOST = 600, /* bytes of a transfer */
    LIMIT =
        4, /* transactions of a channel in flight: with those of the programs no more than there are ids */
    CHANCE = 40, /* a node begins a transfer in one clock of so many */
    MOVE_CHANCE = 500,
    /* addresses */
    SOURCE_RING_AT = MOVER_AT,
    TARGET_RING_AT = MOVER_AT + 0x1000,
    BTE_RING_AT = MOVER_AT + 0x2000,
    TABLE_AT = MOVER_AT + 0x8000,
    HERE_AT = MOVER_AT + 0x10000,
    BACK_AT = MOVER_AT + 0x30000,
    FRAMES_AT = MOVER_AT + 0x80000,
};

/* A transfer, by its number: the event that it wants at its target. */
struct told {
    bool wanted, ok;
    uint8_t events;
};

/* A transfer of a slot. */
struct move {
    bool used;
    unsigned number;
    struct nic_transfer t;
    unsigned ring;
    uint64_t place;       /* in its ring */
    uint8_t before[SLOT]; /* of the slot that it writes */
};

struct mover {
    unsigned node;
    struct nic_places ring[MOVER_CHANNELS];
    struct move move[SLOTS];
    unsigned flying, aimed_at; /* aimed_at: transfers under way to its segment */
    unsigned source_read, target_read;
    unsigned frame[PAGES]; /* where a page lies */
    bool moves;            /* nobody begins a transfer to it until two pages have changed places */
};

struct movers {
    struct nic_bench *b;
    struct rng rng;
    bool lossy;
    struct mover *mover;
    struct told *told;
    size_t room; /* of told */
    struct mover_counts counts;
    struct misses wrong;
};

static uint8_t *memory(const struct movers *m, unsigned node)
{
    return host_memory(m->b->node[node].host);
}

/* Where byte `offset` of the translated segment of a node lies. */
static uint8_t *there(const struct movers *m, unsigned node, uint64_t offset)
{
    return memory(m, node) + FRAMES_AT + PAGE * m->mover[node].frame[offset / PAGE] + offset % PAGE;
}

/* Offset of a slot of an initiator, in THERE and, for initiator 0, in HERE and BACK. */
static uint64_t slot_at(unsigned initiator, unsigned slot)
{
    return MARGIN + (uint64_t)SLOT * (SLOTS * initiator + slot);
}

/* ---- tables --------------------------------------------------------------------------------------------- */

static void map_page(const struct movers *m, unsigned node, unsigned page)
{
    const uint64_t entry = (FRAMES_AT / PAGE + (uint64_t)m->mover[node].frame[page]) << 12 | 3;

    memcpy(memory(m, node) + TABLE_AT + 8 * page, &entry, 8);
}

static void make_segment(const struct movers *m, unsigned node, unsigned mdh, uint64_t base,
                         uint64_t length, bool translated)
{
    const uint16_t at = (uint16_t)(NR_MDD + NR_MDD_STEP * mdh);

    nic_bench_write(m->b, node, at,
                    base | (uint64_t)CONTEXT << NR_MDD_TC_AT | UINT64_C(3) << NR_MDD_READ_AT |
                        (uint64_t)translated << NR_MDD_MMU_AT | UINT64_C(1) << NR_MDD_EVENT_AT |
                        UINT64_C(1) << NR_MDD_VALID_AT);
    nic_bench_write(m->b, node, (uint16_t)(at + 1),
                    length << NR_MDD1_LENGTH_AT | (uint64_t)DOMAIN << NR_MDD1_PTAG_AT |
                        (uint64_t)TARGET_QUEUE << NR_MDD1_QUEUE_AT);
}

static void make_queue(const struct movers *m, unsigned node, unsigned queue, uint64_t base)
{
    memset(memory(m, node) + base, 0, 8u << QUEUE_LOG2);
    nic_bench_queue(
        m->b, node, queue,
        &(struct gn_ring){.enabled = true, .base = base, .log2 = QUEUE_LOG2, .ptag = DOMAIN});
}

static void make_mover(struct movers *m, unsigned node)
{
    struct mover *mover = &m->mover[node];

    mover->node = node;
    for (unsigned page = 0; page < PAGES; page++) { /* any order of frames */
        const unsigned other = rng_below(&m->rng, page + 1);

        mover->frame[page] = mover->frame[other];
        mover->frame[other] = page;
    }
    for (unsigned page = 0; page < PAGES; page++) {
        map_page(m, node, page);
    }
    make_queue(m, node, SOURCE_QUEUE, SOURCE_RING_AT);
    make_queue(m, node, TARGET_QUEUE, TARGET_RING_AT);
    make_segment(m, node, HERE, HERE_AT, (SLOTS + 1) * SLOT, false);
    make_segment(m, node, BACK, BACK_AT, (SLOTS + 1) * SLOT, false);
    make_segment(m, node, THERE, 0, PAGES * PAGE, true);
    nic_bench_write(m->b, node, NR_IOMMU + CONTEXT,
                    TABLE_AT / PAGE | UINT64_C(12) << NR_IOMMU_LOG2_AT |
                        UINT64_C(1) << NR_IOMMU_ENABLE_AT);
    for (unsigned c = 0; c < MOVER_CHANNELS; c++) {
        mover->ring[c].ring = (struct nic_ring){.b = m->b,
                                                .node = node,
                                                .channel = c,
                                                .log2 = RING_PLACES_LOG2,
                                                .at = BTE_RING_AT + 0x1000 * c};
        nic_ring_open(&mover->ring[c].ring, LIMIT);
    }
}

struct movers *movers_new(struct nic_bench *b, uint64_t seed, bool lossy)
{
    struct movers *m = calloc(1, sizeof *m);

    if (m == NULL || (m->mover = calloc(b->nodes, sizeof *m->mover)) == NULL) {
        abort();
    }
    m->b = b;
    m->lossy = lossy;
    rng_seed(&m->rng, seed);
    for (unsigned node = 0; node < b->nodes; node++) {
        make_mover(m, node);
    }
    nic_bench_settle_drivers(b);
    return m;
}

void movers_free(struct movers *m)
{
    free(m->told);
    free(m->mover);
    free(m);
}

/* ---- one transfer --------------------------------------------------------------------------------------- */

/* Byte i of the slot that a transfer writes: at its target, or here. */
static uint8_t *written(const struct movers *m, const struct mover *from, const struct move *v,
                        unsigned slot, unsigned i)
{
    return v->t.op == NIC_BTE_PUT ? there(m, v->t.pe, slot_at(from->node, slot) + i)
                                  : memory(m, from->node) + BACK_AT + slot_at(0, slot) + i;
}

/* What byte i of that slot has to be when it is over: byte i of `before`, or of what was moved. */
static uint8_t due(const struct movers *m, const struct mover *from, const struct move *v,
                   unsigned slot, unsigned i)
{
    const bool put = v->t.op == NIC_BTE_PUT;
    const uint64_t first =
        (put ? v->t.offset - slot_at(from->node, slot) : v->t.local - slot_at(0, slot));

    if (i < first || i >= first + v->t.bytes) {
        return v->before[i];
    }
    return put ? memory(m, from->node)[HERE_AT + v->t.local + i - first]
               : *there(m, v->t.pe, v->t.offset + i - first);
}

static struct told *told(struct movers *m, uint64_t number)
{
    if (number >= m->room) {
        m->room = m->room != 0 ? 2 * m->room : 1024;
        struct told *more = realloc(m->told, m->room * sizeof *more);

        if (more == NULL) {
            abort();
        }
        m->told = more;
    }
    return &m->told[number];
}

static struct nic_transfer draw(struct movers *m, const struct mover *from, unsigned to,
                                unsigned slot)
{
    const bool put = rng_below(&m->rng, 2) != 0;
    struct nic_transfer t = {
        .pe = m->b->node[to].address,
        .op = put ? NIC_BTE_PUT : NIC_BTE_GET,
        .mdh = THERE,
        .local_mdh = put ? HERE : BACK,
        .ptag = DOMAIN,
        .bytes = 1 + rng_below(&m->rng, MOST),
        .mode = rng_below(&m->rng, 7),
        .wants = NIC_BTE_GLOBAL | (put && rng_below(&m->rng, 2) != 0 ? NIC_BTE_TARGET : 0),
        .queue = SOURCE_QUEUE,
        .event = slot,
        .target = m->counts.begun,
        .fence = rng_below(&m->rng, 8) == 0,
        .write_back = rng_below(&m->rng, 2) != 0,
        .offset = slot_at(from->node, slot) + rng_below(&m->rng, 300),
        .local = slot_at(0, slot) + rng_below(&m->rng, 300),
    };

    if (!put) {
        t.bytes = (t.bytes + 3) & ~UINT64_C(3);
        t.offset &= ~UINT64_C(3);
    }
    return t;
}

static void begin(struct movers *m, struct mover *from, unsigned slot, unsigned ring)
{
    const unsigned to = (from->node + 1 + rng_below(&m->rng, m->b->nodes - 1)) % m->b->nodes;
    struct move *v = &from->move[slot];

    if (m->mover[to].moves) {
        return;
    }
    *v = (struct move){.used = true,
                       .number = (unsigned)m->counts.begun,
                       .t = draw(m, from, to, slot),
                       .ring = ring};
    for (unsigned i = 0; i < SLOT; i++) {
        v->before[i] = *written(m, from, v, slot, i);
    }
    *told(m, m->counts.begun++) = (struct told){.wanted = (v->t.wants & NIC_BTE_TARGET) != 0};
    v->place = nic_places_put(&from->ring[ring], &v->t);
    nic_ring_doorbell(&from->ring[ring].ring);
    from->flying++;
    m->mover[v->t.pe].aimed_at++;
}

/* Each byte of the slot is what it has to be; of one that failed, that or what it was. */
static void check_bytes(struct movers *m, const struct mover *from, unsigned slot, bool ok)
{
    const struct move *v = &from->move[slot];

    for (unsigned i = 0; i < SLOT; i++) {
        const uint8_t seen = *written(m, from, v, slot, i), wanted = due(m, from, v, slot, i);
        const bool right = seen == wanted || (!ok && seen == v->before[i]);

        m->counts.wrong_bytes += !right;
        must(&m->wrong, right,
             "node %u, slot %u, %s of %llu bytes: byte %u is %#x, expected %#x, %s", from->node,
             slot, v->t.op == NIC_BTE_PUT ? "put" : "get", (unsigned long long)v->t.bytes, i, seen,
             wanted, ok ? "as it ended OK" : "or as before");
    }
}

static void end(struct movers *m, struct mover *from, unsigned slot, unsigned status)
{
    struct move *v = &from->move[slot];
    const bool ok = status == STATUS_OK;

    must(&m->wrong, ok || (m->lossy && status == STATUS_TIMEOUT),
         "node %u, slot %u: status %u, expected OK%s", from->node, slot, status,
         m->lossy ? " or TIMEOUT" : "");
    check_bytes(m, from, slot, ok);
    m->counts.ok += ok;
    m->counts.failed += !ok;
    m->counts.bytes += ok ? v->t.bytes : 0;
    told(m, v->number)->ok = ok;
    nic_places_over(&from->ring[v->ring], v->place, status);
    from->flying--;
    m->mover[v->t.pe].aimed_at--;
    v->used = false;
}

/* ---- what comes ------------------------------------------------------------------------------------------ */

/* The next word of a queue, or 0: none. Its place is free then, and the NIC hears of that at times. */
static uint64_t take(const struct movers *m, const struct mover *who, unsigned queue,
                     unsigned *read)
{
    const uint64_t at = queue == SOURCE_QUEUE ? SOURCE_RING_AT : TARGET_RING_AT;
    uint8_t *place = memory(m, who->node) + at + 8 * (*read % (1 << QUEUE_LOG2));
    uint64_t word;

    memcpy(&word, place, 8);
    if (word != 0) {
        memset(place, 0, 8);
        if (++*read % 32 == 0) {
            const struct driver_burst index = store_queue(queue, *read);

            driver_burst(&m->b->node[who->node].driver, &index);
        }
    }
    return word;
}

static void look(struct movers *m, struct mover *who)
{
    uint64_t word;

    while ((word = take(m, who, SOURCE_QUEUE, &who->source_read)) != 0) {
        const unsigned slot = (unsigned)(word & 0xFFFF);

        if ((word >> 56 & 7) != 3 || slot >= SLOTS || !who->move[slot].used) {
            m->counts.extra++;
            miss(&m->wrong, "node %u: event %#llx, expected none", who->node,
                 (unsigned long long)word);
        } else {
            end(m, who, slot, (unsigned)(word >> 59) & 15);
        }
    }
    while ((word = take(m, who, TARGET_QUEUE, &who->target_read)) != 0) {
        const uint64_t number = word & 0xFFFFFFFF;

        m->counts.target_events++;
        if (word >> 56 != 7 || number >= m->counts.begun || !m->told[number].wanted ||
            m->told[number].events++ != 0) {
            m->counts.extra++;
            miss(&m->wrong, "node %u: event %#llx at the target, expected none", who->node,
                 (unsigned long long)word);
        }
    }
}

/* Two pages of a node change their places while nothing is under way to them. */
static void move_pages(struct movers *m, struct mover *who)
{
    const unsigned a = rng_below(&m->rng, PAGES), b = rng_below(&m->rng, PAGES);
    uint8_t *one = memory(m, who->node) + FRAMES_AT + PAGE * who->frame[a];
    uint8_t *other = memory(m, who->node) + FRAMES_AT + PAGE * who->frame[b];
    uint8_t kept[PAGE];
    const unsigned frame = who->frame[a];

    memcpy(kept, one, PAGE);
    memcpy(one, other, PAGE);
    memcpy(other, kept, PAGE);
    who->frame[a] = who->frame[b];
    who->frame[b] = frame;
    map_page(m, who->node, a);
    map_page(m, who->node, b);
    nic_bench_write(m->b, who->node, NR_INVALIDATE, 1);
    nic_bench_settle_driver(m->b, who->node);
    who->moves = false;
    m->counts.moved++;
}

void movers_step(struct movers *m, bool more)
{
    for (unsigned node = 0; node < m->b->nodes; node++) {
        struct mover *who = &m->mover[node];
        const unsigned slot = rng_below(&m->rng, SLOTS), ring = rng_below(&m->rng, MOVER_CHANNELS);

        look(m, who);
        if (!more) {
            continue;
        }
        who->moves |= rng_below(&m->rng, MOVE_CHANCE) == 0;
        if (who->moves && who->aimed_at == 0) {
            move_pages(m, who);
        }
        if (rng_below(&m->rng, CHANCE) == 0 && !who->move[slot].used &&
            nic_places_free(&who->ring[ring], 1, &m->wrong)) {
            begin(m, who, slot, ring);
        }
    }
}

struct nic_places *movers_places(struct movers *m, unsigned node, unsigned channel)
{
    return &m->mover[node].ring[channel];
}

unsigned movers_left(const struct movers *m)
{
    unsigned left = 0;

    for (unsigned node = 0; node < m->b->nodes; node++) {
        left += m->mover[node].flying;
    }
    return left;
}

void movers_judge(struct movers *m)
{
    for (uint64_t n = 0; n < m->counts.begun; n++) {
        const struct told *t = &m->told[n];
        const bool missing = t->wanted && t->ok && t->events == 0;

        m->counts.missing += missing;
        must(&m->wrong, !missing, "transfer %llu ended OK without its event at the target",
             (unsigned long long)n);
    }
}

const struct mover_counts *movers_counts(const struct movers *m)
{
    return &m->counts;
}

const struct misses *movers_wrong(const struct movers *m)
{
    return &m->wrong;
}
