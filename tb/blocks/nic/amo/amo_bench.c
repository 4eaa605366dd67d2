// SPDX-License-Identifier: Apache-2.0
/*
 * amo_bench.c - what stands around amo: rat, parb, the host, npt; and what it must do. Operations are those of amo_ops.
 */
#include "tb/blocks/nic/amo/amo_bench.h"

#include "tb/blocks/nic/amo/amo_back.h"
#include "tb/blocks/nic/amo/amo_ops.h"
#include "tb/golden/nic/nic_amo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct amo_bench am;
unsigned amo_pairs[PAIRS], amo_pair_count;

enum {
    AHEAD = 4,
    REPLY_AHEAD = 3,
    FLYING = 2 * AMO_FLYING,
    READS = 2 * AMO_ENTRIES,
    UNDER_WAY = 40,
};

/* What waits for its time, and operations it belongs to: of a write what it brings, and the last operation in each half if nobody says which. */
struct late {
    uint64_t due;
    unsigned op;
    struct amo_out_word out;
};

static struct beat requests[AHEAD], replies[REPLY_AHEAD]; /* on their way, the next one first */
static bool inside, reply_inside;
static bool fetch_taken, answer_taken, room_word; /* registers of parb and npt */
static struct amo_out_word word, words[WORDS];
static unsigned word_count;
static struct late writes[FLYING], reads[READS];
static unsigned write_count, read_count;
static unsigned written, answered_write;
static unsigned oldest; /* operation that is not written, nor ever will be */
static unsigned fetch_op;

#define ADDRESS UINT64_C(0xFFFFFFFFFFFF) /* of op->addr; above it its space */

/* ---- rat: requests ------------------------------------------------------------------------------- */

static struct beat head_of(const struct amo_test_op *op)
{
    beat_word word = (beat_word)op->of << 4 | (beat_word)1 << MEM_WRITE_AT |
                     (beat_word)(op->wide ? 7 : 3) << MEM_BYTES_AT |
                     (beat_word)op->order << MEM_ORDER_AT |
                     (beat_word)(op->addr & ADDRESS) << MEM_ADDR_AT |
                     (beat_word)(op->addr >> 48) << MEM_SPACE_AT |
                     (beat_word)op->whom << MEM_WHOM_AT | (beat_word)op->counted << MEM_COUNTED_AT |
                     (beat_word)op->opcode << MEM_OPCODE_AT | (beat_word)op->fetch << MEM_FETCH_AT;

    return (struct beat){.valid = 1, .head = 1, .bad = op->lost && !op->unmarked, .word = word};
}

/* What goes on its way in this clock. */
static struct beat next_request(bool room)
{
    const struct amo_test_op *op = &am.ops[am.sent];

    if (inside && !rng_chance(&am.rng, am.load.gap)) {
        inside = false;
        return (struct beat){.valid = 1,
                             .tail = 1,
                             .bad = op->bad && !op->unmarked,
                             .word = (beat_word)op->b << 64 | op->a};
    }
    if (!inside && room && am.sent != am.count && rng_chance(&am.rng, am.load.begin)) {
        inside = true;
        return head_of(&am.ops[++am.sent]);
    }
    return (struct beat){0};
}

/* ---- memory -------------------------------------------------------------------------------------- */

static uint64_t due(unsigned latency)
{
    return am.now + latency + (am.load.even ? 0 : rng_below(&am.rng, latency + 1));
}

static void do_write(const struct amo_out_word *out)
{
    const struct amo_test_op *op = &am.ops[out->op];
    struct amo_half *half = amo_var_at(out->addr)->half;

    for (unsigned h = out->from; h <= out->to; h++) {
        if (op->write_status == MEM_DONE || op->written_all_the_same) {
            half[h].memory = out->wide ? (uint32_t)(out->data >> (32 * h)) : (uint32_t)out->data;
        }
    }
}

/* parb: words wait, and go to memory one after the other. */
static void queue_words(void)
{
    if (word.valid) {
        if (word_count == WORDS) {
            miss(&am.wrong, "a word of %#llx for parb, which has %d already and no room",
                 (unsigned long long)word.addr, WORDS);
            word_count--;
        }
        words[word_count++] = word;
        word.valid = false;
    }
    if (word_count != 0 && write_count != FLYING && rng_chance(&am.rng, am.load.words)) {
        writes[write_count++] = (struct late){.due = due(am.load.writing), .out = words[0]};
        memmove(words, words + 1, --word_count * sizeof(*words));
    }
}

