// SPDX-License-Identifier: Apache-2.0
/*
 * test_axi_master.c - the AXI4 manager against a host memory: every alignment and length on both sides of a page's end,
 * hosts of all manners, rates, errors of the host, and bits that fall over.
 *
 * Each client writes to a part of memory of its own, so that the order of one client's writes is all that counts; the
 * model is an array of bytes. Reads come from a part that nobody writes.
 */
#include "nic/target/axi_master.h"
#include "tb/nic/host.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    PART = 16 * PAGE, /* of memory, for each writer; the last one is for reads */
    PARTS = AXI_WRITERS + 1,
    SIZE = PARTS * PART,
    BEATS_MOST = 1 << 18,
    OPS_MOST = 1 << 16,
};

static const unsigned client_of[AXI_WRITERS] = {MEM_TARGET, MEM_LOCAL, MEM_CQ};

struct op {
    uint64_t addr;
    unsigned bytes, client, place, status;
    bool skip, bad_head; /* bad_head: of a read */
    int bad_beat;        /* -1: none */
};

/* Operations in order, and how many of them are sent and answered. */
struct ops {
    struct op *op;
    unsigned count, sent, done;
};

static struct axi_master dut;
static struct host *host;
static struct rng rng;
static uint64_t now;
static uint8_t want[SIZE];

static struct beat *beats; /* of writes, in the order of sending */
static unsigned beat_count, beat_sent;
static struct ops writes[AXI_WRITERS], reads;
static struct beat next_beat; /* what parb's registers would have */
static struct mem_read next_read;
static bool second_read;

static uint64_t wrong;             /* answers and bytes that are not as they must be */
static uint64_t counted[2][8];     /* bits of write_count, read_count */
static double bubble, reply_stall; /* chances */
static bool corrupt_rlast;         /* R beats' RLAST is inverted now and then */
static uint64_t corrupt_rlasts, last_reply_beat;
static unsigned reply_bytes; /* of the reply that is coming, so far */
static bool replying;

static void complain(const char *what)
{
    if (wrong++ == 0) {
        tap_why("clock %llu: %s", (unsigned long long)now, what);
    }
}

/* ---- what is sent ------------------------------------------------------------------------------- */

static void add(struct ops *ops, struct op op)
{
    if (ops->count == OPS_MOST) {
        abort();
    }
    ops->op[ops->count++] = op;
}

static void add_beat(struct beat beat)
{
    if (beat_count == BEATS_MOST) {
        abort();
    }
    beats[beat_count++] = beat;
}

static bool crosses(uint64_t addr, unsigned bytes)
{
    return addr / PAGE != (addr + bytes - 1) / PAGE;
}

/* A write of random bytes as parb sends it; the model has it at once, because its client's part is its own. */
static void write_op(unsigned writer, struct op op)
{
    unsigned total = op.bytes + (op.skip ? 8 : 0), data_beats = (total + 15) / 16;
    bool split = crosses(op.addr, op.bytes);
    struct beat head = {.valid = 1, .head = 1};
    uint8_t bytes[80];

    op.client = client_of[writer];
    op.place = rng_below(&rng, 4096);
    head.word = (beat_word)op.client | ((beat_word)op.place << 4) |
                ((beat_word)(op.bytes - 1) << 16) | ((beat_word)1 << 22) |
                ((beat_word)op.skip << 29) | ((beat_word)split << 30) | ((beat_word)op.addr << 48);
    add_beat(head);
    if (split) {
        head.word &= ~((beat_word)1 << 30);
        head.word &= (((beat_word)1 << 48) - 1);
        head.word |= (beat_word)((op.addr / PAGE + 1) * PAGE) << 48;
        add_beat(head);
    }
    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)rng_next(&rng);
    }
    for (unsigned i = 0; i < data_beats; i++) {
        struct beat beat = {.valid = 1, .tail = i + 1 == data_beats, .bad = (int)i == op.bad_beat};
        unsigned __int128 word;

        memcpy(&word, bytes + 16 * i, 16);
        beat.word = word;
        add_beat(beat);
    }
    for (unsigned i = 0; i < op.bytes; i++) {
        unsigned at = i + (op.skip ? 8 : 0);

        if ((int)(at / 16) != op.bad_beat) {
            want[op.addr + i] = bytes[at];
        }
    }
    op.status = op.bad_beat >= 0 ? MEM_WRONG_BITS : op.status;
    add(&writes[writer], op);
}

