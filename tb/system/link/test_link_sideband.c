// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_sideband.c - what travels beside the flits: credits, load, time; and an idle link.
 *
 * Credits are conserved: after a run with errors the sender's accounts are back at nothing, the
 * peer's input queue was never overrun and was used up to what was granted. Load and time arrive,
 * fresh and right. An idle link stays up, acknowledges all and sends nothing again. Which body a
 * tail has follows the schedule, and a new gap or a mark comes before it.
 *
 * Built for aries: san.
 */
#include <inttypes.h>

#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 20000, DRAIN_LIMIT = 400000 };

static struct bench b;

/* Clocks after which the last credit of the last VC must have arrived. */
enum { SETTLE = 2000 };

static bool accounts_empty(void)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_credit *c = &b.end[i].lcb->credit;
        for (unsigned v = 0; v < TRAFFIC_VCS; v++)
            if ((lcb_steps)(c->charged[v] >> LCB_STEP_LOG2) != c->known[v])
                return false;
        if (c->committed != 0 || b.end[i].lcb->out.room != 0xff)
            return false;
    }
    return true;
}

static void credits(const char *name, uint8_t vcs, double drain, double ber, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    for (unsigned i = 0; i < 2; i++) {
        config.traffic[i].vcs = vcs;
        config.traffic[i].drain = drain;
        config.cable[i].ber = ber;
        config.cable[i].delay = 30;
    }
    bench_start(&b, &config, seed);
    bool pass = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 50000);
    const unsigned used = b.end[0].sink.most_shared, granted = b.end[0].sink.config.shared;
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    for (unsigned i = 0; i < 2; i++) {
        struct channel_config quiet = config.cable[i];
        quiet.ber = 0;
        bench_cable(&b, i, &quiet);
        b.end[i].sink.config.drain = 1;
    }
    bench_run(&b, SETTLE);
    const bool clean = bench_clean(&b), empty = accounts_empty();
    if (clean)
        tap_why("accounts %sempty, %u of %u shared flits used", empty ? "" : "not ", used, granted);
    /* two packets of the grant are held back, and the credits under way cannot be used yet */
    tap_ok(pass && clean && empty && (drain >= 1 || 5 * used >= 4 * granted),
           "credits conserved: %s; %u of %u shared flits used", name, used, granted);
    bench_free(&b);
}

/* The peer lends nothing: a packet that is announced takes the room of its VC, and of no other. */
static void announced(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bench_start(&b, &config, seed);
    b.end[0].source.stopped = b.end[1].source.stopped = true;
    bench_write(&b, 1, LCB_REG_TIMEOUT, LCB_TIMEOUT);
    const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
    unsigned room = 0xff;
    struct misses wrong = {0};
    must_be(&wrong, up, 1);
    must_be(&wrong, b.end[0].lcb->out.room, room);
    for (unsigned v = 0; v < TRAFFIC_VCS; v++) {
        const unsigned vc = (v + (unsigned)seed) % TRAFFIC_VCS;
        b.end[0].in.start_valid = 1;
        b.end[0].in.start_vc = (u3)vc;
        bench_step(&b);
        b.end[0].in.start_valid = 0;
        bench_run(&b, 2);
        room &= ~(1u << vc);
        must_equal(&wrong, b.end[0].lcb->out.room, room, "room, %u announced", v + 1);
    }
    tap_misses(&wrong, "a packet that is announced takes the room of its VC");
    bench_free(&b);
}

/* Clocks ago that the load of end 0 was what end 1 shows, but for the low `bits`; at most 200. */
static unsigned load_age(unsigned bits)
{
    const unsigned shown = (unsigned)b.end[1].lcb->out.peer_load;
    unsigned age = 0;
    while (age < 200 && (unsigned)bench_load(b.clock - 1 - age) >> bits != shown >> bits)
        age++;
    return age;
}

/*
 * Each tail tells the high part of the load, every second one all of it: 10 and 20 clocks, and the way of a tail, on a good
 * cable; as much again for one that is corrupted.
 */
static void load(double ber, unsigned most, unsigned most_high, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    config.cable[0].ber = config.cable[1].ber = ber;
    bench_start(&b, &config, seed);
    const bool pass = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 1000);
    unsigned oldest = 0, oldest_high = 0;
    for (unsigned t = 0; t < 20000; t++) {
        bench_step(&b);
        const unsigned age = load_age(0), high = load_age(3);
        oldest = age > oldest ? age : oldest;
        oldest_high = high > oldest_high ? high : oldest_high;
    }
    tap_why("%u and %u clocks", oldest, oldest_high);
    /* holds link.load_age */
    tap_ok(pass && oldest <= most && oldest_high <= most_high,
           "BER %g: the peer's load is at most %u clocks old, in eights %u", ber, oldest,
           oldest_high);
    bench_free(&b);
}

