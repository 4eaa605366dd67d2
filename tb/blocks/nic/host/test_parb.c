// SPDX-License-Identifier: Apache-2.0
/*
 * test_parb.c - the arbiter of host memory against a list of what each port sent.
 *
 * Whole accesses come out, none lost, none mixed, those of a port in order; each is cut at a page's end; a read that must
 * see writes leaves after their answers, but then at once; nobody has more than WRITER_WRITES under way; events go
 * first, the other three share; reads of npt and of amo have turns. Behind parb stands a memory that stops at any beat and
 * answers late.
 *
 * Built for aries: fast; proto: san. Recorded for parb, parb_queue, read_lines, write_lines, write_queue.
 */
#include "tb/blocks/nic/host/parb_bench.h"

/* npt gives no more contexts for reads than there are places. */
static bool few_wait(void)
{
    const struct parb_test_port *port = &pb.ports[PARB_TARGET];
    unsigned waiting = 0;

    for (unsigned a = port->read_out; a < port->made; a++) {
        waiting += port->access[a].read;
    }
    return waiting < (1 << NIC_GETS_LOG2) - 2;
}

static void test_loads(void)
{
    /* begin, read, order, token, fetch, room, read_room, latency, lag */
    static const struct parb_load loads[] = {
        {{1, 1, 0, 1, 1, 1}, 0.3, 0, 0, 1, 1, 1, 20, 0},
        {{0.3, 0.3, 0.3, 0.2, 0.1, 0.1}, 0.5, 0.5, 0.3, 0.1, 1, 1, 50, 3},
        {{1, 0, 1, 0, 0, 0}, 0.5, 0.3, 0.5, 0.5, 0.7, 1, 10, 0},
        {{0.2, 0.9, 0.1, 0.1, 0.05, 0.05}, 0.2, 1, 0, 0.3, 0.3, 1, 5, 6},
        {{0.1, 0.1, 0.5, 0.5, 0.3, 0.3}, 0.6, 0.2, 0.9, 1, 1, 1, 0, 5},
        {{1, 1, 0.1, 0.02, 0.02, 0.02}, 0.05, 0.1, 0.1, 0, 0.9, 1, 300, 6},
        {{0.05, 0.05, 0.3, 0.9, 0.05, 0.05}, 0.5, 1, 1, 0.05, 1, 1, 90, 6},
        {{0.5, 0, 1, 0, 0, 0}, 0, 0.05, 0.1, 0, 1, 1, 20, 0},
    };

    for (unsigned l = 0; l < sizeof(loads) / sizeof(*loads); l++) {
        parb_bench_begin();
        pb.load = loads[l];
        for (unsigned i = 0; i < 20000; i++) {
            pb.load.read = few_wait() ? loads[l].read : 0;
            parb_bench_step();
        }
        parb_bench_finish();
        /* holds parb.pages */
        must_at_least(&pb.wrong, pb.ports[0].made, 300 + 1, "pb.ports[0].made");
        tap_misses(&pb.wrong,
                   "load %u: %u, %u, %u, %u, %u, %u accesses, %u and %u fetches come out whole, "
                   "once, in order",
                   l, pb.ports[0].made, pb.ports[1].made, pb.ports[2].made, pb.ports[3].made,
                   pb.ports[4].made, pb.ports[5].made, pb.fetches[0], pb.fetches[1]);
    }
}

