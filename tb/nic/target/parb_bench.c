// SPDX-License-Identifier: Apache-2.0
/*
 * parb_bench.c - what the ports send, a memory that stops and answers late, and what must leave.
 */
#include "tb/nic/target/parb_bench.h"

#include <stdlib.h>
#include <string.h>

struct parb_bench pb;

enum {
    PAGE = 4096,
    MOST = 1 << 15, /* accesses of a port */
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
};

static const unsigned client_of[PARB_PORTS] = {MEM_TARGET, MEM_LOCAL, MEM_CQ, MEM_AMO};

static struct fetcher fetcher;
static struct amo_word word_drives;
static u8 room_seen;                   /* of the clocks before, the last one lowest */
static unsigned heads_in;              /* of PARB_TARGET: writes that parb has seen */
static unsigned get_ready, get_passed; /* as of a fetch */
static struct flying *flying;
static unsigned flying_count, out_beat;
static int out_port; /* whose access leaves, -1: none */
static bool read_second;

void parb_bench_complain(const char *what)
{
    if (pb.wrong++ == 0) {
        tap_why("clock %llu: %s", (unsigned long long)pb.now, what);
    }
}

/* ---- what is sent ------------------------------------------------------------------------------- */

beat_word parb_bench_head(unsigned client, uint64_t addr, unsigned bytes, bool write, bool split)
{
    return (beat_word)client | ((beat_word)(bytes - 1) << 16) | ((beat_word)write << 22) |
           ((beat_word)split << 30) | ((beat_word)addr << 48);
}

/* A random access of a port, as it goes in (in[]) and as it must come out. */
static unsigned make(unsigned p, struct parb_test_access *a, struct beat *in)
{
    unsigned bytes = p == PARB_CQ ? 8 : 1 + rng_below(&pb.rng, 64), n = 0;
    uint64_t page = (rng_next(&pb.rng) >> 20) & 0xFFFFFFFFF000;
    uint64_t addr = rng_below(&pb.rng, 2) ? page + PAGE - 80 + rng_below(&pb.rng, 96)
                                          : page + rng_below(&pb.rng, PAGE - 64);
    bool write = p != PARB_TARGET || !rng_chance(&pb.rng, pb.load.read);
    bool ordered = !write && rng_chance(&pb.rng, pb.load.order);
    unsigned data = write ? (bytes + 15) / 16 : 0;

    addr = p == PARB_CQ ? addr / 8 * 8 : addr;
    bool split = addr / PAGE != (addr + bytes - 1) / PAGE;
    beat_word rest = p == PARB_CQ ? 0 : (beat_word)rng_below(&pb.rng, 4096) << 4;

    *a = (struct parb_test_access){.read = !write, .ordered = ordered};
    in[n++] = (struct beat){.valid = 1,
                            .head = 1,
                            .tail = !write,
                            .word = parb_bench_head(client_of[p], addr, bytes, write, false) |
                                    rest | ((beat_word)ordered << 28)};
    a->beat[a->beats++] = (struct beat){
        .head = 1, .word = parb_bench_head(client_of[p], addr, bytes, write, split) | rest};
    if (split) {
        a->beat[a->beats++] = (struct beat){
            .head = 1,
            .word =
                parb_bench_head(client_of[p], (addr / PAGE + 1) * PAGE, bytes, write, true) | rest};
    }
    for (unsigned i = 0; i < data; i++) {
        beat_word word =
            (beat_word)rng_next(&pb.rng) | (p == PARB_CQ ? 0 : (beat_word)rng_next(&pb.rng) << 64);

        in[n] = (struct beat){.valid = 1,
                              .tail = i + 1 == data,
                              .bad = p != PARB_CQ && rng_below(&pb.rng, 10) == 0,
                              .word = word};
        a->beat[a->beats++] = in[n++];
    }
    return n;
}

