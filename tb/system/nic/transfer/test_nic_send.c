// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_send.c - messages between two nodes: every byte at any alignment, in buffers that the receiver has posted, with length, immediate word
 * and event; what has no buffer, is too long or of another domain; senders that give up; channels that are taken away; packets that are lost.
 *
 * Built for proto: fast; aries: fast. Recorded for bte_receive of aries.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/transfer/nic_transfers.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    HERE = 5,
    LOCAL_AT = 0x400000,
    RING_AT = 0x10000,     /* of events */
    SENDS_AT = 0x7F0000,   /* descriptors */
    POSTS_AT = 0x7E0000,   /* of buffers */
    BUFFERS_AT = 0x800000, /* buffers, PLACE bytes apart */
    PLACE = 4096,
    POSTS_LOG2 = 6,
    EMPTY = 0x5A, /* bytes that nobody has written */
    CHANNEL = 1,
    OK = 0,
    PROTECTION = 6,
    BOUNDS = 7,
    SEQUENCE = 8,
    TIMEOUT = 9,
    NO_BUFFER = 12,
};

/* Two nodes: node 0 sends, node 1 has posted buffers, for which each place is used again and again. */
struct pair {
    struct nic_bench *b;
    struct nic_ring ring;
    struct nic_posts posts;
    uint64_t told[2]; /* events that were looked at */
};

/* The queue begins anew, with its first place. */
static void give_queue(struct nic_bench *b, unsigned node)
{
    memset(host_memory(b->node[node].host) + RING_AT, 0, 8 << 10);
    nic_bench_queue(
        b, node, QUEUE,
        &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = 10, .ptag = DOMAIN});
}

static struct nic_bench *start(uint64_t seed)
{
    struct nic_bench *b = channel_bench_new(2, seed, NULL);
    struct gn_segment segment = {.valid = true,
                                 .read = true,
                                 .base = LOCAL_AT,
                                 .length = 1 << 20,
                                 .ptag = DOMAIN,
                                 .queue = QUEUE};

    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        nic_bench_write(b, node, NR_ORB_EPOCH, 1 << 14);
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        nic_bench_segment(b, node, HERE, &segment);
        give_queue(b, node);
        for (uint64_t i = 0; i < 1 << 16; i++) {
            host_memory(b->node[node].host)[LOCAL_AT + i] = (uint8_t)rng_next(&b->rng);
        }
    }
    return b;
}

static uint64_t event_at(const struct nic_bench *b, unsigned node, uint64_t n)
{
    uint64_t word;

    memcpy(&word, host_memory(b->node[node].host) + RING_AT + 8 * n, sizeof word);
    return word;
}

/* The next event of a node within so many clocks, or 0. */
static uint64_t next_event(struct pair *p, unsigned node, uint64_t clocks)
{
    while (clocks-- != 0 && event_at(p->b, node, p->told[node]) == 0) {
        nic_bench_clock(p->b);
    }
    const uint64_t event = event_at(p->b, node, p->told[node]);

    p->told[node] += event != 0;
    return event;
}

static uint64_t event_of(unsigned status, unsigned source, uint64_t data)
{
    return (uint64_t)status << 59 | (uint64_t)source << 56 | data;
}

/* Of the receiver: the message in buffer n is over, and has so many bytes. */
static uint64_t received(unsigned status, uint64_t n, uint64_t bytes)
{
    return event_of(status, 6,
                    nic_buffer_event(CHANNEL, (unsigned)n & 1023, status == OK ? bytes : 0));
}

static uint64_t sent(unsigned status, uint64_t data)
{
    return event_of(status, status == SEQUENCE ? 2 : 3, data);
}

static void await(struct pair *p, uint64_t clocks)
{
    while (clocks-- != 0) {
        nic_bench_clock(p->b);
    }
}

static uint8_t *memory_of(const struct pair *p, unsigned node)
{
    return host_memory(p->b->node[node].host);
}

static uint64_t place_of(uint64_t n)
{
    return BUFFERS_AT + PLACE * (n % (1u << POSTS_LOG2));
}

/* The next buffer of so many bytes, `shift` bytes into its place, all of which is empty. */
static void post_buffer(struct pair *p, unsigned shift, uint64_t bytes, unsigned ptag)
{
    const struct nic_buffer buffer = {.address = place_of(p->posts.posted) + shift,
                                      .bytes = bytes,
                                      .event = true,
                                      .queue = QUEUE,
                                      .ptag = ptag};

    memset(memory_of(p, 1) + place_of(p->posts.posted), EMPTY, PLACE);
    nic_posts_put(&p->posts, &buffer);
    nic_posts_doorbell(&p->posts);
}