static struct op plain(uint64_t addr, unsigned bytes)
{
    return (struct op){.addr = addr, .bytes = bytes, .bad_beat = -1};
}

static void next_of_writes(bool room)
{
    next_beat.valid = 0;
    if (room && beat_sent != beat_count && !rng_chance(&rng, bubble)) {
        next_beat = beats[beat_sent++];
    }
}

static void next_of_reads(bool room)
{
    next_read.valid = 0;
    if (room && reads.sent != reads.count && !rng_chance(&rng, bubble)) {
        struct op op = reads.op[reads.sent];
        bool split = !op.bad_head && crosses(op.addr, op.bytes);

        next_read = (struct mem_read){.valid = 1,
                                      .bad = op.bad_head,
                                      .split = split,
                                      .bytes = (u6)(op.bytes - 1),
                                      .addr = second_read ? (op.addr / PAGE + 1) * PAGE : op.addr};
        second_read = split && !second_read;
        reads.sent += !second_read;
    }
}

/* ---- what comes back ---------------------------------------------------------------------------- */

static void check_done(void)
{
    const struct mem_done *done = &dut.out.done;

    if (!done->valid) {
        return;
    }
    for (unsigned w = 0; w < AXI_WRITERS; w++) {
        if (client_of[w] == done->client) {
            struct ops *ops = &writes[w];

            if (ops->done == ops->count) {
                complain("a write is answered twice");
            } else if (ops->op[ops->done].place != done->place) {
                complain("answers of a client are out of order");
            } else if (ops->op[ops->done].status != done->status) {
                complain("a write's status is wrong");
            }
            ops->done++;
            return;
        }
    }
    complain("an answer to a client that does not write");
}

static void check_reply_head(const struct op *op, const struct beat *reply)
{
    unsigned status = (unsigned)(reply->word >> 24) & 3;

    if (replying) {
        complain("a reply begins inside another");
    }
    if (status != op->status || ((unsigned)(reply->word >> 16) & 63) + 1 != op->bytes) {
        complain("a reply's head is wrong");
    }
    if (reply->tail != (status != 0)) {
        complain("a reply with an error has data, or one without has none");
    }
    reply_bytes = 0;
    replying = !reply->tail;
}

static void check_reply_data(const struct op *op, const struct beat *reply)
{
    uint8_t bytes[24] = {0};
    bool uncorrectable = op->bad_beat >= 0;

    memcpy(bytes, &reply->word, 18);
    for (unsigned i = 0; i < 16; i++) {
        unsigned at = reply_bytes + i;

        if (!reply->bad && bytes[i] != (at < op->bytes ? want[op->addr + at] : 0)) {
            complain("a byte of a reply is wrong");
        }
    }
    if (reply->bad && !uncorrectable) {
        complain("a reply is marked bad");
    }
    reply_bytes += 16;
    if (reply->tail != (reply_bytes >= op->bytes)) {
        complain("a reply has not as many beats as bytes");
    }
    replying = !reply->tail;
}

static void check_reply(void)
{
    const struct beat *reply = &dut.out.reply;

    if (!reply->valid) {
        if (replying) {
            complain("a gap in a reply");
        }
        return;
    }
    last_reply_beat = now;
    if (reads.done == reads.count) {
        complain("a reply to nothing");
    } else if (reply->head) {
        check_reply_head(&reads.op[reads.done], reply);
    } else {
        check_reply_data(&reads.op[reads.done], reply);
    }
    reads.done += reply->tail;
}

/* ---- a clock ------------------------------------------------------------------------------------ */

static struct axi_to_man extra; /* answers to nothing, put in where the host is silent */