/* A random new value of amo, the same. */
static struct amo_word make_word(struct parb_test_access *a)
{
    bool wide = rng_below(&pb.rng, 2);
    uint64_t addr = rng_below(&pb.rng, 4) == 0 ? PAGE * (rng_next(&pb.rng) >> 28) - (wide ? 8 : 4)
                                               : (rng_next(&pb.rng) >> 16) / 8 * 8;
    struct amo_word word = {.valid = 1,
                            .wide = wide,
                            .entry = (u12)rng_below(&pb.rng, 4096),
                            .addr = (u48)addr,
                            .data = rng_next(&pb.rng)};

    *a = (struct parb_test_access){.beats = 2};
    a->beat[0] = (struct beat){
        .head = 1,
        .word = parb_bench_head(MEM_AMO, (uint64_t)word.addr, wide ? 8 : 4, true, false) |
                (beat_word)word.entry << 4};
    a->beat[1] = (struct beat){.tail = 1, .word = word.data};
    return word;
}

static struct beat sending[PARB_PORTS][BEATS_MOST];
static unsigned sending_beats[PARB_PORTS];

/* What the port's register drives next, by the room that it sees now. */
static void drive(unsigned p, bool room)
{
    struct parb_test_port *port = &pb.ports[p];
    bool inside = port->beat != 0;
    bool goes = p == PARB_CQ ? inside || (room && port->cq_wait == 0) : room;

    port->drives.valid = 0;
    port->cq_wait -= port->cq_wait != 0;
    if (!goes || (inside && p != PARB_CQ && rng_below(&pb.rng, 8) == 0)) {
        return;
    }
    if (!inside) {
        if (port->made == MOST || !rng_chance(&pb.rng, pb.load.begin[p])) {
            return;
        }
        struct parb_test_access *a = &port->access[port->made++];

        sending_beats[p] = make(p, a, sending[p]);
        a->writes_before = port->writes_sent;
        a->came = pb.now;
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
    struct parb_test_port *port = &pb.ports[PARB_AMO];

    room_seen = (u8)(room_seen << 1 | room);
    word_drives.valid = 0;
    if ((unsigned)room_seen >> pb.load.lag & 1 && port->made != MOST &&
        rng_chance(&pb.rng, pb.load.begin[PARB_AMO])) {
        word_drives = make_word(&port->access[port->made++]);
        port->sent++;
        port->writes_sent++;
    }
}

/* A fetch goes in the clock behind that in which it was seen to be taken; the next one may follow at once. */
static void drive_fetch(bool taken)
{
    fetcher.drives.valid &= !taken;
    if (!fetcher.drives.valid && rng_chance(&pb.rng, pb.load.fetch)) {
        fetcher = (struct fetcher){0};
        pb.fetches++;
        fetcher.drives = (struct amo_fetch){.valid = 1,
                                            .wide = rng_below(&pb.rng, 2),
                                            .order = rng_chance(&pb.rng, pb.load.order),
                                            .addr = (u48)(rng_next(&pb.rng) >> 16) & ~(u48)7};
    }
}

/* ---- what comes out ------------------------------------------------------------------------------ */

static bool same(const struct beat *a, const struct beat *b)
{
    return a->head == b->head && a->tail == b->tail && a->bad == b->bad && a->word == b->word;
}

/* The oldest access of a port of that kind that has not left. */
static struct parb_test_access *oldest(unsigned p, bool read)
{
    struct parb_test_port *port = &pb.ports[p];
    unsigned *next = read ? &port->read_out : &port->written;

    while (*next < port->made && port->access[*next].read != read) {
        ++*next;
    }
    return *next < port->made ? &port->access[*next] : NULL;
}

static void check_write(void)
{
    const struct beat *out = &pb.dut.out.write;

    if (!out->valid) {
        return;
    }
    if (out_port < 0) {
        for (unsigned p = 0; p < PARB_PORTS; p++) {
            out_port = ((unsigned)out->word & 15) == client_of[p] ? (int)p : out_port;
        }
        out_beat = 0;
        if (out_port < 0 || !out->head) {
            parb_bench_complain("no access begins so");
            out_port = -1;
            return;
        }
    }
    struct parb_test_access *a = oldest((unsigned)out_port, false);

    if (a == NULL || out_beat >= a->beats || !same(out, &a->beat[out_beat])) {
        parb_bench_complain("a beat that was not sent, or not now");
        out_port = -1;
        return;
    }
    if (++out_beat == a->beats) {
        struct parb_test_port *port = &pb.ports[out_port];

        if (!out->tail) {
            parb_bench_complain("an access without an end");
        }
        port->written++;
        port->gone++;
        port->writes_out++;
        pb.left[out_port]++;
        flying[flying_count++] = (struct flying){
            pb.now + pb.load.latency + rng_below(&pb.rng, pb.load.latency + 1), (unsigned)out_port};
        unsigned under_way = port->writes_out - port->done;

        pb.most_flying = under_way > pb.most_flying ? under_way : pb.most_flying;
        out_port = -1;
    }
}

static void check_read(void)
{
    const struct mem_read *out = &pb.dut.out.read;
    struct parb_test_access *a;

    if (pb.dut.out.fetch_taken != (out->valid && out->atomic)) {
        parb_bench_complain("a fetch is taken and does not leave, or the other way round");
    }
    if (!out->valid || out->atomic) {
        return;
    }
    a = oldest(PARB_TARGET, true);
    if (a == NULL) {
        parb_bench_complain("a read that was not sent");
        return;
    }
    if (!read_second && fetcher.ready > SETTLED && ++fetcher.passed > 1) {
        parb_bench_complain("a fetch that may leave waits for more than one read");
    }
    const struct beat *head = &a->beat[read_second];

    if (out->addr != (u48)(head->word >> 48) || out->bytes != (u6)(head->word >> 16) || out->bad ||
        out->split != (a->beats == 2)) {
        parb_bench_complain("a read is not as it was sent");
    }
    if (a->ordered && pb.ports[PARB_TARGET].done < a->writes_before) {
        parb_bench_complain("a read overtakes a write that it must see");
    }
    read_second = out->split && !read_second;
    pb.ports[PARB_TARGET].read_out += !read_second;
    pb.ports[PARB_TARGET].gone += !read_second;
    pb.reads_left += !read_second;
    get_ready = get_passed = read_second ? get_ready : 0;
}

static void check_fetch(void)
{
    const struct mem_read *out = &pb.dut.out.read;
    const struct amo_fetch *f = &fetcher.drives;

    if (!out->valid || !out->atomic) {
        return;
    }
    if (!fetcher.shown || fetcher.gone || out->addr != f->addr || out->bytes != (f->wide ? 7 : 3) ||
        out->bad || out->split) {
        parb_bench_complain("a fetch is not as it was sent, or leaves twice");
    }
    if (read_second) {
        parb_bench_complain("a fetch between the two words of a read");
    }
    if (f->order && pb.ports[PARB_TARGET].done < fetcher.writes_before) {
        parb_bench_complain("a fetch overtakes a write that it must see");
    }
    if (get_ready > SETTLED && ++get_passed > 1) {
        parb_bench_complain("a read that may leave waits for more than one fetch");
    }
    fetcher.gone = true;
    pb.fetches_left++;
}

/* For how long the fetch, and the oldest read, had no reason to wait but turns and room. */
static void watch_reads(void)
{
    const struct parb_test_access *a = oldest(PARB_TARGET, true);
    unsigned done = pb.ports[PARB_TARGET].done;
    bool fetch =
        fetcher.shown && !fetcher.gone && (!fetcher.drives.order || done >= fetcher.writes_before);
    bool get = a != NULL && pb.now - a->came > SETTLED + BEATS_MOST &&
               (!a->ordered || done >= a->writes_before);

    fetcher.ready = fetch ? fetcher.ready + 1 : 0;
    get_ready = get ? get_ready + 1 : 0;
}

/* The next answer: in order per port, between ports in any. */
static struct mem_done next_done(void)
{
    bool blocked[PARB_PORTS] = {0};

    for (unsigned i = 0; pb.answers && i < flying_count; i++) {
        struct flying f = flying[i];

        if (f.due <= pb.now && !blocked[f.port]) {
            memmove(flying + i, flying + i + 1, (--flying_count - i) * sizeof(*flying));
            pb.ports[f.port].done++;
            return (struct mem_done){.valid = 1, .client = (u4)client_of[f.port]};
        }
        blocked[f.port] = true;
    }
    return (struct mem_done){0};
}

/* ---- a clock ------------------------------------------------------------------------------------- */

void parb_bench_step(void)
{
    struct parb_in in = {.room_write = rng_chance(&pb.rng, pb.load.room),
                         .room_read = rng_chance(&pb.rng, pb.load.room * pb.load.read_room),
                         .word = word_drives,
                         .fetch = fetcher.drives,
                         .done = next_done()};
    bool room[PARB_PORTS];
    unsigned begun[PARB_PORTS];
    bool taken = pb.dut.out.fetch_taken;

    if (in.fetch.valid && !fetcher.shown) {
        fetcher.shown = true;
        fetcher.writes_before = heads_in;
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        begun[p] = pb.ports[p].made;
        room[p] = pb.dut.out.room[p];
        if (p == PARB_AMO) {
            drive_word(room[p]);
        } else {
            in.access[p] = pb.ports[p].drives;
            drive(p, room[p]);
        }
    }
    heads_in +=
        in.access[PARB_TARGET].valid && in.access[PARB_TARGET].head && !in.access[PARB_TARGET].tail;
    parb(&pb.dut, &in);
    pb.now++;
    check_write();
    check_read();
    check_fetch();
    watch_reads();
    if (pb.dut.out.idle && in.fetch.valid && !fetcher.gone) {
        parb_bench_complain("idle, and a fetch waits");
    }
    drive_fetch(taken);
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        if (pb.dut.out.idle && begun[p] != pb.ports[p].gone) {
            parb_bench_complain("idle, and an access is inside");
        }
    }
    if (pb.dut.out.idle && (pb.dut.out.write.valid || pb.dut.out.read.valid)) {
        parb_bench_complain("idle, and a beat leaves");
    }
}

