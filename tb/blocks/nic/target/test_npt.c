// SPDX-License-Identifier: Apache-2.0
/*
 * test_npt.c - answers to other nodes, against a list of what they asked for.
 *
 * Before it rat_net (contexts, by its rule of room), behind it a memory that answers late and reads that come as
 * axi_master sends them, a netlink with a queue of 32 beats, and a cq with places for two events; beside it amo, whose
 * operations are done in an order of their own. Every context is answered once, as memory said; acks in order; an event only
 * with an OK, once, with its answer; every operation as amo says, no other beat inside; and none of the three
 * waits for the others for ever.
 *
 * Built for aries: fast; proto: san. Recorded for npt.
 */
#include "tb/blocks/nic/target/npt_bench.h"

static void test_loads(void)
{
    /* put, get, refuse, event, counted, drain, cq, error, operation, fetch, latency */
    static const struct npt_load loads[] = {
        {0.2, 0.2, 0.1, 0.3, 0, 1, 1, 0.1, 0.1, 0.5, 30},
        {0.5, 0, 0, 0, 0, 1, 1, 0, 0, 0.5, 10},
        {0.1, 0.5, 0.3, 0.5, 0, 0.5, 0.2, 0, 0.2, 0.5, 100},
        {1, 0, 1, 0, 0, 0.3, 1, 0, 0, 0.5, 5},
        {0.3, 0.3, 0.2, 1, 0, 0.9, 0.1, 0.5, 1, 0.5, 0},
        {0.05, 0.05, 0.1, 0.3, 0, 1, 1, 0.1, 0.05, 0.5, 300},
        {0.02, 0.9, 0, 0, 0, 1, 1, 0, 0, 0.5, 60},
        {0.3, 0.1, 0.2, 0.1, 0, 1, 1, 0.3, 0.02, 0.5, 20},
        {0.02, 0.9, 0, 0, 0, 1, 1, 0.3, 0.9, 0.5, 60},
        {0.2, 0.2, 0.1, 0.3, 0.5, 1, 1, 0.1, 0.1, 0.5, 30},
        {0.5, 0, 0, 0.2, 1, 1, 1, 0, 0, 0.5, 10},
        {0.3, 0.3, 0.2, 0.5, 0.9, 0.4, 0.3, 0.2, 0.9, 0.5, 100},
    };

    for (unsigned l = 0; l < sizeof(loads) / sizeof(*loads); l++) {
        npt_bench_begin();
        nb.load = loads[l];
        for (unsigned i = 0; i < 20000; i++) {
            npt_bench_step();
        }
        npt_bench_finish();
        must_equal(&nb.wrong, nb.answers + nb.parked, nb.made, "contexts that were answered");
        must(&nb.wrong, loads[l].counted == 0 || nb.counted_packets > 100, "rmt is asked %u times",
             nb.counted_packets);
        must(&nb.wrong,
             loads[l].counted == 0 || loads[l].operation == 0 || nb.counted_operations > 100,
             "rmt is asked of %u operations", nb.counted_operations);
        must_at_least(&nb.wrong, nb.made, 501, "contexts");
        /* holds npt.forgets, npt.counts */
        tap_misses(
            &nb.wrong,
            "load %u: %u answers, %u events, %u operations; an ack waited %llu clocks at most, an "
            "operation %llu, a reply %llu",
            l, nb.answers, nb.events, nb.operations, (unsigned long long)nb.oldest_ack_wait,
            (unsigned long long)nb.longest_operation_wait,
            (unsigned long long)nb.longest_reply_wait);
    }
}

/* Replies fill the stream: acks get through all the same, and cost little. */
static void test_turns(void)
{
    uint64_t beats = 0;

    npt_bench_begin();
    nb.load.latency = 5;
    for (unsigned i = 0; i < 20000; i++) {
        nb.load.put = 0.1;
        nb.load.get = 0.9;
        npt_bench_step();
        beats += i > 1000 && nb.dut.out.response.valid;
    }
    npt_bench_finish();
    /* holds npt.acks */
    must_at_most(&nb.wrong, nb.oldest_ack_wait, 40, "clocks that an ack waited");
    must_at_least(&nb.wrong, beats, 19000 * 92 / 100 + 1, "beats in 19000 clocks");
    tap_misses(
        &nb.wrong,
        "beside a stream full of replies an ack waits %llu clocks at most; %.2f beats per clock",
        (unsigned long long)nb.oldest_ack_wait, (double)beats / 19000);
}