static void test_share(void)
{
    parb_bench_begin();
    pb.load.begin[PARB_CQ] = pb.load.begin[PARB_AMO] = 0;
    pb.load.latency = 5;
    for (unsigned i = 0; i < 30000; i++) {
        parb_bench_step();
    }
    double share = (double)pb.left[0] / (double)(pb.left[0] + pb.left[1]);

    must(&pb.wrong, share > 0.49, "share: %.3f, expected > %.3f", (double)(share), (double)(0.49));
    must(&pb.wrong, share < 0.51, "share: %.3f, expected < %.3f", (double)(share), (double)(0.51));
    tap_misses(&pb.wrong, "target and local share: %.3f", share);
    parb_bench_begin();
    pb.load.begin[PARB_CQ] = 0;
    pb.load.latency = 5;
    for (unsigned i = 0; i < 30000; i++) {
        parb_bench_step();
    }
    double three = (double)(pb.left[PARB_TARGET] + pb.left[PARB_LOCAL] + pb.left[PARB_AMO]) / 3;

    /* holds parb.turns */
    must(&pb.wrong, (double)pb.left[PARB_TARGET] > 0.98 * three,
         "(double)pb.left[PARB_TARGET]: %.3f, expected > %.3f",
         (double)((double)pb.left[PARB_TARGET]), (double)(0.98 * three));
    must(&pb.wrong, (double)pb.left[PARB_LOCAL] > 0.98 * three,
         "(double)pb.left[PARB_LOCAL]: %.3f, expected > %.3f",
         (double)((double)pb.left[PARB_LOCAL]), (double)(0.98 * three));
    must(&pb.wrong, (double)pb.left[PARB_AMO] > 0.98 * three,
         "(double)pb.left[PARB_AMO]: %.3f, expected > %.3f", (double)((double)pb.left[PARB_AMO]),
         (double)(0.98 * three));
    tap_misses(&pb.wrong, "target, local and amo share: %llu, %llu, %llu",
               (unsigned long long)pb.left[PARB_TARGET], (unsigned long long)pb.left[PARB_LOCAL],
               (unsigned long long)pb.left[PARB_AMO]);
    parb_bench_begin();
    pb.load.latency = 5;
    pb.load.begin[PARB_CQ] = 0.1;
    for (unsigned i = 0; i < 30000; i++) {
        parb_bench_step();
    }
    must_at_least(&pb.wrong, pb.ports[PARB_CQ].made, 2000 + 1, "pb.ports[PARB_CQ].made");
    must_at_most(&pb.wrong, pb.ports[PARB_CQ].made - pb.left[PARB_CQ], PARB_EVENTS + 1 - 1,
                 "pb.ports[PARB_CQ].made - pb.left[PARB_CQ]");
    tap_misses(&pb.wrong, "events go first: %u of %u are out", (unsigned)pb.left[PARB_CQ],
               pb.ports[PARB_CQ].made);
    parb_bench_begin();
    pb.load.latency = 5;
    for (unsigned i = 0; i < 30000; i++) {
        parb_bench_step();
    }
    double all =
        (double)(pb.left[PARB_TARGET] + pb.left[PARB_LOCAL] + pb.left[PARB_AMO] + pb.left[PARB_CQ]);

    must(&pb.wrong, (double)pb.left[PARB_TARGET] > 0.166 * all,
         "(double)pb.left[0]: %.3f, expected > %.3f", (double)((double)pb.left[0]),
         (double)(0.166 * all));
    must(&pb.wrong, (double)pb.left[PARB_LOCAL] > 0.166 * all,
         "(double)pb.left[1]: %.3f, expected > %.3f", (double)((double)pb.left[1]),
         (double)(0.166 * all));
    must(&pb.wrong, (double)pb.left[PARB_AMO] > 0.166 * all,
         "(double)pb.left[PARB_AMO]: %.3f, expected > %.3f", (double)((double)pb.left[PARB_AMO]),
         (double)(0.166 * all));
    tap_misses(&pb.wrong, "nor does a flood of events starve them: shares %.3f, %.3f, %.3f",
               (double)pb.left[0] / all, (double)pb.left[1] / all, (double)pb.left[PARB_AMO] / all);
    parb_bench_begin();
    pb.load.latency = 5;
    pb.load.begin[PARB_TARGET] = pb.load.begin[PARB_LOCAL] = 0;
    for (unsigned i = 0; i < 10000; i++) {
        parb_bench_step();
    }
    must_at_least(&pb.wrong, pb.left[PARB_AMO], 2400 + 1, "pb.left[PARB_AMO]");
    must_at_least(&pb.wrong, pb.left[PARB_CQ], 2400 + 1, "pb.left[PARB_CQ]");
    tap_misses(&pb.wrong, "nor amo, when it is alone with it: %llu and %llu",
               (unsigned long long)pb.left[PARB_CQ], (unsigned long long)pb.left[PARB_AMO]);
}

