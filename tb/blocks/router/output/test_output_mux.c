// SPDX-License-Identifier: Apache-2.0
/*
 * test_output_mux.c - output_mux alone, between models of the column busses and of the link.
 *
 * Built for routers: san. Recorded for output_mux.
 */
#include "tb/blocks/router/output_side.h"
#include "router/flit/packet.h"
#include "router/flit/rtr_ecc.h"

#include <math.h>

static void test_order(uint64_t seed)
{
    static const double moods[][2] = {{1, 1},     {0.1, 1},    {1, 0.3},
                                      {0.2, 0.6}, {0.5, 0.05}, {0.02, 1}};
    static struct output_side w;

    output_side_start(&w, seed);
    for (unsigned n = 0; n < 60; n++) {
        w.offer = moods[n % 6][0];
        w.ready = moods[n % 6][1];
        w.longest = n % 7 == 0 ? 1 : RTR_PACKET;
        w.room = n % 3 == 0 ? (unsigned)rng_next(&w.rng) : ~0u;
        output_side_run(&w, 1000);
    }
    bool drained = output_side_drain(&w);

    must_at_least(&w.wrong, w.packets, 2000 + 1, "w.packets");
    tap_misses(&w.wrong, "output: %llu packets in order, held until taken, started only with room",
               (unsigned long long)w.packets);
    tap_ok(w.mixed == 0, "output: packets are never mixed on the link");
    /* holds router.marked */
    tap_ok(w.bad > 100, "output: %llu packets with a corrupted flit are marked at their tail",
           (unsigned long long)w.bad);
    /* holds output_mux.load */
    tap_misses(&w.load_wrong,
               "output: load is half of what waits here, and what waits of a class there");
    tap_misses(&w.stall_wrong, "output: nothing is reported as stalled where nothing waits");
    tap_ok(drained, "output: everything came out, all credits are back");
    tap_ok(w.corrected == 0 && w.fatal == 0, "output: no error where none was made");
}

/* Packets follow each other without a bubble; heads in consecutive clocks only where there is room to spare. */
static void test_rate(uint64_t seed)
{
    static const struct {
        unsigned shortest, longest;
        bool spare;
        double want;
    } loads[] = {{1, 1, true, 1},          {2, 2, true, 1},
                 {3, 3, true, 1},          {RTR_PACKET, RTR_PACKET, true, 1},
                 {1, RTR_PACKET, true, 1}, {1, 1, false, 0.5},
                 {2, RTR_PACKET, false, 1}};
    static struct output_side w;

    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        for (unsigned all = 0; all < 2; all++) {
            output_side_start(&w, seed);
            w.shortest = loads[i].shortest;
            w.longest = loads[i].longest;
            w.spare = loads[i].spare ? w.spare : 0;
            w.rows = all ? w.rows : 1;
            w.vcs = all ? w.vcs : 1;
            double seen = output_side_rate(&w, 20000);

            /* holds output_mux.rate */
            tap_ok(seen > loads[i].want - 0.001 && seen <= loads[i].want,
                   "output: packets of %u to %u from %s, %s: %.4f", w.shortest, w.longest,
                   all ? "everywhere" : "one VC of one row",
                   w.spare ? "room to spare" : "room for one", seen);
        }
    }
}

/*
 * Room to spare on VC 1 alone: packets of one flit of it follow each other, but if one of VC 0 waits and has room, each
 * waits for the other.
 */
static void test_spare(uint64_t seed)
{
    static const struct {
        unsigned vcs, room;
        double first, second; /* flits per clock of VC 0 and 1 */
    } loads[] = {{3, 3, 0.25, 0.25}, {2, 3, 0, 1}, {3, 2, 0, 1}};
    static struct output_side w;

    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        double seen[2] = {0, 0};

        output_side_start(&w, seed);
        w.shortest = w.longest = 1;
        w.vcs = loads[i].vcs;
        w.room = loads[i].room;
        w.spare = 2;
        output_side_rate(&w, 20000);
        for (int r = 0; r < RTR_ROWS; r++) {
            seen[0] += (double)w.from[r][0] / 20000;
            seen[1] += (double)w.from[r][1] / 20000;
        }
        /* holds output_mux.spare */
        must(&w.wrong, fabs(seen[0] - loads[i].first) < 0.02,
             "fabs(seen[0] - loads[i].first): %.3f, expected < %.3f",
             (double)(fabs(seen[0] - loads[i].first)), (double)(0.02));
        must(&w.wrong, fabs(seen[1] - loads[i].second) < 0.02,
             "fabs(seen[1] - loads[i].second): %.3f, expected < %.3f",
             (double)(fabs(seen[1] - loads[i].second)), (double)(0.02));
        tap_misses(&w.wrong, "output: of VCs %u with room on %u, to spare on 1: %.3f and %.3f",
                   loads[i].vcs, loads[i].room, seen[0], seen[1]);
    }
}