/* Answers of amo as fast as they are taken, beside what else there may be. */
static void test_operations(double puts, double refused, double gets, bool brings)
{
    unsigned acks, replies, done;
    const unsigned clocks = 20000;

    npt_bench_begin();
    nb.load.latency = 5;
    nb.load.refuse = refused;
    nb.load.operation = 1;
    nb.load.fetch = brings;
    for (unsigned i = 0; i < clocks; i++) {
        nb.load.put = puts;
        nb.load.get = gets;
        npt_bench_step();
    }
    acks = nb.acks_out, replies = nb.reply_beats_out, done = nb.operations_done;
    uint64_t waits[] = {nb.oldest_ack_wait, nb.longest_operation_wait, nb.longest_reply_wait};

    npt_bench_finish();
    double least = puts == 0 && gets == 0 ? 0.49 : 0.125;

    /* holds npt.three */
    must_at_most(&nb.wrong, waits[0], 13, "clocks that an ack waited");
    must_at_most(&nb.wrong, waits[1], 10, "clocks that an operation waited");
    must_at_most(&nb.wrong, waits[2], 6, "clocks that a reply waited");
    must_at_least(&nb.wrong, done, least * clocks + 1, "operations in %u clocks", clocks);
    must_at_least(&nb.wrong, acks, puts == 0 ? 0 : clocks / 6 + 1, "acks in %u clocks", clocks);
    must_at_least(&nb.wrong, replies, gets == 0 ? 0 : clocks / 7 + 1,
                  "beats of replies in %u clocks", clocks);
    tap_misses(&nb.wrong,
               "%s operations, puts %.1f, refused %.1f, gets %.1f: of 100 clocks %.1f begin "
               "operations, %.1f acks, %.1f "
               "are of replies; they wait %llu, %llu, %llu at most",
               brings ? "fetching" : "other", puts, refused, gets, done * 100.0 / clocks,
               acks * 100.0 / clocks, replies * 100.0 / clocks, (unsigned long long)waits[1],
               (unsigned long long)waits[0], (unsigned long long)waits[2]);
}

/* A write and nothing else: one answer every second clock, as 8-byte puts come. */
static void test_rate(void)
{
    npt_bench_begin();
    nb.load.latency = 20;
    uint64_t from = nb.now;

    for (unsigned i = 0; i < 20000; i++) {
        nb.load.put = i % 2 == 0 ? 1 : 0;
        npt_bench_step();
    }
    must_at_least(&nb.wrong, nb.answers, 9901, "answers in 20000 clocks");
    tap_misses(&nb.wrong, "writes: an answer every %.3f clocks",
               (double)(nb.now - from) / nb.answers);
    npt_bench_finish();
}

/* Memory does not answer, contexts come one by one: those that are taken until no RAT_AHEAD more fit, and back again. */
static void test_room(bool read)
{
    const unsigned places = 1 << (read ? NIC_GETS_LOG2 : NIC_PUTS_LOG2);
    unsigned before;

    npt_bench_begin();
    nb.load.latency = 20000;
    npt_bench_step();
    while ((read ? nb.dut.out.room_read : nb.dut.out.room_write) && nb.made <= places) {
        before = nb.made;
        while (nb.made == before) {
            nb.load.put = !read;
            nb.load.get = read;
            npt_bench_step();
        }
        nb.load.put = nb.load.get = 0;
        for (unsigned i = 0; i < RAT_STAGES + 2; i++) {
            npt_bench_step();
        }
    }
    tap_why("expected %u", places - RAT_AHEAD + 1);
    tap_ok(nb.made == places - RAT_AHEAD + 1,
           "%u contexts of %s are taken, of %u places %d are for those on their way", nb.made,
           read ? "reads" : "writes", places, RAT_AHEAD - 1);
    npt_bench_finish();
    /* holds npt.room */
    tap_misses(&nb.wrong, "and all of them are answered when memory answers");
}

/* Where the last context of a write stands. */
static unsigned last_put(const struct npt_test_asked *a)
{
    unsigned queued = a->context.queued;
    npt_put place = (npt_put)(nb.dut.put_read[queued] + nb.dut.waiting[queued] - 1);

    return queued << NIC_PUTS_LOG2 | (unsigned)place;
}

/* What of the last context waits, a code of these bits. */
enum harmed { CONTEXT, EVENT, READ, FLAG_PLACE, FLAG_VALUE };

