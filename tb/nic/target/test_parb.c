// SPDX-License-Identifier: Apache-2.0
/*
 * test_parb.c - the arbiter of host memory against a list of what each port sent.
 *
 * Whole accesses come out, none lost, none mixed, those of a port in order; each is cut at a page's end; a read that must
 * see writes leaves after their answers, but then at once; nobody has more than PARB_FLYING writes under way; events go
 * first, the other three share; reads of npt and of amo have turns. Behind parb stands a memory that stops at any beat and
 * answers late.
 */
#include "nic/target/parb.h"
#include "tb/base/harness.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    MOST = 1 << 15,
    BEATS_MOST = 6,
    LAG_MOST = 6, /* clocks for which amo does not know that there is no room */
    SETTLED = 4,  /* clocks after which parb knows what it was told */
};

struct access {
    struct beat beat[BEATS_MOST]; /* as they must come out */
    unsigned beats;
    bool read, ordered;
    unsigned writes_before; /* of its port, when it was sent */
    uint64_t came;
};

/* One port: what it sends, what of that has left, what is answered. */
struct port {
    struct access *access;
    unsigned made, sent, beat;        /* made; sent whole; beats of the one that is being sent */
    unsigned written, read_out, done; /* next write to leave, next read, writes answered */
    unsigned gone;                    /* accesses that have left */
    unsigned writes_sent, writes_out;
    uint64_t last_left;
    struct beat drives;
    unsigned cq_wait;
};

/* A write that will be answered. */
struct flying {
    uint64_t due;
    unsigned port;
};

/* The fetch that stands before parb, or the last one that did. */
struct fetcher {
    struct amo_fetch drives;
    bool shown, gone;
    unsigned writes_before; /* of PARB_TARGET, when parb saw it first */
    unsigned ready;         /* clocks for which it may leave */
    unsigned passed;        /* reads of npt that left in them */
    unsigned made, left;
};

static const unsigned client_of[PARB_PORTS] = {MEM_TARGET, MEM_LOCAL, MEM_CQ, MEM_AMO};

static struct parb dut;
static struct rng rng;
static uint64_t now, wrong;
static struct port ports[PARB_PORTS];
static struct fetcher fetcher;
static struct amo_word word_drives;
static u8 room_seen;                   /* of the clocks before, the last one lowest */
static unsigned heads_in, reads_left;  /* of PARB_TARGET: writes that parb has seen; reads */
static unsigned get_ready, get_passed; /* as of a fetch */
static struct flying *flying;
static unsigned flying_count, out_beat, most_flying;
static int out_port; /* whose access leaves, -1: none */
static bool read_second;
static uint64_t left[PARB_PORTS];

/* The load. */
static double begin[PARB_PORTS], read_share, order_share, room_share, read_room_share, fetch_share;
static unsigned latency, lag;
static bool answers;

static void complain(const char *what)
{
    if (wrong++ == 0) {
        tap_why("clock %llu: %s", (unsigned long long)now, what);
    }
}

/* ---- what is sent ------------------------------------------------------------------------------- */

static beat_word head_word(unsigned client, uint64_t addr, unsigned bytes, bool write, bool split)
{
    return (beat_word)client | ((beat_word)(bytes - 1) << 16) | ((beat_word)write << 22) |
           ((beat_word)split << 30) | ((beat_word)addr << 48);
}