/* A client whose replies give no place back reads no more than it has places; the other reads on. */
static void test_places(void)
{
    parb_bench_begin();
    pb.load.read = pb.load.fetch = 1;
    pb.stuck = 1 << READER_TARGET;
    for (unsigned i = 0; i < 5000; i++) {
        pb.load.read = few_wait() ? 1 : 0;
        parb_bench_step();
    }
    must_equal(&pb.wrong, pb.reads_left, 1 << NIC_GETS_LOG2, "reads of npt");
    must_at_least(&pb.wrong, pb.fetches_left[PARB_FETCH_AMO], 1000, "fetches");
    pb.stuck = 1 << READER_AMO;
    unsigned fetches = pb.fetches_left[PARB_FETCH_AMO], reads = pb.reads_left;

    for (unsigned i = 0; i < 5000; i++) {
        pb.load.read = few_wait() ? 1 : 0;
        parb_bench_step();
    }
    must_at_most(&pb.wrong, pb.fetches_left[PARB_FETCH_AMO] - fetches, 1 << NIC_AMO_LOG2,
                 "more fetches");
    must_at_least(&pb.wrong, pb.reads_left - reads, 1000, "more reads of npt");
    pb.stuck = 0;
    parb_bench_finish();
    tap_misses(&pb.wrong, "a client without places keeps no other from reading: %u, %u",
               pb.reads_left, pb.fetches_left[PARB_FETCH_AMO]);
}

static void test_flying(void)
{
    parb_bench_begin();
    pb.answers = false;
    for (unsigned i = 0; i < 5000; i++) {
        parb_bench_step();
    }
    static const unsigned writes[WRITERS] = WRITER_WRITES;
    bool held = pb.left[PARB_TARGET] == writes[WRITER_TARGET] &&
                pb.left[PARB_LOCAL] == writes[WRITER_LOCAL] &&
                pb.left[PARB_CQ] == writes[WRITER_CQ] && pb.left[PARB_AMO] == writes[WRITER_AMO];

    pb.answers = true;
    for (unsigned i = 0; i < 5000; i++) {
        parb_bench_step();
    }
    parb_bench_finish();
    /* holds parb.flying */
    must(&pb.wrong, held, "expected held");
    must_at_most(&pb.wrong, pb.most_flying, writes[WRITER_TARGET], "pb.most_flying");
    tap_misses(&pb.wrong,
               "no more than %d writes of a port are under way; it goes on when they are answered",
               (int)writes[WRITER_TARGET]);
}

/* 64-byte accesses back to back: no clock is lost. */
static void test_rate(void)
{
    uint64_t beats = 0, clocks = 0;

    parb_bench_begin();
    pb.load.latency = 5;
    pb.load.begin[PARB_CQ] = pb.load.begin[PARB_AMO] = 0;
    for (unsigned i = 0; i < 10000; i++) {
        parb_bench_step();
        if (i > 100) {
            beats += pb.dut.out.write.valid;
            clocks++;
        }
    }
    must(&pb.wrong, (double)beats >= 0.87 * (double)clocks, "(double)beats: %.3f, expected >= %.3f",
         (double)((double)beats), (double)(0.87 * (double)clocks));
    tap_misses(&pb.wrong, "with senders that hesitate at one of 8 beats: %.3f beats per clock",
               (double)beats / (double)clocks);
}

/* Nothing leaves: as many new values as there are places, and not one is lost of those that come when there is no room. */
static void test_words(void)
{
    parb_bench_begin();
    pb.load.begin[PARB_TARGET] = pb.load.begin[PARB_LOCAL] = pb.load.begin[PARB_CQ] = 0;
    pb.load.lag = LAG_MOST;
    pb.load.room = 0;
    for (unsigned i = 0; i < 100; i++) {
        parb_bench_step();
    }
    unsigned waiting = pb.ports[PARB_AMO].made;

    pb.load.room = 1;
    for (unsigned i = 0; i < 1000; i++) {
        parb_bench_step();
    }
    parb_bench_finish();
    must_equal(&pb.wrong, waiting, PARB_WORDS, "waiting");
    must_at_least(&pb.wrong, pb.ports[PARB_AMO].made, 450 + 1, "pb.ports[PARB_AMO].made");
    tap_misses(&pb.wrong, "%u new values wait; then they leave, one per %.3f clocks", waiting,
               1000 / (double)(pb.ports[PARB_AMO].made - waiting));
}