static bool is_there(enum harmed which)
{
    const struct npt_test_asked *a = &nb.asked[nb.made - 1];
    const struct npt_context *before = &(a - 1)->context;
    bool flag = a->context.flag.wanted && a->context.status == 0 && !before->ready &&
                !before->queued; /* so it waits behind that one */

    return which == READ ? nb.dut.gets == 2 && nb.dut.get_staged
                         : nb.dut.puts == 2 && (which < READ ? !a->context.ready : flag);
}

static void harm(enum harmed which, unsigned bit)
{
    const struct npt_test_asked *a = &nb.asked[nb.made - 1];

    switch (which) {
    case CONTEXT:
        nb.dut.put_codes[last_put(a)] ^= (put_ecc_word)1 << bit;
        break;
    case EVENT:
        nb.dut.event_codes[last_put(a)] ^= (event_ecc_word)1 << bit;
        break;
    case READ:
        nb.dut.get_codes[(npt_get)(nb.dut.get_write - 1)] ^= (get_ecc_word)1 << bit;
        break;
    case FLAG_PLACE:
        nb.dut.flag_places[last_put(a)] ^= (flag_place_ecc_word)1 << bit;
        break;
    case FLAG_VALUE:
        nb.dut.flag_values[last_put(a)] ^= (flag_value_ecc_word)1 << bit;
        break;
    }
}

/* Bits of what waits, of each memory. */
static void test_bits(enum harmed which, unsigned bits)
{
    static const char *const names[] = {"a context of a write", "its event", "a context of a read",
                                        "the place of a flag", "a flag"};
    static const unsigned widths[] = {63, 63, 40, 60, 72};
    unsigned width = widths[which], flags = which >= FLAG_PLACE;
    uint64_t corrupted = 0;

    npt_bench_begin();
    for (unsigned i = 0; i < (flags ? 1600 : 300); i++) {
        nb.load.latency = 60;
        nb.load.event = which == EVENT ? 1 : 0;
        nb.load.counted = flags ? 0.7 : 0;
        unsigned first = rng_below(&nb.rng, width),
                 second = (first + 1 + rng_below(&nb.rng, width - 1)) % width;

        /* two, so that the second one's word stays in the memory; PUT_MSG alone has to wait for memory */
        for (unsigned k = 0; k < 2; k++) {
            do {
                nb.load.put = which != READ;
                nb.load.get = which == READ;
                npt_bench_step();
            } while (!nb.pipe[0].valid);
            nb.load.put = nb.load.get = 0;
        }
        for (unsigned c = 0; c < RAT_STAGES + 2; c++) {
            npt_bench_step();
        }
        if (is_there(which)) {
            struct npt_test_asked *a = &nb.asked[nb.made - 1];
            bool event = which == EVENT || flags;

            for (unsigned k = 0; k < bits; k++) {
                harm(which, k == 0 ? first : second);
            }
            a->lost = bits == 2 && !event;
            a->event_corrupt = bits == 2 && event;
            corrupted++;
            nb.expected[NPT_LOST] += bits == 2;
        }
        double share = nb.load.put;

        npt_bench_finish();
        nb.load.put = share;
    }
    /* holds npt.bits, npt.context */
    must_at_least(&nb.wrong, corrupted, 51, "entries that were hit");
    if (bits == 1)
        must_equal(&nb.wrong, nb.counted[NPT_CORRECTED], corrupted, "entries counted as corrected");
    tap_misses(&nb.wrong, "%u wrong bits in %s (%llu): %s", bits, names[which],
               (unsigned long long)corrupted,
               bits == 1                           ? "corrected, counted"
               : which == CONTEXT || which == READ ? "no answer, counted"
                                                   : "UNCORRECTABLE, no event");
}

int main(int argc, char **argv)
{
    rng_seed(&nb.rng, test_seed(argc, argv));
    harness_clock = &nb.now;
    test_loads();
    test_turns();
    for (unsigned brings = 0; brings < 2; brings++) {
        test_operations(0, 0, 0, brings);
        test_operations(0.5, 0, 0, brings);
        test_operations(1, 1, 0, brings);
        test_operations(0, 0, 1, brings);
        test_operations(0.2, 0, 0.8, brings);
        test_operations(0.6, 0, 0.4, brings);
        test_operations(0.9, 0, 0.1, brings);
        test_operations(0.8, 1, 0.2, brings);
    }
    test_rate();
    test_room(false);
    test_room(true);
    for (enum harmed which = CONTEXT; which <= FLAG_VALUE; which++) {
        test_bits(which, 1);
        test_bits(which, 2);
    }
    npt_bench_free();
    tap_ok(harness_covers("hls/nic/target/npt.c") == 10, "all covers are hit");
    return tap_done();
}