/* A random access of a port, as it goes in (in[]) and as it must come out. */
static unsigned make(unsigned p, struct access *a, struct beat *in)
{
    unsigned bytes = p == PARB_CQ ? 8 : 1 + rng_below(&rng, 64), n = 0;
    uint64_t page = (rng_next(&rng) >> 20) & 0xFFFFFFFFF000;
    uint64_t addr = rng_below(&rng, 2) ? page + PAGE - 80 + rng_below(&rng, 96)
                                       : page + rng_below(&rng, PAGE - 64);
    bool write = p != PARB_TARGET || !rng_chance(&rng, read_share);
    bool ordered = !write && rng_chance(&rng, order_share);
    unsigned data = write ? (bytes + 15) / 16 : 0;

    addr = p == PARB_CQ ? addr / 8 * 8 : addr;
    bool split = addr / PAGE != (addr + bytes - 1) / PAGE;
    beat_word rest = p == PARB_CQ ? 0 : (beat_word)rng_below(&rng, 4096) << 4;

    *a = (struct access){.read = !write, .ordered = ordered};
    in[n++] = (struct beat){.valid = 1,
                            .head = 1,
                            .tail = !write,
                            .word = head_word(client_of[p], addr, bytes, write, false) | rest |
                                    ((beat_word)ordered << 28)};
    a->beat[a->beats++] =
        (struct beat){.head = 1, .word = head_word(client_of[p], addr, bytes, write, split) | rest};
    if (split) {
        a->beat[a->beats++] = (struct beat){
            .head = 1,
            .word = head_word(client_of[p], (addr / PAGE + 1) * PAGE, bytes, write, true) | rest};
    }
    for (unsigned i = 0; i < data; i++) {
        beat_word word =
            (beat_word)rng_next(&rng) | (p == PARB_CQ ? 0 : (beat_word)rng_next(&rng) << 64);

        in[n] = (struct beat){.valid = 1,
                              .tail = i + 1 == data,
                              .bad = p != PARB_CQ && rng_below(&rng, 10) == 0,
                              .word = word};
        a->beat[a->beats++] = in[n++];
    }
    return n;
}

/* A random new value of amo, the same. */
static struct amo_word make_word(struct access *a)
{
    bool wide = rng_below(&rng, 2);
    uint64_t addr = rng_below(&rng, 4) == 0 ? PAGE * (rng_next(&rng) >> 28) - (wide ? 8 : 4)
                                            : (rng_next(&rng) >> 16) / 8 * 8;
    struct amo_word word = {.valid = 1,
                            .wide = wide,
                            .entry = (u12)rng_below(&rng, 4096),
                            .addr = (u48)addr,
                            .data = rng_next(&rng)};

    *a = (struct access){.beats = 2};
    a->beat[0] =
        (struct beat){.head = 1,
                      .word = head_word(MEM_AMO, (uint64_t)word.addr, wide ? 8 : 4, true, false) |
                              (beat_word)word.entry << 4};
    a->beat[1] = (struct beat){.tail = 1, .word = word.data};
    return word;
}

static struct beat sending[PARB_PORTS][BEATS_MOST];
static unsigned sending_beats[PARB_PORTS];

/* What the port's register drives next, by the room that it sees now. */
static void drive(unsigned p, bool room)
{
    struct port *port = &ports[p];
    bool inside = port->beat != 0;
    bool goes = p == PARB_CQ ? inside || (room && port->cq_wait == 0) : room;

    port->drives.valid = 0;
    port->cq_wait -= port->cq_wait != 0;
    if (!goes || (inside && p != PARB_CQ && rng_below(&rng, 8) == 0)) {
        return;
    }
    if (!inside) {
        if (port->made == MOST || !rng_chance(&rng, begin[p])) {
            return;
        }
        struct access *a = &port->access[port->made++];

        sending_beats[p] = make(p, a, sending[p]);
        a->writes_before = port->writes_sent;
        a->came = now;
        port->writes_sent += !a->read;
        port->cq_wait = 1;
    }
    port->drives = sending[p][port->beat++];
    if (port->beat == sending_beats[p]) {
        port->beat = 0;
        port->sent++;
    }
}

/* amo looks at room, but some of what it sends was begun before. */
static void drive_word(bool room)
{
    struct port *port = &ports[PARB_AMO];

    room_seen = (u8)(room_seen << 1 | room);
    word_drives.valid = 0;
    if ((unsigned)room_seen >> lag & 1 && port->made != MOST && rng_chance(&rng, begin[PARB_AMO])) {
        word_drives = make_word(&port->access[port->made++]);
        port->sent++;
        port->writes_sent++;
    }
}