/* Of ours in their order, of others whenever it may be. */
static struct mem_done next_done(void)
{
    static const unsigned others[] = {MEM_TARGET, MEM_LOCAL, MEM_CQ};

    if (write_count != 0 && writes[0].due <= am.now && rng_chance(&am.rng, am.load.dones)) {
        const struct amo_out_word out = writes[0].out;
        struct amo_test_op *op = &am.ops[out.op];
        struct amo_half *half = amo_var_at(out.addr)->half;

        do_write(&out);
        memmove(writes, writes + 1, --write_count * sizeof(*writes));
        op->stage = ENDED;
        op->status = amo_status_of(op->write_status);
        for (unsigned h = out.from; h <= out.to; h++) {
            half[h].writes--;
            half[h].failed |= op->write_status != MEM_DONE;
            half[h].last_done = am.now;
        }
        amo_back_done(&out);
        return (struct mem_done){
            .valid = 1, .client = MEM_AMO, .place = (u12)out.entry, .status = op->write_status};
    }
    return (struct mem_done){.valid = rng_chance(&am.rng, am.load.others),
                             .client = (u4)others[rng_below(&am.rng, 3)],
                             .place = (u12)rng_next(&am.rng),
                             .status = (u2)rng_next(&am.rng)};
}

/* The reply to the oldest read, whose value is what memory has now. */
static struct beat next_reply(bool room)
{
    struct amo_test_op *op = &am.ops[reads[0].op];

    if (reply_inside) {
        struct amo_half *half = amo_var_at(op->addr)->half;
        beat_word word = amo_joined(half[0].memory, half[1].memory, op->addr, op->wide);

        reply_inside = false;
        memmove(reads, reads + 1, --read_count * sizeof(*reads));
        op->stage = op->data_bad ? ENDED : VALUE;
        op->status = op->data_bad ? STATUS_DATA : STATUS_OK;
        for (unsigned h = op->from; h <= op->to; h++) {
            half[h].value = half[h].memory;
        }
        if (op->data_bad) {
            amo_end_turn((unsigned)(op - am.ops));
        }
        return (struct beat){.valid = 1, .tail = 1, .bad = op->data_bad, .word = word};
    }
    if (read_count != 0 && reads[0].due <= am.now && room && rng_chance(&am.rng, am.load.replies)) {
        beat_word head = (beat_word)MEM_AMO | (beat_word)(op->wide ? 7 : 3) << MEM_BYTES_AT |
                         (beat_word)op->read_status << MEM_STATUS_AT;
        bool fails = op->read_status != MEM_DONE;

        reply_inside = !fails;
        if (fails) {
            memmove(reads, reads + 1, --read_count * sizeof(*reads));
            op->stage = ENDED;
            op->status = amo_status_of(op->read_status);
            amo_end_turn((unsigned)(op - am.ops));
        }
        return (struct beat){.valid = 1, .head = 1, .tail = fails, .word = head};
    }
    return (struct beat){0};
}

/* ---- what it must do ----------------------------------------------------------------------------- */

/* In an ordered mode: accesses that were accepted before it are answered. */
static void check_before(const struct amo_test_op *op)
{
    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        if (op->order) {
            must_at_least(&am.wrong, am.done[k], op->before[k],
                          "%s, ordered, goes on: accesses of kind %u that are done",
                          amo_op_text(op), k);
        }
    }
}

/* In an ordered mode: written behind all that came before it. */
static void check_order(const struct amo_test_op *op, unsigned index)
{
    while (oldest <= am.sent && am.ops[oldest].stage >= WRITTEN) {
        oldest++;
    }
    must(&am.wrong, !op->order || oldest >= index, "%s, ordered, overtakes operation %u",
         amo_op_text(op), oldest);
}

/* Retired in the order in which they came, when memory has the new value, or will never have it. */
static void check_retired(void)
{
    if (am.dut.out.retired &&
        must_at_most(&am.wrong, ++am.retired, am.given, "operations retired")) {
        must(&am.wrong, am.ops[am.retired].stage == ENDED || amo_back_may(&am.ops[am.retired]),
             "%s is retired, expected when it has ended", amo_op_text(&am.ops[am.retired]));
    }
}