static void test_fair(uint64_t seed, bool whims)
{
    static struct output_side w;
    uint64_t row[RTR_ROWS] = {0}, vc[RTR_VCS] = {0};

    output_side_start(&w, seed);
    w.whims = whims;
    output_side_rate(&w, whims ? 800000 : 200000); /* shares drift more where room comes and goes */
    for (int r = 0; r < RTR_ROWS; r++) {
        for (int v = 0; v < RTR_VCS; v++) {
            row[r] += w.from[r][v];
            vc[v] += w.from[r][v];
        }
    }
    tap_ok(unfairness(row, RTR_ROWS) < 0.05 && unfairness(vc, RTR_VCS) < 0.05,
           "output: everyone waits%s: shares of rows off by %.3f, of VCs by %.3f",
           whims ? ", room comes and goes" : "", unfairness(row, RTR_ROWS),
           unfairness(vc, RTR_VCS));
}

/*
 * All rows but the last go first, and every packet is whole: the last gets each 16th packet, the others share the rest alike;
 * the last row alone fills the link; without the mask it has its share.
 */
static void test_first(uint64_t seed)
{
    static const struct {
        unsigned length;
        bool set, alone;
        double want; /* of the last row */
    } loads[] = {{4, true, false, 1.0 / 16},
                 {1, true, false, 1.0 / 16},
                 {4, true, true, 1},
                 {4, false, false, 1.0 / RTR_ROWS},
                 {1, true, true, 1}};
    static struct output_side w;

    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        uint64_t row[RTR_ROWS] = {0};
        const unsigned last = 1u << (RTR_ROWS - 1);

        output_side_start(&w, seed);
        w.shortest = w.longest = loads[i].length;
        w.rows = loads[i].alone ? last : w.rows;
        w.vcs = loads[i].alone ? 1 : w.vcs;
        w.first = loads[i].set ? last - 1 : 0;
        double seen = output_side_rate(&w, 100000);
        for (int r = 0; r < RTR_ROWS; r++) {
            for (int v = 0; v < RTR_VCS; v++) {
                row[r] += w.from[r][v];
            }
        }
        double share = (double)row[RTR_ROWS - 1] / 100000;
        const double above =
            RTR_ROWS > 2 ? 0.0005 : 0.005; /* where one row is all the others, it pauses at times */
        double others = RTR_ROWS > 1 && !loads[i].alone ? unfairness(row, RTR_ROWS - 1) : 0;

        /* holds output_mux.first_wait, output_mux.sixteenth */
        must(&w.wrong, seen > 0.999, "seen: %.3f, expected > %.3f", (double)(seen),
             (double)(0.999));
        must(&w.wrong, share > loads[i].want - 0.0005, "share: %.3f, expected > %.3f",
             (double)(share), (double)(loads[i].want - 0.0005));
        must(&w.wrong, share < loads[i].want + above, "share: %.3f, expected < %.3f",
             (double)(share), (double)(loads[i].want + above));
        must(&w.wrong, others < 0.05, "others: %.3f, expected < %.3f", (double)(others),
             (double)(0.05));
        tap_misses(
            &w.wrong,
            "output: packets of %u, rows %#x go first%s: the last gets %.3f of %.4f, shares of "
            "the others off by %.3f",
            w.longest, w.first, loads[i].alone ? " and have nothing" : "", share, seen, others);
    }
    output_side_start(&w, seed);
    w.first = 1;
    for (unsigned n = 0; n < 60; n++) {
        w.offer = n % 2 ? 1 : 0.1;
        w.room = n % 3 == 0 ? (unsigned)rng_next(&w.rng) : ~0u;
        w.first = (unsigned)rng_next(&w.rng);
        output_side_run(&w, 1000);
    }
    must(&w.wrong, output_side_drain(&w), "expected output_side_drain(&w)");
    must_equal(&w.wrong, w.mixed, 0, "w.mixed");
    tap_misses(&w.wrong, "output: whoever goes first, %llu packets in order",
               (unsigned long long)w.packets);
}