/* Reads and fetches, both as many as can be, and memory that takes some. */
static void test_turns(double room)
{
    parb_bench_begin();
    pb.load.begin[PARB_LOCAL] = pb.load.begin[PARB_CQ] = pb.load.begin[PARB_AMO] = 0;
    pb.load.read = pb.load.fetch = 1;
    pb.load.read_room = room;
    for (unsigned i = 0; i < 30000; i++) {
        pb.load.begin[PARB_TARGET] = few_wait();
        parb_bench_step();
    }
    double share = (double)pb.fetches_left[PARB_FETCH_AMO] /
                   (double)(pb.fetches_left[PARB_FETCH_AMO] + pb.reads_left);

    parb_bench_finish();
    must(&pb.wrong, share > 0.49, "share: %.3f, expected > %.3f", (double)(share), (double)(0.49));
    must(&pb.wrong, share < 0.51, "share: %.3f, expected < %.3f", (double)(share), (double)(0.51));
    tap_misses(&pb.wrong,
               "reads of npt and amo have turns: %u and %u where memory takes %.1f a clock",
               pb.reads_left, pb.fetches_left[PARB_FETCH_AMO], room);
}

/* So many accesses of PARB_TARGET, that go in whole. */
static void send(unsigned count, bool reads)
{
    unsigned until = pb.ports[PARB_TARGET].made + count;

    pb.load.read = reads;
    pb.load.begin[PARB_TARGET] = 1;
    for (unsigned i = 0; i < 100000 && pb.ports[PARB_TARGET].made != until; i++) {
        parb_bench_step();
    }
    pb.load.begin[PARB_TARGET] = 0;
}

static void settle(void)
{
    struct parb_test_port *port = &pb.ports[PARB_TARGET];

    for (unsigned i = 0; i < 100000 && port->done != port->writes_sent; i++) {
        parb_bench_step();
    }
    for (unsigned i = 0; i < 2 * SETTLED; i++) {
        parb_bench_step();
    }
}

/*
 * Ordered reads whose writes are done, and memory takes no reads while so many more writes come and are done: then all of them
 * leave, though no write comes any more.
 */
static bool test_late(unsigned reads, unsigned further)
{
    parb_bench_begin();
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        pb.load.begin[p] = 0;
    }
    pb.load.latency = 3;
    pb.load.order = 1;
    pb.load.read_room = 0;
    for (unsigned i = 0; i < reads; i++) {
        send(1 + rng_below(&pb.rng, 2), false);
        send(1, true);
    }
    send(3, false);
    settle();
    send(further, false);
    settle();
    pb.load.read_room = 1;
    for (unsigned i = 0; i < 2 * reads + 2 * SETTLED; i++) {
        parb_bench_step();
    }
    return pb.wrong.count == 0 && pb.reads_left == reads;
}

static void test_all_late(unsigned reads, const char *what)
{
    const unsigned wrap = 1 << ORDER_BITS;
    unsigned stood = 0, tries = 0;

    for (unsigned further = wrap / 2 - 8; further <= wrap + 8; further += 1 + further % 37) {
        stood += !test_late(reads, further);
        tries++;
    }
    tap_ok(stood == 0, "%s, stopped while %u to %u later writes are done: %u of %u stand", what,
           wrap / 2 - 8, wrap + 8, stood, tries);
}

