// SPDX-License-Identifier: Apache-2.0
/*
 * test_unpack.c - unpack: what the golden decoder takes comes out as beats, whole and in order per class; what it refuses
 * is reported and leaves nothing; room holds for a router that chooses packets as early as it may; wrong bits in the store.
 *
 * Built for aries: fast; proto: san. Recorded for beat_store, unpack.
 */
#include <string.h>

#include "nic/netlink/unpack.h"
#include "tb/models/nic_beats.h"

enum {
    MOST = 256,
    WAY = 3 /* clocks from a choice to the flit, the netlink's register of room among them */
};

static struct unpack dut;
static uint64_t now;

struct load {
    const char *name;
    double begin[2]; /* how often a packet of a class is chosen, if there is room */
    double flit;     /* how often a flit comes */
    double take;     /* how often a front is taken */
    double fault;    /* packets that are not as they should be */
    unsigned kind;   /* 0: any, 1: 14 flits and acks, 2: acks alone, 3: acks and gets */
    unsigned bits;   /* so many of a beat that waits fall over, in each 16th clock */
};

struct sent {
    uint64_t flit[NIC_FLITS + 1];
    unsigned flits;
    bool bad;
};

struct stream {
    struct beat want[MOST];
    unsigned harmed[MOST]; /* so many of its bits have fallen over */
    unsigned written, read;
    unsigned held; /* clocks its taker rests */
};

struct bench {
    struct sent packet; /* under way */
    unsigned at;
    bool open, response;
    struct unpack_in way[WAY];
    unsigned room[WAY]; /* as the router saw it */
    struct stream stream[2];
    uint64_t good, marked, wrong, misshaped;       /* of the golden decoder */
    uint64_t saw_marked, saw_wrong, saw_misshaped; /* of the dut */
    struct misses bugs;
    uint64_t flits, clocks, corrected, fatal, harmed;
    nic_info dropped[16]; /* heads of packets that are to be dropped, in order */
    unsigned drops, seen;
};

static struct bench bench;

/* What routers change, and nothing else. */
static void travel(struct rng *rng, uint64_t *flit, bool response)
{
    nic_set(flit, NIC_VC, (response ? RTR_VCS / 2 : 0) + rng_below(rng, RTR_VCS / 2));
    nic_set(flit, NIC_PHASE, rng_below(rng, 4));
}

static void damage(struct rng *rng, struct sent *s, bool response)
{
    switch (rng_below(rng, 6)) {
    case 0: /* one to three wrong bits, or a burst */
        for (unsigned n = 1 + rng_below(rng, 3); n > 0; n--) {
            s->flit[rng_below(rng, s->flits)] ^= UINT64_C(1) << rng_below(rng, 41);
        }
        break;
    case 1:
        s->bad = true;
        break;
    case 2: /* cut by a router */
        s->flits = 1;
        s->bad = true;
        nic_set(s->flit, NIC_LENGTH, 1);
        break;
    case 3: /* another length, under a right code */
        s->flits = 1 + rng_below(rng, NIC_FLITS);
        if (rng_below(rng, 2)) {
            nic_set(s->flit, NIC_LENGTH, s->flits);
        }
        break;
    case 4: /* fields at random */
        nic_set(s->flit, (enum nic_field)rng_below(rng, NIC_FIELDS), rng_next(rng));
        break;
    default: /* garbage */
        for (unsigned i = 0; i < s->flits; i++) {
            s->flit[i] = rng_next(rng) >> 16;
        }
        nic_set(s->flit, NIC_LENGTH, s->flits);
        break;
    }
    if (rng_below(rng, 2)) {
        if (response) {
            nic_set(s->flit, NIC_CHK, nic_check(s->flit[0]));
        }
        if (s->flits > 1) {
            nic_seal(s->flit, s->flits);
        }
    }
    travel(rng, s->flit, response);
}