static void times(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    config.cable[0].ber = config.cable[1].ber = 1e-6;
    bench_start(&b, &config, seed);
    const bool pass = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 1000);
    unsigned came = 0, moved = 0;
    uint64_t delay = 0;
    for (unsigned t = 0; t < 20000; t++) {
        bench_step(&b);
        const struct lcb_out *o = &b.end[1].lcb->out;
        if (o->peer_now_valid) {
            const uint64_t from_peer = (uint64_t)b.end[1].in.now - o->peer_age - o->peer_now;
            moved += came != 0 && from_peer != delay;
            delay = from_peer;
            came++;
        }
    }
    /* seven parts, one in 32 micropackets */
    tap_why("%u times", came);
    tap_ok(misses_why(&b.end[1].times) && misses_why(&b.end[0].times) && pass && came >= 7 &&
               came <= 9,
           "the peer's time came %u times in 20000 clocks, always right", came);
    tap_why("%u of %u moved", moved, came);
    tap_ok(moved == 0, "from a snapshot to the clock in which its part 0 came is constant");
    bench_free(&b);
}

/* Of the time, whose parts are 32 micropackets apart, seven on end are lost: what comes next is of another snapshot. */
static void lost_times(uint64_t seed)
{
    enum { PART = 32 * 10, LOST = 7 * PART, ROUNDS = 8, ROUND = 3 * LOST - 100 };
    struct bench_config config = bench_defaults();
    bench_start(&b, &config, seed);
    bool pass = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_write(&b, 1, LCB_REG_LIMITS, 255 | LCB_RETRY_LIMIT << 8 | LCB_TRAIN_LIMIT << 16);
    unsigned times = 0, oldest = 0;
    for (unsigned clock = 0; clock < ROUNDS * ROUND; clock++) {
        const unsigned at = clock % ROUND;
        for (unsigned l = 0; l < CHANNEL_LANES && (at == 0 || at == LOST); l++)
            channel_lane(&b.cable[0], l, at == 0 ? LANE_NOISE : LANE_GOOD);
        bench_step(&b);
        if (b.end[1].lcb->out.peer_now_valid) {
            const unsigned age = (unsigned)(b.end[0].in.now - b.end[1].lcb->out.peer_now);
            oldest = age > oldest ? age : oldest;
            times++;
        }
    }
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    const bool clean = bench_clean(&b);
    if (clean)
        tap_why("%u times, the oldest %u clocks; %" PRIu64 " re-initialisations", times, oldest,
                bench_count(&b, 2, COUNT_REINITS));
    tap_ok(pass && clean && bench_count(&b, 2, COUNT_REINITS) == 0 && times >= ROUNDS &&
               oldest < 7 * PART,
           "a time is of one snapshot, %u times, at most %u clocks ago", times, oldest);
    bench_free(&b);
}

static void idle(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bench_start(&b, &config, seed);
    bool pass = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 2000);
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    bench_run(&b, 200);
    const uint64_t accepted = bench_count(&b, 2, COUNT_ACCEPTED),
                   good = bench_count(&b, 2, COUNT_GOOD);
    bench_run(&b, 50000);
    const struct lcb_tx *tx = &b.end[0].lcb->tx;
    tap_ok(pass && tx->base == tx->next && bench_count(&b, 2, COUNT_ACCEPTED) == accepted &&
               bench_count(&b, 2, COUNT_GOOD) == good + 10000 &&
               bench_count(&b, 2, COUNT_REPLAYS) == 0 && bench_count(&b, 2, COUNT_TIMEOUTS) == 0 &&
               b.end[0].lcb->out.state == LINK_RUN,
           "an idle link stays up: all acknowledged, only idle micropackets, nothing repeated");
    for (unsigned i = 0; i < 2; i++)
        b.end[i].source.stopped = false;
    bench_run(&b, 2000);
    pass = bench_drain(&b, DRAIN_LIMIT);
    const bool clean = bench_clean(&b);
    tap_ok(pass && clean && bench_count(&b, 2, COUNT_ACCEPTED) > accepted,
           "and carries flits again at once");
    bench_free(&b);
}