static void test_bits(unsigned bits)
{
    uint64_t corrected = 0, fatal = 0, bad = 0, corrupted = 0;

    parb_bench_begin();
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        pb.load.begin[p] = 0;
    }
    for (unsigned i = 0; i < 500; i++) {
        struct parb_in in = {
            .target = {.valid = 1,
                       .head = 1,
                       .tail = 1,
                       .word = parb_bench_head(0, 0x123456789000 + i * 64, 64, false, false)}};
        unsigned bit = rng_below(&pb.rng, 61), second = (bit + 1 + rng_below(&pb.rng, 60)) % 61;

        parb(&pb.dut, &in);
        in.target.valid = 0;
        pb.dut.codes[(parb_get)(pb.dut.write_at - 1)] ^= (read_ecc_word)1 << bit;
        if (bits == 2) {
            pb.dut.codes[(parb_get)(pb.dut.write_at - 1)] ^= (read_ecc_word)1 << second;
        }
        corrupted++;
        for (unsigned c = 0; c < 6; c++) {
            in.room_read = 1;
            in.given = pb.dut.held[READER_TARGET] != 0 ? 1 << READER_TARGET : 0;
            parb(&pb.dut, &in);
            pb.now++;
            corrected += (unsigned)pb.dut.out.count >> PARB_CORRECTED & 1;
            fatal += (unsigned)pb.dut.out.count >> PARB_FATAL & 1;
            bad += pb.dut.out.read.valid && pb.dut.out.read.fault == MEM_WRONG_BITS;
            if (pb.dut.out.read.valid && !pb.dut.out.read.fault) {
                must_equal(&pb.wrong, pb.dut.out.read.addr, 0x123456789000 + i * 64,
                           "read %u: address", i);
            }
        }
    }
    must_equal(&pb.wrong, corrected, (bits == 1 ? corrupted : 0), "corrected");
    must_equal(&pb.wrong, fatal, (bits == 2 ? corrupted : 0), "fatal");
    must_equal(&pb.wrong, bad, fatal, "bad");
    tap_misses(&pb.wrong, "%u wrong bits in a read that waits: %s", bits,
               bits == 1 ? "corrected, counted" : "marked, counted");
}

/* A clock of parb alone, with these beats; whether a beat leaves, and of which address its access is. */
static bool alone(struct beat target, struct beat queued, uint64_t *addr)
{
    struct parb_in in = {.room_write = 1, .room_read = 1, .queued = queued};

    in.target = target;
    parb(&pb.dut, &in);
    if (pb.dut.out.write.valid && pb.dut.out.write.head) {
        *addr = (uint64_t)(pb.dut.out.write.word >> MEM_ADDR_AT) & 0xFFFFFFFFFFFF;
    }
    return pb.dut.out.write.valid;
}

/*
 * A write in an ordered mode is here but for its data, which come behind other writes of rat_net: those go out, however long it
 * takes, and then it does.
 */
static void test_part_of_queued(void)
{
    enum { PART = 0x1000, OTHER = 0x2000, LONG = 40 };
    const struct beat none = {}, data = {.valid = 1, .tail = 1, .word = 1};
    struct beat part = {
        .valid = 1, .head = 1, .word = parb_bench_head(MEM_TARGET, PART, 8, true, false)};
    struct beat other = {
        .valid = 1, .head = 1, .word = parb_bench_head(MEM_TARGET, OTHER, 8, true, false)};
    uint64_t addr = 0;
    unsigned early = 0, others = 0, late = 0;

    parb_bench_begin();
    early += alone(none, part, &addr);
    for (unsigned i = 0; i < LONG; i++) {
        early += alone(none, none, &addr);
    }
    others += alone(other, none, &addr) + alone(data, none, &addr);
    for (unsigned i = 0; i < LONG; i++) {
        others += alone(none, none, &addr);
    }
    tap_ok(early == 0 && others == 2 && addr == OTHER,
           "a queued write whose data is not here: %u beats of it and %u of another leave", early,
           others);
    late += alone(none, data, &addr);
    for (unsigned i = 0; i < LONG; i++) {
        late += alone(none, none, &addr);
    }
    tap_ok(late == 2 && addr == PART, "it leaves when it is whole: %u beats", late);
}

enum { LOST_AT = 0x2000 };