/* Requests that wait for room leave the link to responses. */
static void test_stall(uint64_t seed)
{
    static struct output_side w;

    output_side_start(&w, seed);
    w.room = ((1u << RTR_VCS) - 1) & ~((1u << HALF) - 1);
    double seen = output_side_rate(&w, 20000);
    uint64_t requests = 0;

    for (int r = 0; r < RTR_ROWS; r++) {
        for (int v = 0; v < HALF; v++) {
            requests += w.from[r][v];
        }
    }
    tap_ok(requests == 0 && seen > 0.95, "output: requests without room hold no response: %.4f",
           seen);
    tap_ok(w.dut.out.stall_request && !w.dut.out.stall_response,
           "output: and are reported as stalled");
    w.room = (1u << HALF) - 1;
    output_side_run(&w, 2000);
    tap_ok(w.dut.out.stall_response && !w.dut.out.stall_request, "output: the same the other way");

    output_side_start(&w, seed);
    w.rows = w.vcs = 1;
    w.longest = w.shortest = RTR_PACKET;
    while (!w.dut.out.start.valid) {
        output_side_step(&w);
    }
    w.room = 0;
    w.quiet = true;
    bool stalled = false;
    for (unsigned n = 0; n < 2 * RTR_PACKET; n++) {
        output_side_step(&w);
        stalled |= w.dut.out.stall_request || w.dut.out.stall_response;
    }
    /* holds output_mux.stalls */
    tap_ok(!stalled && w.packets == 1, "output: a packet that was begun needs no more room");
}

/*
 * Row 0 brings its flits one by one, the others fill the link: whole packets go first, so the link hardly waits for
 * row 0, but row 0 has its turn.
 */
static void test_slow(uint64_t seed)
{
    static struct output_side w;

#if RTR_ROWS > 2
    output_side_start(&w, seed);
    w.vcs = 1;
    w.shortest = w.longest = RTR_PACKET;
    w.slow = 0.125;
    double seen = output_side_rate(&w, 100000), slow = (double)w.from[0][0] / 100000;

    tap_ok(seen > 0.75 && slow > 0.06, "output: a slow row gets %.3f and leaves %.3f", slow,
           seen - slow);
#endif
    output_side_start(&w, seed);
    w.vcs = 1;
    w.shortest = w.longest = RTR_PACKET;
    w.slow = 0.005;
    output_side_rate(&w, 200000 / 14 * RTR_PACKET); /* 71 packets, as long as they are */
    tap_ok(w.early > 40, "output: and packets of a very slow one start before their tail, %llu",
           (unsigned long long)w.early);
}

#if RTR_ROWS > 2
#if RTR_ROWS > 2
/*
 * Every fourth choice ignores whether enough of a packet is here: the heads of a slow row, of which there is never enough in time, go with these
 * and with no other, and with each of them as often: of two rows that take turns, as with eight of them the slow one's turn comes with each
 * eighth choice where packets are so long that its next head is here by then.
 */
static void test_every_fourth(uint64_t seed)
{
    static struct output_side w;
    unsigned choices = 0, heads = 0, of_eight[8] = {0}, other = 0;

    output_side_start(&w, seed);
    w.vcs = 1;
    w.marks = false;
    w.shortest = w.longest = RTR_PACKET;
    w.slow = 0.02;
    w.rows = RTR_ROWS == 8 ? 3 : (1 << RTR_ROWS) - 1;
    for (unsigned i = 0; i < 400000; i++) {
        output_side_step(&w);
        choices += (unsigned)w.dut.out.start.valid;
        if (i >= 1000 && w.dut.out.start.valid && w.dut.out.freed[0].valid) {
            of_eight[choices % 8]++;
            heads++;
        }
    }
    unsigned most = 0;
    for (unsigned n = 0; n < 8; n++)
        most = of_eight[n] > of_eight[most] ? n : most;
    for (unsigned n = 0; n < 8; n++)
        other += n % 4 != most % 4 ? of_eight[n] : 0;
    /* holds output_mux.fourth */
    tap_ok(heads > 200 && other == 0 && of_eight[(most + 4) % 8] > heads / 3,
           "output: not enough of a packet here: of %u %u go with every fourth choice, %u and %u "
           "of two",
           heads, heads - other, of_eight[most], of_eight[(most + 4) % 8]);
}
#endif
#endif

#if RTR_VCS > 2
/* The same in a row: VC 0 brings its flits one by one, and the row turns from it to the whole packets of others. */
static void test_slow_vc(uint64_t seed)
{
    static struct output_side w;

    output_side_start(&w, seed);
    w.rows = 1;
    w.shortest = w.longest = RTR_PACKET;
    w.slow = 0.5;
    w.slow_vc = true;
    double seen = output_side_rate(&w, 400000), slow = (double)w.from[0][0] / 400000;

    /* holds output_mux.slow */
    tap_ok(seen - slow > (RTR_PACKET > 16 ? 0.37 : 0.44) && slow > 0.05,
           "output: a slow VC of a row gets %.3f and leaves %.3f", slow, seen - slow);
}
#endif

