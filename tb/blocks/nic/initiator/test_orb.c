// SPDX-License-Identifier: Apache-2.0
/*
 * test_orb.c - orb alone: random lives at every pace with every kind of error, rates, wrong bits in the entries of tags.
 *
 * At the end nothing is outstanding, every tag is free (I3: a tag is never given out while it is in use or rests), and
 * every response is counted as what it was.
 *
 * Built for aries: fast; proto: san. Recorded for orb, orb_flags, orb_free_list, orb_quarantine, orb_refusals.
 */
#include "tb/blocks/nic/initiator/orb_bench.h"

enum { LIVES = 40 };

/* ---- what is tried ----------------------------------------------------------------------------- */

static void change_manners(void)
{
    static const unsigned rates[] = {1, 4, 12, 16, 16};

    ob.how = (struct manners){.requests = rates[rng_below(&ob.r, 5)],
                              .responses = rates[rng_below(&ob.r, 5)],
                              .delay = rng_below(&ob.r, 2) ? rng_below(&ob.r, 20)
                                                           : rng_below(&ob.r, 400),
                              .room_request = rates[rng_below(&ob.r, 5)],
                              .room_local = rates[rng_below(&ob.r, 5)],
                              .done = rates[rng_below(&ob.r, 5)],
                              .epochs = 1 + rng_below(&ob.r, 4),
                              .lost = rng_below(&ob.r, 2) ? 0 : rng_below(&ob.r, 64),
                              .twice = rng_below(&ob.r, 2) ? 0 : 32,
                              .late = rng_below(&ob.r, 2) ? 0 : 16,
                              .misfit = rng_below(&ob.r, 2) ? 0 : 32,
                              .error = rng_below(&ob.r, 2) ? 0 : 64,
                              .stray = rng_below(&ob.r, 2) ? 0 : 64,
                              .bad = rng_below(&ob.r, 3) ? 0 : 16,
                              .refused = rng_below(&ob.r, 2) ? 0 : 64,
                              .fails = rng_below(&ob.r, 2) ? 0 : 64,
                              .flagged = rng_below(&ob.r, 2) ? 0 : 128};
    /* what waits for memory must not live for four uses of its tag, each of five epochs if it times out */
    if (ob.how.room_local < 12 || ob.how.done < 12)
        ob.how.epochs = 1;
}

static void check_counts(void)
{
    static const struct {
        unsigned count;
        const char *name;
    } same[] = {{ORB_REQUESTS, "requests"},
                {ORB_MISROUTED, "misrouted responses"},
                {ORB_HEAD_LOST, "lost heads"},
                {ORB_LOST, "lost entries"},
                {ORB_CORRECTED, "corrected entries"}};

    for (unsigned i = 0; i < sizeof same / sizeof same[0]; i++)
        must_equal(&ob.seen.count, ob.counted[same[i].count], ob.wanted[same[i].count],
                   "counted %s since the reset", same[i].name);
    must_equal(&ob.seen.count,
               ob.counted[ORB_RESPONSES] + ob.counted[ORB_UNKNOWN] + ob.counted[ORB_MISROUTED] +
                   ob.counted[ORB_HEAD_LOST],
               ob.heads, "responses of all kinds since the reset, of the heads that came");
    must_equal(&ob.seen.count, ob.counted[ORB_RESPONSES] + ob.counted[ORB_TIMEOUT],
               ob.counted[ORB_REQUESTS], "responses and timeouts since the reset, of the requests");
}

static void drain(void)
{
    ob.how = (struct manners){
        .responses = 16, .room_request = 16, .room_local = 16, .done = 16, .epochs = 1};
    while (ob.posts > 0 || ob.current_next < ob.current.beats)
        orb_bench_step();
    orb_bench_run(256 * 8 + TAGS * 64);
    must(&ob.seen.idle, ob.dut.out.idle, "not idle when all is answered and has rested");
    for (unsigned i = 0; i < TAGS; i++)
        must(&ob.seen.missing, ob.req[i].state == FREE || ob.req[i].state == RESTS,
             "tag %u: request %llu of clock %llu is %s, expected an answer before", i,
             (unsigned long long)ob.req[i].serial, (unsigned long long)ob.req[i].clock,
             orb_bench_state(&ob.req[i]));
    check_counts();
    ob.seen.unknown += (unsigned)ob.counted[ORB_UNKNOWN];
}

