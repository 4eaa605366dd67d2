// SPDX-License-Identifier: Apache-2.0
/*
 * test_ssid.c - ssid alone: random lives at every pace, cq that stops for long, more transactions than ids, wrong bits in what
 * it keeps, resets under way. At the end no event is missing.
 *
 * Built for aries: fast; proto: san. Recorded for ssid, ssid_closed_list, ssid_free_list, ssid_over_list,
 * ssid_stale_list.
 */
#include "tb/blocks/nic/initiator/ssid_bench.h"

enum { LIVES = 40 };

/* ---- what is tried ----------------------------------------------------------------------------- */

static void change_manners(void)
{
    static const unsigned rates[] = {1, 4, 12, 16, 16};

    sb.how = (struct manners){.channels =
                                  rng_below(&sb.r, 3) ? CHANNELS : 1 + rng_below(&sb.r, CHANNELS),
                              .opens = rates[rng_below(&sb.r, 5)],
                              .closes = rates[rng_below(&sb.r, 5)] / 2 + 1,
                              .beats = rates[rng_below(&sb.r, 5)],
                              .answers = rates[rng_below(&sb.r, 5)],
                              .takes = rng_below(&sb.r, 4) ? 16 : rng_below(&sb.r, 3),
                              .refused = rng_below(&sb.r, 3) ? 0 : rng_below(&sb.r, 8),
                              .fails = rng_below(&sb.r, 2) ? 0 : rng_below(&sb.r, 64),
                              .timeouts = rng_below(&sb.r, 3) ? 0 : rng_below(&sb.r, 64),
                              .bad = rng_below(&sb.r, 3) ? 0 : 8,
                              .bad_close = rng_below(&sb.r, 3) ? 0 : 16,
                              .epochs = 1 + rng_below(&sb.r, 4),
                              .counts = rng_below(&sb.r, 17),
                              .hears = rng_below(&sb.r, 2) ? 0 : 128,
                              .limits = rng_below(&sb.r, 2) ? 0 : rng_below(&sb.r, 16),
                              .overbooks = rng_below(&sb.r, 2)};
}

/* Everything is closed and answered: nothing may be left. */
static void drain(void)
{
    sb.how = (struct manners){
        .channels = CHANNELS, .closes = 16, .beats = 16, .answers = 16, .takes = 16, .epochs = 8};
    ssid_bench_run(CHANNELS * 200 + NIC_TAGS * 4 + IDS * 4 + 2000);
    for (unsigned n = 0; n < IDS; n++)
        must(&sb.seen.missing, !sb.used[n],
             "transaction %u, id %d, channel %u: not ended (over %u, %u outstanding, status %u)",
             sb.txn[n].number, sb.txn[n].id, sb.txn[n].channel, sb.txn[n].over,
             sb.txn[n].outstanding, sb.txn[n].status);
    for (unsigned c = 0; c < CHANNELS; c++)
        must(&sb.seen.missing, sb.channel[c].orphans == 0 && !sb.channel[c].open,
             "channel %u: %u notes of transactions without id missing, open %u", c,
             sb.channel[c].orphans, sb.channel[c].open);
    must(&sb.seen.idle, sb.dut.out.idle, "not idle when all has ended");
    for (unsigned i = 0; i <= SSID_EVENT_LOST; i++)
        must_equal(&sb.seen.wrong_count, sb.counted[i], sb.wanted[i], "bit %u of ssid's counts", i);
    must_equal(&sb.seen.wrong_count, sb.counted[SSID_OVERFLOW], sb.wanted[SSID_OVERFLOW],
               "counted as overflow");
    must_equal(&sb.seen.missing, sb.held, 0, "tags held in the end");
    sb.seen.over += (unsigned)sb.counted[SSID_OVERFLOW];
}

static void live(void)
{
    ssid_bench_reset();
    for (unsigned i = 1 + rng_below(&sb.r, 8); i > 0; i--) {
        change_manners();
        ssid_bench_run(rng_below(&sb.r, 4000));
    }
    if (rng_below(&sb.r, 4))
        drain();
}