static struct nic_transfer message(uint64_t bytes)
{
    return (struct nic_transfer){.pe = 1,
                                 .mdh = CHANNEL,
                                 .local_mdh = HERE,
                                 .op = NIC_BTE_SEND,
                                 .ptag = DOMAIN,
                                 .bytes = bytes,
                                 .wants = NIC_BTE_GLOBAL,
                                 .queue = QUEUE,
                                 .write_back = true};
}

static void send(struct pair *p, const struct nic_transfer *t)
{
    nic_ring_put(&p->ring, t);
    nic_ring_doorbell(&p->ring);
}

/* Buffer n has just these bytes of the sender's segment, `shift` bytes into its place. */
static bool holds(const struct pair *p, uint64_t n, unsigned shift, uint64_t local, uint64_t bytes)
{
    const uint8_t *place = memory_of(p, 1) + place_of(n);
    bool good = memcmp(place + shift, memory_of(p, 0) + LOCAL_AT + local, bytes) == 0;

    for (uint64_t i = 0; i < PLACE; i++) {
        good &= (i >= shift && i < shift + bytes) || place[i] == EMPTY;
    }
    return good;
}

static struct pair begin(uint64_t seed)
{
    struct pair p = {.b = start(seed)};

    p.ring = (struct nic_ring){
        .b = p.b, .node = 0, .channel = CHANNEL, .log2 = POSTS_LOG2, .at = SENDS_AT};
    p.posts = (struct nic_posts){
        .b = p.b, .node = 1, .channel = CHANNEL, .log2 = POSTS_LOG2, .at = POSTS_AT};
    nic_ring_open(&p.ring, 4);
    nic_posts_open(&p.posts);
    return p;
}

static void finish(struct pair *p, const char *what)
{
    tap_ok(nic_bench_drain(p->b, 40000) && nic_bench_whole(p->b), "%s: both NICs drained and whole",
           what);
    nic_bench_judge_hosts(p->b, what);
    nic_bench_free(p->b);
}

/* ---- every byte ---------------------------------------------------------------------------------- */

/* What a message must leave. */
struct due {
    unsigned shift;
    uint64_t offset, local, bytes, word;
    bool immediate;
};

/* The oldest message is over: all that it leaves. */
static void check(struct pair *p, struct misses *wrong, const struct due *d, uint64_t n)
{
    const uint64_t length = d->bytes == 0 ? 0 : d->offset + d->bytes;

    must_equal(wrong, next_event(p, 1, 4000), received(OK, n, length), "event of message %llu",
               (unsigned long long)n);
    must_equal(wrong, next_event(p, 0, 4000), sent(OK, n), "event of the sender of %llu",
               (unsigned long long)n);
    must(wrong, holds(p, n, d->shift + (unsigned)d->offset, d->local, d->bytes),
         "message %llu: %llu bytes from %llu to %u + %llu", (unsigned long long)n,
         (unsigned long long)d->bytes, (unsigned long long)d->local, d->shift,
         (unsigned long long)d->offset);
    must_equal(wrong, nic_posts_word(&p->posts, n, 3),
               nic_buffer_over(d->immediate, p->b->node[0].address, OK, length),
               "message %llu: last word", (unsigned long long)n);
    must_equal(wrong, nic_posts_word(&p->posts, n, 2), d->immediate ? d->word : 0,
               "message %llu: immediate word", (unsigned long long)n);
}

/* Messages one behind the other: so many at once; each in the buffer that was posted for it. */
struct stream {
    struct pair p;
    struct due due[4];
    uint64_t in, out;
    struct misses wrong;
};

/* Until no more than so many are under way. */
static void drain(struct stream *s, unsigned left)
{
    while (s->in - s->out > left) {
        check(&s->p, &s->wrong, &s->due[s->out % 4], s->out);
        s->out++;
    }
}

static void put(struct stream *s, const struct due *d)
{
    struct nic_transfer t = message(d->bytes);

    drain(s, s->p.told[0] < 1000 ? 3 : 0);
    if (s->p.told[0] >= 1000) {
        give_queue(s->p.b, 0);
        give_queue(s->p.b, 1);
        s->p.told[0] = s->p.told[1] = 0;
    }
    post_buffer(&s->p, d->shift, PLACE - d->shift - 64, DOMAIN);
    t.offset = d->offset;
    t.local = d->local;
    t.event = s->in;
    t.immediate = d->immediate;
    t.target = d->word;
    t.fence = true; /* else they may bind in any order */
    send(&s->p, &t);
    s->due[s->in++ % 4] = *d;
}