/* A fetch goes in the clock behind that in which it was seen to be taken; the next one may follow at once. */
static void drive_fetch(bool taken)
{
    fetcher.drives.valid &= !taken;
    if (!fetcher.drives.valid && rng_chance(&rng, fetch_share)) {
        fetcher = (struct fetcher){.made = fetcher.made + 1, .left = fetcher.left};
        fetcher.drives = (struct amo_fetch){.valid = 1,
                                            .wide = rng_below(&rng, 2),
                                            .order = rng_chance(&rng, order_share),
                                            .addr = (u48)(rng_next(&rng) >> 16) & ~(u48)7};
    }
}

/* ---- what comes out ------------------------------------------------------------------------------ */

static bool same(const struct beat *a, const struct beat *b)
{
    return a->head == b->head && a->tail == b->tail && a->bad == b->bad && a->word == b->word;
}

/* The oldest access of a port of that kind that has not left. */
static struct access *oldest(unsigned p, bool read)
{
    struct port *port = &ports[p];
    unsigned *next = read ? &port->read_out : &port->written;

    while (*next < port->made && port->access[*next].read != read) {
        ++*next;
    }
    return *next < port->made ? &port->access[*next] : NULL;
}

static void check_write(void)
{
    const struct beat *out = &dut.out.write;

    if (!out->valid) {
        return;
    }
    if (out_port < 0) {
        for (unsigned p = 0; p < PARB_PORTS; p++) {
            out_port = ((unsigned)out->word & 15) == client_of[p] ? (int)p : out_port;
        }
        out_beat = 0;
        if (out_port < 0 || !out->head) {
            complain("no access begins so");
            out_port = -1;
            return;
        }
    }
    struct access *a = oldest((unsigned)out_port, false);

    if (a == NULL || out_beat >= a->beats || !same(out, &a->beat[out_beat])) {
        complain("a beat that was not sent, or not now");
        out_port = -1;
        return;
    }
    if (++out_beat == a->beats) {
        struct port *port = &ports[out_port];

        if (!out->tail) {
            complain("an access without an end");
        }
        port->written++;
        port->gone++;
        port->writes_out++;
        left[out_port]++;
        port->last_left = now;
        flying[flying_count++] =
            (struct flying){now + latency + rng_below(&rng, latency + 1), (unsigned)out_port};
        unsigned under_way = port->writes_out - port->done;

        most_flying = under_way > most_flying ? under_way : most_flying;
        out_port = -1;
    }
}

static void check_read(void)
{
    const struct mem_read *out = &dut.out.read;
    struct access *a;

    if (dut.out.fetch_taken != (out->valid && out->atomic)) {
        complain("a fetch is taken and does not leave, or the other way round");
    }
    if (!out->valid || out->atomic) {
        return;
    }
    a = oldest(PARB_TARGET, true);
    if (a == NULL) {
        complain("a read that was not sent");
        return;
    }
    if (!read_second && fetcher.ready > SETTLED && ++fetcher.passed > 1) {
        complain("a fetch that may leave waits for more than one read");
    }
    const struct beat *head = &a->beat[read_second];

    if (out->addr != (u48)(head->word >> 48) || out->bytes != (u6)(head->word >> 16) || out->bad ||
        out->split != (a->beats == 2)) {
        complain("a read is not as it was sent");
    }
    if (a->ordered && ports[PARB_TARGET].done < a->writes_before) {
        complain("a read overtakes a write that it must see");
    }
    read_second = out->split && !read_second;
    ports[PARB_TARGET].read_out += !read_second;
    ports[PARB_TARGET].gone += !read_second;
    reads_left += !read_second;
    get_ready = get_passed = read_second ? get_ready : 0;
}

static void check_fetch(void)
{
    const struct mem_read *out = &dut.out.read;
    const struct amo_fetch *f = &fetcher.drives;

    if (!out->valid || !out->atomic) {
        return;
    }
    if (!fetcher.shown || fetcher.gone || out->addr != f->addr || out->bytes != (f->wide ? 7 : 3) ||
        out->bad || out->split) {
        complain("a fetch is not as it was sent, or leaves twice");
    }
    if (read_second) {
        complain("a fetch between the two words of a read");
    }
    if (f->order && ports[PARB_TARGET].done < fetcher.writes_before) {
        complain("a fetch overtakes a write that it must see");
    }
    if (get_ready > SETTLED && ++get_passed > 1) {
        complain("a read that may leave waits for more than one fetch");
    }
    fetcher.gone = true;
    fetcher.left++;
}

