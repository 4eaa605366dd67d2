// SPDX-License-Identifier: Apache-2.0
/* nic_messages.c - messages to posted buffers, beside random programs and block transfers. */
#include "tb/system/nic/transfer/nic_messages.h"

#include <stdlib.h>
#include <string.h>

enum {
    DOMAIN = 14, /* of all messages; queue and handle too */
    QUEUE = 14,
    QUEUE_LOG2 = 8,
    LOCAL = 60,
    CHANNELS = 2,
    POSTS_LOG2 = 4,
    POSTS = 1 << POSTS_LOG2,
    SLOTS = 16, /* of a sender */
    PARTS = 3,  /* descriptors of a message, at most */
    PART = 400, /* bytes of one, at most */
    GAP = 70,   /* between two, at most */
    LENGTH = PARTS * (PART + GAP),
    PLACE = 2048, /* of a buffer, of the bytes of a slot */
    CHANCE = 40,  /* a node sends in one clock of so many */
    NUMBERS = 4,  /* events of senders: this << 48 | number */
    /* addresses */
    RING_AT = MESSAGES_AT,
    POSTS_AT = MESSAGES_AT + 0x2000,
    LOCAL_AT = MESSAGES_AT + 0x8000,
    BUFFERS_AT = MESSAGES_AT + 0x20000,
};

/* A message that is not over. */
struct sent {
    bool used;
    uint64_t number;
    unsigned to, channel; /* of its receiver */
    unsigned ring, parts;
    uint64_t places[PARTS];
};

struct post_office {
    unsigned node;
    struct nic_posts posts[CHANNELS];
    bool posted[CHANNELS][POSTS]; /* the buffer of that place has not come back */
    struct sent sent[SLOTS];
    unsigned read; /* events of its queue */
};

struct messages {
    struct nic_bench *b;
    struct movers *movers;
    struct rng rng;
    bool lossy, greedy;
    struct post_office *office;
    struct messages_counts counts;
    struct misses wrong;
};

static uint8_t *memory(const struct messages *m, unsigned node)
{
    return host_memory(m->b->node[node].host);
}

static uint64_t slot_at(unsigned slot)
{
    return (uint64_t)PLACE * slot;
}

/* ---- tables ----------------------------------------------------------------------------------------- */

static void make_office(struct messages *m, unsigned node)
{
    struct post_office *o = &m->office[node];

    o->node = node;
    memset(memory(m, node) + RING_AT, 0, 8 << QUEUE_LOG2);
    nic_bench_queue(
        m->b, node, QUEUE,
        &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = QUEUE_LOG2, .ptag = DOMAIN});
    nic_bench_segment(m->b, node, LOCAL,
                      &(struct gn_segment){.valid = true,
                                           .read = true,
                                           .base = LOCAL_AT,
                                           .length = SLOTS * PLACE,
                                           .ptag = DOMAIN});
    for (unsigned c = 0; c < CHANNELS; c++) {
        o->posts[c] = (struct nic_posts){
            .b = m->b, .node = node, .channel = c, .log2 = POSTS_LOG2, .at = POSTS_AT + 0x1000 * c};
        nic_posts_open(&o->posts[c]);
    }
}

struct messages *messages_new(struct nic_bench *b, struct movers *movers, uint64_t seed, bool lossy,
                              bool greedy)
{
    struct messages *m = calloc(1, sizeof *m);

    if (m == NULL || (m->office = calloc(b->nodes, sizeof *m->office)) == NULL) {
        abort();
    }
    m->b = b;
    m->movers = movers;
    m->lossy = lossy;
    m->greedy = greedy;
    rng_seed(&m->rng, seed);
    for (unsigned node = 0; node < b->nodes; node++) {
        make_office(m, node);
    }
    nic_bench_settle_drivers(b);
    return m;
}

void messages_free(struct messages *m)
{
    free(m->office);
    free(m);
}

/* ---- buffers ---------------------------------------------------------------------------------------- */

static void post(struct messages *m, struct post_office *o, unsigned channel)
{
    struct nic_posts *p = &o->posts[channel];
    const unsigned place = p->posted % POSTS;
    const struct nic_buffer buffer = {
        .address = BUFFERS_AT + PLACE * (POSTS * channel + place) + rng_below(&m->rng, 300),
        .bytes = LENGTH + rng_below(&m->rng, 64),
        .translated = m->b->paged && rng_below(&m->rng, 2) != 0,
        .context = BENCH_CONTEXT,
        .event = rng_below(&m->rng, 4) != 0,
        .queue = QUEUE,
        .ptag = DOMAIN,
    };

    gn_buffer(m->b->golden, o->node, channel,
              &(struct gn_buffer){.address = buffer.address,
                                  .bytes = buffer.bytes,
                                  .descriptor = p->at + 32 * place,
                                  .ptag = DOMAIN,
                                  .queue = QUEUE,
                                  .event = buffer.event});
    o->posted[channel][place] = true;
    nic_posts_put(p, &buffer);
    nic_posts_doorbell(p);
}