static void live(void)
{
    orb_bench_reset();
    for (unsigned i = 1 + rng_below(&ob.r, 8); i > 0; i--) {
        change_manners();
        orb_bench_run(rng_below(&ob.r, 4000));
    }
    if (rng_below(&ob.r, 4))
        drain();
}

/* Clocks per request, in the middle of a long run with nothing in the way but a memory of so many clocks. */
static void test_rate(unsigned only, unsigned memory, const char *what, double most)
{
    orb_bench_reset();
    ob.posts = 0;
    ob.how = (struct manners){.only = only,
                              .requests = 16,
                              .responses = 16,
                              .delay = 0,
                              .room_request = 16,
                              .room_local = 16,
                              .done = 16,
                              .memory = memory};
    orb_bench_run(2000);
    const unsigned before = ob.seen.answers;
    orb_bench_run(20000);
    const double clocks = 20000.0 / (ob.seen.answers - before);
    /* holds orb.rate */
    tap_why("%u answers in 20000 clocks, expected one in %.3f at most", ob.seen.answers - before,
            most);
    tap_ok(clocks <= most, "orb: %s, memory of %u clocks: one in %.3f clocks (%.3f)", what, memory,
           clocks, most);
    ob.how.requests = 0;
    drain();
}

/* Responses that take up to 9,000 clocks, where times end at 511 times 16: check_time looks at each. */
static void test_times(void)
{
    orb_bench_reset();
    ob.posts = 0;
    ob.how = (struct manners){.requests = 16,
                              .responses = 16,
                              .delay = 9000,
                              .room_request = 16,
                              .room_local = 16,
                              .done = 16};
    const unsigned before = ob.seen.answers;
    orb_bench_run(60000);
    ob.how.requests = 0;
    drain();
    must_at_least(&ob.seen.time, ob.seen.slow, 5, "responses that took 511 units");
    must_at_least(&ob.seen.time, ob.seen.answers - before, 401, "responses");
    tap_misses(&ob.seen.time, "orb: times and bytes of responses (%u of 511 units, %u in all)",
               ob.seen.slow, ob.seen.answers - before);
}

/* Memory never answers: as many writes are begun as have a place, and the others wait. */
static void test_writes(void)
{
    orb_bench_reset();
    ob.posts = 0;
    ob.how = (struct manners){
        .only = 2, .requests = 16, .responses = 16, .room_request = 16, .room_local = 16};
    const unsigned before = ob.seen.datas, places = 1 << NIC_DATA_LOG2;
    orb_bench_run(4000);
    const unsigned begun = ob.seen.datas - before;
    /* holds orb.writes */
    tap_why("expected %u to %u", places - 2, places);
    tap_ok(begun <= places && begun >= places - 2, "orb: %u writes under way, of %u places", begun,
           places);
    drain();
}

static void end_epoch(void)
{
    ob.how.epochs = 256;
    orb_bench_step();
    ob.how.epochs = 0;
    orb_bench_run(300 + 2 * TAGS);
}

/* A tag whose request timed out is free at the end of the third epoch behind that, not of the second. */
static void test_rest(void)
{
    orb_bench_reset();
    ob.posts = 0;
    ob.how = (struct manners){
        .only = 2, .responses = 16, .room_request = 16, .room_local = 16, .done = 16, .lost = 256};
    const unsigned requests = ob.seen.requests, timeouts = ob.seen.timeouts;
    while (ob.seen.requests == requests) {
        ob.how.requests = ob.beats == 0 ? 16 : 0;
        orb_bench_step();
    }
    unsigned epochs = 0, rests = 0;
    for (; ob.seen.timeouts == timeouts && epochs < 8; epochs++)
        end_epoch();
    for (; !ob.dut.out.idle && rests < 8; rests++)
        end_epoch();
    /* holds orb.rest */
    tap_why("expected at the end of the second, and until that of the third behind it");
    tap_ok(epochs == 2 && rests == 3, "orb: timed out after %u epochs, rests for %u", epochs,
           rests);
}

/*
 * Epochs as short as they may be, requests at full rate, of which a quarter is lost: each times out after one epoch at the earliest and, when
 * two have ended, as soon as the scrubber comes to it, which has each second clock.
 */