/* For how long the fetch, and the oldest read, had no reason to wait but turns and room. */
static void watch_reads(void)
{
    const struct access *a = oldest(PARB_TARGET, true);
    unsigned done = ports[PARB_TARGET].done;
    bool fetch =
        fetcher.shown && !fetcher.gone && (!fetcher.drives.order || done >= fetcher.writes_before);
    bool get = a != NULL && now - a->came > SETTLED + BEATS_MOST &&
               (!a->ordered || done >= a->writes_before);

    fetcher.ready = fetch ? fetcher.ready + 1 : 0;
    get_ready = get ? get_ready + 1 : 0;
}

/* The next answer: in order per port, between ports in any. */
static struct mem_done next_done(void)
{
    bool blocked[PARB_PORTS] = {0};

    for (unsigned i = 0; answers && i < flying_count; i++) {
        struct flying f = flying[i];

        if (f.due <= now && !blocked[f.port]) {
            memmove(flying + i, flying + i + 1, (--flying_count - i) * sizeof(*flying));
            ports[f.port].done++;
            return (struct mem_done){.valid = 1, .client = (u4)client_of[f.port]};
        }
        blocked[f.port] = true;
    }
    return (struct mem_done){0};
}

/* ---- a clock ------------------------------------------------------------------------------------- */

static void step(void)
{
    struct parb_in in = {.room_write = rng_chance(&rng, room_share),
                         .room_read = rng_chance(&rng, room_share * read_room_share),
                         .word = word_drives,
                         .fetch = fetcher.drives,
                         .done = next_done()};
    bool room[PARB_PORTS];
    unsigned begun[PARB_PORTS];
    bool taken = dut.out.fetch_taken;

    if (in.fetch.valid && !fetcher.shown) {
        fetcher.shown = true;
        fetcher.writes_before = heads_in;
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        begun[p] = ports[p].made;
        room[p] = dut.out.room[p];
        if (p == PARB_AMO) {
            drive_word(room[p]);
        } else {
            in.access[p] = ports[p].drives;
            drive(p, room[p]);
        }
    }
    heads_in +=
        in.access[PARB_TARGET].valid && in.access[PARB_TARGET].head && !in.access[PARB_TARGET].tail;
    parb(&dut, &in);
    now++;
    check_write();
    check_read();
    check_fetch();
    watch_reads();
    if (dut.out.idle && in.fetch.valid && !fetcher.gone) {
        complain("idle, and a fetch waits");
    }
    drive_fetch(taken);
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        if (dut.out.idle && begun[p] != ports[p].gone) {
            complain("idle, and an access is inside");
        }
    }
    if (dut.out.idle && (dut.out.write.valid || dut.out.read.valid)) {
        complain("idle, and a beat leaves");
    }
}

static void reset(void)
{
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        struct access *access = ports[p].access;

        ports[p] = (struct port){.access = access};
        begin[p] = 1;
        left[p] = 0;
    }
    parb_reset(&dut);
    fetcher = (struct fetcher){0};
    word_drives.valid = 0;
    room_seen = 0;
    heads_in = reads_left = get_ready = get_passed = 0;
    flying_count = out_beat = most_flying = 0;
    out_port = -1;
    read_second = false;
    wrong = 0;
    read_share = order_share = fetch_share = 0;
    room_share = read_room_share = 1;
    lag = 0;
    latency = 20;
    answers = true;
}

/* Sends no more, and until all has left. */
static void finish(void)
{
    unsigned stood = 0;
    double share = room_share;

    for (unsigned p = 0; p < PARB_PORTS; p++) {
        begin[p] = 0;
    }
    fetch_share = 0;
    room_share = share < 0.5 ? 0.5 : share;
    for (unsigned i = 0; i < 100000 && stood < 100; i++) {
        step();
        stood = dut.out.idle && flying_count == 0 ? stood + 1 : 0;
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        if (oldest(p, false) != NULL || oldest(p, true) != NULL || ports[p].beat != 0) {
            complain("an access is lost");
        }
    }
    if (fetcher.left != fetcher.made) {
        complain("a fetch is lost");
    }
}