static void aligned(struct stream *s, unsigned local, unsigned remote, unsigned bytes)
{
    struct rng *rng = &s->p.b->rng;
    const unsigned shift = rng_below(rng, 64);

    put(s, &(struct due){.shift = shift,
                         .offset = (remote - shift) & 63,
                         .local = 64 * rng_below(rng, 100) + local,
                         .bytes = bytes,
                         .immediate = rng_below(rng, 2) != 0,
                         .word = rng_next(rng)});
}

static void test_bytes(uint64_t seed, unsigned drawn, bool all)
{
    static const unsigned corner[] = {0, 1, 15, 16, 17, 63};
    static const unsigned length[] = {0, 1, 15, 16, 63, 64, 65, 300};
    struct stream s = {.p = begin(seed)};

    for (unsigned i = 0; i < 6 * 6 * 8; i++) {
        aligned(&s, corner[i % 6], corner[i / 6 % 6], length[i / 36]);
    }
    for (unsigned i = 0; i < drawn; i++) {
        aligned(&s, rng_below(&s.p.b->rng, 64), rng_below(&s.p.b->rng, 64),
                rng_below(&s.p.b->rng, 301));
    }
    for (unsigned i = 0; all && i < 64 * 64 * 300; i++) {
        aligned(&s, i % 64, i / 64 % 64, 1 + i / 4096);
    }
    drain(&s, 0);
    /* holds bte.whole, bte.taken */
    tap_misses(&s.wrong, "%llu messages of 0 to 300 bytes at any alignment: bytes, length, words",
               (unsigned long long)s.in);
    tap_equal(nic_posts_taken(&s.p.posts), s.in, "each took a buffer");
    finish(&s.p, "messages");
}

/* ---- what is refused ----------------------------------------------------------------------------- */

static void test_refused(uint64_t seed)
{
    struct pair p = begin(seed);
    struct nic_transfer t = message(100);

    t.event = 1;
    send(&p, &t);
    /* holds bte.refused */
    tap_equal(next_event(&p, 0, 2000), sent(NO_BUFFER, 1), "no buffer: NO_BUFFER");
    tap_equal(nic_ring_word(&p.ring, 0), 1ull << 63 | NO_BUFFER, "the completion says so");
    t.mdh = 3 - CHANNEL;
    t.event = 2;
    send(&p, &t);
    tap_equal(next_event(&p, 0, 2000), sent(NO_BUFFER, 2), "a channel without buffers, likewise");
    t.mdh = CHANNEL;
    post_buffer(&p, 5, 99, DOMAIN);
    await(&p, 200);
    t.event = 3;
    send(&p, &t);
    tap_equal(next_event(&p, 0, 4000), sent(BOUNDS, 3), "a byte too long: BOUNDS");
    tap_equal(next_event(&p, 1, 4000), received(SEQUENCE, 0, 0), "its buffer comes back: SEQUENCE");
    tap_equal(nic_posts_word(&p.posts, 0, 3),
              nic_buffer_over(false, p.b->node[0].address, SEQUENCE, 0), "its last word");
    tap_ok(holds(&p, 0, 5, 0, 64) || holds(&p, 0, 5, 0, 0), "nothing lies beyond it");
    post_buffer(&p, 0, 100, DOMAIN + 1);
    await(&p, 200);
    t.event = 4;
    send(&p, &t);
    tap_equal(next_event(&p, 0, 4000), sent(PROTECTION, 4), "another domain's buffer: PROTECTION");
    tap_equal(nic_posts_taken(&p.posts), 1, "and the buffer stays");
    finish(&p, "refused messages");
}

/* A sender whose memory fails in the middle gives its message up. */
static void test_given_up(uint64_t seed)
{
    struct pair p = begin(seed);
    struct nic_transfer t = message(1000);

    post_buffer(&p, 0, 2000, DOMAIN);
    post_buffer(&p, 0, 2000, DOMAIN);
    await(&p, 200);
    host_add_fault(
        p.b->node[0].host,
        &(struct host_fault){.from = LOCAL_AT + 512, .to = LOCAL_AT + 520, .bus_error = true});
    t.event = 1;
    send(&p, &t);
    /* holds bte.given_up, bte.once */
    tap_equal(next_event(&p, 1, 4000), received(SEQUENCE, 0, 0), "given up: SEQUENCE");
    tap_equal(next_event(&p, 0, 4000), sent(13, 1), "its sender hears why");
    host_clear_faults(p.b->node[0].host);
    t.event = 2;
    send(&p, &t);
    tap_equal(next_event(&p, 1, 4000), received(OK, 1, 1000), "the next one has the next buffer");
    tap_equal(next_event(&p, 0, 4000), sent(OK, 2), "and its sender's event");
    finish(&p, "messages that are given up");
}