static void test_timeouts(void)
{
    const unsigned epoch = 4 * TAGS, before = ob.seen.timeouts;
    struct misses m = {0};

    orb_bench_reset();
    ob.posts = 0;
    ob.how = (struct manners){.only = 1,
                              .requests = 16,
                              .responses = 16,
                              .room_request = 16,
                              .room_local = 16,
                              .done = 16,
                              .lost = 4};
    ob.seen.soonest = ~(uint64_t)0;
    ob.seen.latest = 0;
    for (unsigned n = 0; n < 40; n++) {
        orb_bench_run(epoch - 1);
        ob.how.epochs = 256;
        orb_bench_step();
        ob.how.epochs = 0;
    }
    /* holds orb.scrubber */
    must_at_least(&m, ob.seen.timeouts - before, TAGS + 1, "timeouts");
    must_at_least(&m, ob.seen.soonest, epoch, "clocks from a request to the soonest timeout");
    must_at_most(&m, ob.seen.latest, 2 * epoch + 2 * TAGS + 8,
                 "clocks from a request to the latest timeout");
    tap_misses(&m, "orb: %u timeouts, %llu to %llu clocks after their requests, epochs of %u",
               ob.seen.timeouts - before, (unsigned long long)ob.seen.soonest,
               (unsigned long long)ob.seen.latest, epoch);
}

/* One GET of 4 bytes is out; `flip` puts wrong bits into its entry; then it is answered. */
static void one_get(unsigned flip, bool two, bool flagged)
{
    orb_bench_reset();
    ob.posts = 0;
    ob.how = (struct manners){.only = 2,
                              .requests = 16,
                              .responses = 16,
                              .delay = 40,
                              .room_request = 16,
                              .room_local = 16,
                              .done = 16,
                              .flagged = flagged ? 256 : 0};
    const unsigned before = ob.seen.requests;
    while (ob.seen.requests == before) {
        ob.how.requests = ob.beats == 0 ? 16 : 0;
        orb_bench_step();
    }
    const unsigned tag = (unsigned)ob.dut.tag;
    if (flip < 59)
        ob.dut.entries.cold_where[tag] ^=
            (orb_where_ecc_word)1 << flip |
            (orb_where_ecc_word)(two ? UINT64_C(1) << (flip + 1) % 59 : 0);
    else
        ob.dut.entries.cold_what[tag] ^= (orb_what_ecc_word)1 << (flip - 59) |
                                         (orb_what_ecc_word)(two ? 1u << (flip - 58) % 26 : 0);
    if (two) { /* nothing is written, and no flag, and it ends so */
        ob.req[tag].lost = true;
        ob.req[tag].flagged = false;
        for (unsigned i = 0; i < ob.posts; i++) {
            ob.post[i].answer = UNCORRECTABLE;
            ob.post[i].writes = false;
        }
    }
    orb_bench_run(120);
}

static void test_bits(void)
{
    struct misses wrong[2] = {0};

    for (unsigned two = 0; two < 2; two++)
        for (unsigned i = 0; i < 2 * (59 + 26); i++) {
            const bool flagged = i >= 59 + 26;
            const unsigned answers = ob.seen.answers;
            ob.seen.local = ob.seen.answer = (struct misses){0};
            one_get(i % (59 + 26), two, flagged);
            misses_add(&wrong[two], &ob.seen.local);
            misses_add(&wrong[two], &ob.seen.answer);
            must_equal(&wrong[two], ob.seen.answers - answers, 1, "bit %u: answers", i);
            must_equal(&wrong[two], ob.counted[ORB_LOST], two, "bit %u: entries counted as lost",
                       i);
            must(&wrong[two], ob.dut.out.idle, "bit %u: not idle behind the answer", i);
            if (!two)
                must_equal(&wrong[0], ob.counted[ORB_CORRECTED], flagged ? 4 : 2,
                           "bit %u: entries counted as corrected", i);
        }
    tap_misses(&wrong[0],
               "orb: a wrong bit in an entry is corrected and reported each time that it is used");
    /* holds orb.bits */
    tap_misses(&wrong[1], "orb: two end their request with UNCORRECTABLE, and nothing is written");
}

/*
 * A GET's head has taken its tag, its local beat is still to come: an answer that fits, which nobody can have sent, ends
 * nothing and writes nothing. `gap` clocks lie between the two beats, the answer comes `at` clocks behind the head.
 */