/* Nothing else waits: a packet is begun when its head is there. */
static void test_cut_through(uint64_t seed)
{
    static struct output_side w;

    output_side_start(&w, seed);
    w.rows = w.vcs = 1;
    w.shortest = w.longest = RTR_PACKET;
    w.slow = 0.25;
    output_side_rate(&w, 20000);
    tap_ok(w.early + 1 >= w.packets && w.packets > 100,
           "output: of %llu packets alone %llu are begun before their tail comes",
           (unsigned long long)w.packets, (unsigned long long)w.early);
}

/* Flips bits of data words: one is corrected and reported, two are reported and corrupt the packet. */
static void test_bits(uint64_t seed)
{
    static struct output_side w;

    for (unsigned bits = 1; bits <= 2; bits++) {
        output_side_start(&w, seed);
        w.marks = false;
        w.ready = 0.8; /* what was reported must not be reported again while the link waits */
        for (unsigned n = 0; n < 10000; n++) {
            unsigned row = rng_below(&w.rng, RTR_ROWS), v = rng_below(&w.rng, RTR_VCS);
            struct source *s = &w.source[row][v];
            struct column_buffer *q = &w.dut.buffer[row];
            unsigned held = (1u << RTR_COL_LOG2) - s->credit;

            /* the newest flit of a VC that has several */
            if (held > 3 && s->flit[(uint16_t)(s->sent - 1) % RING].flips == 0) {
                unsigned place = (unsigned)(column_buffer_place)(q->wr[v] - 1);
                /* two only in check bits, so that the bench can still read the flit */
                unsigned least = bits == 2 ? RTR_FLIT_BITS + 1 : 0;
                unsigned bit = least + rng_below(&w.rng, RTR_CODE_BITS - 1 - least);
                rtr_code *word = &q->codes[v << RTR_COL_LOG2 | place];

                if (((unsigned)rtr_decode(*word).flit >> 6) % NUMBERS == (s->sent - 1u) % NUMBERS) {
                    *word ^= (rtr_code)(bits == 2 ? 3 : 1) << bit;
                    s->flit[(uint16_t)(s->sent - 1) % RING].flips = bits;
                }
            }
            output_side_run(&w, 3);
        }
        output_side_drain(&w);
        /* holds output_mux.bad */
        must_at_least(&w.wrong, w.flipped, 500 + 1, "w.flipped");
        must_equal(&w.wrong, (bits == 1 ? w.corrected : w.fatal), w.flipped,
                   "(bits == 1 ? w.corrected : w.fatal)");
        must_equal(&w.wrong, (bits == 1 ? w.fatal : w.corrected), 0,
                   "(bits == 1 ? w.fatal : w.corrected)");
        must_equal(&w.wrong, (w.cuts > 20), (bits == 2), "(w.cuts > 20)");
        tap_misses(
            &w.wrong, "output: %llu flits with %u wrong bits: reported, %s; %llu heads among them",
            (unsigned long long)w.flipped, bits,
            bits == 1 ? "corrected" : "and their packets marked", (unsigned long long)w.cuts);
    }
}

/* Flips copies of the newest flit's tail mark, two so that it still reads right; a row doubts one flit at a time. */
static void flip_mark(struct output_side *w, unsigned row, unsigned v, unsigned bits)
{
    struct source *s = &w->source[row][v];
    struct column_buffer *q = &w->dut.buffer[row];
    const unsigned newest = (uint16_t)(s->sent - 1) % RING;
    const unsigned place = v << RTR_COL_LOG2 | (unsigned)(column_buffer_place)(q->wr[v] - 1);

    if ((w->doubt >> row & 1) != 0 || (1u << RTR_COL_LOG2) - s->credit <= 3 ||
        s->flit[newest].flips != 0 ||
        (unsigned)q->controls[place] != (s->flit[newest].tail ? 0xF : 0)) {
        return;
    }
    q->controls[place] ^= bits == 1 ? 1u << rng_below(&w->rng, 4) : s->flit[newest].tail ? 3 : 5;
    s->flit[newest].flips = bits;
    s->flit[newest].in_mark = true;
    w->doubt |= 1u << row;
}