/* Two bits of one word of the beat that came last into the queue fall over. */
static void corrupt_queued(void)
{
    const unsigned first = rng_below(&pb.rng, RTR_CODE_BITS), word = rng_below(&pb.rng, 3);
    const unsigned second = (first + 1 + rng_below(&pb.rng, RTR_CODE_BITS - 1)) % RTR_CODE_BITS;
    struct parb_queue *queue = &pb.dut.queue.queue;
    beat_code *code = &queue->codes[(parb_queue_place)(queue->wr[0] - 1)];

    *code ^= (beat_code)1 << (word * RTR_CODE_BITS + first);
    *code ^= (beat_code)1 << (word * RTR_CODE_BITS + second);
}

/* A clock of parb with a beat of a queued write; whether memory answers one. */
static void queued_clock(struct beat queued, bool answer, struct misses *wrong, unsigned *left)
{
    struct parb_in in = {.room_write = 1, .room_read = 1, .queued = queued};

    if (answer)
        in.done = (struct mem_done){.valid = 1, .client = MEM_TARGET, .place = 1};
    parb(&pb.dut, &in);
    pb.now++;
    if (!pb.dut.out.write.valid)
        return;
    *left += 1;
    if (pb.dut.out.write.head) {
        const uint64_t addr = (uint64_t)(pb.dut.out.write.word >> MEM_ADDR_AT) & 0xFFFFFFFFFFFF;

        must(wrong, addr != LOST_AT, "the lost write leaves, address %#llx",
             (unsigned long long)addr);
    }
}

/*
 * Of three writes in ordered modes the second one's head has a double-bit error: it is lost in its turn, once, when memory has
 * answered the first one; nothing of it leaves, and the third one does.
 */
static void test_lost_queued(void)
{
    enum { WRITES = 3, WAITS = 40 };
    const struct beat none = {}, data = {.valid = 1, .tail = 1, .word = 1};
    struct misses wrong = {0};

    for (unsigned n = 0; n < 200; n++) {
        const unsigned wait = WAITS + rng_below(&pb.rng, WAITS);
        unsigned lost = 0, fatal = 0, left = 0;

        parb_bench_begin();
        for (unsigned w = 1; w <= WRITES; w++) {
            const struct beat head = {
                .valid = 1,
                .head = 1,
                .word = parb_bench_head(MEM_TARGET, w * (LOST_AT / 2), 8, true, false)};

            queued_clock(head, false, &wrong, &left);
            if (w * (LOST_AT / 2) == LOST_AT)
                corrupt_queued();
            queued_clock(data, false, &wrong, &left);
        }
        for (unsigned i = 0; i < wait; i++) {
            queued_clock(none, false, &wrong, &left);
            must(&wrong, !pb.dut.out.lost, "it is lost before the write ahead of it is answered");
        }
        must_equal(&wrong, left, 2, "beats that leave before memory answers");
        for (unsigned i = 0; i < WAITS; i++) {
            queued_clock(none, i == 0, &wrong, &left);
            lost += pb.dut.out.lost;
            fatal += pb.dut.out.count >> PARB_FATAL & 1;
        }
        must_equal(&wrong, lost, 1, "clocks in which a write is lost");
        must_equal(&wrong, fatal, 1, "reads with a double-bit error counted");
        must_equal(&wrong, left, 4, "beats that leave");
    }
    /* holds parb.lost_queued */
    tap_misses(&wrong, "a queued write whose head has a double-bit error is lost in its turn");
}

int main(int argc, char **argv)
{
    rng_seed(&pb.rng, test_seed(argc, argv));
    harness_clock = &pb.now;
    test_loads();
    test_share();
    test_places();
    test_flying();
    test_rate();
    test_words();
    test_turns(1);
    test_turns(0.3);
    test_all_late(1, "an ordered read at the front");
    test_all_late(1 << NIC_GETS_LOG2, "as many as there are places");
    test_bits(1);
    test_bits(2);
    test_part_of_queued();
    test_lost_queued();
    parb_bench_free();
    tap_ok(harness_covers("hls/nic/host/parb.c") == 5, "all covers are hit");
    return tap_done();
}