static void early_answer(struct misses *m, unsigned gap, unsigned at)
{
    struct orb_in in = {.room_request = 1, .room_local = 1, .config = {.node = NODE}};
    unsigned ended = 0, unknown = 0;

    orb_bench_reset();
    for (unsigned i = 0; i < gap + 12; i++) {
        const unsigned tag = (unsigned)ob.dut.tag;

        in.request = (struct beat){.valid = i == 0 || i == gap, .head = i == 0, .tail = i == gap};
        in.response = (struct beat){.valid = i == at, .head = 1, .tail = 1};
        in.response.word = BEAT_WITH(in.response.word, RSP_TAG_AT, 10, tag);
        in.response.word = BEAT_WITH(in.response.word, RSP_GEN_AT, 2, ob.dut.given[tag].gen);
        in.response.word = BEAT_WITH(in.response.word, REQ_NODE_AT, 18, NODE);
        in.response.word = BEAT_WITH(in.response.word, REQ_LENGTH_AT, 4, 1);
        orb(&ob.dut, &in);
        ended += ob.dut.out.answer.valid + ob.dut.out.local.valid;
        unknown += (unsigned)(ob.dut.out.count >> ORB_UNKNOWN & 1);
    }
    must_equal(m, ended, 0, "an answer %u clocks behind a head: answers and writes", at);
    must_equal(m, unknown, 1, "an answer %u clocks behind a head: counted as unknown", at);
}

static void test_early(void)
{
    struct misses m = {0};

    for (unsigned at = 1; at < 20; at++)
        early_answer(&m, 20, at);
    /* holds orb.early */
    tap_misses(&m, "orb: no answer before a request is whole");
}

static unsigned flags_sent(void)
{
    unsigned sent = 0;

    for (unsigned i = 0; i < TAGS; i++)
        sent += ob.dut.flagged[i].sent;
    return sent;
}

/* A flag that is on its way at a reset belongs to no request after it. */
static void test_wipe(void)
{
    orb_bench_reset();
    ob.how = (struct manners){.requests = 16,
                              .responses = 16,
                              .room_request = 16,
                              .room_local = 16,
                              .done = 1,
                              .flagged = 256};
    for (unsigned i = 0; i < 100000 && flags_sent() == 0; i++)
        orb_bench_step();
    const unsigned before = flags_sent();
    orb_bench_reset();
    tap_why("expected some before the reset, none behind it");
    tap_ok(before > 0 && flags_sent() == 0, "orb: flags under way are wiped (%u, %u left)", before,
           flags_sent());
}

int main(int argc, char **argv)
{
    rng_seed(&ob.r, test_seed(argc, argv));
    harness_clock = &ob.now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    tap_misses(&ob.seen.forward, "orb: requests go on as they came");
    tap_misses(&ob.seen.tag, "orb: each with a tag that nobody has");
    tap_misses(&ob.seen.gen, "orb: in its next generation");
    /* holds orb.flags */
    tap_misses(&ob.seen.local, "orb: data and flags go where they belong");
    tap_misses(&ob.seen.early, "orb: while there is room");
    /* holds orb.data */
    tap_misses(&ob.seen.answer, "orb: each request is answered once, in time and right");
    tap_misses(&ob.seen.missing, "orb: and none is missing");
    tap_misses(&ob.seen.count, "orb: everything is counted as what it was");
    /* holds ssid.returned */
    tap_misses(&ob.seen.back, "orb: each descriptor hears of each of its tags that is free again");
    tap_misses(&ob.seen.idle, "orb: at the end every tag is free");
    test_rate(1, 40, "puts of 8 bytes", 2.0);
    /* a write that is done goes before a head, or beside a data beat: then there is no clock left for the scrubber */
    test_rate(2, 40, "gets of 4 bytes", 2.05);
    test_rate(2, 41, "gets of 4 bytes", 2.05);
    test_rate(3, 40, "gets of 60 and 64 bytes", 5.0);
    test_times();
    test_writes();
    test_rest();
    test_timeouts();
    test_bits();
    test_early();
    test_wipe();
    tap_ok(ob.seen.timeouts > 100 && ob.seen.flags > 100 && ob.seen.unknown > 100 &&
               ob.seen.datas > 1000 && ob.seen.late > 20,
           "orb: %llu clocks, %u requests, %u timeouts, %u flags, %u responses dropped (%u late), "
           "%u with data",
           (unsigned long long)ob.now, ob.seen.requests, ob.seen.timeouts, ob.seen.flags,
           ob.seen.unknown, ob.seen.late, ob.seen.datas);
    tap_ok(harness_covers("hls/nic/initiator/orb.c") == 6, "all covers are hit");
    return tap_done();
}
