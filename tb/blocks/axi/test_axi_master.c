// SPDX-License-Identifier: Apache-2.0
/*
 * test_axi_master.c - the AXI4 manager against a host memory: every alignment and length on both sides of a page's end,
 * hosts of all manners, rates, errors of the host, and bits that fall over.
 *
 * Built for aries: fast; proto: san. Recorded for axi_master, axi_read, axi_write.
 */
#include "tb/blocks/axi/axi_bench.h"

#include <stdlib.h>
#include <string.h>

/* ---- tests -------------------------------------------------------------------------------------- */

static const unsigned places[READERS] = READER_PLACES, clients[READERS] = READER_CLIENTS;
static const unsigned first_beat[READERS] = READER_BEAT_AT;
static const struct host_knobs quick = {.latency = 20};

/* Every first byte of 64 before and behind a page's end, every length. */
static void test_alignments(bool skip)
{
    unsigned most = skip ? 56 : 64;

    axi_bench_begin(&quick);
    for (unsigned at = 0; at < 128; at++) {
        ab.beat_count = ab.beat_sent = 0;
        for (unsigned bytes = 1; bytes <= most; bytes++) {
            struct op op =
                axi_bench_plain((uint64_t)(at % WRITERS) * PART + 5 * PAGE - 64 + at, bytes);

            op.skip = skip;
            axi_bench_write_op(at % WRITERS, op);
            axi_bench_read_op(7 * PAGE - 64 + at, bytes);
        }
        axi_bench_drain(20000);
    }
    axi_bench_check_memory();
    tap_misses(&ab.wrong, "%u alignments x %u lengths at a page's end, written%s and read", 128,
               most, skip ? " without the first 8 bytes" : "");
}

static void random_ops(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned writer = rng_below(&ab.rng, WRITERS), bytes = 1 + rng_below(&ab.rng, 64);
        /* near a page's end as often as not, so that writes overlap */
        uint64_t at = rng_below(&ab.rng, 2)
                          ? PAGE * (1 + rng_below(&ab.rng, 4)) - rng_below(&ab.rng, 80)
                          : rng_below(&ab.rng, PART - 64);
        struct op op = axi_bench_plain(writer * PART + at, bytes);

        op.skip = bytes <= 56 && rng_below(&ab.rng, 2);
        axi_bench_write_op(writer, op);
        axi_bench_read_op(rng_below(&ab.rng, 2) ? PAGE - rng_below(&ab.rng, 80)
                                                : rng_below(&ab.rng, PART - 64),
                          1 + rng_below(&ab.rng, 64));
    }
}

static void test_hosts(void)
{
    static const struct host_knobs knobs[] = {
        {.latency = 0},
        {.latency = 1, .taking = HOST_DATA_FIRST},
        {.latency = 3, .taking = HOST_AS_IT_COMES, .stall = 0.3},
        {.latency = 200, .latency_extra = 100},
        {.latency = 10, .latency_extra = 200, .stall = 0.5, .taking = HOST_DATA_FIRST},
        {.latency = 10, .latency_extra = 20, .stall = 0.9},
        {.latency = 5, .pause = 0.01, .pause_clocks = 1000, .taking = HOST_AS_IT_COMES},
        {.latency = 30, .in_order = true, .stall = 0.1},
    };

    for (unsigned k = 0; k < sizeof(knobs) / sizeof(*knobs); k++) {
        axi_bench_begin(&knobs[k]);
        ab.bubble = k % 3 * 0.3;
        ab.reply_stall = k % 4 * 0.3;
        random_ops(3000);
        axi_bench_drain(2000000);
        axi_bench_check_memory();
        /* holds axi_write.either */
        must_at_least(&ab.wrong, ab.atomic_writes, 500 + 1, "ab.atomic_writes");
        must_at_least(&ab.wrong, ab.atomic_replies, 4 * 3000 / READERS / 5, "replies to amo");
        tap_misses(&ab.wrong, "host %u: 3000 writes and reads, of amo %llu and %llu, %llu clocks",
                   k, (unsigned long long)ab.atomic_writes, (unsigned long long)ab.atomic_replies,
                   (unsigned long long)ab.now);
    }
}

