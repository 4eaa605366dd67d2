// SPDX-License-Identifier: Apache-2.0
/*
 * test_npt.c - answers to other nodes, against a list of what they asked for.
 *
 * Before it rat_net (contexts, by its rule of room), behind it a memory that answers late and reads that come as
 * axi_master sends them, a netlink with a queue of 32 beats, and a cq with places for two events; beside it amo, whose
 * operations are done in an order of their own. Every context is answered once, as memory said; acks in order; an event only
 * with an OK, once, with its answer; every operation as amo says, no other beat inside; and none of the three
 * waits for the others for ever.
 */
#include "nic/target/npt.h"
#include "tb/base/harness.h"
#include "tb/golden/nic_packet.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 1 << 15,
    NODE = 0x2ABCD,
    QUEUE = 32,     /* beats of netlink's entrance */
    RAT_STAGES = 4, /* clocks from where rat_net sees room to its context */
    AXI_STAGES = 3, /* from where axi_master sees room to the first beat of a reply */
    PUT = 1,
    PUT_MSG = 4,
    CQWRITE = 5,
};

struct asked {
    struct npt_context context;
    unsigned bytes;  /* of a read */
    unsigned memory; /* how memory answers */
    uint64_t due;
    bool lost;          /* its context has two wrong bits */
    bool event_corrupt; /* its event has */
    uint8_t data[64];
};

/* The answer of amo that stands before npt, or the last one that did. */
struct operation {
    struct amo_answer drives;
    uint64_t since;
};

static struct npt dut;
static struct rng rng;
static uint64_t now, wrong, counted[NPT_COUNTS], expected[NPT_COUNTS];
static struct asked *asked;
static unsigned made, puts_done, put_at, get_replied, get_at;
static struct npt_context pipe[RAT_STAGES];
static unsigned in_netlink, events_in_cq, answers, events;
static struct beat replies[BEATS], line[AXI_STAGES]; /* the reply that goes, and its way */
static unsigned reply_beat, reply_beats;
static bool response_inside;
static uint64_t oldest_ack_wait, ready_since;
static struct operation operation;
static bool old_due; /* the old value of it is the next beat */
static unsigned operations, operations_done, reply_beats_out, acks_out;
static uint64_t longest_operation_wait, longest_reply_wait, reply_since;

static double put_share, get_share, refuse_share, event_share, drain_share, cq_share, error_share;
static double operation_share, fetch_share;
static unsigned latency;

static void complain(const char *what)
{
    if (wrong++ == 0) {
        tap_why("clock %llu: %s", (unsigned long long)now, what);
    }
}

/* ---- contexts ------------------------------------------------------------------------------------- */

static struct npt_context random_context(bool read)
{
    bool refused = !read && rng_chance(&rng, refuse_share);
    bool event = !read && rng_chance(&rng, event_share);
    bool cqwrite = event && rng_below(&rng, 2);

    return (struct npt_context){
        .valid = 1,
        .read = read,
        .ready = refused || cqwrite,
        .status = refused ? (u4)(1 + rng_below(&rng, 13)) : (u4)0,
        .cmd = (u4)(read      ? 0
                    : cqwrite ? CQWRITE
                    : event   ? PUT_MSG
                              : PUT),
        .src = (nic_node)rng_next(&rng),
        .tag = (nic_tag)rng_next(&rng),
        .gen = (nic_gen)rng_next(&rng),
        .mode = (u3)rng_below(&rng, 7),
        .ptag = (nic_ptag)rng_next(&rng),
        .queue = (u10)rng_next(&rng),
        .event = (u56)rng_next(&rng),
    };
}

/* What rat_net would decide in this clock; it is seen RAT_STAGES later. */
static struct npt_context next_context(void)
{
    struct npt_context out = pipe[RAT_STAGES - 1];
    bool read = rng_chance(&rng, get_share / (get_share + put_share + 1e-9));
    bool wants = rng_chance(&rng, get_share + put_share);
    bool room = dut.out.room_write && (!read || dut.out.room_read);

