// SPDX-License-Identifier: Apache-2.0
/*
 * test_unpack24.c - unpack of 24-bit phits: what the golden decoder takes comes out as beats, whole and in order per class, each of several
 * acks as a packet of its own; what it refuses is reported and leaves nothing; room holds for a router that chooses packets as early as it may.
 *
 * Built for proto24: san. Recorded for unpack of proto24.
 */
#include <string.h>

#include "nic/netlink/unpack.h"
#include "tb/golden/nic/nic_packet24.h"
#include "tb/models/nic_beats.h"

enum {
    MOST = 512,
    MOST_PHITS = NIC24_PHITS + 8,
    WAY = 3 /* clocks from a choice to the flit, the netlink's register of room among them */
};

static struct unpack dut;
static uint64_t now;

struct load {
    const char *name;
    double begin[2]; /* how often a packet of a class is chosen, if there is room */
    double flit;     /* how often a phit comes */
    double take;     /* how often a front is taken */
    double fault;    /* packets that are not as they should be */
    unsigned kind;   /* 0: any, 1: packets of eight acks */
};

struct sent {
    uint32_t phit[MOST_PHITS];
    unsigned phits;
    bool bad;
};

struct stream {
    struct beat want[MOST];
    unsigned behind[MOST]; /* bytes of a beat that are behind the end of its packet: nobody's */
    unsigned written, read;
};

struct bench {
    struct sent packet;
    unsigned at;
    bool open;
    struct unpack_in way[WAY];
    unsigned room[WAY];
    struct stream stream[2];
    uint64_t good, acks, marked, wrong, misshaped; /* of the golden decoder */
    uint64_t saw_marked, saw_wrong, saw_misshaped; /* of the dut */
    struct misses bugs;
    uint64_t flits, clocks;
};

static struct bench bench;

static void damage(struct rng *rng, struct sent *s)
{
    switch (rng_below(rng, 5)) {
    case 0: /* one to three wrong bits */
        for (unsigned n = 1 + rng_below(rng, 3); n > 0; n--) {
            s->phit[rng_below(rng, s->phits)] ^= 1u << rng_below(rng, 21);
        }
        break;
    case 1:
        s->bad = true;
        break;
    case 2: /* another length, under a right code */
        s->phits = 2 + rng_below(rng, MOST_PHITS - 2);
        break;
    case 3: /* a word or a field that is not legal, or another mode */
        s->phit[rng_below(rng, s->phits < 8 ? s->phits : 8)] ^= rng_next(rng) & 0x1FFFFF;
        break;
    default: /* garbage */
        for (unsigned i = 0; i < s->phits; i++) {
            s->phit[i] = rng_next(rng) & 0x3FFFFF;
        }
        break;
    }
    if (rng_below(rng, 2)) {
        nic24_seal(s->phit, s->phits);
    }
}

static void make(struct rng *rng, const struct load *load, struct sent *s, bool response)
{
    struct nic_packet p[NIC24_ACKS + 1];
    unsigned count = 1;

    memset(s, 0, sizeof *s);
    p[0] = nic_random(rng, response);
    if (!response && p[0].cmd == NIC_GET) {
        p[0].ssid = rng_below(rng, 1 << 9);
    }
    if (load->kind == 1 && response) {
        p[0].err = false;
        p[0].bytes = 0;
    }
    if (response && !p[0].err && p[0].bytes == 0) {
        count = load->kind == 1 ? NIC24_ACKS : 1 + rng_below(rng, NIC24_ACKS);
        if (rng_chance(rng, load->fault / 4)) {
            count = NIC24_ACKS + 1; /* one too many */
        }
        for (unsigned i = 1; i < count; i++) {
            p[i] = p[0];
            p[i].tag = rng_below(rng, 1 << 10);
            p[i].gen = rng_below(rng, 4);
            p[i].note = rng_below(rng, 2);
        }
    }
    uint32_t phit[NIC24_PHITS];

    s->phits = nic24_encode(p, count, phit);
    memcpy(s->phit, phit, s->phits * sizeof *phit);
    if (rng_chance(rng, load->fault)) {
        damage(rng, s);
    }
    s->phit[s->phits - 1] ^= rng_below(rng, 64) << 16; /* what links write there is not looked at */
}