/* Both at once, 64 bytes, at every alignment: one of each per 5 clocks, but for AXI's own beats. */
static void test_rate(unsigned at, double wanted)
{
    struct host_knobs knobs = {.latency = NIC_GETS_LOG2 >= 6 ? 200 : 100};
    uint64_t from, clocks;

    axi_bench_begin(&knobs);
    for (unsigned i = 0; i < 10000; i++) {
        unsigned writer = i % WRITER_AMO; /* others write words */

        axi_bench_write_op(writer, axi_bench_plain(writer * PART + 64 * (i % 900) + at, 64));
        axi_bench_read_by(i % 4 == 0 ? READER_LOCAL : READER_TARGET, 64 * (i % 900) + at, 64);
    }
    from = ab.now;
    while (!axi_bench_all_done() && ab.now - from < 100000) {
        axi_bench_step();
    }
    clocks = ab.now - from - knobs.latency;
    /* holds axi_write.lanes, axi_master.rate */
    must(&ab.wrong, (double)clocks <= wanted * 1e4, "(double)clocks: %.3f, expected <= %.3f",
         (double)((double)clocks), (double)(wanted * 1e4));
    tap_misses(&ab.wrong, "64 bytes at %u, both ways: one per %.3f clocks, at most %.2f", at,
               (double)clocks / 1e4, wanted);
    axi_bench_drain(10);
    axi_bench_check_memory();
}

/* The first burst of a write over a page's end fails, the second one does not; whether one fails. */
static bool write_before_page(uint64_t at, unsigned bytes)
{
    const uint64_t end = 7 * PAGE;
    bool hit = at < end && at + bytes > end - 16;
    struct op op = axi_bench_plain(at, bytes);
    uint8_t kept[64];

    memcpy(kept, ab.want + op.addr, 64);
    op.status = hit ? MEM_BUS_ERROR : MEM_DONE;
    axi_bench_write_op(0, op);
    for (unsigned b = 0; hit && b < bytes && at + b < end; b++) {
        ab.want[at + b] = kept[b];
    }
    return hit;
}

static void test_host_errors(void)
{
    static const struct host_knobs knobs = {.latency = 20, .latency_extra = 30, .stall = 0.2};
    const struct host_fault faults[] = {
        {.from = 7 * PAGE - 16, .to = 7 * PAGE, .bus_error = true},
        {.from = 3 * PAGE, .to = 3 * PAGE + 16, .bus_error = true},
        {.from = WRITERS * PART + 3 * PAGE,
         .to = WRITERS * PART + 3 * PAGE + 16,
         .bus_error = true},
        {.from = WRITERS * PART + 5 * PAGE, .to = WRITERS * PART + 5 * PAGE + 16, .poison = true},
    };
    uint64_t expected[4] = {0};

    axi_bench_begin(&knobs);
    for (unsigned i = 0; i < 4; i++) {
        host_add_fault(ab.host, &faults[i]);
    }
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t at = 3 * PAGE - 80 + rng_below(&ab.rng, 120),
                 from = 5 * PAGE - 80 + rng_below(&ab.rng, 120);
        unsigned bytes = 1 + rng_below(&ab.rng, 64);
        struct op op = axi_bench_plain(at, bytes);
        uint8_t kept[64];
        bool second = at + bytes > 3 * PAGE, first_too = at >= 3 * PAGE;
        bool hit = second && at < 3 * PAGE + 16;

        /* A burst with an error is not written at all, by this host; the one before the page's end is. */
        memcpy(kept, ab.want + op.addr, 64);
        op.status = hit ? MEM_BUS_ERROR : MEM_DONE;
        axi_bench_write_op(0, op);
        for (unsigned b = 0; b < bytes; b++) {
            if (hit && (first_too || at + b >= 3 * PAGE)) {
                ab.want[at + b] = kept[b];
            }
        }
        expected[0] += hit;
        expected[0] += write_before_page(7 * PAGE - 80 + rng_below(&ab.rng, 120), bytes);
        op = axi_bench_plain(WRITERS * PART + at, 1 + rng_below(&ab.rng, 64));
        op.status = at + op.bytes > 3 * PAGE && at < 3 * PAGE + 16 ? MEM_BUS_ERROR : MEM_DONE;
        expected[1] += op.status != 0;
        axi_bench_add(&ab.reads, op);
        op = axi_bench_plain(WRITERS * PART + from, 1 + rng_below(&ab.rng, 64));
        op.status = from + op.bytes > 5 * PAGE && from < 5 * PAGE + 16 ? MEM_WRONG_BITS : MEM_DONE;
        expected[2] += op.status != 0;
        axi_bench_add(&ab.reads, op);
    }
    axi_bench_drain(1000000);
    axi_bench_check_memory();
    /* holds axi_write.worst */
    tap_misses(&ab.wrong,
               "bus errors and poison: each the status of its access, nothing else touched");
    tap_ok(ab.counted[0][AXI_WRITE_ERROR] == expected[0] &&
               ab.counted[1][AXI_READ_ERROR] == expected[1] &&
               ab.counted[1][AXI_READ_POISON] == expected[2],
           "they are counted: %llu writes, %llu reads, %llu poisoned",
           (unsigned long long)expected[0], (unsigned long long)expected[1],
           (unsigned long long)expected[2]);
}

