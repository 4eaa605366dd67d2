// SPDX-License-Identifier: Apache-2.0
/*
 * test_pack.c - pack: what leaves it is what the golden encoder makes of the same packets, whole, in order per class and
 * within credit, whoever is slow; no bubble; beats that are marked bad; wrong bits in its queue.
 *
 * Built for aries: fast; proto: san. Recorded for beat_queue2, pack.
 */
#include <string.h>

#include "nic/netlink/pack.h"
#include "tb/models/nic_beats.h"

enum { MOST = 4096, ALLOWED = 16 + RTR_INQ_CREDIT_SHARED / 2 };

static struct pack dut;
static uint64_t now;

struct expected {
    struct nic_packet packet;
    uint64_t flit[NIC_FLITS];
    unsigned flits;
    bool bad_head, bad; /* one of its beats was bad */
};

/* One class: what is sent into pack and what has to come out. */
struct stream {
    struct expected list[MOST];
    unsigned made, begun, seen; /* packets */
    struct beat beat[BEATS];
    unsigned beats, sent; /* of the packet that goes in */
    unsigned queued;      /* beats sent of packets that have not begun to leave */
    bool room;
    unsigned used; /* flits at the router's input */
    unsigned most_used;
};

struct load {
    const char *name;
    double push, free; /* how often a beat goes in, a place is given back */
    double begin[2];   /* how often a packet of a class begins, if it may */
    double bad;        /* beats that are bad */
    unsigned kind;  /* 0: any packet, 1: puts of 64 bytes and their acks, 2: acks, 3: puts of 64 */
    uint64_t flips; /* a bit of the queue's memory in so many clocks; 0: never */
};

struct bench {
    struct stream stream[2];
    int under_way; /* the class whose packet comes out; -1: none */
    unsigned flit;
    bool marked;
    struct misses wrong;
    uint64_t flits, idle, packets[2], bad_heads, corrected, fatal, clocks, lost;
    bool both;                 /* classes could begin a packet */
    unsigned row, longest_row; /* responses while a request could have begun */
};

static struct bench bench;

static struct nic_packet make(struct rng *rng, const struct load *load, bool response)
{
    struct nic_packet p = nic_random(rng, response);

    if (load->kind != 0 && response) {
        p.err = false;
        p.bytes = 0;
        p.status = p.who = 0;
    }
    if ((load->kind == 1 || load->kind == 3) && !response) {
        p.cmd = NIC_PUT;
        p.x = p.rmt ? p.x & 12 : 0;
        p.z = 63;
        p.bytes = 64;
    }
    return p;
}

/* The next beat of a class, if it has one to send. */
static bool next(struct rng *rng, const struct load *load, struct stream *s, bool response)
{
    if (s->sent == s->beats) {
        if (!s->room || !rng_chance(rng, load->begin[response]) || s->made - s->seen >= MOST) {
            return false;
        }
        struct expected *e = &s->list[s->made++ % MOST];

        e->packet = make(rng, load, response);
        e->flits = nic_encode(&e->packet, e->flit);
        e->bad = e->bad_head = false;
        s->beats = nic_beats(&e->packet, s->beat);
        if (e->packet.cmd == NIC_GET &&
            !response) { /* the id of its transaction, where its CRC goes */
            s->beat[0].word |= (beat_word)(rng_next(rng) & 0xFFFF) << 128;
        }
        /* holds pack.clears: what stands behind the end of a request is nobody's */
        if (!response && s->beats > 1) {
            const unsigned bytes = (e->packet.bytes - 1) % BEAT_BYTES + 1;

            s->beat[s->beats - 1].word |= bytes == BEAT_BYTES
                                              ? (beat_word)0
                                              : ((beat_word)rng_next(rng) << 64 | rng_next(rng))
                                                        << (8 * bytes) &
                                                    (beat_word)(beat_data)-1;
        }
        for (unsigned i = 0; i < s->beats; i++) {
            s->beat[i].bad = rng_chance(rng, load->bad);
            e->bad |= s->beat[i].bad;
            e->bad_head |= i == 0 && s->beat[i].bad;
        }
        s->sent = 0;
    }
    return true;
}

/* Heads that were bad leave nothing. */
static void skip(struct bench *b, struct stream *s)
{
    while (s->seen != s->made && s->list[s->seen % MOST].bad_head) {
        s->seen++;
        b->lost++;
    }
}