/* The low bits of a head beat, of as many flits as came; the last flit of a packet has a CRC in its upper bits. */
static nic_info head_of(const struct sent *s, bool response)
{
    const unsigned most = !response ? 3 : (s->flit[0] >> 5 & 1) ? 2 : 1;
    nic_info head = 0;

    for (unsigned i = 0; i < most && i < s->flits; i++) {
        const bool tail = i > 0 && i + 1 == s->flits;

        head |= (nic_info)(s->flit[i] & (tail ? 0xFFFFFFFF : ~(uint64_t)0)) << (48 * i);
    }
    return head;
}

/* What the golden decoder says of it, and the beats that are to come. */
static void judge(struct bench *b, const struct sent *s, bool response)
{
    struct nic_packet p;
    struct beat beat[BEATS];
    const enum nic_fault fault = nic_decode(s->flit, s->flits, response, &p);
    struct stream *stream = &b->stream[response];

    b->dropped[b->drops % 16] = head_of(s, response);
    b->drops += s->bad || fault == NIC_WRONG_CODE || fault == NIC_MISSHAPED;
    if (s->bad) {
        b->marked++;
    } else if (fault == NIC_WRONG_CODE) {
        b->wrong++;
    } else if (fault == NIC_MISSHAPED) {
        b->misshaped++;
    } else {
        const unsigned beats = nic_beats_of_flits(s->flit, &p, beat);

        b->good++;
        for (unsigned i = 0; i < beats; i++) {
            stream->want[stream->written++ % MOST] = beat[i];
        }
    }
}

static void begin(struct bench *b, struct rng *rng, const struct load *load, bool response)
{
    struct nic_packet p = nic_random(rng, response);
    struct sent *s = &b->packet;

    if (load->kind != 0 && response) {
        p.err = false;
        p.bytes = 0;
    }
    if (load->kind == 1 && !response) {
        p.cmd = NIC_PUT;
        p.z = 63;
        p.bytes = 64;
        p.x = p.rmt ? p.x & 12 : 0;
    }
    if (load->kind == 3 && !response) {
        p.cmd = NIC_GET;
        p.bytes = 0;
    }
    *s = (struct sent){.flits = 0};
    s->flits = nic_encode(&p, s->flit);
    travel(rng, s->flit, response);
    if (rng_chance(rng, load->fault)) {
        damage(rng, s, response);
    }
    b->open = true;
    b->response = response;
    b->at = 0;
}

/* The flit that the router pops in this clock. */
static struct unpack_in route(struct bench *b, struct rng *rng, const struct load *load)
{
    struct unpack_in in = {};

    if (!b->open) {
        for (unsigned k = 0, c = rng_below(rng, 2); k < 2 && !b->open; k++, c ^= 1) {
            if ((b->room[WAY - 1] >> c & 1) && rng_chance(rng, load->begin[c])) {
                begin(b, rng, load, c);
            }
        }
    }
    if (b->open && (b->at == 0 || rng_chance(rng, load->flit))) {
        in.valid = 1;
        in.flit = (rtr_flit)b->packet.flit[b->at];
        in.head = b->at == 0;
        in.tail = ++b->at == b->packet.flits;
        in.bad = in.tail && b->packet.bad;
        b->open = !in.tail;
        b->flits++;
    }
    return in;
}

static void taken(struct bench *b, unsigned c, const struct beat *front)
{
    struct stream *s = &b->stream[c];
    const struct beat *want = &s->want[s->read % MOST];

    if (s->read == s->written) {
        miss(&b->bugs, "class %u: a beat, expected none: %s", c, nic_word_text(front->word));
        return;
    }
    const bool lost = s->harmed[s->read % MOST] == 2;
    const struct beat due = {front->valid, want->head, want->tail, lost || want->bad,
                             lost ? front->word : want->word};

    must_beat(&b->bugs, front, &due, "class %u: beat %llu%s", c, (unsigned long long)s->read,
              lost ? ", two bits wrong in the store" : "");
    s->harmed[s->read % MOST] = 0;
    s->read++;
}

