// SPDX-License-Identifier: Apache-2.0
/*
 * axi_bench.c - what is sent, and what must come back.
 */
#include "tb/blocks/axi/axi_bench.h"

#include <stdlib.h>
#include <string.h>

struct axi_bench ab;

static const unsigned client_of[WRITERS] = {MEM_TARGET, MEM_LOCAL, MEM_CQ, MEM_AMO, MEM_RINGS};
static const unsigned client_reads[READERS] = {MEM_TARGET, MEM_LOCAL, MEM_AMO, MEM_RINGS};
static struct beat next_beat; /* what parb's registers would have */
static struct mem_read next_read;
static const unsigned writes_of[WRITERS] = WRITER_WRITES;
static bool second_head; /* ... of the write that goes in is next */
static bool second_read;
static unsigned reply_bytes; /* of the reply that is coming, so far */
static bool replying;
static unsigned open_writes, open_reads; /* that went in whole and are not answered */
static bool first_of_two;                /* words of a read went in */

/* ---- what is sent ------------------------------------------------------------------------------- */
void axi_bench_add(struct ops *ops, struct op op)
{
    if (ops->count == OPS_MOST) {
        abort();
    }
    ops->op[ops->count++] = op;
}

static void add_beat(struct beat beat)
{
    if (ab.beat_count == BEATS_MOST) {
        abort();
    }
    ab.beats[ab.beat_count++] = beat;
}

static bool crosses(uint64_t addr, unsigned bytes)
{
    return addr / PAGE != (addr + bytes - 1) / PAGE;
}
void axi_bench_write_op(unsigned writer, struct op op)
{
    if (writer >= WRITER_AMO) { /* words */
        op.bytes = op.bytes % 2 ? 8 : 4;
        op.addr -= op.addr % 8;
        op.skip = false;
    }
    unsigned total = op.bytes + (op.skip ? 8 : 0), data_beats = (total + 15) / 16;
    bool split = crosses(op.addr, op.bytes);
    struct beat head = {.valid = 1, .head = 1};
    uint8_t bytes[80];

    op.client = client_of[writer];
    op.place = rng_below(&ab.rng, 4096);
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
        bytes[i] = (uint8_t)rng_next(&ab.rng);
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
            ab.want[op.addr + i] = bytes[at];
        }
    }
    op.status = op.bad_beat >= 0 ? MEM_WRONG_BITS : op.status;
    axi_bench_add(&ab.writes[writer], op);
}
struct op axi_bench_plain(uint64_t addr, unsigned bytes)
{
    return (struct op){.addr = addr,
                       .bytes = bytes,
                       .reader = rng_below(&ab.rng, 2) ? READER_LOCAL : READER_TARGET,
                       .bad_beat = -1};
}

static void next_of_writes(bool room)
{
    const struct beat *beat = &ab.beats[ab.beat_sent];

    next_beat.valid = 0;
    if (!room || ab.beat_sent == ab.beat_count || rng_chance(&ab.rng, ab.bubble)) {
        return;
    }
    for (unsigned w = 0; w < WRITERS && beat->head && !second_head; w++) {
        if (client_of[w] != ((unsigned)beat->word & 15)) {
            continue;
        }
        if (ab.writes[w].sent - ab.writes[w].done >= writes_of[w]) {
            return; /* parb begins no more */
        }
        ab.writes[w].sent++;
    }
    second_head = beat->head && (beat->word >> 30 & 1);
    next_beat = *beat;
    ab.beat_sent++;
}

static const unsigned places_of[READERS] = READER_PLACES;

static unsigned reader_of(const struct op *op)
{
    return op->reader;
}

