// SPDX-License-Identifier: Apache-2.0
/*
 * test_pack24.c - pack of 24-bit phits: what leaves it is what the golden encoder makes of the same packets, whole, in order per class and
 * within credit, whoever is slow; acks for one node share packets, and none waits for more than one request.
 *
 * Built for proto24: san. Recorded for pack of proto24.
 */
#include <string.h>

#include "nic/netlink/pack.h"
#include "tb/golden/nic/nic_packet24.h"
#include "tb/models/nic_beats.h"

enum {
    MOST = 4096,
    ALLOWED = 256 - 32 /* a VC's part of the input queue, less a packet */
};

static struct pack dut;
static uint64_t now;

struct stream {
    struct nic_packet list[MOST];
    bool bad_head[MOST], bad[MOST];
    unsigned made, seen;
    struct beat beat[BEATS];
    unsigned beats, sent;
    bool room;
    unsigned used;
};

struct load {
    const char *name;
    double push, free;
    double begin[2]; /* how often a packet of a class begins, if it may */
    double bad;      /* beats that are bad */
    unsigned
        kind; /* 0: any packet, 1: puts of 64 bytes and acks of a few nodes, 2: those acks, 3: those puts */
};

struct bench {
    struct stream stream[2];
    uint32_t phit[NIC24_PHITS];
    unsigned phits;
    bool marked;
    struct misses wrong;
    uint64_t sent, clocks, packets[2], acks, shared, full, bad_heads, lost;
    bool both;         /* a packet of each class could begin */
    unsigned requests; /* that began one after the other while a response could */
};

static struct bench bench;

static struct nic_packet make(struct rng *rng, const struct load *load, bool response)
{
    struct nic_packet p = nic_random(rng, response);

    if (load->kind != 0 && response) {
        p.err = false;
        p.bytes = 0;
        p.status = 0;
        p.node = 4 * rng_below(rng, 3);
        p.mode = 5;
    }
    if (load->kind != 0 && !response) {
        p.cmd = NIC_PUT;
        p.x = p.rmt ? p.x & 12 : 0;
        p.z = 63;
        p.bytes = 64;
    }
    if (!response && p.cmd == NIC_GET) {
        p.ssid = rng_below(rng, 1 << 9); /* a GET has it on the wire */
    }
    return p;
}

/* As orb and npt give them. */
static void make_beats(struct rng *rng, struct stream *s, const struct nic_packet *p)
{
    s->beats = nic_beats(p, s->beat);
    if (p->response) {
        const unsigned length = p->err ? 2 : p->bytes == 0 ? 1 : 2 + p->bytes / 4;

        s->beat[0].word &= ~((beat_word)0x1F << 41);
        s->beat[0].word |= (beat_word)length << 41;
    } else if (p->cmd == NIC_GET) {
        s->beat[0].word |= (beat_word)p->ssid << 135;
    } else {
        const unsigned bytes = (p->bytes - 1) % BEAT_BYTES + 1;

        /* what stands behind the end of a request is nobody's */
        s->beat[s->beats - 1].word |=
            bytes == BEAT_BYTES ? (beat_word)0
                                : ((beat_word)rng_next(rng) << 64 | rng_next(rng)) << (8 * bytes) &
                                      (beat_word)(beat_data)-1;
    }
}

static bool next(struct rng *rng, const struct load *load, struct stream *s, bool response)
{
    if (s->sent != s->beats) {
        return true;
    }
    if (!s->room || !rng_chance(rng, load->begin[response]) || s->made - s->seen >= MOST) {
        return false;
    }
    const unsigned i = s->made++ % MOST;

    s->list[i] = make(rng, load, response);
    s->bad[i] = s->bad_head[i] = false;
    make_beats(rng, s, &s->list[i]);
    for (unsigned k = 0; k < s->beats; k++) {
        s->beat[k].bad = rng_chance(rng, load->bad);
        s->bad[i] |= s->beat[k].bad;
        s->bad_head[i] |= k == 0 && s->beat[k].bad;
    }
    s->sent = 0;
    return true;
}

/* Heads that were bad leave nothing. */
static void skip(struct bench *b, struct stream *s)
{
    while (s->seen != s->made && s->bad_head[s->seen % MOST]) {
        s->seen++;
        b->lost++;
    }
}