/* ---- rates, and rows of errors ----------------------------------------------------------------- */

/* One transaction: OPEN, a PUT of 8 bytes, CLOSE with both events, answered at once. */
static void test_rate(void)
{
    ssid_bench_reset();
    sb.how = (struct manners){.channels = CHANNELS,
                              .opens = 16,
                              .closes = 8,
                              .beats = 16,
                              .answers = 16,
                              .takes = 16,
                              .epochs = 1};
    ssid_bench_run(1000);
    const unsigned before = sb.seen.txns, reported = sb.seen.events, most = IDS / 2;
    ssid_bench_run(20000);
    tap_ok(sb.in_use < most + CHANNELS,
           "ssid: %u transactions, %u events in 20,000 clocks without a break",
           sb.seen.txns - before, sb.seen.events - reported);
    drain();
}

/* A transaction of one request that wants a global event, up to where only its answer is missing; the value is its id. */
static unsigned open_one(void)
{
    ssid_bench_reset();
    sb.how = (struct manners){.channels = 1, .opens = 16, .beats = 16};
    while (!sb.channel[0].open)
        ssid_bench_step();
    ssid_bench_run(2);
    while (sb.outs == 0)
        ssid_bench_step();
    sb.how.closes = 16;
    sb.how.opens = 0;
    while (!(sb.txn[0].closed && (sb.txn[0].wants & 3) == 2 && sb.txn[0].status == OK)) {
        if (!sb.channel[0].open && sb.txn[0].closed)
            return IDS;
        ssid_bench_step();
    }
    sb.how = (struct manners){.channels = 1, .takes = 16};
    return (unsigned)sb.txn[0].id;
}

static unsigned one(void)
{
    unsigned id;

    do
        id = open_one();
    while (id == IDS);
    return id;
}

/* A refused request and a failing answer of one transaction in one clock: it has the status of one of them, the answer's. */
static void test_clash(void)
{
    const uint64_t wrong = sb.seen.wrong_event.count;
    const unsigned before = sb.seen.clashes;

    for (unsigned i = 0; i < 24; i++) {
        ssid_bench_reset();
        sb.how = (struct manners){.channels = 1 + i % 2,
                                  .opens = 16,
                                  .closes = 4,
                                  .beats = 16,
                                  .answers = 10,
                                  .takes = 16,
                                  .refused = 7,
                                  .fails = 250,
                                  .epochs = 1};
        ssid_bench_run(4000);
        drain();
    }
    /* holds ssid.first, ssid.late, ssid.close */
    misses_why(&sb.seen.wrong_event);
    tap_ok(sb.seen.wrong_event.count == wrong && sb.seen.clashes > before + 80,
           "ssid: %u requests refused as an answer fails: one status", sb.seen.clashes - before);
}

/* An id that ended with TIMEOUT is free as soon as the third epoch behind that has ended, and not before. */
static void test_stale(void)
{
    unsigned notes[5];
    struct misses wrong = {0};

    one();
    sb.how = (struct manners){.answers = 16, .takes = 16, .timeouts = 256};
    ssid_bench_run(40);
    sb.how = (struct manners){.takes = 16};
    notes[0] = sb.seen.notes;
    for (unsigned i = 1; i <= 4; i++) {
        sb.how.epochs = 256;
        ssid_bench_step();
        sb.how.epochs = 0;
        ssid_bench_run(i == 3 ? 2 : 50);
        notes[i] = sb.seen.notes;
        must_equal(&wrong, notes[i] - notes[i - 1], i == 3, "ids that are free again in epoch %u",
                   i);
    }
    /* holds ssid.stale */
    tap_misses(&wrong, "ssid: an id of a request that timed out is stale for three epochs");
}