/* The channel is disabled in the middle of a message: its buffer comes back, and nothing is written any more. */
static void test_taken_away(uint64_t seed, unsigned rounds)
{
    struct misses wrong = {0};
    struct pair p = begin(seed);
    const uint16_t config = NR_BTE + NR_BTE_STEP * CHANNEL + 5;

    host_set(p.b->node[1].host, &(struct host_knobs){.latency = 20, .stall = 0.8});
    for (unsigned i = 0; i < rounds; i++) {
        struct nic_transfer t = message(3000);
        uint64_t index = 0;

        nic_posts_open(&p.posts);
        post_buffer(&p, 0, PLACE, DOMAIN);
        await(&p, 150);
        t.event = i;
        send(&p, &t);
        await(&p, rng_below(&p.b->rng, 600));
        nic_bench_write(p.b, 1, config, 0);
        while ((nic_bench_read(p.b, 1, config + 4) >> NR_BTE9_BUSY_AT & 1) != 0 && index++ < 500) {
        }
        memset(memory_of(&p, 1) + place_of(0), EMPTY, PLACE);

        const uint64_t mine = next_event(&p, 0, 8000), theirs = next_event(&p, 1, 1000);
        const bool ok = mine == sent(OK, i);

        must(&wrong, ok || mine == sent(SEQUENCE, i) || mine == sent(NO_BUFFER, i),
             "round %u: the sender's event is %llx", i, (unsigned long long)mine);
        must(&wrong, theirs == 0 || theirs == received(ok ? OK : SEQUENCE, 0, 3000),
             "round %u: the receiver's event is %llx", i, (unsigned long long)theirs);
        must(&wrong, theirs != 0 || mine == sent(NO_BUFFER, i),
             "round %u: a buffer was taken and is not given back", i);
        must(&wrong, holds(&p, 0, 0, 0, 0), "round %u: written after the channel was quiet", i);
        await(&p, 300);
        must(&wrong, holds(&p, 0, 0, 0, 0), "round %u: written late", i);
        must_equal(&wrong, event_at(p.b, 1, p.told[1]), 0, "round %u: a second event", i);
    }
    host_set(p.b->node[1].host, &(struct host_knobs){.latency = 20});
    tap_misses(&wrong, "a channel taken away %u times in the middle of a message", rounds);
    finish(&p, "channels that are taken away");
}

/* Nothing more of a message comes: its buffer comes back when the channel is disabled, or by itself. */
static void test_cut(uint64_t seed)
{
    struct pair p = begin(seed);
    const uint16_t config = NR_BTE + NR_BTE_STEP * CHANNEL + 5;
    struct nic_transfer t = message(3000);

    nic_bench_write(p.b, 0, NR_ORB_EPOCH, 1 << 12);
    nic_bench_write(p.b, 1, NR_ORB_EPOCH, 1 << 12);
    for (unsigned i = 0; i < 2; i++) {
        post_buffer(&p, 0, PLACE, DOMAIN);
        await(&p, 150);
        t.event = i;
        send(&p, &t);
        while (nic_posts_taken(&p.posts) == i) {
            nic_bench_clock(p.b);
        }
        channel_of(p.b)->knobs.loss = 1;
        if (i == 1) {
            nic_bench_write(p.b, 1, config, 0);
        }
        tap_equal(next_event(&p, 1, i == 0 ? 2 << 12 : 400),
                  received(i == 0 ? TIMEOUT : SEQUENCE, i, 0), "cut off, %s: its buffer comes back",
                  i == 0 ? "nothing comes" : "disabled");
        tap_equal(next_event(&p, 0, 4 << 12), sent(TIMEOUT, i), "its sender hears TIMEOUT");
        channel_of(p.b)->knobs.loss = 0;
        await(&p, 4 << 12);
    }
    tap_equal(nic_bench_read(p.b, 1, config + 4), 0, "not busy any more");
    finish(&p, "cut off");
}