/* One of the beats that wait in the store's memory, each once. */
static void harm(struct bench *b, struct rng *rng, unsigned bits)
{
    const struct beat_store *store = &dut.store;
    const unsigned c = rng_below(rng, 2), out = store->staged && store->staged_class == c;
    const unsigned waiting = (beat_store_count)(store->whole[c] - store->rd[c]);
    const unsigned word = rng_below(rng, 3) * RTR_CODE_BITS, first = rng_below(rng, RTR_CODE_BITS);
    const unsigned second = (first + 1 + rng_below(rng, RTR_CODE_BITS - 1)) % RTR_CODE_BITS;

    if (waiting <= out) {
        return;
    }
    const unsigned k = out + rng_below(rng, waiting - out);
    struct stream *s = &b->stream[c];
    unsigned *harmed = &s->harmed[(s->read + store->out.front[c].valid + k) % MOST];
    beat_code *code = &dut.store.codes[c << 5 | (unsigned)(beat_store_place)(store->rd[c] + k)];

    if (*harmed != 0) {
        return;
    }
    *harmed = bits;
    *code ^= (beat_code)1 << (word + first);
    if (bits == 2) {
        *code ^= (beat_code)1 << (word + second);
    }
    b->harmed++;
}

static void clock_once(struct bench *b, struct rng *rng, const struct load *load)
{
    struct unpack_in in = b->way[0];
    struct unpack_in next = route(b, rng, load);

    if (load->bits != 0 && rng_below(rng, 16) == 0) {
        harm(b, rng, load->bits);
    }
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
        judge(b, &b->packet, b->response);
    }
    unpack(&dut, &in);
    now++;
    b->clocks++;
    memmove(b->room + 1, b->room, sizeof b->room - sizeof *b->room);
    b->room[0] = (unsigned)dut.out.room[0] | (unsigned)dut.out.room[1] << 1;
    if (dut.out.marked | dut.out.wrong | dut.out.misshaped) {
        must(&b->bugs, dut.out.info == b->dropped[b->seen % 16],
             "dropped packet %u: head %#llx, expected %#llx", (unsigned)b->seen,
             (unsigned long long)dut.out.info, (unsigned long long)b->dropped[b->seen % 16]);
        b->seen++;
    }
    b->saw_marked += dut.out.marked;
    b->saw_wrong += dut.out.wrong;
    b->saw_misshaped += dut.out.misshaped;
    b->corrected += dut.out.corrected;
    b->fatal += dut.out.fatal;
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
    must_equal(&b->bugs, b->corrected, load->bits == 1 ? b->harmed : 0, "corrected");
    must_equal(&b->bugs, b->fatal, load->bits == 2 ? b->harmed : 0, "uncorrectable");
    must_at_least(&b->bugs, b->harmed, load->bits != 0 ? 1000 : 0, "words with wrong bits");
    must_equal(&b->bugs, b->saw_marked, b->marked, "reported as marked");
    must_equal(&b->bugs, b->saw_wrong, b->wrong, "reported as wrong");
    must_equal(&b->bugs, b->saw_misshaped, b->misshaped, "reported as misshaped");
}

/* A packet that goes on for 16 flits behind its end, under a right code: it is not one of the length that its head says. */
static bool refuses_longer(struct rng *rng)
{
    bool right = true;

    for (unsigned n = 0; n < 200; n++) {
        uint64_t flit[NIC_FLITS + 16];
        const struct nic_packet p = nic_random(rng, n & 1);
        const unsigned flits = nic_encode(&p, flit);
        unsigned misshaped = 0, beats = 0;

        for (unsigned i = 0; i < 16; i++) {
            flit[flits + i] = rng_next(rng) >> 16;
        }
        nic_seal(flit, flits + 16);
        unpack_reset(&dut);
        for (unsigned i = 0; i < flits + 26; i++, now++) {
            struct unpack_in in = {
                .valid = i < flits + 16, .head = i == 0, .tail = i == flits + 15};

            in.flit = in.valid ? (rtr_flit)flit[i] : (rtr_flit)0;
            unpack(&dut, &in);
            misshaped += dut.out.misshaped;
            beats += dut.out.front[0].valid || dut.out.front[1].valid;
        }
        right = right && misshaped == 1 && beats == 0;
    }
    return right;
}