static void check_fetch(const struct mem_fetch *before)
{
    const struct mem_fetch *out = &am.dut.out.fetch;
    bool stands = before->valid && !fetch_taken;

    if (stands) {
        must(&am.wrong,
             out->valid && out->addr == before->addr && out->space == before->space &&
                 out->bytes == before->bytes,
             "a fetch of %#llx is not taken, then valid %u, of %#llx, expected the same",
             (unsigned long long)before->addr, (unsigned)out->valid, (unsigned long long)out->addr);
    }
    if (!out->valid || stands) {
        return;
    }
    must(&am.wrong, out->bytes == 7 || out->bytes == 3, "a fetch of %u bytes",
         (unsigned)out->bytes + 1);
    fetch_op = (am.lazy != 0 ? amo_back_turn : amo_turn)(out->addr | (uint64_t)out->space << 48,
                                                         out->bytes == 7);
    if (fetch_op == 0 || am.ops[fetch_op].stage != SENT) {
        miss(&am.wrong, "a fetch of %#llx, expected none: %s", (unsigned long long)out->addr,
             fetch_op == 0 ? "no operation there has its turn" : amo_op_text(&am.ops[fetch_op]));
        return;
    }
    struct amo_test_op *op = &am.ops[fetch_op];

    check_before(op);
    struct amo_half *half = amo_var_at(op->addr)->half;

    op->stage = READING;
    op->fetched = true;
    am.fetched++;
    for (unsigned h = op->from; h <= op->to; h++) {
        must_equal(&am.wrong, half[h].writes, 0, "%s is read for: writes of half %u under way",
                   amo_op_text(op), h);
        half[h].kept = half[h].failed = false;
        half[h].hot = true;
        half[h].wide = op->wide;
    }
}

/* Whether an operation that was not read for may go on with what the unit has. */
static bool may_go_on(const struct amo_test_op *op, const struct amo_half *half)
{
    bool kept = true, hot = !op->order, width = true, under_way = false;

    for (unsigned h = op->from; h <= op->to; h++) {
        kept = kept && half[h].kept;
        hot = hot && half[h].hot;
        width = width && (half[h].wide || !op->wide);
    }
    for (unsigned h = 0; h < 2; h++) { /* of the entry */
        bool belongs = half[op->from].wide || h == op->from;

        under_way =
            under_way || (belongs && (half[h].writes != 0 || half[h].last_done >= op->given));
    }
    return width && (kept || (hot && under_way));
}

/* What the unit may do with the halves of an entry, when an operation on it is done. */
static void leave(struct amo_half *half, const struct amo_test_op *op, bool cached)
{
    bool failed = false, whole = half[op->from].wide;

    for (unsigned h = 0; h < 2; h++) {
        failed = failed || ((whole || h == op->from) && half[h].failed);
    }
    for (unsigned h = 0; h < 2; h++) {
        if (whole || h == op->from) {
            half[h].kept = cached && !failed;
            half[h].hot = half[h].hot && !failed;
            half[h].failed = false;
        }
    }
}

static void check_word(void)
{
    const struct mem_word *out = &am.dut.out.word;

    if (am.lazy != 0) {
        if (out->valid) {
            word = amo_back_word(out);
        }
        return;
    }
    unsigned index = out->valid ? amo_turn(out->addr | (uint64_t)out->space << 48, out->wide) : 0;
    struct amo_test_op *op = &am.ops[index];

    if (!out->valid) {
        return;
    }
    if (index == 0) {
        miss(&am.wrong, "a word for %#llx, expected none: no operation there has its turn",
             (unsigned long long)out->addr);
        return;
    }
    struct amo_half *half = amo_var_at(op->addr)->half;
    bool cached = gn_amo_of(op->opcode, op->fetch).cached;

    op->old = amo_joined(half[0].value, half[1].value, op->addr, out->wide);
    uint64_t value = amo_changed(op, op->old);

    must(&am.wrong, op->stage == SENT || op->stage == VALUE,
         "%s: its word leaves, expected when its variable has been read", amo_op_text(op));
    must_equal(&am.wrong, out->data, value, "%s on %#llx: new value", amo_op_text(op),
               (unsigned long long)op->old);
    must(&am.wrong, op->stage != SENT || may_go_on(op, half),
         "%s: its word leaves, expected a fetch before, the unit does not have the variable",
         amo_op_text(op));
    check_before(op);
    check_order(op, index);
    for (unsigned h = op->from; h <= op->to; h++) {
        half[h].value = amo_part(op, h, value);
        half[h].writes++;
    }
    leave(half, op, cached);
    amo_end_turn(index);
    op->stage = WRITTEN;
    op->written = ++written;
    word = (struct amo_out_word){.valid = true,
                                 .wide = out->wide,
                                 .addr = op->addr,
                                 .data = out->data,
                                 .from = op->from,
                                 .to = op->to,
                                 .entry = out->place,
                                 .op = index};
}