/* Descriptors that cannot be read, or are none. */
static void test_bad_buffers(uint64_t seed)
{
    struct pair p = begin(seed);
    const uint16_t status = NR_BTE + NR_BTE_STEP * CHANNEL + 9;
    struct nic_transfer t = message(100);

    post_buffer(&p, 0, (1ull << 32) + 1, DOMAIN);
    await(&p, 200);
    /* holds bte.posted */
    tap_equal(nic_bench_read(p.b, 1, status), 1 << NR_BTE9_FAILED_AT, "over 2^32 bytes: failed");
    t.event = 1;
    send(&p, &t);
    tap_equal(next_event(&p, 0, 4000), sent(NO_BUFFER, 1), "it takes no message");
    nic_posts_open(&p.posts);
    host_add_fault(p.b->node[1].host,
                   &(struct host_fault){.from = POSTS_AT, .to = POSTS_AT + 8, .bus_error = true});
    post_buffer(&p, 0, 100, DOMAIN);
    await(&p, 200);
    tap_equal(nic_bench_read(p.b, 1, status), 1 << NR_BTE9_FAILED_AT, "a bus error: failed");
    host_clear_faults(p.b->node[1].host);
    nic_posts_open(&p.posts);
    post_buffer(&p, 0, 100, DOMAIN);
    await(&p, 200);
    t.event = 2;
    send(&p, &t);
    tap_equal(next_event(&p, 1, 4000), received(OK, 0, 100), "enabled again it takes one");
    tap_equal(next_event(&p, 0, 4000), sent(OK, 2), "its sender's event");
    finish(&p, "descriptors that are none");
}

/* Packets are lost and late: each buffer that is taken comes back once, whole if its sender says so. */
static void test_losses(uint64_t seed, unsigned messages)
{
    struct pair p = begin(seed);
    struct misses wrong = {0};
    unsigned whole = 0, failed = 0;

    nic_bench_write(p.b, 0, NR_ORB_EPOCH, 1 << 12);
    nic_bench_write(p.b, 1, NR_ORB_EPOCH, 1 << 12);
    channel_of(p.b)->knobs = (struct channel_knobs){.delay = 10, .delay_extra = 40, .loss = 0.01};
    for (unsigned i = 0; i < messages; i++) {
        struct nic_transfer t = message(1 + rng_below(&p.b->rng, 900));
        const uint64_t n = nic_posts_taken(&p.posts);

        if (n == p.posts.posted) {
            post_buffer(&p, 0, PLACE, DOMAIN);
            await(&p, 150);
        }
        t.event = i;
        t.local = rng_below(&p.b->rng, 4000);
        send(&p, &t);

        const uint64_t mine = next_event(&p, 0, 60000);
        const unsigned status = (unsigned)(mine >> 59) & 15;
        const bool taken = nic_posts_taken(&p.posts) != n;

        must(&wrong, mine == sent(status, i), "message %u: its sender's event is %llx", i,
             (unsigned long long)mine);
        must(&wrong, status != OK || taken, "message %u: no buffer was taken", i);
        for (uint64_t k = n; k != nic_posts_taken(&p.posts); k++) {
            const uint64_t theirs = next_event(&p, 1, 20000);

            must(&wrong,
                 theirs == received(OK, k, t.bytes) ||
                     (status != OK &&
                      (theirs == received(SEQUENCE, k, 0) || theirs == received(TIMEOUT, k, 0))),
                 "message %u, status %u: its receiver's event is %llx", i, status,
                 (unsigned long long)theirs);
            must(&wrong, theirs >> 59 != OK || holds(&p, k, 0, t.local, t.bytes),
                 "message %u: wrong bytes", i);
        }
        must_equal(&wrong, event_at(p.b, 1, p.told[1]), 0, "message %u: one event more", i);
        whole += status == OK;
        failed += status != OK;
    }
    tap_misses(&wrong, "losses: %u messages, %u whole", messages, whole);
    tap_at_least(failed, 1, "some fail, %u", failed);
    channel_of(p.b)->knobs = (struct channel_knobs){.delay = 10};
    finish(&p, "losses");
}

int main(int argc, char **argv)
{
    uint64_t seed = 0;
    bool all = false;

    test_options(argc, argv, &seed, args_flag("all", &all, "all alignments with all lengths"));
    test_bytes(seed, 150, all);
    test_refused(seed + 1);
    test_given_up(seed + 2);
    test_taken_away(seed + 3, 20);
    test_bad_buffers(seed + 4);
    test_cut(seed + 6);
    test_losses(seed + 5, 60);
    return tap_done();
}