static void see(struct bench *b)
{
    if (dut.out.uncorrectable) {
        b->bad_heads++;
    }
    if (!dut.out.valid) {
        b->idle++;
        return;
    }
    b->flits++;
    if (b->under_way < 0) {
        b->under_way = (unsigned)(dut.out.flit >> 45) >= RTR_VCS / 2;
        /* Both were at the front when this one was chosen. */
        b->row = b->under_way == 1 && b->both ? b->row + 1 : 0;
        b->longest_row = b->row > b->longest_row ? b->row : b->longest_row;
        b->flit = 0;
        b->marked = false;
        skip(b, &b->stream[b->under_way]);
    }
    struct stream *s = &b->stream[b->under_way];
    const struct expected *e = &s->list[s->seen % MOST];

    if (b->flit == 0) {
        s->queued -= 1 + (e->packet.bytes + BEAT_BYTES - 1) / BEAT_BYTES;
    }
    s->used++;
    s->most_used = s->used > s->most_used ? s->used : s->most_used;
    must_at_most(&b->wrong, s->used, ALLOWED, "class %d: flits at the router", b->under_way);
    if (s->seen == s->made) {
        miss(&b->wrong, "class %d: flit %#llx, expected none, all of %llu packets have left",
             b->under_way, (unsigned long long)dut.out.flit, (unsigned long long)s->made);
        b->under_way = -1;
        return;
    }
    if (!e->bad) {
        must_equal(&b->wrong, dut.out.flit, e->flit[b->flit],
                   "class %d cmd %u z %u err %d bytes %u: flit %u of %u", b->under_way,
                   e->packet.cmd, e->packet.z, e->packet.err, e->packet.bytes, b->flit, e->flits);
    }
    b->marked |= dut.out.bad;
    if (++b->flit == e->flits) {
        must_equal(&b->wrong, b->marked, e->bad, "class %d cmd %u bytes %u: marked", b->under_way,
                   e->packet.cmd, e->packet.bytes);
        b->packets[b->under_way]++;
        s->seen++;
        b->under_way = -1;
    }
}

static void clock_once(struct bench *b, struct rng *rng, const struct load *load)
{
    struct pack_in in = {};
    unsigned first = rng_below(rng, 2);

    for (unsigned k = 0; k < 2 && !in.push; k++) {
        const unsigned c = first ^ k;
        struct stream *s = &b->stream[c];
        bool other_inside = b->stream[c ^ 1].sent != b->stream[c ^ 1].beats;

        /* A tile gets whole packets. */
        if (!other_inside && rng_chance(rng, load->push) && next(rng, load, s, c)) {
            in.push = 1;
            in.code = beat_encode(&s->beat[s->sent++]);
            s->queued++;
            in.push_class = (u1)c;
        }
    }
    for (unsigned k = 0; k < 2 && !in.freed.valid; k++) {
        const unsigned c = first ^ k;

        if (b->stream[c].used > 0 && rng_chance(rng, load->free)) {
            in.freed = (struct head_vc_note){.valid = 1, .vc = (head_vc_field)(c * RTR_VCS / 2)};
            b->stream[c].used--;
        }
    }
    if (load->flips && rng_below(rng, (uint32_t)load->flips) == 0) {
        static beat_code spoilt[64]; /* words with a wrong bit, until they are written again */
        const unsigned word = rng_below(rng, 64);

        if (dut.queue.codes[word] != spoilt[word]) {
            dut.queue.codes[word] ^= (beat_code)1 << rng_below(rng, 3 * RTR_CODE_BITS);
            spoilt[word] = dut.queue.codes[word];
        }
    }
    b->both = dut.queue.out.front[0].valid && dut.queue.out.front[1].valid && dut.credit[0] &&
              dut.credit[1];
    pack(&dut, &in);
    now++;
    b->clocks++;
    b->corrected += dut.out.corrected;
    b->fatal += dut.out.fatal;
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
    b->under_way = -1;
    pack_reset(&dut);
    for (uint64_t t = 0; t < clocks; t++) {
        clock_once(b, rng, load);
    }
    const uint64_t idle = b->idle, busy = b->clocks;

    drain.begin[0] = drain.begin[1] = 0;
    drain.free = 1;
    drain.push = 1;
    for (uint64_t t = 0; t < 3000; t++) {
        clock_once(b, rng, &drain);
    }
    skip(b, &b->stream[0]);
    skip(b, &b->stream[1]);
    for (unsigned c = 0; c < 2; c++) {
        must_equal(&b->wrong, b->stream[c].seen, b->stream[c].made, "class %u: packets that left",
                   c);
    }
    if (load->kind == 0 && load->bad == 0 && load->begin[0] + load->begin[1] == 2) {
        /* holds pack.fourth */
        must_equal(&b->wrong, b->longest_row, 3, "responses to a request while both waited");
    }
    must_equal(&b->wrong, b->lost, b->bad_heads, "lost heads that were counted");
    b->idle = idle;
    b->clocks = busy;
}