/*
 * Limits: of a channel that sends more than it may have, just as many are outstanding as its limit says, whatever it was before; a tag
 * that comes back is used again; the other one has a limit of its own.
 */
static void test_limits(void)
{
    enum { MOST = 20 };
    struct misses wrong = {0};

    for (unsigned limit = 1; limit < 12; limit++) {
        ssid_bench_reset();
        for (unsigned c = 0; c < 2; c++) {
            sb.channel[c].limit = c == 0 ? limit : MOST;
            struct ssid_in in = {
                .write = {.valid = 1, .addr = (u16)(0x1001 + 4 * c), .data = sb.channel[c].limit}};

            ssid(&sb.dut, &in);
        }
        sb.how = (struct manners){.channels = 2, .opens = 16, .beats = 16, .takes = 16};
        ssid_bench_run(800);
        must_equal(&wrong, sb.channel[0].held, limit, "tags held with a limit of %u", limit);
        must_equal(&wrong, sb.channel[1].held, MOST, "tags held beside a limit of %u", limit);
        must_at_least(&wrong, sb.counted[SSID_OVERFLOW], 1, "overflows with a limit of %u", limit);
        sb.how.answers = 1;
        ssid_bench_run(2000);
        sb.how.answers = 0;
        ssid_bench_run(800);
        must_equal(&wrong, sb.channel[0].held, limit, "tags held again with a limit of %u", limit);
        must_equal(&wrong, sb.channel[1].held, MOST, "tags held again beside a limit of %u", limit);
        drain();
    }
    /* holds ssid.limit */
    tap_misses(&wrong, "ssid: limits of requests outstanding, 1 to 11, reached and kept");
}

static void test_bits(void)
{
    struct misses wrong = {0};

    for (unsigned bit = 0; bit < 63 + 28; bit++) {
        const unsigned id = one();
        if (bit < 63)
            sb.dut.cold_data[id] ^= (ssid_data_ecc_word)1 << bit;
        else
            sb.dut.cold_where[id] ^= (ssid_where_ecc_word)1 << (bit - 63);
        sb.how.answers = 16;
        ssid_bench_run(20);
        must_equal(&wrong, sb.counted[SSID_CORRECTED], 1, "bit %u: corrected", bit);
        must(&wrong, !sb.used[0], "bit %u: transaction not ended", bit);
    }
    tap_misses(&wrong, "ssid: a wrong bit in what CLOSE left is corrected, the event right");
    wrong = (struct misses){0};
    for (unsigned bit = 1; bit < 63; bit++) {
        const unsigned id = one(), events = sb.seen.events;
        bool failed = false;
        sb.dut.cold_data[id] ^= ((ssid_data_ecc_word)1 << bit) | 1;
        sb.how.answers = 16;
        sb.txn[0].end_due = false;
        for (unsigned i = 0; i < 20; i++) {
            const struct misses notes = sb.seen.wrong_note;
            ssid_bench_step();
            failed |= sb.dut.out.done.valid && sb.dut.out.done.failed;
            sb.seen.wrong_note = notes;
        }
        must(&wrong, failed, "bits 0 and %u: no failure in its note", bit);
        must_equal(&wrong, sb.seen.events, events, "bits 0 and %u: events", bit);
        must_equal(&wrong, sb.counted[SSID_EVENT_LOST], 1, "bits 0 and %u: events lost", bit);
        sb.txn[0].end_due = false;
    }
    tap_misses(&wrong, "ssid: two: no event, reported, and the id is free again");
}

/* A transaction that nobody closes, or that nobody answers, is reported when it is 7 epochs old. */
static void test_old(void)
{
    struct misses wrong = {0};

    for (unsigned closed = 0; closed < 2; closed++) {
        struct ssid_in in = {.config = {.epoch = 1}};

        if (closed) {
            one();
        } else {
            ssid_bench_reset();
            sb.how = (struct manners){.channels = 1, .opens = 16, .beats = 16};
            while (!sb.channel[0].open)
                ssid_bench_step();
        }
        sb.how = (struct manners){};
        ssid_bench_run(4);
        for (unsigned i = 1; i <= 7; i++) {
            ssid(&sb.dut, &in);
            ssid_bench_run(IDS + 2);
            must_equal(&wrong, sb.counted[SSID_OLD], i == 7, "closed %u, epoch %u: counted as old",
                       closed, i);
        }
    }
    tap_misses(&wrong, "ssid: a transaction that is 7 epochs old is reported once");
}