/* The beats that are to come of one packet. */
static void expect(struct bench *b, struct nic_packet *p)
{
    struct beat beat[BEATS];
    struct stream *s = &b->stream[p->response];

    p->who = 0;
    const unsigned beats = nic_beats(p, beat);

    if (p->response) {
        const unsigned length = p->err ? 2 : p->bytes == 0 ? 1 : 2 + p->bytes / 4;

        beat[0].word &= ~((beat_word)0x1F << 41);
        beat[0].word |= (beat_word)length << 41;
    }
    for (unsigned i = 0; i < beats; i++) {
        s->behind[s->written % MOST] = i != 0 && i + 1 == beats ? (16 - p->bytes % 16) % 16 : 0;
        s->want[s->written++ % MOST] = beat[i];
    }
}

/* What the golden decoder says of it. */
static void judge(struct bench *b, const struct sent *s)
{
    struct nic_packet p[NIC24_ACKS];
    unsigned count;
    const enum nic_fault fault = nic24_decode(s->phit, s->phits, p, &count);

    if (s->bad) {
        b->marked++;
    } else if (fault == NIC_WRONG_CODE) {
        b->wrong++;
    } else if (fault == NIC_MISSHAPED) {
        b->misshaped++;
    } else {
        b->good++;
        b->acks += count > 1 ? count : 0;
        for (unsigned i = 0; i < count; i++) {
            expect(b, &p[i]);
        }
    }
}

/* The router: a packet is chosen where there was room three clocks ago, and its phits follow. */
static struct unpack_in route(struct bench *b, struct rng *rng, const struct load *load)
{
    struct unpack_in in = {};

    if (!b->open) {
        const unsigned c = rng_below(rng, 2);

        if ((b->room[WAY - 1] >> c & 1) == 0 || !rng_chance(rng, load->begin[c])) {
            return in;
        }
        make(rng, load, &b->packet, c);
        /* The class is what the head says, which may have been hit: the router asked for room by that. */
        if ((b->room[WAY - 1] >> (b->packet.phit[0] >> 21) & 1) == 0) {
            return in;
        }
        b->open = true;
        b->at = 0;
    }
    if (!rng_chance(rng, load->flit)) {
        return in;
    }
    in.valid = 1;
    in.flit = (rtr_flit)b->packet.phit[b->at];
    in.head = b->at == 0;
    in.tail = ++b->at == b->packet.phits;
    in.bad = in.tail && b->packet.bad;
    b->open = !in.tail;
    b->flits++;
    return in;
}

static void taken(struct bench *b, unsigned c, const struct beat *front)
{
    struct stream *s = &b->stream[c];

    if (s->read == s->written) {
        miss(&b->bugs, "class %u: a beat more than was sent", c);
        return;
    }
    struct beat came = *front;

    if (s->behind[s->read % MOST] != 0) {
        came.word &= ((beat_word)1 << 8 * (16 - s->behind[s->read % MOST])) - 1;
    }
    must_beat(&b->bugs, &came, &s->want[s->read % MOST], "class %u: beat %u", c, s->read);
    s->read++;
}

static void clock_once(struct bench *b, struct rng *rng, const struct load *load)
{
    struct unpack_in in = b->way[0];
    const struct unpack_in next = route(b, rng, load);

    memmove(b->way, b->way + 1, sizeof b->way - sizeof *b->way);
    b->way[WAY - 1] = next;
    for (unsigned c = 0; c < 2; c++) {
        if (dut.out.front[c].valid && rng_chance(rng, load->take)) {
            in.pop |= (u2)(1 << c);
            taken(b, c, &dut.out.front[c]);
        }
    }
    in.ahead = (u1)rng_below(rng, 2);
    if (next.valid && next.tail) {
        judge(b, &b->packet);
    }
    unpack(&dut, &in);
    now++;
    b->clocks++;
    memmove(b->room + 1, b->room, sizeof b->room - sizeof *b->room);
    b->room[0] = (unsigned)dut.out.room[0] | (unsigned)dut.out.room[1] << 1;
    b->saw_marked += dut.out.marked;
    b->saw_wrong += dut.out.wrong;
    b->saw_misshaped += dut.out.misshaped;
}

static void run(struct rng *rng, const struct load *load, uint64_t clocks)
{
    struct bench *b = &bench;
    struct load drain = *load;

    memset(b, 0, sizeof *b);
    unpack_reset(&dut);
    for (uint64_t t = 0; t < clocks; t++) {
        clock_once(b, rng, load);
    }
    drain.begin[0] = drain.begin[1] = 0;
    drain.flit = drain.take = 1;
    for (unsigned t = 0; t < 400; t++) {
        clock_once(b, rng, &drain);
    }
    for (unsigned c = 0; c < 2; c++) {
        must_equal(&b->bugs, b->stream[c].read, b->stream[c].written, "class %u: beats that came",
                   c);
    }
    must_equal(&b->bugs, b->saw_marked, b->marked, "reported as marked");
    must_equal(&b->bugs, b->saw_wrong, b->wrong, "reported as wrong");
    must_equal(&b->bugs, b->saw_misshaped, b->misshaped, "reported as misshaped");
}