static void step(void)
{
    struct axi_master_in in = {.room_reply = !rng_chance(&rng, reply_stall)};
    bool room_write = dut.out.room_write, room_read = dut.out.room_read;

    host_step(host, &dut.out.m_axi, &in.m_axi);
    if (corrupt_rlast && in.m_axi.rvalid && rng_below(&rng, 50) == 0) {
        in.m_axi.rlast = !in.m_axi.rlast;
        corrupt_rlasts++;
    }
    if (extra.bvalid && !in.m_axi.bvalid) {
        in.m_axi.bvalid = 1;
        in.m_axi.bid = extra.bid;
        extra.bvalid = 0;
    }
    if (extra.rvalid && !in.m_axi.rvalid) {
        in.m_axi.rvalid = 1;
        in.m_axi.rid = extra.rid;
        extra.rvalid = 0;
    }
    in.write = next_beat;
    in.read = next_read;
    next_of_writes(room_write);
    next_of_reads(room_read);
    axi_master(&dut, &in);
    now++;
    check_done();
    check_reply();
    for (unsigned i = 0; i < 8; i++) {
        counted[0][i] += (unsigned)dut.out.write_count >> i & 1;
        counted[1][i] += (unsigned)dut.out.read_count >> i & 1;
    }
}

static bool all_done(void)
{
    bool done = reads.done == reads.count && beat_sent == beat_count;

    for (unsigned w = 0; w < AXI_WRITERS; w++) {
        done = done && writes[w].done == writes[w].count;
    }
    return done;
}

/* Until all is answered; false: something never is. */
static bool drain(uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks && !all_done(); i++) {
        step();
    }
    bool done = all_done();

    for (unsigned i = 0; i < 20; i++) {
        step();
    }
    if (!done) {
        complain("not everything is answered");
    } else if (!dut.out.idle_write || !dut.out.idle_read) {
        complain("it is not idle in the end");
    }
    if (host_broken_rules(host) != 0 && wrong++ == 0) {
        tap_why("%s", host_broken(host)->first);
    }
    return done;
}

static void begin(const struct host_knobs *knobs)
{
    for (unsigned w = 0; w < AXI_WRITERS; w++) {
        writes[w].count = writes[w].sent = writes[w].done = 0;
    }
    reads.count = reads.sent = reads.done = 0;
    beat_count = beat_sent = 0;
    next_beat.valid = 0;
    next_read.valid = 0;
    second_read = replying = false;
    wrong = 0;
    bubble = reply_stall = 0;
    memset(counted, 0, sizeof(counted));
    if (host != NULL) {
        host_free(host);
    }
    host = host_new(SIZE, rng_next(&rng), NULL, NULL);
    host_set(host, knobs);
    for (unsigned i = 0; i < SIZE; i++) {
        want[i] = host_memory(host)[i] = (uint8_t)rng_next(&rng);
    }
    axi_master_reset(&dut);
}

static void check_memory(void)
{
    if (memcmp(want, host_memory(host), SIZE) != 0) {
        complain("memory is not as it must be");
    }
}

static void read_op(uint64_t addr, unsigned bytes)
{
    add(&reads, plain(AXI_WRITERS * PART + addr, bytes));
}

/* ---- tests -------------------------------------------------------------------------------------- */

static const struct host_knobs quick = {.latency = 20};

/* Every first byte of 64 before and behind a page's end, every length. */
static void test_alignments(bool skip)
{
    unsigned most = skip ? 56 : 64;

    begin(&quick);
    for (unsigned at = 0; at < 128; at++) {
        beat_count = beat_sent = 0;
        for (unsigned bytes = 1; bytes <= most; bytes++) {
            struct op op = plain((uint64_t)(at % 3) * PART + 5 * PAGE - 64 + at, bytes);

            op.skip = skip;
            write_op(at % 3, op);
            read_op(7 * PAGE - 64 + at, bytes);
        }
        drain(20000);
    }
    check_memory();
    tap_ok(wrong == 0, "%u alignments x %u lengths at a page's end, written%s and read", 128, most,
           skip ? " without the first 8 bytes" : "");
}