/* Of four copies one wrong is corrected and reported; two are reported and corrupt the packet. */
static void test_marks(uint64_t seed)
{
    static struct output_side w;

    for (unsigned bits = 1; bits <= 2; bits++) {
        output_side_start(&w, seed);
        w.marks = false;
        for (unsigned n = 0; n < 10000; n++) {
            flip_mark(&w, rng_below(&w.rng, RTR_ROWS), rng_below(&w.rng, RTR_VCS), bits);
            output_side_run(&w, 3);
        }
        output_side_drain(&w);
        /* holds router.tail_copies */
        must_at_least(&w.wrong, w.flipped, 150 + 1, "w.flipped");
        must_equal(&w.wrong, (bits == 1 ? w.corrected : w.fatal), w.flipped,
                   "(bits == 1 ? w.corrected : w.fatal)");
        must_equal(&w.wrong, (bits == 1 ? w.fatal : w.corrected), 0,
                   "(bits == 1 ? w.fatal : w.corrected)");
        must_equal(&w.wrong, (w.bad > 100), (bits == 2), "(w.bad > 100)");
        tap_misses(&w.wrong,
                   "output: %llu tail marks with %u copies wrong: reported; %llu packets marked",
                   (unsigned long long)w.flipped, bits, (unsigned long long)w.bad);
    }
}

/*
 * A port that takes nothing of a class, or of both: the first packet is dropped behind the second tick, none before it; the other class goes
 * on as if nothing were; with room all that is chosen comes, whole, and each packet that did not is counted.
 */
static void test_valve(uint64_t seed, unsigned hung)
{
    static struct output_side w;
    const unsigned all = (1u << RTR_VCS) - 1, periods = 6, period = 1000;
    uint64_t before[2] = {0}, early = 0, late = 0, at_once = 0;

    output_side_start(&w, seed);
    output_side_run(&w, 2000);
    early += w.dropped;
    const uint64_t packets = w.packets;
    w.room = w.spare = all & ~hung;
    for (unsigned n = 0; n < periods; n++) {
        output_side_run(&w, period - 1);
        early += n < 2 ? w.dropped : 0;
        late += n >= 2 && w.dropped == before[0];
        before[0] = w.dropped;
        w.tick = true;
        output_side_step(&w);
        w.tick = false;
    }
    const bool others = hung == all || w.packets > packets + periods * period / (2 * RTR_PACKET);
    before[1] = w.dropped;
    w.room = w.spare = all;
    output_side_run(&w, 4);
    at_once = w.dropped;
    output_side_run(&w, 5000);
    const bool opens = w.dropped == at_once && at_once <= before[1] + 4;
    const bool drained = output_side_drain(&w);
    /* holds valve.dropped, valve.chosen */
    must(&w.wrong, drained, "expected drained");
    must_equal(&w.wrong, early, 0, "early");
    must_equal(&w.wrong, late, 0, "late");
    must(&w.wrong, others, "expected others");
    must(&w.wrong, opens, "expected opens");
    must_at_least(&w.wrong, w.dropped, 0 + 1, "w.dropped");
    must_equal(&w.wrong, w.dropped, w.lost, "w.dropped");
    must_equal(&w.wrong, w.mixed, 0, "w.mixed");
    tap_misses(&w.wrong,
               "output: no room on VCs %#x: dropped from the second tick on, counted, %llu packets",
               hung, (unsigned long long)w.dropped);
}

/* Without ticks nothing is dropped however long there is no room, and while any VC of a class has some nothing of it is. */
static void test_valve_open(uint64_t seed)
{
    static struct output_side w;

    output_side_start(&w, seed);
    w.room = w.spare = 0;
    output_side_run(&w, 100000);
    w.tick = true;
    w.room = w.spare = 1 | 1 << HALF;
    output_side_run(&w, 100000);
    w.tick = false;
    must_equal(&w.wrong, w.dropped, 0, "w.dropped");
    must(&w.wrong, output_side_drain(&w), "expected output_side_drain(&w)");
    tap_misses(&w.wrong,
               "output: without ticks, and with room on one VC of each class, nothing is dropped");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &output_side_clock;
    test_order(seed);
    test_rate(seed);
    test_spare(seed);
    test_fair(seed, false);
    test_fair(seed, true);
    test_first(seed);
    test_stall(seed);
    test_slow(seed);
#if RTR_ROWS > 2
    test_every_fourth(seed);
#endif
#if RTR_VCS > 2
    test_slow_vc(seed);
#endif
    test_cut_through(seed);
    test_bits(seed);
    test_marks(seed);
    test_valve(seed, (1u << RTR_VCS) - 1);
    test_valve(seed, (1u << HALF) - 1);
    test_valve(seed, ((1u << RTR_VCS) - 1) & ~((1u << HALF) - 1));
    test_valve_open(seed);
    return tap_done();
}