static void next_of_reads(bool room)
{
    next_read.valid = 0;
    if (room && ab.reads.sent != ab.reads.count && !rng_chance(&ab.rng, ab.bubble)) {
        struct op op = ab.reads.op[ab.reads.sent];
        unsigned reader = reader_of(&op);

        if (!second_read && ab.held[reader] == places_of[reader]) {
            return;
        }
        ab.held[reader] += !second_read;
        bool split = !op.bad_head && crosses(op.addr, op.bytes);

        next_read = (struct mem_read){.valid = 1,
                                      .reader = (mem_reader)reader,
                                      .fault = op.bad_head ? MEM_WRONG_BITS : MEM_DONE,
                                      .split = split,
                                      .bytes = (u6)(op.bytes - 1),
                                      .addr = second_read ? (op.addr / PAGE + 1) * PAGE : op.addr};
        second_read = split && !second_read;
        ab.reads.sent += !second_read;
    }
}

/* ---- what comes back ---------------------------------------------------------------------------- */

static int answered[8]; /* the client whose B came in a clock, modulo 8; -1: none */

static void check_done(void)
{
    const struct mem_done *done = &ab.dut.out.done;

    if (!done->valid) {
        return;
    }
    /* holds axi_master.done */
    must_equal(&ab.wrong, answered[(ab.now - 2) % 8], (int)done->client,
               "client %u: client of the B that came two clocks before `done`",
               (unsigned)done->client);
    for (unsigned w = 0; w < WRITERS; w++) {
        if (client_of[w] == done->client) {
            struct ops *ops = &ab.writes[w];

            if (ops->done == ops->count) {
                miss(&ab.wrong,
                     "client %u: an answer of place %u, expected none, all %u are answered",
                     client_of[w], (unsigned)done->place, ops->count);
            } else {
                /* holds axi_write.order */
                must_equal(&ab.wrong, done->place, ops->op[ops->done].place,
                           "client %u, write %u: place", client_of[w], ops->done);
                must_equal(&ab.wrong, done->status, ops->op[ops->done].status,
                           "client %u, write %u of %#llx: status", client_of[w], ops->done,
                           (unsigned long long)ops->op[ops->done].addr);
            }
            ops->done++;
            ab.atomic_writes += done->client == MEM_AMO;
            return;
        }
    }
    miss(&ab.wrong, "an answer to client %u, expected to one that writes", (unsigned)done->client);
}

/* The oldest read of a client that is not answered; NULL: none. */
static struct op *oldest_of(unsigned reader)
{
    unsigned *at = &ab.oldest[reader];

    while (*at != ab.reads.sent && reader_of(&ab.reads.op[*at]) != reader) {
        ++*at;
    }
    return *at == ab.reads.sent ? NULL : &ab.reads.op[*at];
}

static void check_reply_head(const struct op *op, const struct beat *reply, unsigned reader)
{
    unsigned status = (unsigned)(reply->word >> 24) & 3, n = ab.oldest[reader];

    must(&ab.wrong, !replying, "read %u: a head, expected more data of the reply before", n);
    must_equal(&ab.wrong, status, op->status, "read %u of %#llx: status", n,
               (unsigned long long)op->addr);
    must_equal(&ab.wrong, ((unsigned)(reply->word >> 16) & 63) + 1, op->bytes, "read %u: bytes", n);
    must_equal(&ab.wrong, (unsigned)reply->word & 15, client_reads[op->reader], "read %u: client",
               n);
    must_equal(&ab.wrong, reply->tail, status != 0, "read %u, status %u: its head is a tail", n,
               status);
    must_equal(&ab.wrong, ab.stuck >> reader & 1, 0, "read %u: to a client without room", n);
    reply_bytes = 0;
    replying = !reply->tail;
}

static void check_reply_data(const struct op *op, const struct beat *reply, unsigned n)
{
    uint8_t bytes[24] = {0};
    bool uncorrectable = op->bad_beat >= 0;

    memcpy(bytes, &reply->word, 18);
    for (unsigned i = 0; i < 16; i++) {
        unsigned at = reply_bytes + i;

        if (!reply->bad) {
            must_equal(&ab.wrong, bytes[i], at < op->bytes ? ab.want[op->addr + at] : 0,
                       "read %u of %#llx: byte %u", n, (unsigned long long)op->addr, at);
        }
    }
    must(&ab.wrong, !reply->bad || uncorrectable, "read %u of %#llx: marked bad from byte %u on", n,
         (unsigned long long)op->addr, reply_bytes);
    reply_bytes += 16;
    must_equal(&ab.wrong, reply->tail, reply_bytes >= op->bytes,
               "read %u of %u bytes: tail behind %u bytes", n, op->bytes, reply_bytes);
    replying = !reply->tail;
}