/* ---- tests --------------------------------------------------------------------------------------- */

/* npt gives no more contexts for reads than there are places. */
static bool few_wait(void)
{
    const struct port *port = &ports[PARB_TARGET];
    unsigned waiting = 0;

    for (unsigned a = port->read_out; a < port->made; a++) {
        waiting += port->access[a].read;
    }
    return waiting < (1 << NIC_GETS_LOG2) - 2;
}

static void test_loads(void)
{
    static const struct {
        double begin[PARB_PORTS], read, order, room, fetch;
        unsigned latency, lag;
    } loads[] = {
        {{1, 1, 1, 1}, 0.3, 0, 1, 1, 20, 0},
        {{0.3, 0.3, 0.1, 0.2}, 0.5, 0.5, 1, 0.1, 50, 3},
        {{1, 0, 0, 0}, 0.5, 0.3, 0.7, 0.5, 10, 0},
        {{0.2, 0.9, 0.05, 0.1}, 0.2, 1, 0.3, 0.3, 5, 6},
        {{0.1, 0.1, 0.3, 0.5}, 0.6, 0.2, 1, 1, 0, 5},
        {{1, 1, 0.02, 0.02}, 0.05, 0.1, 0.9, 0, 300, 6},
        {{0.05, 0.05, 0.05, 0.9}, 0.5, 1, 1, 0.05, 90, 6},
    };

    for (unsigned l = 0; l < sizeof(loads) / sizeof(*loads); l++) {
        reset();
        memcpy(begin, loads[l].begin, sizeof(begin));
        read_share = loads[l].read;
        order_share = loads[l].order;
        room_share = loads[l].room;
        fetch_share = loads[l].fetch;
        latency = loads[l].latency;
        lag = loads[l].lag;
        for (unsigned i = 0; i < 20000; i++) {
            read_share = few_wait() ? loads[l].read : 0;
            step();
        }
        finish();
        tap_ok(wrong == 0 && ports[0].made > 500,
               "load %u: %u, %u, %u, %u accesses, %u fetches come out whole, once, in order", l,
               ports[0].made, ports[1].made, ports[2].made, ports[3].made, fetcher.made);
    }
}

static void test_share(void)
{
    reset();
    begin[PARB_CQ] = begin[PARB_AMO] = 0;
    latency = 5;
    for (unsigned i = 0; i < 30000; i++) {
        step();
    }
    double share = (double)left[0] / (double)(left[0] + left[1]);

    tap_ok(wrong == 0 && share > 0.49 && share < 0.51, "target and local share: %.3f", share);
    reset();
    begin[PARB_CQ] = 0;
    latency = 5;
    for (unsigned i = 0; i < 30000; i++) {
        step();
    }
    double three = (double)(left[PARB_TARGET] + left[PARB_LOCAL] + left[PARB_AMO]) / 3;

    tap_ok(wrong == 0 && (double)left[PARB_TARGET] > 0.98 * three &&
               (double)left[PARB_LOCAL] > 0.98 * three && (double)left[PARB_AMO] > 0.98 * three,
           "target, local and amo share: %llu, %llu, %llu", (unsigned long long)left[PARB_TARGET],
           (unsigned long long)left[PARB_LOCAL], (unsigned long long)left[PARB_AMO]);
    reset();
    latency = 5;
    begin[PARB_CQ] = 0.1;
    for (unsigned i = 0; i < 30000; i++) {
        step();
    }
    tap_ok(wrong == 0 && ports[PARB_CQ].made > 2000 &&
               ports[PARB_CQ].made - left[PARB_CQ] < PARB_EVENTS + 1,
           "events go first: %u of %u are out", (unsigned)left[PARB_CQ], ports[PARB_CQ].made);
    reset();
    latency = 5;
    for (unsigned i = 0; i < 30000; i++) {
        step();
    }
    double all = (double)(left[0] + left[1] + left[2] + left[3]);

    tap_ok(wrong == 0 && (double)left[0] > 0.16 * all && (double)left[1] > 0.16 * all &&
               (double)left[3] > 0.16 * all,
           "nor does a flood of events starve them: shares %.3f, %.3f, %.3f", (double)left[0] / all,
           (double)left[1] / all, (double)left[3] / all);
    reset();
    latency = 5;
    begin[PARB_TARGET] = begin[PARB_LOCAL] = 0;
    for (unsigned i = 0; i < 10000; i++) {
        step();
    }
    tap_ok(wrong == 0 && left[PARB_AMO] > 2400 && left[PARB_CQ] > 2400,
           "nor amo, when it is alone with it: %llu and %llu", (unsigned long long)left[PARB_CQ],
           (unsigned long long)left[PARB_AMO]);
}