/* The place of the next buffer, if the last one that it had is back. */
static void tend_buffers(struct messages *m, struct post_office *o, unsigned channel)
{
    const struct nic_posts *p = &o->posts[channel];
    const unsigned place = rng_below(&m->rng, POSTS);

    if (o->posted[channel][place] && nic_posts_word(p, place, 3) >> 63 != 0) {
        o->posted[channel][place] = false;
        m->counts.returned++;
    }
    if (!o->posted[channel][p->posted % POSTS]) {
        post(m, o, channel);
    }
}

/* ---- one message ------------------------------------------------------------------------------------ */

/* Messages to a node, or to one channel of it, that are not over. */
static unsigned under_way(const struct messages *m, unsigned to, unsigned channel)
{
    unsigned count = 0;

    for (unsigned node = 0; node < m->b->nodes; node++) {
        for (unsigned i = 0; i < SLOTS; i++) {
            const struct sent *s = &m->office[node].sent[i];

            count += s->used && s->to == to && (channel == CHANNELS || s->channel == channel);
        }
    }
    return count;
}

/* There is a buffer, and a place among those that are received at once. */
static bool fits(const struct messages *m, unsigned to, unsigned channel)
{
    return under_way(m, to, CHANNELS) < 1 << NIC_MESSAGES_LOG2 &&
           under_way(m, to, channel) < gn_ready_buffers(m->b->golden, to, channel);
}

/* The descriptors of a message: each part behind the one before, with a gap or without; the last one has its events. */
static unsigned draw(struct messages *m, const struct post_office *o, const struct sent *s,
                     unsigned slot, struct nic_transfer parts[PARTS])
{
    const unsigned count = rng_below(&m->rng, 4) != 0 ? 1 : 1 + rng_below(&m->rng, PARTS);
    const unsigned mode = rng_below(&m->rng, 7);
    uint64_t offset = rng_below(&m->rng, GAP), local = slot_at(slot) + rng_below(&m->rng, 64);
    uint64_t bytes = 0;

    for (unsigned i = 0; i < count; i++) {
        parts[i] = (struct nic_transfer){
            .pe = m->b->node[s->to].address,
            .mdh = s->channel,
            .local_mdh = LOCAL,
            .op = NIC_BTE_SEND,
            .ptag = DOMAIN,
            .offset = offset,
            .local = local,
            .bytes = rng_below(&m->rng, PART),
            .mode = mode,
            .queue = QUEUE,
            .fence = rng_below(&m->rng, 8) == 0,
            .concatenate = i + 1 < count,
            .write_back = rng_below(&m->rng, 2) != 0,
        };
        bytes += parts[i].bytes;
        offset += parts[i].bytes + (rng_below(&m->rng, 2) != 0 ? rng_below(&m->rng, GAP) : 0);
        local += parts[i].bytes;
    }
    struct nic_transfer *last = &parts[count - 1];

    last->wants = NIC_BTE_GLOBAL | (rng_below(&m->rng, 4) == 0 ? NIC_BTE_LOCAL : 0);
    last->event = s->number | (uint64_t)NUMBERS << 48;
    last->immediate = bytes < 16 || rng_below(&m->rng, 2) != 0; /* no two are the same */
    last->target = rng_next(&m->rng);
    for (uint64_t i = 0; i < PLACE; i++) {
        memory(m, o->node)[LOCAL_AT + slot_at(slot) + i] = (uint8_t)rng_next(&m->rng);
    }
    return count;
}

/* The golden model hears of it before the NIC does. */
static void announce(struct messages *m, const struct post_office *o, const struct sent *s,
                     const struct nic_transfer *parts)
{
    const struct nic_transfer *last = &parts[s->parts - 1];
    const unsigned t = gn_open(m->b->golden, o->node, DOMAIN, false);

    for (unsigned i = 0; i < s->parts; i++) {
        gn_send(m->b->golden, t,
                &(struct gn_send){.to = s->to,
                                  .channel = s->channel,
                                  .source = m->b->node[o->node].address,
                                  .offset = parts[i].offset,
                                  .bytes = parts[i].bytes,
                                  .local_mdh = LOCAL,
                                  .local_offset = parts[i].local,
                                  .immediate = last->immediate,
                                  .word = last->target,
                                  .crowded = m->greedy});
    }
    gn_close(m->b->golden, t,
             &(struct gn_wants){.global = true,
                                .local = (last->wants & NIC_BTE_LOCAL) != 0,
                                .queue = QUEUE,
                                .event = last->event});
}