/* A channel that is open at a reset is closed after it. */
static void test_wipe(void)
{
    unsigned before = 0, left = 0;

    ssid_bench_reset();
    sb.how = (struct manners){.channels = CHANNELS, .opens = 16, .beats = 16};
    ssid_bench_run(2000);
    for (unsigned i = 0; i < NIC_FMAS; i++)
        before += sb.dut.current[i].valid;
    ssid_bench_reset();
    for (unsigned i = 0; i < NIC_FMAS; i++)
        left += sb.dut.current[i].valid;
    tap_ok(before > 0 && left == 0, "ssid: open channels are wiped (%u, %u left)", before, left);
}

int main(int argc, char **argv)
{
    rng_seed(&sb.r, test_seed(argc, argv));
    harness_clock = &sb.now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    tap_misses(&sb.seen.wrong_beat, "ssid: requests go on as they came, refused ones do not");
    tap_misses(&sb.seen.wrong_id, "ssid: each with the id of its transaction alone");
    /* holds ssid.head */
    tap_misses(&sb.seen.wrong_event, "ssid: events are wanted, right, in time and once");
    /* holds ssid.no_id */
    tap_misses(&sb.seen.wrong_note, "ssid: notes are of transactions that are over and reported");
    tap_misses(&sb.seen.missing, "ssid: nothing is missing after all is answered");
    /* holds ssid.places */
    misses_add(&sb.seen.not_whole, &sb.seen.idle);
    tap_misses(&sb.seen.not_whole, "ssid: each id is in one place, idle when all are free");
    tap_misses(&sb.seen.wrong_count, "ssid: each is counted");
    /* holds ssid.note, ssid.end */
    must_at_least(&sb.seen.wrong_notice, sb.seen.ends, 100, "ENDs");
    must_at_least(&sb.seen.wrong_notice, sb.seen.spared, 20, "CLOSEs of what failed already");
    must_at_least(&sb.seen.wrong_notice, sb.seen.noticed - sb.seen.forgets, 20,
                  "NOTEs with event or flag");
    must_at_least(&sb.seen.wrong_notice, sb.seen.forgets, 100, "NOTEs without");
    must_at_least(&sb.seen.wrong_notice, sb.seen.flags, 5, "NOTEs with a flag");
    tap_misses(&sb.seen.wrong_notice, "ssid: %u ENDs; %u NOTEs, %u to forget, each due and once",
               sb.seen.ends, sb.seen.noticed, sb.seen.forgets);
    test_rate();
    test_clash();
    test_stale();
    test_limits();
    test_bits();
    test_old();
    test_wipe();
    /* holds ssid.meet */
    tap_ok(sb.seen.txns > 2000 && sb.seen.locals > 300 && sb.seen.stale > 20 &&
               (IDS > 64 || sb.seen.orphans > 5) && sb.seen.met > 2 && sb.seen.over > 500,
           "ssid: %llu clocks, %u transactions, %u events (%u local), %u stale, %u without id, %u "
           "closed as their answer came",
           (unsigned long long)sb.now, sb.seen.txns, sb.seen.events, sb.seen.locals, sb.seen.stale,
           sb.seen.orphans, sb.seen.met);
    /* With many ids a CLOSE seldom finds none left. */
    const unsigned hit = sb.seen.orphans > 0 ? 6 : 5;
    tap_ok(harness_covers("hls/nic/initiator/ssid.c") == hit, "covers are hit: %u of 6", hit);
    return tap_done();
}