    memmove(pipe + 1, pipe, sizeof(pipe) - sizeof(*pipe));
    pipe[0].valid = 0;
    if (wants && room && made < MOST) {
        struct asked *a = &asked[made++];

        pipe[0] = random_context(read);
        *a = (struct asked){.context = pipe[0],
                            .bytes = 4 * (1 + rng_below(&rng, 16)),
                            .memory = rng_chance(&rng, error_share) ? 1 + rng_below(&rng, 3) : 0,
                            .due = now + RAT_STAGES + latency + rng_below(&rng, latency + 1)};
        for (unsigned i = 0; i < 64; i++) {
            a->data[i] = (uint8_t)rng_next(&rng);
        }
    }
    return out;
}

/* ---- memory --------------------------------------------------------------------------------------- */

static struct mem_done next_done(void)
{
    struct mem_done other = {.valid = rng_below(&rng, 3) == 0,
                             .client = 2 + 2 * (u4)rng_below(&rng, 2)};

    while (puts_done < made && (asked[puts_done].context.read || asked[puts_done].context.ready)) {
        puts_done++;
    }
    if (puts_done < made && asked[puts_done].due <= now) {
        return (struct mem_done){
            .valid = 1, .client = 0, .place = 0, .status = (u2)asked[puts_done++].memory};
    }
    return other; /* of clients that are not npt's */
}

/* The next complete read, if there is one, as head and data. */
static void begin_reply(void)
{
    while (get_replied < made && !asked[get_replied].context.read) {
        get_replied++;
    }
    if (get_replied == made || asked[get_replied].due > now) {
        return;
    }
    const struct asked *a = &asked[get_replied++];
    unsigned bytes = a->bytes;

    reply_beat = 0;
    reply_beats = a->memory != 0 ? 1 : 1 + (bytes + 15) / 16;
    replies[0] = (struct beat){.valid = 1,
                               .head = 1,
                               .tail = reply_beats == 1,
                               .word = (beat_word)(bytes - 1) << 16 | (beat_word)a->memory << 24};
    for (unsigned i = 1; i < reply_beats; i++) {
        unsigned __int128 word;

        memcpy(&word, a->data + 16 * (i - 1), 16);
        replies[i] = (struct beat){.valid = 1, .tail = i + 1 == reply_beats, .word = word};
    }
}

/* Waits for room, as far as it is due. */
static void watch_reply(void)
{
    unsigned next = get_replied;

    while (next < made && !asked[next].context.read) {
        next++;
    }
    bool waits = reply_beats == 0 && next < made && asked[next].due <= now && !dut.out.room_reply;

    reply_since = waits ? reply_since : now;
    longest_reply_wait =
        now - reply_since > longest_reply_wait ? now - reply_since : longest_reply_wait;
}

/* A reply begins where room was seen, goes on without gaps, and comes AXI_STAGES later. */
static struct beat next_reply(void)
{
    struct beat out = line[AXI_STAGES - 1];

    memmove(line + 1, line, sizeof(line) - sizeof(*line));
    line[0].valid = 0;
    if (reply_beats == 0 && dut.out.room_reply) {
        begin_reply();
    }
    if (reply_beats != 0) {
        line[0] = replies[reply_beat++];
        reply_beats = reply_beat == reply_beats ? 0 : reply_beats;
    }
    return out;
}

/* ---- amo ------------------------------------------------------------------------------------------ */

/* An answer goes in the clock behind that in which it was seen to be taken; the next one may follow at once. */
static void drive_operation(bool taken)
{
    static const u4 statuses[] = {3, 10, 13};

    operation.drives.valid &= !taken;
    if (!operation.drives.valid && rng_chance(&rng, operation_share)) {
        bool wide = rng_below(&rng, 2);

        operation = (struct operation){.since = now};
        operation.drives = (struct amo_answer){
            .valid = 1,
            .whom = (u33)rng_next(&rng),
            .status = rng_chance(&rng, error_share) ? statuses[rng_below(&rng, 3)] : (u4)0,
            .fetch = rng_chance(&rng, fetch_share),
            .wide = wide,
            .old = wide ? rng_next(&rng) : rng_next(&rng) >> 32,
        };
        operations++;
    }
}