static void test_flying(void)
{
    reset();
    answers = false;
    for (unsigned i = 0; i < 5000; i++) {
        step();
    }
    bool held = left[0] == PARB_FLYING && left[1] == PARB_FLYING && left[2] == PARB_FLYING &&
                left[3] == PARB_FLYING;

    answers = true;
    for (unsigned i = 0; i < 5000; i++) {
        step();
    }
    finish();
    tap_ok(wrong == 0 && held && most_flying <= PARB_FLYING,
           "no more than %d writes of a port are under way; it goes on when they are answered",
           PARB_FLYING);
}

/* 64-byte accesses back to back: no clock is lost. */
static void test_rate(void)
{
    uint64_t beats = 0, clocks = 0;

    reset();
    latency = 5;
    begin[PARB_CQ] = begin[PARB_AMO] = 0;
    for (unsigned i = 0; i < 10000; i++) {
        step();
        if (i > 100) {
            beats += dut.out.write.valid;
            clocks++;
        }
    }
    tap_ok(wrong == 0 && (double)beats >= 0.87 * (double)clocks,
           "with senders that hesitate at one of 8 beats: %.3f beats per clock",
           (double)beats / (double)clocks);
}

/* Nothing leaves: as many new values as there are places, and not one is lost of those that come when there is no room. */
static void test_words(void)
{
    reset();
    begin[PARB_TARGET] = begin[PARB_LOCAL] = begin[PARB_CQ] = 0;
    lag = LAG_MOST;
    room_share = 0;
    for (unsigned i = 0; i < 100; i++) {
        step();
    }
    unsigned waiting = ports[PARB_AMO].made;

    room_share = 1;
    for (unsigned i = 0; i < 1000; i++) {
        step();
    }
    finish();
    tap_ok(wrong == 0 && waiting == PARB_WORDS && ports[PARB_AMO].made > 450,
           "%u new values wait; then they leave, one per %.3f clocks", waiting,
           1000 / (double)(ports[PARB_AMO].made - waiting));
}

/* Reads and fetches, both as many as can be, and memory that takes some. */
static void test_turns(double room)
{
    reset();
    begin[PARB_LOCAL] = begin[PARB_CQ] = begin[PARB_AMO] = 0;
    read_share = fetch_share = 1;
    read_room_share = room;
    for (unsigned i = 0; i < 30000; i++) {
        begin[PARB_TARGET] = few_wait();
        step();
    }
    double share = (double)fetcher.left / (double)(fetcher.left + reads_left);

    finish();
    tap_ok(wrong == 0 && share > 0.3 && share < 0.51,
           "reads of npt and amo have turns: %u and %u where memory takes %.1f a clock", reads_left,
           fetcher.left, room);
}

/* So many accesses of PARB_TARGET, that go in whole. */
static void send(unsigned count, bool reads)
{
    unsigned until = ports[PARB_TARGET].made + count;

    read_share = reads;
    begin[PARB_TARGET] = 1;
    for (unsigned i = 0; i < 100000 && ports[PARB_TARGET].made != until; i++) {
        step();
    }
    begin[PARB_TARGET] = 0;
}