/* So many reads of one client, then of the other. */
static void reads_of_each(unsigned reader, unsigned many, unsigned other, unsigned others)
{
    for (unsigned i = 0; i < many + others; i++) {
        axi_bench_read_by(i < many ? reader : other, 64 * (i % 900), 1 + rng_below(&ab.rng, 64));
    }
}

/* A client whose replies wait, in the host or here for its room, with all its places taken: the others' go on. */
static void test_clients(unsigned reader, bool in_host)
{
    const unsigned waiting = places[reader], others = 500;
    unsigned other = (reader + 1 + rng_below(&ab.rng, READERS - 1)) % READERS;
    struct host_knobs knobs = {.latency = 20, .latency_extra = 20};

    knobs.silent = in_host ? 1u << clients[reader] : 0;
    axi_bench_begin(&knobs);
    ab.stuck = in_host ? 0 : (mem_reader_set)(1u << reader);
    reads_of_each(reader, waiting, other, others);
    for (unsigned i = 0; i < 20000 && ab.reads.done < others; i++) {
        axi_bench_step();
    }
    /* holds axi_read.clients */
    must_equal(&ab.wrong, ab.reads.done, others, "replies to others while %u of reader %u wait",
               waiting, reader);
    must_equal(&ab.wrong, ab.held[reader], waiting, "places of reader %u", reader);
    host_set(ab.host, &quick);
    ab.stuck = 0;
    axi_bench_drain(100000);
    must_equal(&ab.wrong, ab.overtakes, others, "replies that overtook");
    tap_misses(&ab.wrong, "%u replies of reader %u wait %s: %u of another pass", waiting, reader,
               in_host ? "in the host" : "for room", others);
}

/* Data of writes, and reads, with a double-bit error, between others. */
static void test_bad_beats(void)
{
    static const struct host_knobs knobs = {.latency = 20, .latency_extra = 30, .stall = 0.3};

    axi_bench_begin(&knobs);
    for (unsigned i = 0; i < 3000; i++) {
        unsigned writer = rng_below(&ab.rng, WRITER_AMO);
        uint64_t at = 64 * rng_below(&ab.rng, 900) + rng_below(&ab.rng, 16);
        struct op op = axi_bench_plain(writer * PART + at, 17 + rng_below(&ab.rng, 32));

        /* the last one: this host wants strobes in one run from the address on */
        op.bad_beat = rng_below(&ab.rng, 4) == 0 ? (int)(op.bytes + 15) / 16 - 1 : -1;
        axi_bench_write_op(writer, op);
        op = axi_bench_plain(WRITERS * PART + rng_below(&ab.rng, PART - 64),
                             1 + rng_below(&ab.rng, 64));
        op.bad_head = rng_below(&ab.rng, 4) == 0;
        op.status = op.bad_head ? MEM_WRONG_BITS : MEM_DONE;
        axi_bench_add(&ab.reads, op);
    }
    axi_bench_drain(1000000);
    axi_bench_check_memory();
    /* holds rat.data, axi_write.bad */
    tap_misses(&ab.wrong, "data and reads with a double-bit error: answered in their turn, no byte "
                          "of theirs touched");
}