/* Its response: a head without what pack fills in. */
static beat_word operation_head(const struct amo_answer *a)
{
    uint64_t flit[NIC_FLITS];
    uint64_t whom = (uint64_t)a->whom;
    struct nic_packet p = {.response = true,
                           .node = (uint32_t)(whom & 0x3FFFF),
                           .tag = (unsigned)(whom >> 18 & 0x3FF),
                           .gen = (unsigned)(whom >> 28 & 3),
                           .mode = (unsigned)(whom >> 30),
                           .err = a->status != 0,
                           .status = (unsigned)a->status,
                           .who = NODE};

    p.bytes = a->status != 0 || !a->fetch ? 0 : a->wide ? 8 : 4;
    nic_encode(&p, flit);
    nic_set(flit, NIC_CHK, 0);
    return (beat_word)flit[0] | (p.err ? (beat_word)(flit[1] & 0xFFFFFFFF) << 48 : (beat_word)0);
}

static void check_operation(const struct beat *r)
{
    const struct amo_answer *a = &operation.drives;

    old_due = a->fetch && a->status == 0;
    operations_done++;
    if (r->word != operation_head(a) || r->tail != !old_due) {
        complain("the head of an answer to an atomic operation is wrong");
    }
    if (dut.out.event.valid) {
        complain("an event with an atomic operation");
    }
    longest_operation_wait = now - operation.since > longest_operation_wait
                                 ? now - operation.since
                                 : longest_operation_wait;
}

static void check_old(const struct beat *r)
{
    if (r->head || !r->tail || r->word != operation.drives.old || dut.out.event.valid) {
        complain("the old value of a variable is wrong, or something comes before it");
    }
    old_due = false;
}