static void check_answer(const struct amo_answer *before)
{
    const struct amo_answer *out = &am.dut.out.answer;
    bool stands = before->valid && !answer_taken;
    unsigned index = (unsigned)out->whom & 0xFFFF;
    struct amo_test_op *op = &am.ops[index];

    if (stands) {
        must(&am.wrong,
             out->valid && out->whom == before->whom && out->status == before->status &&
                 out->old == before->old,
             "an answer to %#llx is not taken, then valid %u, to %#llx, expected the same",
             (unsigned long long)before->whom, (unsigned)out->valid, (unsigned long long)out->whom);
    }
    if (!out->valid || stands) {
        return;
    }
    if (index == 0 || index > am.sent || op->whom != out->whom || op->answered || op->lost) {
        miss(&am.wrong, "an answer to %#llx, status %u, expected none%s",
             (unsigned long long)out->whom, (unsigned)out->status,
             index != 0 && index <= am.sent && op->answered ? ": it has been answered" : "");
        return;
    }
    op->answered = true;
    am.answered++;
    am.statuses[out->status]++;
    must(&am.wrong, op->stage == ENDED || amo_back_may(op),
         "%s is answered, expected when it has ended", amo_op_text(op));
    op->status = op->stage == ENDED ? op->status : STATUS_OK;
    must_equal(&am.wrong, out->status, op->status, "%s: status", amo_op_text(op));
    must_equal(&am.wrong, out->fetch, op->fetch, "%s: brings its old value", amo_op_text(op));
    must_equal(&am.wrong, out->wide, op->wide, "%s: of 8 bytes", amo_op_text(op));
    must_equal(&am.wrong, out->counted, op->counted, "%s: END counts it", amo_op_text(op));
    must_equal(&am.wrong, out->ssid, op->of & 511, "%s: ssid", amo_op_text(op));
    must_equal(&am.wrong, out->use, op->of >> 9 & 3, "%s: use", amo_op_text(op));
    if (op->status == STATUS_OK) {
        must_equal(&am.wrong, out->old, am.exact ? op->want : op->old, "%s: old value",
                   amo_op_text(op));
    }
    if (op->written != 0) {
        must_at_least(&am.wrong, op->written, answered_write, "%s: number of the write answered",
                      amo_op_text(op));
    }
    answered_write = op->written != 0 ? op->written : answered_write;
}

static void check_idle(void)
{
    uint64_t ended = am.answered + am.counted[AMO_LOST];

    must(&am.wrong,
         !am.dut.out.idle || (ended >= am.given && word_count + write_count + read_count == 0),
         "idle, and of %u operations %llu have ended, %u words, %u writes, %u reads are under way",
         am.given, (unsigned long long)ended, word_count, write_count, read_count);
    am.most = write_count + word_count > am.most ? write_count + word_count : am.most;
}

/* Accesses of other kinds come, as many as may be under way, and are answered. */
static void others(void)
{
    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        am.done[k] += am.done[k] != am.accepted[k] && rng_chance(&am.rng, am.load.order);
        am.accepted[k] +=
            am.accepted[k] - am.done[k] < UNDER_WAY && rng_chance(&am.rng, am.load.order);
    }
}

/* ---- a clock ------------------------------------------------------------------------------------- */