/* RLAST of a host that does not know what it is. */
static void test_rlast(void)
{
    axi_bench_begin(&quick);
    ab.corrupt_rlast = true;
    ab.corrupt_rlasts = 0;
    for (unsigned i = 0; i < 1000; i++) {
        struct op op = axi_bench_plain(WRITERS * PART + rng_below(&ab.rng, PART - 64),
                                       1 + rng_below(&ab.rng, 64));

        axi_bench_add(&ab.reads, op);
        ab.reads.sent = ab.reads.done = 0;
        memset(ab.oldest, 0, sizeof(ab.oldest));
        /* one at a time: whether it was corrupted gives its status */
        uint64_t before = ab.corrupt_rlasts;

        ab.reads.op[0] = op;
        ab.reads.count = 1;
        while (ab.reads.done == 0 && ab.now < 10000000) {
            ab.reads.op[0].status = ab.corrupt_rlasts != before ? MEM_BUS_ERROR : MEM_DONE;
            axi_bench_step();
        }
    }
    ab.corrupt_rlast = false;
    /* holds axi_read.rlast */
    must_equal(&ab.wrong, ab.counted[1][AXI_READ_RLAST], ab.corrupt_rlasts,
               "ab.counted[1][AXI_READ_RLAST]");
    must_at_least(&ab.wrong, ab.corrupt_rlasts, 20 + 1, "ab.corrupt_rlasts");
    tap_misses(&ab.wrong, "RLAST missing or early: MEM_BUS_ERROR, counted (%llu)",
               (unsigned long long)ab.corrupt_rlasts);
}

static void test_stray(void)
{
    axi_bench_begin(&quick);
    for (unsigned id = 0; id < 16; id++) {
        ab.extra.bvalid = ab.extra.rvalid = 1;
        ab.extra.bid = ab.extra.rid = (axi_id)id;
        axi_bench_step();
        axi_bench_step();
    }
    random_ops(20);
    axi_bench_drain(10000);
    axi_bench_check_memory();
    /* holds nic.stray */
    must_equal(&ab.wrong, ab.counted[0][AXI_WRITE_STRAY], 16, "ab.counted[0][AXI_WRITE_STRAY]");
    must_equal(&ab.wrong, ab.counted[1][AXI_READ_STRAY], 16, "ab.counted[1][AXI_READ_STRAY]");
    tap_misses(&ab.wrong, "answers to nothing are counted and change nothing");

    static const struct host_knobs slow = {.latency = 100};

    axi_bench_begin(&slow);
    for (unsigned id = 1; id < 16; id++) { /* of others, while an answer is awaited */
        axi_bench_write_op(0, axi_bench_plain(64 * id, 64));
        axi_bench_read_by(READER_TARGET, 64 * id, 64);
        for (unsigned c = 0; c < 40; c++) {
            axi_bench_step();
        }
        ab.extra.bvalid = ab.extra.rvalid = 1;
        ab.extra.bid = ab.extra.rid = (axi_id)id;
        axi_bench_drain(1000);
    }
    axi_bench_check_memory();
    must_equal(&ab.wrong, ab.counted[0][AXI_WRITE_STRAY], 15, "ab.counted[0][AXI_WRITE_STRAY]");
    must_equal(&ab.wrong, ab.counted[1][AXI_READ_STRAY], 15, "ab.counted[1][AXI_READ_STRAY]");
    tap_misses(&ab.wrong, "nor do those to others");
}

/* R beats before the host has taken the address of a read, up to `clocks` after it was asked for, are nobody's. */
static void test_early(unsigned clocks)
{
    static const struct host_knobs dead = {.dead = true};
    uint64_t early = 0;

    axi_bench_begin(&dead);
    for (unsigned i = 0; i < 100; i++) {
        host_set(ab.host, &dead);
        axi_bench_read_op(64 * i, 1 + rng_below(&ab.rng, 64));
        for (unsigned c = 0; c < clocks; c++) {
            ab.extra.rvalid = 1;
            ab.extra.rid = (axi_id)clients[ab.reads.op[i].reader];
            axi_bench_step();
            early++;
        }
        host_set(ab.host, &quick);
        axi_bench_drain(1000);
    }
    must_equal(&ab.wrong, ab.counted[1][AXI_READ_STRAY], early, "ab.counted[1][AXI_READ_STRAY]");
    tap_misses(&ab.wrong, "nor R beats in the %u clocks before their AR is taken", clocks);
}