/* Mode 7, SOURCE, under a right code: no request and no response with it is taken, all others are. */
static bool refuses_source(struct rng *rng)
{
    bool right = true;

    for (unsigned n = 0; n < 2000; n++) {
        uint64_t flit[NIC_FLITS];
        struct nic_packet p = nic_random(rng, n & 1);

        p.mode = n / 2 % 8;
        const unsigned flits = nic_encode(&p, flit);
        unsigned misshaped = 0, heads = 0;

        unpack_reset(&dut);
        for (unsigned i = 0; i < flits + 10; i++, now++) {
            struct unpack_in in = {.valid = i < flits, .head = i == 0, .tail = i + 1 == flits};

            in.flit = in.valid ? (rtr_flit)flit[i] : (rtr_flit)0;
            unpack(&dut, &in);
            misshaped += dut.out.misshaped;
            heads |= dut.out.front[p.response].valid;
        }
        right = right && misshaped == (p.mode == 7) && heads == (p.mode != 7);
    }
    return right;
}

static struct unpack_in flit_of(const uint64_t *flit, unsigned flits, unsigned i)
{
    return (struct unpack_in){.valid = i < flits,
                              .flit = i < flits ? (rtr_flit)flit[i] : (rtr_flit)0,
                              .head = i == 0,
                              .tail = i + 1 == flits};
}

/*
 * A router that does not look at room: of a class that nobody takes from it sends gets until one is dropped, as misshaped. Then
 * a put begins, and while it comes there is room again: a part of it is lost, so all of it is.
 */
static bool drops_what_has_no_room(void)
{
    const struct nic_packet get = {.cmd = NIC_GET}, put = {.cmd = NIC_PUT, .z = 63, .bytes = 64};
    uint64_t flit[NIC_FLITS];
    unsigned flits = nic_encode(&get, flit), sent = 0, beats = 0, misshaped = 0;

    unpack_reset(&dut);
    for (unsigned t = 0; t < 60 * flits + 10 && misshaped == 0; t++, now++) {
        struct unpack_in in = flit_of(flit, flits, t % flits);

        sent += in.tail;
        unpack(&dut, &in);
        misshaped += dut.out.misshaped;
    }
    sent -= misshaped;
    flits = nic_encode(&put, flit);
    for (unsigned t = 0; t < 100; t++, now++) {
        struct unpack_in in = flit_of(flit, flits, t);

        in.pop = t > 8 && dut.out.front[0].valid;
        beats += in.pop;
        unpack(&dut, &in);
        misshaped += dut.out.misshaped;
    }
    tap_note("%u gets fit, %u beats came out, %u packets misshaped", sent, beats, misshaped);
    return misshaped == 2 && sent > 17 && beats == sent;
}

/* From a tail flit to the head beat. */
static unsigned latency(const struct nic_packet *p)
{
    uint64_t flit[NIC_FLITS];
    const unsigned flits = nic_encode(p, flit);
    unsigned clocks = 0;

    unpack_reset(&dut);
    for (unsigned i = 0; i < 40 && !dut.out.front[p->response].valid; i++) {
        struct unpack_in in = {.valid = i < flits,
                               .flit = i < flits ? (rtr_flit)flit[i] : (rtr_flit)0,
                               .head = i == 0,
                               .tail = i == flits - 1};

        unpack(&dut, &in);
        now++;
        clocks += i >= flits - 1;
    }
    return clocks;
}