static void end_reply(unsigned reader)
{
    for (unsigned r = 0; r < READERS; r++) {
        const struct op *op = oldest_of(r);

        ab.overtakes += r != reader && op != NULL && ab.oldest[r] < ab.oldest[reader];
    }
    ab.oldest[reader]++;
    ab.reads.done++;
    ab.atomic_replies += reader == READER_AMO;
}

static void check_reply(void)
{
    const struct beat *reply = &ab.dut.out.reply;
    unsigned reader = ab.dut.out.reader;
    struct op *op;

    if (!reply->valid) {
        /* holds axi_read.reply */
        must(&ab.wrong, !replying, "a gap behind %u bytes of a reply", reply_bytes);
        return;
    }
    ab.last_reply_beat = ab.now;
    /* holds axi_read.order */
    op = oldest_of(reader);
    if (op == NULL) {
        miss(&ab.wrong, "a reply to reader %u, expected none, all its reads are answered", reader);
        return;
    }
    if (reply->head) {
        check_reply_head(op, reply, reader);
    } else {
        check_reply_data(op, reply, ab.oldest[reader]);
    }
    if (reply->tail) {
        end_reply(reader);
    }
}

/* A place is given back: of a client that had one. */
static void check_given(void)
{
    for (unsigned r = 0; r < READERS; r++) {
        unsigned given = ab.dut.out.given >> r & 1;

        must(&ab.wrong, given <= ab.held[r], "a place of reader %u is given back, it has none", r);
        ab.held[r] -= given <= ab.held[r] ? given : 0;
    }
}

/* Not while a write or read that went in is unanswered. */
static void check_idle(void)
{
    open_writes -= ab.dut.out.done.valid;
    open_reads -= ab.dut.out.reply.valid && ab.dut.out.reply.tail;
    must(&ab.wrong, !ab.dut.out.idle_write || open_writes == 0, "idle, and %u writes are open",
         open_writes);
    must(&ab.wrong, !ab.dut.out.idle_read || open_reads == 0, "idle, and %u reads are open",
         open_reads);
}