/* A packet that has left, against those that were to leave. */
static void judge(struct bench *b)
{
    struct nic_packet came[NIC24_ACKS] = {0}, due[NIC24_ACKS] = {0};
    uint32_t phit[NIC24_PHITS];
    unsigned count = 1;
    const bool response = b->phit[0] >> 21;
    struct stream *s = &b->stream[response];
    bool bad = false;

    must_equal(&b->wrong, nic24_decode(b->phit, b->phits, came, &count), NIC_RIGHT,
               "class %d, %u phits: fault", response, b->phits);
    for (unsigned i = 0; i < count; i++) {
        skip(b, s);
        if (s->seen == s->made) {
            miss(&b->wrong, "class %d: a packet more than were sent", response);
            return;
        }
        due[i] = s->list[s->seen % MOST];
        bad |= s->bad[s->seen % MOST];
        must(&b->wrong, due[i].node == due[0].node && due[i].mode == due[0].mode,
             "acks for %#x and %#x share a packet", due[0].node, due[i].node);
        s->seen++;
    }
    must_equal(&b->wrong, b->marked, bad, "class %d: marked", response);
    if (!bad) {
        must_equal(&b->wrong, nic24_encode(due, count, phit), b->phits, "class %d cmd %u: phits",
                   response, due[0].cmd);
        for (unsigned i = 0; i < b->phits; i++) {
            must_equal(&b->wrong, b->phit[i], phit[i], "class %d cmd %u bytes %u: phit %u of %u",
                       response, due[0].cmd, due[0].bytes, i, b->phits);
        }
    }
    b->packets[response]++;
    if (response && !came[0].err && came[0].bytes == 0) {
        b->acks += count;
        b->shared += count > 1 ? count : 0;
        b->full += count == NIC24_ACKS;
    }
}

static void see(struct bench *b)
{
    b->bad_heads += dut.out.uncorrectable;
    if (!dut.out.valid) {
        return;
    }
    b->sent++;
    if (b->phits == 0) {
        const bool response = (uint32_t)dut.out.flit >> 21;

        b->requests = b->both && !response ? b->requests + 1 : 0;
        /* holds pack24.waits */
        must_at_most(&b->wrong, b->requests, 1, "requests in a row while a response waits");
    }
    struct stream *s = &b->stream[(b->phits == 0 ? (uint32_t)dut.out.flit : b->phit[0]) >> 21];

    /* holds pack24.credit */
    must_at_most(&b->wrong, ++s->used, ALLOWED, "phits of a class at the router");
    if (b->phits == NIC24_PHITS) {
        miss(&b->wrong, "more than %d phits without an end", NIC24_PHITS);
        b->phits = 0;
    }
    must(&b->wrong, !dut.out.bad || dut.out.tail, "a mark in front of the end");
    b->marked = dut.out.bad;
    b->phit[b->phits++] = (uint32_t)dut.out.flit;
    if (dut.out.tail) {
        judge(b);
        b->phits = 0;
    }
}

static void clock_once(struct bench *b, struct rng *rng, const struct load *load)
{
    struct pack_in in = {};
    const unsigned first = rng_below(rng, 2);

    for (unsigned k = 0; k < 2 && !in.push; k++) {
        const unsigned c = first ^ k;
        const bool other_inside = b->stream[c ^ 1].sent != b->stream[c ^ 1].beats;

        if (!other_inside && rng_chance(rng, load->push) && next(rng, load, &b->stream[c], c)) {
            in.push = 1;
            in.code = beat_encode(&b->stream[c].beat[b->stream[c].sent++]);
            in.push_class = (u1)c;
        }
    }
    for (unsigned k = 0; k < 2 && !in.freed.valid; k++) {
        const unsigned c = first ^ k;

        if (b->stream[c].used > 0 && rng_chance(rng, load->free)) {
            in.freed = (struct head_vc_note){.valid = 1, .vc = (head_vc_field)c};
            b->stream[c].used--;
        }
    }
    b->both = dut.queue.out.front[0].valid && dut.queue.out.front[1].valid && dut.credit[0] &&
              dut.credit[1];
    pack(&dut, &in);
    now++;
    b->clocks++;
    for (unsigned c = 0; c < 2; c++) {
        b->stream[c].room = dut.out.room[c];
    }
    see(b);
}

static void run(struct rng *rng, const struct load *load, uint64_t clocks)
{
    struct load drain = *load;
    struct bench *b = &bench;

    memset(b, 0, sizeof *b);
    pack_reset(&dut);
    for (uint64_t t = 0; t < clocks; t++) {
        clock_once(b, rng, load);
    }
    const uint64_t sent = b->sent, busy = b->clocks;

    drain.begin[0] = drain.begin[1] = 0;
    drain.free = drain.push = 1;
    for (uint64_t t = 0; t < 3000; t++) {
        clock_once(b, rng, &drain);
    }
    for (unsigned c = 0; c < 2; c++) {
        skip(b, &b->stream[c]);
        must_equal(&b->wrong, b->stream[c].seen, b->stream[c].made, "class %u: packets that left",
                   c);
    }
    must_equal(&b->wrong, b->lost, b->bad_heads, "lost heads that were counted");
    b->sent = sent;
    b->clocks = busy;
}