/* What the tails of one lcb_tx carried, and what was wrong with them. */
struct schedule {
    unsigned tails, out_of_turn;
    unsigned since_ack, since_other; /* tails, this one included */
    unsigned others, clocks;         /* bodies that are no ack, and those of them with the time */
    bool gap;                        /* at the last tail */
    bool bad;                        /* the last tail had a mark: the next micropacket is idle */
    struct misses wrong;             /* gaps reported late, bodies against the schedule */
    unsigned marks;
};

static void look_at_tail(struct schedule *s, uint64_t tail, bool gap)
{
    const unsigned type = (unsigned)golden_get(tail, FIELD_TYPE);
    const bool ack = golden_has_ack(tail), time = type == GOLDEN_CLOCK, bad = type == GOLDEN_BAD;
    const bool idle = golden_flits(tail) == 0;
    s->tails++;
    s->since_ack++;
    s->since_other++;
    must(&s->wrong, !gap || s->gap || ack || s->bad, "tail %u does not report a gap", s->tails);
    if (ack)
        must_equal(&s->wrong, golden_get(tail, FIELD_NAK), gap, "nak of tail %u", s->tails);
    /* holds link.schedule */
    must_at_most(&s->wrong, s->since_ack, 2, "tails to the ack in tail %u", s->tails);
    must_at_most(&s->wrong, s->since_other, s->marks == 0 ? 3 : 4,
                 "tails to the other body in tail %u", s->tails);
    must(&s->wrong, !bad || !idle, "tail %u marks a micropacket without flits", s->tails);
    must(&s->wrong, !s->bad || idle, "flits in micropacket %u, behind a mark", s->tails);
    s->others += !ack;
    s->clocks += time;
    if (!ack)
        must_equal(&s->wrong, time, s->others % 16 == 0, "time in tail %u", s->tails);
    if (ack && s->since_ack == 1 && s->tails > 1) {
        s->out_of_turn++;
        must(&s->wrong, bad || (gap && !s->gap), "an ack out of turn in tail %u", s->tails);
    }
    s->since_ack = ack ? 0 : s->since_ack;
    s->since_other = ack ? s->since_other : 0;
    s->gap = gap;
    s->bad = bad;
    s->marks += bad;
}

/* An lcb_tx alone; the gap comes and goes with this chance in a clock, a flit is marked with that one. */
static struct schedule watch_schedule(double change, double mark, uint64_t seed)
{
    enum { CLOCKS = 100000 };
    static struct lcb_tx tx;
    struct lcb_tx_in in = {.run = 1, .advance = 1, .flit_valid = mark > 0, .timeout = 4095};
    struct schedule s = {0};
    struct rng rng;
    unsigned words = 0;
    rng_seed(&rng, seed);
    lcb_tx_reset(&tx);
    for (unsigned t = 0; t < CLOCKS; t++) {
        in.gap ^= rng_chance(&rng, change);
        in.flit_bad = rng_chance(&rng, mark);
        in.ack_valid = 1;
        in.ack = tx.next;
        lcb_tx(&tx, &in);
        words += tx.out.valid;
        if (tx.out.valid && words % GOLDEN_SLOTS == 0)
            look_at_tail(&s, tx.out.word, in.gap);
    }
    return s;
}

static void schedule(uint64_t seed)
{
    static const double change[] = {0, 0.002, 0.05, 0.5, 0, 0.05, 0.5};
    static const double mark[] = {0, 0, 0, 0, 0.05, 0.3, 1};
    for (unsigned i = 0; i < sizeof change / sizeof *change; i++) {
        const struct schedule s = watch_schedule(change[i], mark[i], seed + i);
        tap_why("%u tails, %u of the time", s.tails, s.clocks);
        tap_ok(misses_why(&s.wrong) && s.tails > 9990 && s.clocks > 200 &&
                   (s.out_of_turn > 0) == (change[i] + mark[i] > 0) &&
                   (s.marks > 1000) == (mark[i] > 0),
               "a new gap is reported by the next tail, as are %u marks, %u of %u out of turn, the "
               "others in theirs",
               s.marks, s.out_of_turn, s.tails);
    }
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    schedule(seed);
    credits("eight VCs, full speed", 0xff, 1, 1e-5, seed);
    credits("eight VCs, slow input queue", 0xff, 0.3, 1e-5, seed + 1);
    credits("one VC, slow input queue", 0x08, 0.3, 1e-5, seed + 2);
    credits("two VCs, slow input queue, BER 1e-4", 0x81, 0.2, 1e-4, seed + 3);
    announced(seed);
    load(0, 28, 17, seed);
    load(1e-6, 58, 38, seed);
    times(seed);
    lost_times(seed);
    idle(seed);
    return tap_done();
}