static void directed(struct rng *rng)
{
    struct load one = {"", 1, 1, {1, 0}, 0, 3, 0};
    struct bench *b = &bench;
    uint64_t t = 0, pushed = 0, out = 0;

    memset(b, 0, sizeof *b);
    b->under_way = -1;
    pack_reset(&dut);
    for (t = 0; t < 40 && out == 0; t++) {
        uint64_t before = b->stream[0].sent;

        if (b->stream[0].made == 1 && b->stream[0].sent == b->stream[0].beats) {
            one.begin[0] = 0;
        }
        clock_once(b, rng, &one);
        if (before != b->stream[0].sent && pushed == 0) {
            pushed = t + 1;
        }
        out = dut.out.valid ? t + 1 : 0;
    }
    tap_why("%llu", (unsigned long long)(out - pushed));
    /* holds pack.latency */
    tap_ok(out - pushed == 3, "a head beat is a head flit 4 clocks later, queue and all");
}

/* Beats that wait, while none of them may leave. */
static unsigned behind_front(const struct stream *s)
{
    return s->queued == 0 ? 0 : s->queued - 1;
}

/*
 * The router gives nothing back, so pack stands: the load that nl_send chooses by is the beats that wait and a quarter of
 * the flits at the router's input.
 */
static void test_load(struct rng *rng, double requests, double responses)
{
    const struct load stand = {"", 1, 0, {requests, responses}, 0, 0, 0};
    struct bench *b = &bench;
    unsigned most = 0;

    memset(b, 0, sizeof *b);
    b->under_way = -1;
    pack_reset(&dut);
    for (unsigned n = 0; n < 50; n++) {
        struct load wait = stand;

        for (uint64_t t = 0; t < 2000; t++) {
            clock_once(b, rng, &stand);
        }
        wait.begin[0] = wait.begin[1] = 0;
        for (uint64_t t = 0; t < 20; t++) {
            clock_once(b, rng, &wait);
        }
        const unsigned flits = b->stream[0].used + b->stream[1].used;
        const unsigned load = flits / 4 + behind_front(&b->stream[0]) + behind_front(&b->stream[1]);

        must(&b->wrong, !dut.out.valid, "a flit leaves while the router gives nothing back");
        must_equal(&b->wrong, dut.out.load, load > 255 ? 255 : load,
                   "load, with %u flits at the router", flits);
        most = load > most ? load : most;
        wait.free = 1; /* some flits are given back, and some packets leave */
        for (uint64_t t = rng_below(rng, 40); t-- > 0;) {
            clock_once(b, rng, &wait);
        }
    }
    /* holds netlink.load */
    must_at_least(&b->wrong, most, 20 + 1, "largest load");
    tap_misses(&b->wrong, "load: beats that wait and flits / 4, %u at most", most);
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"anything, full rate", 1, 1, {1, 1}, 0, 0, 0},
        {"anything, at random", 0.6, 0.6, {0.5, 0.5}, 0, 0, 0},
        {"slow router", 1, 0.3, {1, 1}, 0, 0, 0},
        {"puts of 64 bytes and acks", 1, 1, {1, 1}, 0, 1, 0},
        {"acks alone", 1, 1, {0, 1}, 0, 2, 0},
        {"puts of 64 bytes alone", 1, 1, {1, 0}, 0, 3, 0},
        {"bad beats", 0.9, 0.9, {1, 1}, 0.05, 0, 0},
        {"wrong bits in the queue, one in a word", 0.9, 0.9, {1, 1}, 0, 0, 400},
    };
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        run(&rng, &loads[i], 60000);
        must_at_least(&bench.wrong, bench.packets[0] + bench.packets[1], 1000 + 1,
                      "packets that left");
        tap_misses(&bench.wrong, "%s: as the golden encoder says", loads[i].name);
        tap_note("%.4f flits a clock, %llu requests, %llu responses, %llu corrected",
                 (double)bench.flits / (double)bench.clocks, (unsigned long long)bench.packets[0],
                 (unsigned long long)bench.packets[1], (unsigned long long)bench.corrected);
    }
    directed(&rng);
    test_load(&rng, 1, 1);
    test_load(&rng, 1, 0);
    test_load(&rng, 0, 1);
    tap_ok(harness_covers("hls/nic/netlink/pack.c") == 3, "all covers are hit");
    return tap_done();
}