/* Clocks from one head to the next of packets that wait in the queue, or one after the other. */
static void test_rates(struct rng *rng)
{
    static const struct load puts = {"", 1, 1, {1, 0}, 0, 3}, acks = {"", 1, 1, {0, 1}, 0, 2};

    run(rng, &puts, 32000);
    tap_note("%llu puts of 64 bytes in 32,000 clocks", (unsigned long long)bench.packets[0]);
    /* holds pack24.rate */
    tap_ok(bench.packets[0] >= 995, "a put of 64 bytes in 32 phits, back to back");
    run(rng, &acks, 32000);
    tap_note("%llu acks in %llu packets, %llu of eight", (unsigned long long)bench.acks,
             (unsigned long long)bench.packets[1], (unsigned long long)bench.full);
    /* holds pack24.shared */
    tap_ok(bench.acks > bench.packets[1] && bench.sent < 3 * bench.acks,
           "acks that wait for one node take fewer than 3 phits each");
}

/* Phits of the packet that one packet of the NIC becomes, or two acks for one node. */
static unsigned phits_of(const struct nic_packet *p, unsigned count)
{
    struct bench *b = &bench;
    unsigned phits = 0;

    memset(b, 0, sizeof *b);
    pack_reset(&dut);
    for (unsigned t = 0; t < 80; t++, now++) {
        struct stream *s = &b->stream[p->response];
        struct pack_in in = {};

        if (s->sent == s->beats && count != 0) {
            struct rng none;

            rng_seed(&none, 1);
            make_beats(&none, s, p);
            s->sent = 0;
            count--;
        }
        if (s->sent != s->beats) {
            in.push = 1;
            in.push_class = p->response;
            in.code = beat_encode(&s->beat[s->sent++]);
        }
        pack(&dut, &in);
        phits += dut.out.valid;
    }
    return phits;
}

static void test_phits(void)
{
    const struct nic_packet put8 = {.cmd = NIC_PUT, .z = 7, .bytes = 8};
    const struct nic_packet put64 = {.cmd = NIC_PUT, .z = 63, .bytes = 64};
    const struct nic_packet get = {.cmd = NIC_GET, .x = 15};
    const struct nic_packet data = {.response = true, .bytes = 64}, ack = {.response = true};
    const struct nic_packet error = {.response = true, .err = true, .status = 3};
    const struct {
        const char *name;
        const struct nic_packet *p;
        unsigned count, phits;
    } kinds[] = {
        {"put of 8 bytes", &put8, 1, 11},
        {"put of 64 bytes", &put64, 1, 32},
        {"get", &get, 1, 8},
        {"data of 64 bytes", &data, 1, 27},
        {"ack", &ack, 1, 3},
        {"two acks for one node", &ack, 2, 4},
        {"error", &error, 1, 3},
    };

    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const unsigned phits = phits_of(kinds[i].p, kinds[i].count);

        tap_why("%u phits, expected %u", phits, kinds[i].phits);
        /* holds pack24.phits */
        tap_ok(phits == kinds[i].phits, "%s: %u phits", kinds[i].name, phits);
    }
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"anything, full rate", 1, 1, {1, 1}, 0, 0},
        {"anything, at random", 0.6, 0.6, {0.1, 0.1}, 0, 0},
        {"slow router", 1, 0.3, {1, 1}, 0, 0},
        {"puts of 64 bytes and acks", 1, 1, {1, 1}, 0, 1},
        {"puts of 64 bytes and few acks", 1, 1, {1, 0.02}, 0, 1},
        {"acks alone", 1, 1, {0, 1}, 0, 2},
        {"bad beats", 0.9, 0.9, {1, 1}, 0.05, 0},
        {"bad beats, puts and acks", 0.9, 0.9, {1, 1}, 0.05, 1},
    };
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        run(&rng, &loads[i], 60000);
        must_at_least(&bench.wrong, bench.packets[0] + bench.packets[1], 1000 + 1,
                      "packets that left");
        must_at_least(&bench.wrong, bench.shared, loads[i].kind == 0 ? 0 : 20,
                      "acks that shared a packet");
        tap_misses(&bench.wrong, "%s: as the golden encoder says", loads[i].name);
        tap_note("%.4f phits a clock, %llu requests, %llu responses, %llu of %llu acks shared",
                 (double)bench.sent / (double)bench.clocks, (unsigned long long)bench.packets[0],
                 (unsigned long long)bench.packets[1], (unsigned long long)bench.shared,
                 (unsigned long long)bench.acks);
    }
    test_rates(&rng);
    test_phits();
    tap_ok(harness_covers("hls/nic/netlink/pack24.c") == 5, "all covers are hit");
    return tap_done();
}