static void random_ops(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned writer = rng_below(&rng, AXI_WRITERS), bytes = 1 + rng_below(&rng, 64);
        /* near a page's end as often as not, so that writes overlap */
        uint64_t at = rng_below(&rng, 2) ? PAGE * (1 + rng_below(&rng, 4)) - rng_below(&rng, 80)
                                         : rng_below(&rng, PART - 64);
        struct op op = plain(writer * PART + at, bytes);

        op.skip = bytes <= 56 && rng_below(&rng, 2);
        write_op(writer, op);
        read_op(rng_below(&rng, 2) ? PAGE - rng_below(&rng, 80) : rng_below(&rng, PART - 64),
                1 + rng_below(&rng, 64));
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
        begin(&knobs[k]);
        bubble = k % 3 * 0.3;
        reply_stall = k % 4 * 0.3;
        random_ops(3000);
        drain(2000000);
        check_memory();
        tap_ok(wrong == 0, "host %u: 3000 writes and reads, %llu clocks", k,
               (unsigned long long)now);
    }
}

/* Both at once, 64 bytes, at every alignment: one of each per 5 clocks, but for AXI's own beats. */
static void test_rate(unsigned at, double wanted)
{
    struct host_knobs knobs = {.latency = NIC_GETS_LOG2 >= 6 ? 200 : 100};
    uint64_t from, clocks;

    begin(&knobs);
    for (unsigned i = 0; i < 10000; i++) {
        write_op(i % 3, plain(i % 3 * PART + 64 * (i % 900) + at, 64));
        read_op(64 * (i % 900) + at, 64);
    }
    from = now;
    while (!all_done() && now - from < 100000) {
        step();
    }
    clocks = now - from - knobs.latency;
    tap_ok(wrong == 0 && (double)clocks <= wanted * 1e4,
           "64 bytes at %u, both ways: one per %.3f clocks, at most %.2f", at, (double)clocks / 1e4,
           wanted);
    drain(10);
    check_memory();
}

/* The first burst of a write over a page's end fails, the second one does not; whether one fails. */
static bool write_before_page(uint64_t at, unsigned bytes)
{
    const uint64_t end = 7 * PAGE;
    bool hit = at < end && at + bytes > end - 16;
    struct op op = plain(at, bytes);
    uint8_t kept[64];

    memcpy(kept, want + op.addr, 64);
    op.status = hit ? MEM_BUS_ERROR : MEM_DONE;
    write_op(0, op);
    for (unsigned b = 0; hit && b < bytes && at + b < end; b++) {
        want[at + b] = kept[b];
    }
    return hit;
}

static void test_host_errors(void)
{
    static const struct host_knobs knobs = {.latency = 20, .latency_extra = 30, .stall = 0.2};
    const struct host_fault faults[] = {
        {.from = 7 * PAGE - 16, .to = 7 * PAGE, .bus_error = true},
        {.from = 3 * PAGE, .to = 3 * PAGE + 16, .bus_error = true},
        {.from = AXI_WRITERS * PART + 3 * PAGE,
         .to = AXI_WRITERS * PART + 3 * PAGE + 16,
         .bus_error = true},
        {.from = AXI_WRITERS * PART + 5 * PAGE,
         .to = AXI_WRITERS * PART + 5 * PAGE + 16,
         .poison = true},
    };
    uint64_t expected[4] = {0};

    begin(&knobs);
    for (unsigned i = 0; i < 4; i++) {
        host_add_fault(host, &faults[i]);
    }
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t at = 3 * PAGE - 80 + rng_below(&rng, 120),
                 from = 5 * PAGE - 80 + rng_below(&rng, 120);
        unsigned bytes = 1 + rng_below(&rng, 64);
        struct op op = plain(at, bytes);
        uint8_t kept[64];
        bool second = at + bytes > 3 * PAGE, first_too = at >= 3 * PAGE;
        bool hit = second && at < 3 * PAGE + 16;

        /* A burst with an error is not written at all, by this host; the one before the page's end is. */
        memcpy(kept, want + op.addr, 64);
        op.status = hit ? MEM_BUS_ERROR : MEM_DONE;
        write_op(0, op);
        for (unsigned b = 0; b < bytes; b++) {
            if (hit && (first_too || at + b >= 3 * PAGE)) {
                want[at + b] = kept[b];
            }
        }
        expected[0] += hit;
        expected[0] += write_before_page(7 * PAGE - 80 + rng_below(&rng, 120), bytes);
        op = plain(AXI_WRITERS * PART + at, 1 + rng_below(&rng, 64));
        op.status = at + op.bytes > 3 * PAGE && at < 3 * PAGE + 16 ? MEM_BUS_ERROR : MEM_DONE;
        expected[1] += op.status != 0;
        add(&reads, op);
        op = plain(AXI_WRITERS * PART + from, 1 + rng_below(&rng, 64));
        op.status = from + op.bytes > 5 * PAGE && from < 5 * PAGE + 16 ? MEM_WRONG_BITS : MEM_DONE;
        expected[2] += op.status != 0;
        add(&reads, op);
    }
    drain(1000000);
    check_memory();
    tap_ok(wrong == 0,
           "bus errors and poison: each the status of its access, nothing else touched");
    tap_ok(
        counted[0][AXI_WRITE_ERROR] == expected[0] && counted[1][AXI_READ_ERROR] == expected[1] &&
            counted[1][AXI_READ_POISON] == expected[2],
        "they are counted: %llu writes, %llu reads, %llu poisoned", (unsigned long long)expected[0],
        (unsigned long long)expected[1], (unsigned long long)expected[2]);
}