static void check_taken(bool before, bool reply)
{
    const struct beat *r = &dut.out.response;

    if (dut.out.taken && (before || !operation.drives.valid || reply || !r->valid || !r->head)) {
        complain("an answer is taken and not sent");
    }
    if (dut.out.idle && (old_due || dut.out.response.valid)) {
        complain("idle, and an answer is not out");
    }
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static unsigned flits(unsigned bytes)
{
    return 1 + (bytes + 2 + 5) / 6;
}

static beat_word want_head(const struct npt_context *c, unsigned status, unsigned bytes)
{
    beat_word w = (beat_word)c->src << 18 | (beat_word)c->mode << 38 | (beat_word)c->tag << 8 |
                  (beat_word)c->gen << 6;

    if (status != 0) {
        return w | (beat_word)1 << 5 | (beat_word)2 << 41 | (beat_word)status << 58 |
               (beat_word)NODE << 62;
    }
    return w | (beat_word)(bytes == 0 ? 1 : flits(bytes)) << 41;
}

static unsigned status_of(unsigned memory)
{
    return memory == 0 ? 0 : memory == 1 ? 3 : memory == 2 ? 13 : 10;
}

/* The status that the oldest put that is not answered must have. */
static unsigned put_status(const struct asked *a)
{
    unsigned status = a->context.ready ? (unsigned)a->context.status : status_of(a->memory);
    bool event = a->context.cmd == PUT_MSG || a->context.cmd == CQWRITE;

    return status == 0 && event && a->event_corrupt ? 1 : status;
}

static void count_expected(unsigned status)
{
    expected[NPT_BUS] += status == 13;
    expected[NPT_DATA] += status == 10;
}

static void skip_lost(void)
{
    while (put_at < made && (asked[put_at].context.read || asked[put_at].lost)) {
        put_at++;
    }
    while (get_at < made && (!asked[get_at].context.read || asked[get_at].lost)) {
        get_at++;
    }
}

static void check_ack(const struct beat *r)
{
    struct asked *a;
    unsigned status;

    skip_lost();
    a = &asked[put_at];
    status = put_at < made ? put_status(a) : 0;
    if (put_at >= made || r->word != want_head(&a->context, status, 0)) {
        complain("an answer to a write is wrong");
        return;
    }
    if (!a->context.ready && put_at >= puts_done) {
        complain("an answer before memory has answered");
    }
    bool event = status == 0 && (a->context.cmd == PUT_MSG || a->context.cmd == CQWRITE);
    const struct nic_event *e = &dut.out.event;

    if (e->valid != event) {
        complain("an event is missing, or there is one too many");
    }
    if (event && (e->queue != a->context.queue || e->ptag != a->context.ptag ||
                  e->word != ((uint64_t)5 << 56 | (uint64_t)a->context.event))) {
        complain("an event is wrong");
    }
    events += event;
    count_expected(status);
    put_at++;
    answers++;
}

static unsigned get_beats;

static void check_get(const struct beat *r)
{
    skip_lost();
    if (get_at >= made) {
        complain("an answer to no read");
        return;
    }
    const struct asked *a = &asked[get_at];
    unsigned bytes = a->bytes;

    if (r->head) {
        get_beats = 0;
        if (r->word != want_head(&a->context, status_of(a->memory), bytes) ||
            r->tail != (a->memory != 0)) {
            complain("the head of an answer to a read is wrong");
        }
        count_expected(status_of(a->memory));
    } else {
        unsigned __int128 word;

        memcpy(&word, a->data + 16 * get_beats++, 16);
        if (r->word != (beat_word)word || r->tail != (get_beats == (bytes + 15) / 16)) {
            complain("data of an answer is wrong");
        }
    }
    if (r->tail) {
        get_at++;
        answers++;
    }
}

static bool replying;

static void check_response(bool reply, bool room)
{
    const struct beat *r = &dut.out.response;

    if (!r->valid) {
        if (dut.out.event.valid) {
            complain("an event without its answer");
        }
        return;
    }
    if (r->head != !response_inside) {
        complain("packets are mixed");
    }
    response_inside = !r->tail;
    if (r->head && !reply && !room) {
        complain("an answer begins without room");
    }
    in_netlink++;
    if (in_netlink > QUEUE) {
        complain("netlink's queue runs over");
    }
    if (reply || replying) {
        if (dut.out.event.valid) {
            complain("an event with a read");
        }
        check_get(r);
        replying = !r->tail;
        reply_beats_out++;
    } else if (old_due) {
        check_old(r);
    } else if (dut.out.taken) {
        check_operation(r);
    } else {
        check_ack(r);
        acks_out++;
    }
}

/* ---- a clock -------------------------------------------------------------------------------------- */

static bool netlink_room = true, cq_room = true;

static void step(void)
{
    struct npt_in in = {
        .context = next_context(),
        .done = next_done(),
        .reply = next_reply(),
        .atomic = operation.drives,
        .room_response = netlink_room,
        .room_event = cq_room,
        .config = {.ready = 1, .enable = 1, .node = NODE},
    };
    bool event_before = dut.out.event.valid, taken_before = dut.out.taken;

    npt(&dut, &in);
    now++;
    check_taken(taken_before, in.reply.valid);
    check_response(in.reply.valid, in.room_response);
    drive_operation(taken_before);
    watch_reply();
    if (dut.out.event.valid && !in.room_event) {
        complain("an event without room");
    }
    events_in_cq += event_before; /* its own register is a clock later */
    if (events_in_cq > 4) {
        complain("cq runs over");
    }
    events_in_cq -= events_in_cq != 0 && rng_chance(&rng, cq_share);
    cq_room = events_in_cq <= 1;
    in_netlink -= in_netlink != 0 && rng_chance(&rng, drain_share);
    netlink_room = QUEUE - in_netlink >= BEAT_ROOM;
    for (unsigned i = 0; i < NPT_COUNTS; i++) {
        counted[i] += (unsigned)dut.out.count >> i & 1;
    }
    skip_lost();
    bool ready = put_at < made && (asked[put_at].context.ready || put_at < puts_done);
    static unsigned last_put;

    ready_since = ready && put_at == last_put ? ready_since : now;
    last_put = put_at;
    oldest_ack_wait = now - ready_since > oldest_ack_wait ? now - ready_since : oldest_ack_wait;
}

static void begin(void)
{
    npt_reset(&dut);
    memset(pipe, 0, sizeof(pipe));
    memset(counted, 0, sizeof(counted));
    memset(expected, 0, sizeof(expected));
    made = puts_done = put_at = get_replied = get_at = 0;
    in_netlink = events_in_cq = answers = events = 0;
    memset(line, 0, sizeof(line));
    reply_beat = reply_beats = 0;
    response_inside = replying = old_due = false;
    operation = (struct operation){0};
    operations = operations_done = reply_beats_out = acks_out = 0;
    longest_operation_wait = longest_reply_wait = 0;
    reply_since = now;
    netlink_room = cq_room = true;
    wrong = 0;
    oldest_ack_wait = 0;
    ready_since = now;
    put_share = get_share = 0;
    refuse_share = event_share = error_share = operation_share = 0;
    fetch_share = 0.5;
    drain_share = cq_share = 1;
    latency = 30;
}

static void finish(void)
{
    put_share = get_share = operation_share = 0;
    for (unsigned i = 0;
         i < 200000 && (put_at < made || get_at < made || operation.drives.valid || !dut.out.idle);
         i++) {
        step();
        skip_lost();
    }
    for (unsigned i = 0; i < 10; i++) {
        step();
    }
    if (put_at < made || get_at < made || operations_done != operations) {
        complain("something is never answered");
    }
    if (!dut.out.idle || !dut.out.room_read || !dut.out.room_write) {
        complain("not idle in the end");
    }
    if (memcmp(counted + NPT_LOST, expected + NPT_LOST,
               sizeof(counted) - NPT_LOST * sizeof(*counted)) != 0) {
        complain("a counter is wrong");
    }
}

/* ---- tests ---------------------------------------------------------------------------------------- */

static void test_loads(void)
{
    static const struct {
        double put, get, refuse, event, drain, cq, error, operation;
        unsigned latency;
    } loads[] = {
        {0.2, 0.2, 0.1, 0.3, 1, 1, 0.1, 0.1, 30},    {0.5, 0, 0, 0, 1, 1, 0, 0, 10},
        {0.1, 0.5, 0.3, 0.5, 0.5, 0.2, 0, 0.2, 100}, {1, 0, 1, 0, 0.3, 1, 0, 0, 5},
        {0.3, 0.3, 0.2, 1, 0.9, 0.1, 0.5, 1, 0},     {0.05, 0.05, 0.1, 0.3, 1, 1, 0.1, 0.05, 300},
        {0.02, 0.9, 0, 0, 1, 1, 0, 0, 60},           {0.3, 0.1, 0.2, 0.1, 1, 1, 0.3, 0.02, 20},
        {0.02, 0.9, 0, 0, 1, 1, 0.3, 0.9, 60},
    };

    for (unsigned l = 0; l < sizeof(loads) / sizeof(*loads); l++) {
        begin();
        refuse_share = loads[l].refuse;
        event_share = loads[l].event;
        drain_share = loads[l].drain;
        cq_share = loads[l].cq;
        error_share = loads[l].error;
        operation_share = loads[l].operation;
        latency = loads[l].latency;
        for (unsigned i = 0; i < 20000; i++) {
            put_share = loads[l].put;
            get_share = loads[l].get;
            step();
        }
        finish();
        tap_ok(
            wrong == 0 && answers == made && made > 500,
            "load %u: %u answers, %u events, %u operations; an ack waited %llu clocks at most, an "
            "operation %llu, a reply %llu",
            l, answers, events, operations, (unsigned long long)oldest_ack_wait,
            (unsigned long long)longest_operation_wait, (unsigned long long)longest_reply_wait);
    }
}

/* Replies fill the stream: acks get through all the same, and cost little. */
static void test_turns(void)
{
    uint64_t beats = 0;

    begin();
    latency = 5;
    for (unsigned i = 0; i < 20000; i++) {
        put_share = 0.1;
        get_share = 0.9;
        step();
        beats += i > 1000 && dut.out.response.valid;
    }
    finish();
    tap_ok(wrong == 0 && oldest_ack_wait <= 40 && beats > 17500,
           "beside a stream full of replies an ack waits %llu clocks at most; %.2f beats per clock",
           (unsigned long long)oldest_ack_wait, (double)beats / 19000);
}

/* Answers of amo as fast as they are taken, beside what else there may be. */
static void test_operations(double puts, double refused, double gets, bool brings)
{
    unsigned acks, replies, done;
    const unsigned clocks = 20000;

    begin();
    latency = 5;
    refuse_share = refused;
    operation_share = 1;
    fetch_share = brings;
    for (unsigned i = 0; i < clocks; i++) {
        put_share = puts;
        get_share = gets;
        step();
    }
    acks = acks_out, replies = reply_beats_out, done = operations_done;
    uint64_t waits[] = {oldest_ack_wait, longest_operation_wait, longest_reply_wait};

    finish();
    double least = puts == 0 && gets == 0 ? 0.49 : 0.125;

    tap_ok(wrong == 0 && waits[0] <= 12 && waits[1] <= 12 && waits[2] <= 8 &&
               done > least * clocks && (puts == 0 || acks > clocks / 6) &&
               (gets == 0 || replies > clocks / 7),
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
    begin();
    latency = 20;
    uint64_t from = now;

    for (unsigned i = 0; i < 20000; i++) {
        put_share = i % 2 == 0 ? 1 : 0;
        step();
    }
    tap_ok(wrong == 0 && (double)(now - from) / answers < 2.02,
           "writes: an answer every %.3f clocks", (double)(now - from) / answers);
    finish();
}

/* Memory does not answer, contexts come one by one: those that are taken until no RAT_AHEAD more fit, and back again. */
static void test_room(bool read)
{
    const unsigned places = 1 << (read ? NIC_GETS_LOG2 : NIC_PUTS_LOG2);
    unsigned before;

    begin();
    latency = 20000;
    step();
    while ((read ? dut.out.room_read : dut.out.room_write) && made <= places) {
        before = made;
        while (made == before) {
            put_share = !read;
            get_share = read;
            step();
        }
        put_share = get_share = 0;
        for (unsigned i = 0; i < RAT_STAGES + 2; i++) {
            step();
        }
    }
    tap_ok(made == places - RAT_AHEAD + 1,
           "%u contexts of %s are taken, of %u places %d are for those on their way", made,
           read ? "reads" : "writes", places, RAT_AHEAD - 1);
    finish();
    tap_ok(wrong == 0, "and all of them are answered when memory answers");
}

/* Bits of what waits, of each memory. */
static void test_bits(unsigned which, unsigned bits)
{
    static const char *const names[] = {"a context of a write", "its event", "a context of a read"};
    unsigned width = which == 0 ? 63 : which == 1 ? 63 : 40;
    uint64_t corrupted = 0;

    begin();
    for (unsigned i = 0; i < 300; i++) {
        latency = 60;
        event_share = which == 1 ? 1 : 0;
        unsigned first = rng_below(&rng, width),
                 second = (first + 1 + rng_below(&rng, width - 1)) % width;

        /* two, so that the second one's word stays in the memory; PUT_MSG alone has to wait for memory */
        for (unsigned k = 0; k < 2; k++) {
            do {
                put_share = which != 2;
                get_share = which == 2;
                step();
            } while (!pipe[0].valid);
            put_share = get_share = 0;
        }
        for (unsigned c = 0; c < RAT_STAGES + 2; c++) {
            step();
        }
        bool there = which == 2 ? dut.gets == 2 && dut.get_staged : dut.puts == 2 && dut.put_staged;

        if (there) {
            struct asked *a = &asked[made - 1];

            for (unsigned k = 0; k < bits; k++) {
                unsigned bit = k == 0 ? first : second;

                if (which == 0) {
                    dut.put_codes[(npt_put)(dut.put_write - 1)] ^= (put_ecc_word)1 << bit;
                } else if (which == 1) {
                    dut.event_codes[(npt_put)(dut.put_write - 1)] ^= (event_ecc_word)1 << bit;
                } else {
                    dut.get_codes[(npt_get)(dut.get_write - 1)] ^= (get_ecc_word)1 << bit;
                }
            }
            a->lost = bits == 2 && which != 1;
            a->event_corrupt = bits == 2 && which == 1;
            corrupted++;
            expected[NPT_LOST] += bits == 2;
        }
        double share = put_share;

        finish();
        put_share = share;
    }
    tap_ok(wrong == 0 && corrupted > 50 && (bits == 2 || counted[NPT_CORRECTED] == corrupted),
           "%u wrong bits in %s (%llu): %s", bits, names[which], (unsigned long long)corrupted,
           bits == 1    ? "corrected, counted"
           : which == 1 ? "UNCORRECTABLE, no event"
                        : "no answer, counted");
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    asked = calloc(MOST, sizeof(*asked));
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
    for (unsigned which = 0; which < 3; which++) {
        test_bits(which, 1);
        test_bits(which, 2);
    }
    free(asked);
    tap_ok(harness_covers("hls/nic/target/npt.c") == 8, "all covers are hit");
    return tap_done();
}