void parb_bench_begin(void)
{
    if (flying == NULL) {
        flying = calloc(MOST * PARB_PORTS, sizeof(*flying));
        for (unsigned p = 0; p < PARB_PORTS; p++) {
            pb.ports[p].access = calloc(MOST, sizeof(struct parb_test_access));
        }
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        struct parb_test_access *access = pb.ports[p].access;

        pb.ports[p] = (struct parb_test_port){.access = access};
        pb.load.begin[p] = 1;
        pb.left[p] = 0;
    }
    parb_reset(&pb.dut);
    fetcher = (struct fetcher){0};
    pb.fetches = pb.fetches_left = 0;
    word_drives.valid = 0;
    room_seen = 0;
    heads_in = pb.reads_left = get_ready = get_passed = 0;
    flying_count = out_beat = pb.most_flying = 0;
    out_port = -1;
    read_second = false;
    pb.wrong = 0;
    pb.load.read = pb.load.order = pb.load.fetch = 0;
    pb.load.room = pb.load.read_room = 1;
    pb.load.lag = 0;
    pb.load.latency = 20;
    pb.answers = true;
}

void parb_bench_finish(void)
{
    unsigned stood = 0;
    double share = pb.load.room;

    for (unsigned p = 0; p < PARB_PORTS; p++) {
        pb.load.begin[p] = 0;
    }
    pb.load.fetch = 0;
    pb.load.room = share < 0.5 ? 0.5 : share;
    for (unsigned i = 0; i < 100000 && stood < 100; i++) {
        parb_bench_step();
        stood = pb.dut.out.idle && flying_count == 0 ? stood + 1 : 0;
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        if (oldest(p, false) != NULL || oldest(p, true) != NULL || pb.ports[p].beat != 0) {
            parb_bench_complain("an access is lost");
        }
    }
    if (pb.fetches_left != pb.fetches) {
        parb_bench_complain("a fetch is lost");
    }
}

void parb_bench_free(void)
{
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        free(pb.ports[p].access);
    }
    free(flying);
}