/* Data of writes, and reads, with two wrong bits, between others. */
static void test_bad_beats(void)
{
    static const struct host_knobs knobs = {.latency = 20, .latency_extra = 30, .stall = 0.3};

    begin(&knobs);
    for (unsigned i = 0; i < 3000; i++) {
        unsigned writer = rng_below(&rng, AXI_WRITERS);
        uint64_t at = 64 * rng_below(&rng, 900) + rng_below(&rng, 16);
        struct op op = plain(writer * PART + at, 17 + rng_below(&rng, 32));

        /* the last one: this host wants strobes in one run from the address on */
        op.bad_beat = rng_below(&rng, 4) == 0 ? (int)(op.bytes + 15) / 16 - 1 : -1;
        write_op(writer, op);
        op = plain(AXI_WRITERS * PART + rng_below(&rng, PART - 64), 1 + rng_below(&rng, 64));
        op.bad_head = rng_below(&rng, 4) == 0;
        op.status = op.bad_head ? MEM_WRONG_BITS : MEM_DONE;
        add(&reads, op);
    }
    drain(1000000);
    check_memory();
    tap_ok(wrong == 0,
           "data and reads with two wrong bits: answered in their turn, no byte of theirs touched");
}

/* RLAST of a host that does not know what it is. */
static void test_rlast(void)
{
    begin(&quick);
    corrupt_rlast = true;
    corrupt_rlasts = 0;
    for (unsigned i = 0; i < 1000; i++) {
        struct op op =
            plain(AXI_WRITERS * PART + rng_below(&rng, PART - 64), 1 + rng_below(&rng, 64));

        add(&reads, op);
        reads.sent = reads.done = 0;
        /* one at a time: whether it was corrupted gives its status */
        uint64_t before = corrupt_rlasts;

        reads.op[0] = op;
        reads.count = 1;
        while (reads.done == 0 && now < 10000000) {
            reads.op[0].status = corrupt_rlasts != before ? MEM_BUS_ERROR : MEM_DONE;
            step();
        }
    }
    corrupt_rlast = false;
    tap_ok(wrong == 0 && counted[1][AXI_READ_RLAST] == corrupt_rlasts && corrupt_rlasts > 20,
           "RLAST missing or early: MEM_BUS_ERROR, counted (%llu)",
           (unsigned long long)corrupt_rlasts);
}

static void test_stray(void)
{
    begin(&quick);
    for (unsigned id = 0; id < 16; id++) {
        extra.bvalid = extra.rvalid = 1;
        extra.bid = extra.rid = (axi_id)id;
        step();
        step();
    }
    random_ops(20);
    drain(10000);
    check_memory();
    tap_ok(wrong == 0 && counted[0][AXI_WRITE_STRAY] == 16 && counted[1][AXI_READ_STRAY] == 16,
           "answers to nothing are counted and change nothing");
}