static void send(struct messages *m, struct post_office *o, unsigned slot)
{
    const unsigned to = rng_below(&m->rng, m->b->nodes), channel = rng_below(&m->rng, CHANNELS);
    const unsigned ring = rng_below(&m->rng, MOVER_CHANNELS);
    struct nic_places *places = movers_places(m->movers, o->node, ring);
    struct nic_transfer parts[PARTS];
    struct sent *s = &o->sent[slot];

    if ((!m->greedy && !m->lossy && !fits(m, to, channel)) ||
        !nic_places_free(places, PARTS, &m->wrong)) {
        return;
    }
    *s = (struct sent){
        .used = true, .number = m->counts.begun++, .to = to, .channel = channel, .ring = ring};
    s->parts = draw(m, o, s, slot, parts);
    announce(m, o, s, parts);
    for (unsigned i = 0; i < s->parts; i++) {
        s->places[i] = nic_places_put(places, &parts[i]);
    }
    nic_ring_doorbell(&places->ring);
}

/* ---- what comes ------------------------------------------------------------------------------------- */

static bool may_end(const struct messages *m, unsigned status)
{
    return status == STATUS_OK || ((m->lossy || m->greedy) && status == STATUS_NO_BUFFER) ||
           (m->lossy && (status == STATUS_TIMEOUT || status == STATUS_SEQUENCE));
}

static void end(struct messages *m, struct post_office *o, uint64_t number, unsigned status)
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        struct sent *s = &o->sent[slot];

        if (s->used && s->number == number) {
            must(&m->wrong, may_end(m, status), "node %u: message %llu ends with status %u",
                 o->node, (unsigned long long)number, status);
            m->counts.ok += status == STATUS_OK;
            m->counts.failed += status != STATUS_OK;
            for (unsigned i = 0; i < s->parts; i++) {
                nic_places_over(movers_places(m->movers, o->node, s->ring), s->places[i], status);
            }
            s->used = false;
            return;
        }
    }
    miss(&m->wrong, "node %u: an event of message %llu, which is over", o->node,
         (unsigned long long)number);
}

/* The golden model says which events are right. */
static void look(struct messages *m, struct post_office *o)
{
    uint8_t *place = memory(m, o->node) + RING_AT + 8 * (o->read % (1 << QUEUE_LOG2));
    uint64_t word;

    memcpy(&word, place, 8);
    if (word == 0) {
        return;
    }
    memset(place, 0, 8);
    if (++o->read % 32 == 0) {
        const struct driver_burst index = store_queue(QUEUE, o->read);

        driver_burst(&m->b->node[o->node].driver, &index);
    }
    const unsigned source = (unsigned)(word >> 56) & 7;

    if (source == 3 || source == 2) {
        end(m, o, word & 0xFFFFFFFFFFFF, (unsigned)(word >> 59) & 15);
    }
}

void messages_step(struct messages *m, bool more)
{
    for (unsigned node = 0; node < m->b->nodes; node++) {
        struct post_office *o = &m->office[node];
        const unsigned slot = rng_below(&m->rng, SLOTS);

        look(m, o);
        tend_buffers(m, o, rng_below(&m->rng, CHANNELS));
        if (more && rng_below(&m->rng, CHANCE) == 0 && !o->sent[slot].used) {
            send(m, o, slot);
        }
    }
}

unsigned messages_left(const struct messages *m)
{
    unsigned left = 0;

    for (unsigned node = 0; node < m->b->nodes; node++) {
        for (unsigned i = 0; i < SLOTS; i++) {
            left += m->office[node].sent[i].used;
        }
    }
    return left;
}

void messages_judge(struct messages *m)
{
    for (unsigned node = 0; node < m->b->nodes; node++) {
        for (unsigned c = 0; c < CHANNELS; c++) {
            struct nic_posts *p = &m->office[node].posts[c];
            const uint64_t taken = nic_posts_taken(p);

            must_equal(&m->wrong, taken, gn_returned_buffers(m->b->golden, node, c),
                       "node %u, channel %u: buffers that were taken", node, c);
        }
    }
}

const struct messages_counts *messages_counts(const struct messages *m)
{
    return &m->counts;
}

const struct misses *messages_wrong(const struct messages *m)
{
    return &m->wrong;
}