/* ---- a clock ------------------------------------------------------------------------------------ */
void axi_bench_step(void)
{
    struct axi_master_in in = {0};
    bool room_write = ab.dut.out.room_write, room_read = ab.dut.out.room_read;

    for (unsigned r = 0; r < READERS; r++) {
        bool room = !rng_chance(&ab.rng, ab.reply_stall) && !(ab.stuck >> r & 1);

        in.room_reply |= (mem_reader_set)((mem_reader_set)room << r);
    }
    host_step(ab.host, &ab.dut.out.m_axi, &in.m_axi);
    if (ab.corrupt_rlast && in.m_axi.rvalid && rng_below(&ab.rng, 50) == 0) {
        in.m_axi.rlast = !in.m_axi.rlast;
        ab.corrupt_rlasts++;
    }
    if (ab.extra.bvalid && !in.m_axi.bvalid) {
        in.m_axi.bvalid = 1;
        in.m_axi.bid = ab.extra.bid;
        ab.extra.bvalid = 0;
    }
    if (ab.extra.rvalid && !in.m_axi.rvalid) {
        in.m_axi.rvalid = 1;
        in.m_axi.rid = ab.extra.rid;
        ab.extra.rvalid = 0;
    }
    in.write = next_beat;
    in.read = next_read;
    next_of_writes(room_write);
    next_of_reads(room_read);
    /* holds axi_read.ready */
    must(&ab.wrong, ab.dut.out.m_axi.rready, "RREADY is 0, expected 1");
    answered[ab.now % 8] = in.m_axi.bvalid ? (int)in.m_axi.bid : -1;
    axi_master(&ab.dut, &in);
    ab.now++;
    open_writes += in.write.valid && in.write.tail;
    if (in.read.valid) {
        first_of_two = in.read.split && !first_of_two;
        open_reads += !first_of_two;
    }
    check_done();
    check_reply();
    check_given();
    check_idle();
    for (unsigned i = 0; i < 8; i++) {
        ab.counted[0][i] += (unsigned)ab.dut.out.write_count >> i & 1;
        ab.counted[1][i] += (unsigned)ab.dut.out.read_count >> i & 1;
    }
}
bool axi_bench_all_done(void)
{
    bool done = ab.reads.done == ab.reads.count && ab.beat_sent == ab.beat_count;

    for (unsigned w = 0; w < WRITERS; w++) {
        done = done && ab.writes[w].done == ab.writes[w].count;
    }
    return done;
}
bool axi_bench_drain(uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks && !axi_bench_all_done(); i++) {
        axi_bench_step();
    }
    bool done = axi_bench_all_done();

    for (unsigned i = 0; i < 20; i++) {
        axi_bench_step();
    }
    must(&ab.wrong, done,
         "not all is answered: %u of %u reads; %u of %u writes of target, %u of %u of local",
         ab.reads.done, ab.reads.count, ab.writes[0].done, ab.writes[0].count, ab.writes[1].done,
         ab.writes[1].count);
    must(&ab.wrong, !done || (ab.dut.out.idle_write && ab.dut.out.idle_read),
         "in the end idle is %u of writes, %u of reads, expected 1 and 1",
         (unsigned)ab.dut.out.idle_write, (unsigned)ab.dut.out.idle_read);
    must(&ab.wrong, host_broken_rules(ab.host) == 0, "%s", host_broken(ab.host)->first);
    return done;
}
void axi_bench_begin(const struct host_knobs *knobs)
{
    for (unsigned w = 0; w < WRITERS; w++) {
        ab.writes[w].count = ab.writes[w].sent = ab.writes[w].done = 0;
    }
    ab.reads.count = ab.reads.sent = ab.reads.done = 0;
    ab.beat_count = ab.beat_sent = 0;
    next_beat.valid = 0;
    next_read.valid = 0;
    second_read = second_head = replying = first_of_two = false;
    open_writes = open_reads = 0;
    ab.wrong = (struct misses){0};
    memset(ab.oldest, 0, sizeof(ab.oldest));
    memset(ab.held, 0, sizeof(ab.held));
    ab.stuck = 0;
    ab.atomic_replies = ab.atomic_writes = ab.overtakes = 0;
    ab.bubble = ab.reply_stall = 0;
    memset(ab.counted, 0, sizeof(ab.counted));
    if (ab.host != NULL) {
        host_free(ab.host);
    }
    ab.host = host_new(SIZE, rng_next(&ab.rng), NULL, NULL);
    host_set(ab.host, knobs);
    for (unsigned i = 0; i < SIZE; i++) {
        ab.want[i] = host_memory(ab.host)[i] = (uint8_t)rng_next(&ab.rng);
    }
    axi_master_reset(&ab.dut);
}
void axi_bench_check_memory(void)
{
    const uint8_t *seen = host_memory(ab.host);

    for (unsigned i = 0; i < SIZE; i++) {
        must_equal(&ab.wrong, seen[i], ab.want[i], "memory at %#x, part of writer %u", i, i / PART);
    }
}
void axi_bench_read_by(unsigned reader, uint64_t addr, unsigned bytes)
{
    struct op op = axi_bench_plain(WRITERS * PART + addr, bytes);

    op.reader = reader;
    if (reader == READER_AMO) { /* a variable */
        op.bytes = bytes % 2 ? 8 : 4;
        op.addr -= op.addr % op.bytes;
    } else if (reader == READER_RINGS) { /* within a line */
        op.bytes = bytes;
        op.addr -= op.addr % 64;
    }
    axi_bench_add(&ab.reads, op);
}
void axi_bench_read_op(uint64_t addr, unsigned bytes)
{
    axi_bench_read_by(rng_below(&ab.rng, READERS), addr, bytes);
}