void amo_bench_step(void)
{
    const struct amo_out before = am.dut.out;
    struct amo_in in = {
        .request = requests[0],
        .room_word = room_word,
        .fetch_taken = fetch_taken,
        .answer_taken = answer_taken,
        .reply = replies[0],
        .ordered = amo_back_asks(),
        .config = {.rounding = (u2)am.rounding,
                   .lazy = (nic_patience)am.lazy,
                   .drain = am.stop,
                   .flush = am.flush || rng_chance(&am.rng, am.load.flush)},
    };
    bool takes_fetch = before.fetch.valid && !fetch_taken && read_count != READS &&
                       rng_chance(&am.rng, am.load.fetches);
    bool takes_answer =
        before.answer.valid && !answer_taken && rng_chance(&am.rng, am.load.answers);

    queue_words();
    in.done = next_done();
    memmove(requests, requests + 1, sizeof(requests) - sizeof(*requests));
    requests[AHEAD - 1] = next_request(before.room && before.few);
    memmove(replies, replies + 1, sizeof(replies) - sizeof(*replies));
    replies[REPLY_AHEAD - 1] = next_reply(before.room_reply);
    if (takes_fetch) {
        reads[read_count++] = (struct late){.due = due(am.load.reading), .op = fetch_op};
    }
    am.flush = false;
    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        in.counts.accepted[k] = (order_number)am.accepted[k];
        in.counts.answered[k] = (order_number)am.done[k];
    }
    in.counts.accepted[ORDER_ATOMICS] = (order_number)am.given;
    in.counts.answered[ORDER_ATOMICS] = (order_number)am.retired;
    if (in.request.valid && in.request.head) {
        in.ordered = 0; /* one of both comes */
        struct amo_test_op *op = &am.ops[++am.given];

        op->given = am.now;
        memcpy(op->before, am.accepted, sizeof(op->before));
        for (unsigned k = ORDER_ATOMICS; k < ORDER_KINDS; k++) {
            op->before[k] = 0; /* its own, and this host's */
        }
    }
    if (in.ordered) {
        amo_back_ask();
    }
    amo(&am.dut, &in);
    am.now++;
    for (unsigned c = 0; c < AMO_COUNTS; c++) {
        am.counted[c] += (unsigned)am.dut.out.count >> c & 1;
    }
    check_fetch(&before.fetch);
    check_word();
    check_retired();
    amo_back_check();
    others();
    check_answer(&before.answer);
    check_idle();
    fetch_taken = takes_fetch;
    answer_taken = takes_answer;
    room_word = word_count <= WORDS / 2;
}

void amo_bench_drain(uint64_t clocks)
{
    uint64_t end = am.now + clocks;

    while (am.now < end && am.wrong.count == 0 &&
           (am.sent != am.count || am.answered + am.counted[AMO_LOST] != am.count ||
            am.dut.out.answer.valid || (am.lazy != 0 && am.retired != am.count))) {
        amo_bench_step();
    }
    for (unsigned i = 0; i < 20; i++) {
        amo_bench_step();
    }
    must_equal(&am.wrong, am.answered + am.counted[AMO_LOST], am.count,
               "operations answered or lost in the end");
    must_equal(&am.wrong, am.retired, am.count, "operations retired in the end");
    must(&am.wrong,
         am.lazy != 0 || (am.dut.out.idle &&
                          (am.dut.fetching | am.dut.busy | am.dut.leaving | am.dut.writing) == 0),
         "not idle in the end: idle %u, fetching %u, busy %u, leaving %u, writing %u",
         (unsigned)am.dut.out.idle, (unsigned)am.dut.fetching, (unsigned)am.dut.busy,
         (unsigned)am.dut.leaving, (unsigned)am.dut.writing);
}

void amo_bench_flush(void)
{
    am.flush = true;
    for (unsigned v = 0; v < am.var_count; v++) {
        am.vars[v].half[0].kept = am.vars[v].half[1].kept = false;
        am.vars[v].half[0].hot = am.vars[v].half[1].hot = false;
    }
    amo_bench_step();
}

static void find_pairs(void)
{
    for (unsigned pair = 0; pair < 0x100; pair++) {
        if (gn_amo_of(pair % 0x80, pair / 0x80).exists) {
            amo_pairs[amo_pair_count++ % PAIRS] = pair;
        }
    }
}

void amo_bench_begin(void)
{
    struct amo_test_op *ops = am.ops;
    struct amo_var *vars = am.vars;
    struct rng rng = am.rng;
    uint64_t now = am.now;

    if (ops == NULL) {
        ops = calloc(AMO_OPS, sizeof(*ops));
        vars = calloc(AMO_VARS, sizeof(*vars));
        find_pairs();
    }
    am = (struct amo_bench){.rng = rng, .now = now, .ops = ops, .vars = vars, .exact = true};
    amo_ops_begin();
    am.load = (struct amo_load){1, 0, 1, 1, 1, 1, 1, 0, 0.2, 0, 0, 1, false};
    amo_reset(&am.dut);
    memset(requests, 0, sizeof(requests));
    memset(replies, 0, sizeof(replies));
    inside = reply_inside = fetch_taken = answer_taken = room_word = false;
    word.valid = false;
    amo_back_begin();
    word_count = write_count = read_count = written = answered_write = 0;
    oldest = 1;
}

void amo_bench_free(void)
{
    free(am.ops);
    free(am.vars);
}