/* Every single bit of every phit of a packet flips under a right CRC, or under the old one: it is dropped, or means what it says. */
static void test_bits(struct rng *rng)
{
    const struct load one = {"", {0, 0}, 1, 1, 0, 0};
    struct bench *b = &bench;
    unsigned taken_wrong = 0;

    for (unsigned n = 0; n < 6; n++) {
        struct sent base;

        make(rng, &one, &base, n & 1);
        for (unsigned bit = 0; bit < base.phits * NIC24_BITS; bit++) {
            const unsigned place = bit % NIC24_BITS, of = bit / NIC24_BITS;
            struct nic_packet p[NIC24_ACKS];
            unsigned count;
            struct sent s = base;

            /* the CRC does not cover the VC, nor the upper part of an end */
            if ((of == 0 && place == 21) || (of == s.phits - 1 && place >= 16)) {
                continue;
            }
            s.phit[of] ^= 1u << place;
            taken_wrong += nic24_decode(s.phit, s.phits, p, &count) != NIC_WRONG_CODE;
            memset(b, 0, sizeof *b);
            unpack_reset(&dut);
            for (unsigned i = 0; i < s.phits; i++) {
                const struct unpack_in in = {.valid = 1,
                                             .flit = (rtr_flit)s.phit[i],
                                             .head = i == 0,
                                             .tail = i + 1 == s.phits};

                unpack(&dut, &in);
                now++;
            }
            for (unsigned i = 0; i < 8; i++) {
                const struct unpack_in idle = {};

                unpack(&dut, &idle);
                now++;
                taken_wrong += dut.out.front[0].valid || dut.out.front[1].valid;
            }
        }
    }
    tap_ok(taken_wrong == 0, "each bit of six packets flipped: none is taken");
}

/* A message of 72 bytes, which its count can say, with as many phits and a right CRC. */
static void test_long_message(void)
{
    const struct nic_packet put = {.cmd = NIC_PUT, .z = 63, .bytes = 64};
    uint32_t phit[MOST_PHITS] = {0};
    const unsigned phits = nic24_encode(&put, 1, phit) + 3;
    unsigned misshaped = 0, beats = 0;

    phit[1] = (phit[1] & 0x3FFFF) | NIC_PUT_MSG << 18;
    phit[phits - 1] = 0;
    nic24_seal(phit, phits);
    unpack_reset(&dut);
    for (unsigned i = 0; i < phits + 10; i++, now++) {
        const struct unpack_in in = {.valid = i < phits,
                                     .flit = (rtr_flit)(i < phits ? phit[i] : 0),
                                     .head = i == 0,
                                     .tail = i + 1 == phits};

        unpack(&dut, &in);
        misshaped += dut.out.misshaped;
        beats += dut.out.front[0].valid;
    }
    tap_ok(misshaped == 1 && beats == 0, "a message of 72 bytes in %u phits: misshaped", phits);
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"anything, full rate", {1, 1}, 1, 1, 0, 0},
        {"anything, at random", {0.6, 0.6}, 0.7, 0.6, 0, 0},
        {"slow takers", {1, 1}, 1, 0.1, 0, 0},
        {"packets of eight acks, slow takers", {0.1, 1}, 1, 0.3, 0, 1},
        {"faults", {0.8, 0.8}, 0.9, 0.9, 0.4, 0},
        {"nothing but faults, full rate", {1, 1}, 1, 1, 1, 0},
        {"faults, slow takers", {1, 1}, 1, 0.1, 0.3, 0},
    };
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        run(&rng, &loads[i], 60000);
        must(&bench.bugs, (bench.good > 500 || loads[i].fault == 1),
             "expected (bench.good > 500 || loads[i].fault == 1)");
        /* holds unpack24.whole */
        tap_misses(&bench.bugs, "%s: as the golden decoder says", loads[i].name);
        tap_note("%.3f phits a clock; %llu good, %llu acks that shared, %llu marked, %llu wrong, "
                 "%llu misshaped",
                 (double)bench.flits / (double)bench.clocks, (unsigned long long)bench.good,
                 (unsigned long long)bench.acks, (unsigned long long)bench.marked,
                 (unsigned long long)bench.wrong, (unsigned long long)bench.misshaped);
    }
    test_bits(&rng);
    test_long_message();
    tap_ok(harness_covers("hls/nic/netlink/unpack24.c") == 5, "all covers are hit");
    return tap_done();
}