/* Bits of what waits for B, and of data in its place. */
static void test_bits(unsigned bits)
{
    static const struct host_knobs knobs = {.latency = 100};
    uint64_t corrupted = 0, bad = 0;

    axi_bench_begin(&knobs);
    for (unsigned i = 0; i < 500; i++) {
        struct op op = axi_bench_plain(WRITERS * PART + 64 * rng_below(&ab.rng, 900), 64);

        ab.reads.count = ab.reads.sent = ab.reads.done = 0;
        memset(ab.oldest, 0, sizeof(ab.oldest));
        op.bad_beat = bits == 2 ? 0 : -1;
        axi_bench_add(&ab.reads, op);
        ab.reply_stall = 1; /* so that it waits in its place */
        for (unsigned c = 0; c < 140; c++) {
            axi_bench_step();
        }
        /* places of the first client come first, five beats each */
        unsigned place = ab.dut.read.given[op.reader] % places[op.reader];
        beat_code *code =
            &ab.dut.read.data[first_beat[op.reader] + 5 * place + rng_below(&ab.rng, 4)];
        unsigned word = rng_below(&ab.rng, 3), bit = rng_below(&ab.rng, RTR_CODE_BITS);

        *code ^= (beat_code)1 << (word * RTR_CODE_BITS + bit);
        if (bits == 2) {
            *code ^= (beat_code)1 << (word * RTR_CODE_BITS + (bit + 1) % RTR_CODE_BITS);
        }
        corrupted++;
        ab.reply_stall = 0;
        while (ab.reads.done == 0 && ab.now < 10000000) {
            axi_bench_step();
            bad += ab.dut.out.reply.valid && ab.dut.out.reply.bad;
        }
    }
    must_equal(&ab.wrong, ab.counted[1][bits == 1 ? AXI_READ_CORRECTED : AXI_READ_FATAL], corrupted,
               "ab.counted[1][bits == 1 ? AXI_READ_CORRECTED : AXI_READ_FATAL]");
    must_equal(&ab.wrong, bad, (bits == 1 ? 0 : corrupted), "bad");
    tap_misses(&ab.wrong, "%u wrong bits in a place for a reply: %s", bits,
               bits == 1 ? "corrected, counted" : "its beat is marked, counted");

    axi_bench_begin(&knobs);
    corrupted = 0;
    for (unsigned i = 0; i < 500; i++) {
        struct op op = axi_bench_plain(64 * rng_below(&ab.rng, 900), 64);

        ab.writes[0].count = ab.writes[0].sent = ab.writes[0].done = 0;
        ab.beat_count = ab.beat_sent = 0;
        op.status = bits == 2 ? MEM_WRONG_BITS : MEM_DONE;
        axi_bench_write_op(0, op);
        for (unsigned c = 0; c < 50; c++) {
            axi_bench_step();
        }
        unsigned bit = rng_below(&ab.rng, FLYING_AGAIN_AT - 1);
        axi_flying_word *note =
            &ab.dut.write.flying[(unsigned)ab.dut.write.ended[0] % (2 << NIC_PUTS_LOG2)];

        *note ^= (axi_flying_word)1 << bit;
        if (bits == 2) {
            *note ^= (axi_flying_word)1 << (bit + 1);
        }
        corrupted++;
        axi_bench_drain(1000);
    }
    axi_bench_check_memory();
    /* holds axi_write.note */
    must_equal(&ab.wrong, ab.counted[0][bits == 1 ? AXI_WRITE_CORRECTED : AXI_WRITE_FATAL],
               corrupted, "ab.counted[0][bits == 1 ? AXI_WRITE_CORRECTED : AXI_WRITE_FATAL]");
    tap_misses(&ab.wrong, "%u wrong bits in the note of a burst: %s", bits,
               bits == 1 ? "corrected, counted" : "MEM_WRONG_BITS, counted");
}

int main(int argc, char **argv)
{
    rng_seed(&ab.rng, test_seed(argc, argv));
    harness_clock = &ab.now;
    ab.beats = calloc(BEATS_MOST, sizeof(*ab.beats));
    ab.reads.op = calloc(OPS_MOST, sizeof(*ab.reads.op));
    for (unsigned w = 0; w < WRITERS; w++) {
        ab.writes[w].op = calloc(OPS_MOST, sizeof(*ab.writes[w].op));
    }
    test_alignments(false);
    test_alignments(true);
    test_hosts();
    test_rate(0, 5.02);
    test_rate(7, 5.02);
    test_host_errors();
    test_bad_beats();
    for (unsigned k = 0; k < 2 * READERS; k++) {
        test_clients(k >> 1, k & 1);
    }
    test_rlast();
    test_stray();
    for (unsigned clocks = 1; clocks < 8; clocks++) {
        test_early(clocks);
    }
    test_bits(1);
    test_bits(2);
    host_free(ab.host);
    free(ab.beats);
    free(ab.reads.op);
    for (unsigned w = 0; w < WRITERS; w++) {
        free(ab.writes[w].op);
    }
    tap_ok(harness_covers("hls/axi/axi_write.c") == 4 && harness_covers("hls/axi/axi_read.c") == 4,
           "all covers are hit");
    return tap_done();
}