/* Clocks in which 12 beats of a class leave a store full of both, or of it alone, if it is the one that the taker is ahead with, or is not. */
static unsigned drain_clocks(struct rng *rng, unsigned c, bool ahead, bool alone)
{
    const struct load full = {"", {!alone || c == 0, !alone || c == 1}, 1, 0, 0, 3, 0};
    unsigned beats = 12;
    unsigned clocks = 0;

    memset(&bench, 0, sizeof bench);
    unpack_reset(&dut);
    for (unsigned t = 0; t < 400; t++) {
        clock_once(&bench, rng, &full);
    }
    for (; beats != 0 && clocks < 200; clocks++) {
        struct unpack_in in = {.ahead = (u1)(ahead ? c : !c)};

        if (dut.out.front[c].valid) {
            in.pop = (u2)(1 << c);
            taken(&bench, c, &dut.out.front[c]);
            beats--;
        }
        unpack(&dut, &in);
        now++;
    }
    return clocks;
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"anything, full rate", {1, 1}, 1, 1, 0, 0, 0},
        {"anything, at random", {0.6, 0.6}, 0.7, 0.6, 0, 0, 0},
        {"slow takers", {1, 1}, 1, 0.15, 0, 0, 0},
        {"14 flits and acks", {1, 1}, 1, 1, 0, 1, 0},
        {"acks alone", {0, 1}, 1, 0.5, 0, 2, 0},
        {"acks and gets, slow takers", {1, 1}, 1, 0.3, 0, 3, 0},
        {"faults", {0.8, 0.8}, 0.9, 0.9, 0.4, 0, 0},
        {"nothing but faults, full rate", {1, 1}, 1, 1, 1, 0, 0},
        {"faults, slow takers", {1, 1}, 1, 0.15, 0.3, 0, 0},
        {"a wrong bit in the store", {1, 1}, 1, 0.4, 0, 0, 1},
        {"two in the store", {1, 1}, 1, 0.4, 0, 0, 2},
    };
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        run(&rng, &loads[i], 60000);
        /* holds netlink.dropped */
        must(&bench.bugs, (bench.good > 800 || loads[i].fault == 1),
             "expected (bench.good > 800 || loads[i].fault == 1)");
        tap_misses(&bench.bugs, "%s: as the golden decoder says", loads[i].name);
        tap_note("%.3f flits a clock; %llu good, %llu marked, %llu wrong, %llu misshaped, %llu "
                 "corrected",
                 (double)bench.flits / (double)bench.clocks, (unsigned long long)bench.good,
                 (unsigned long long)bench.marked, (unsigned long long)bench.wrong,
                 (unsigned long long)bench.misshaped, (unsigned long long)bench.corrected);
    }
    const struct nic_packet ack = {.response = true, .vc = RTR_VCS / 2};
    const struct nic_packet put = {.cmd = NIC_PUT, .z = 63, .bytes = 64};
    const unsigned of_ack = latency(&ack), of_put = latency(&put);

    /* holds unpack.latency */
    tap_ok(of_ack == 5 && of_put == 5, "tail flit to head beat: %u and %u clocks", of_ack, of_put);
    tap_ok(refuses_longer(&rng), "packets of 16 flits too many: misshaped");
    tap_ok(refuses_source(&rng), "mode 7, in requests and responses: misshaped");
    tap_ok(drops_what_has_no_room(), "packets without room: dropped whole, misshaped");
    for (unsigned c = 0; c < 2; c++) {
        const unsigned ahead = drain_clocks(&rng, c, true, false);
        const unsigned other = drain_clocks(&rng, c, false, false);
        const unsigned alone = drain_clocks(&rng, c, false, true);

        must_at_most(&bench.bugs, ahead, 13, "ahead");
        must_at_most(&bench.bugs, other, 24, "other");
        must_at_most(&bench.bugs, alone, 13, "alone");
        tap_misses(
            &bench.bugs,
            "12 beats of class %u leave in %u clocks, in %u if the other one is ahead, in %u if "
            "that has none",
            c, ahead, other, alone);
    }
    tap_ok(harness_covers("hls/nic/netlink/unpack.c") == 4 &&
               harness_covers("hls/common/beat/beat_queue.inc") == 6,
           "all covers are hit");
    return tap_done();
}