static void settle(void)
{
    struct port *port = &ports[PARB_TARGET];

    for (unsigned i = 0; i < 100000 && port->done != port->writes_sent; i++) {
        step();
    }
    for (unsigned i = 0; i < 2 * SETTLED; i++) {
        step();
    }
}

/*
 * Ordered reads whose writes are done, and memory takes no reads while so many more writes come and are done: then all of them
 * leave, though no write comes any more.
 */
static bool test_late(unsigned reads, bool fetch, unsigned further)
{
    reset();
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        begin[p] = 0;
    }
    latency = 3;
    order_share = 1;
    read_room_share = 0;
    for (unsigned i = 0; i < reads; i++) {
        send(1 + rng_below(&rng, 2), false);
        send(1, true);
    }
    send(3, false);
    fetch_share = fetch;
    settle();
    fetch_share = 0;
    send(further, false);
    settle();
    read_room_share = 1;
    for (unsigned i = 0; i < 2 * reads + 2 * SETTLED; i++) {
        step();
    }
    return wrong == 0 && reads_left == reads && fetcher.left == fetch;
}

static void test_all_late(unsigned reads, bool fetch, const char *what)
{
    const unsigned wrap = 1 << (NIC_PUTS_LOG2 + 2);
    unsigned stood = 0, tries = 0;

    for (unsigned further = wrap / 2 - 8; further <= wrap + 8; further += 1 + further % 13) {
        stood += !test_late(reads, fetch, further);
        tries++;
    }
    tap_ok(stood == 0, "%s, stopped while %u to %u later writes are done: %u of %u stand", what,
           wrap / 2 - 8, wrap + 8, stood, tries);
}

static void test_bits(unsigned bits)
{
    uint64_t corrected = 0, fatal = 0, bad = 0, corrupted = 0;

    reset();
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        begin[p] = 0;
    }
    for (unsigned i = 0; i < 500; i++) {
        struct parb_in in = {.access[PARB_TARGET] = {
                                 .valid = 1,
                                 .head = 1,
                                 .tail = 1,
                                 .word = head_word(0, 0x123456789000 + i * 64, 64, false, false)}};
        unsigned bit = rng_below(&rng, 61), second = (bit + 1 + rng_below(&rng, 60)) % 61;

        parb(&dut, &in);
        in.access[PARB_TARGET].valid = 0;
        dut.codes[(parb_get)(dut.write_at - 1)] ^= (read_ecc_word)1 << bit;
        if (bits == 2) {
            dut.codes[(parb_get)(dut.write_at - 1)] ^= (read_ecc_word)1 << second;
        }
        corrupted++;
        for (unsigned c = 0; c < 6; c++) {
            in.room_read = 1;
            parb(&dut, &in);
            now++;
            corrected += (unsigned)dut.out.count >> PARB_CORRECTED & 1;
            fatal += (unsigned)dut.out.count >> PARB_FATAL & 1;
            bad += dut.out.read.valid && dut.out.read.bad;
            if (dut.out.read.valid && !dut.out.read.bad &&
                dut.out.read.addr != 0x123456789000 + i * 64) {
                complain("a wrong address leaves");
            }
        }
    }
    tap_ok(wrong == 0 && corrected == (bits == 1 ? corrupted : 0) &&
               fatal == (bits == 2 ? corrupted : 0) && bad == fatal,
           "%u wrong bits in a read that waits: %s", bits,
           bits == 1 ? "corrected, counted" : "marked, counted");
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    flying = calloc(MOST * PARB_PORTS, sizeof(*flying));
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        ports[p].access = calloc(MOST, sizeof(struct access));
    }
    test_loads();
    test_share();
    test_flying();
    test_rate();
    test_words();
    test_turns(1);
    test_turns(0.3);
    test_all_late(1, false, "an ordered read at the front");
    test_all_late(1 << NIC_GETS_LOG2, false, "as many as there are places");
    test_all_late(0, true, "an ordered fetch");
    test_all_late(5, true, "a fetch and reads");
    test_bits(1);
    test_bits(2);
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        free(ports[p].access);
    }
    free(flying);
    tap_ok(harness_covers("hls/nic/target/parb.c") == 5, "all covers are hit");
    return tap_done();
}