/* Bits of what waits for B, and of data in its place. */
static void test_bits(unsigned bits)
{
    static const struct host_knobs knobs = {.latency = 100};
    uint64_t corrupted = 0, bad = 0;

    begin(&knobs);
    for (unsigned i = 0; i < 500; i++) {
        struct op op = plain(AXI_WRITERS * PART + 64 * rng_below(&rng, 900), 64);

        reads.count = reads.sent = reads.done = 0;
        op.bad_beat = bits == 2 ? 0 : -1;
        add(&reads, op);
        reply_stall = 1; /* so that it waits in its place */
        for (unsigned c = 0; c < 140; c++) {
            step();
        }
        beat_code *code =
            &dut.read.data[((unsigned)(axi_place)dut.read.given << 3) + rng_below(&rng, 4)];
        unsigned word = rng_below(&rng, 3), bit = rng_below(&rng, RTR_CODE_BITS);

        *code ^= (beat_code)1 << (word * RTR_CODE_BITS + bit);
        if (bits == 2) {
            *code ^= (beat_code)1 << (word * RTR_CODE_BITS + (bit + 1) % RTR_CODE_BITS);
        }
        corrupted++;
        reply_stall = 0;
        while (reads.done == 0 && now < 10000000) {
            step();
            bad += dut.out.reply.valid && dut.out.reply.bad;
        }
    }
    tap_ok(wrong == 0 && counted[1][bits == 1 ? AXI_READ_CORRECTED : AXI_READ_FATAL] == corrupted &&
               bad == (bits == 1 ? 0 : corrupted),
           "%u wrong bits in a place for a reply: %s", bits,
           bits == 1 ? "corrected, counted" : "its beat is marked, counted");

    begin(&knobs);
    corrupted = 0;
    for (unsigned i = 0; i < 500; i++) {
        struct op op = plain(64 * rng_below(&rng, 900), 64);

        writes[0].count = writes[0].done = beat_count = beat_sent = 0;
        op.status = bits == 2 ? MEM_WRONG_BITS : MEM_DONE;
        write_op(0, op);
        for (unsigned c = 0; c < 50; c++) {
            step();
        }
        unsigned bit = rng_below(&rng, FLYING_AGAIN_AT - 1);
        axi_flying_word *note =
            &dut.write.flying[(unsigned)dut.write.ended[0] % (1 << AXI_FLYING_LOG2)];

        *note ^= (axi_flying_word)1 << bit;
        if (bits == 2) {
            *note ^= (axi_flying_word)1 << (bit + 1);
        }
        corrupted++;
        drain(1000);
    }
    check_memory();
    tap_ok(wrong == 0 && counted[0][bits == 1 ? AXI_WRITE_CORRECTED : AXI_WRITE_FATAL] == corrupted,
           "%u wrong bits in the note of a burst: %s", bits,
           bits == 1 ? "corrected, counted" : "MEM_WRONG_BITS, counted");
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    beats = calloc(BEATS_MOST, sizeof(*beats));
    reads.op = calloc(OPS_MOST, sizeof(*reads.op));
    for (unsigned w = 0; w < AXI_WRITERS; w++) {
        writes[w].op = calloc(OPS_MOST, sizeof(*writes[w].op));
    }
    test_alignments(false);
    test_alignments(true);
    test_hosts();
    test_rate(0, 5.02);
    test_rate(7, 5.02);
    test_host_errors();
    test_bad_beats();
    test_rlast();
    test_stray();
    test_bits(1);
    test_bits(2);
    host_free(host);
    free(beats);
    free(reads.op);
    for (unsigned w = 0; w < AXI_WRITERS; w++) {
        free(writes[w].op);
    }
    tap_ok(harness_covers("hls/nic/target/axi_write.c") == 4 &&
               harness_covers("hls/nic/target/axi_read.c") == 3,
           "all covers are hit");
    return tap_done();
}
